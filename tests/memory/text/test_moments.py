"""What is so for a moment ends nothing that holds as a rule; what is so from now on does."""

import pytest

from memory.text.changed import read, replaces
from memory.text.exchanged import exchange

# What is so only for a moment, one day or one call, or what can be so: the rule goes on.
FOR_A_MOMENT = (
    ("我平时开车上班。", "我现在在上班的地铁上。"),
    ("I drive to work.", "I'm on the train to work now."),
    ("We use Teams for meetings.", "We moved today's call to Zoom."),
    ("我们一般用 Teams 开会。", "我们把会议换到 Zoom 了。"),
    ("我平时开车上班。", "我现在在地铁上。"),
    ("I drive to work.", "I'm on the train now."),
    ("我平时开车上班。", "我现在正坐地铁。"),
    ("I drive to work.", "I'm taking the bus right now."),
    ("I drive to work.", "Riding the bus now."),
    ("我一直用 Emacs 写代码。", "现在我会用 Vim 了。"),
    ("I use Emacs for code.", "I can use Vim now."),
    ("I use Emacs as my editor.", "I know how to use Vim now."),
    ("我一直用 Emacs 写代码。", "我现在学会 Vim 了。"),
    ("我们一般用 Teams 开会。", "The call was switched to Zoom."),
    ("We use Teams for meetings.", "The call was switched to Zoom."),
    ("We use Teams for meetings.", "Today's standup moved to Zoom."),
    ("我们一般用 Teams 开会。", "今天的会换到 Zoom 了。"),
    ("我们一般用 Teams 开会。", "会议改到腾讯会议了。"),
    ("我们一般用 Teams 开会。", "这次会议换成 Zoom 了。"),
    ("我们一般用 Teams 开会。", "现在 Slack 打不开。"),
    ("We use Teams for meetings.", "Slack is down now."),
    ("We use Teams as our team chat.", "Slack is down now."),
    ("We use Teams for meetings.", "Moving to Zoom now."),
    ("We use Teams for meetings.", "We're on Zoom now, where are you?"),
    ("We use Teams for meetings.", "I'm on Zoom now."),
    ("我们一般用 Teams 开会。", "我现在在 Zoom 上。"),
    ("我用支付宝付款。", "现在可以用微信支付了。"),
    ("I pay with PayPal.", "I can pay with Apple Pay now."),
    ("I pay with PayPal.", "We can switch to Apple Pay now."),
    ("我用支付宝付款。", "现在能换成微信支付了。"),
    ("I pay with PayPal.", "I paid with Apple Pay instead today."),
    ("我的浏览器是 Firefox。", "Chrome 现在更新了。"),
    ("My browser is Firefox.", "Chrome has been updated now."),
    ("My browser is Firefox.", "Chrome is now faster."),
    ("我的浏览器是 Firefox。", "Chrome 现在很快。"),
    ("我的浏览器是 Firefox。", "公司的 Chrome 现在更新了。"),
    ("我平时开车上班。", "昨天下雨，换地铁了。"),
    ("I drive to work.", "I took the subway instead yesterday."),
    ("I drive to work.", "The car broke down, so I took the bus instead this morning."),
    ("我平时坐地铁上班。", "今早改骑车了。"),
    ("我平时爱喝拿铁。", "今天下午改喝茶了。"),
    ("I mostly drink lattes.", "I had tea instead this afternoon."),
    ("We use Teams for meetings.", "Yesterday Teams was down and we switched to Zoom."),
    ("我们一般用 Teams 开会。", "昨天 Teams 挂了，换成 Zoom 了。"),
)  # fmt: skip
# Beside it: it is said of the rule.
FROM_NOW_ON = (
    ("我们一般用 Teams 开会。", "我们开会换到 Zoom 了。"),
    ("我的相机是佳能。", "相机从佳能换成了富士。"),
    ("我们部署在 AWS。", "我们现在部署在阿里云上。"),
    ("We host on AWS.", "We're on Azure now for hosting."),
    ("We use Teams for meetings.", "We switched to Zoom."),
    ("我们一般用 Teams 开会。", "我们换成腾讯会议了。"),
    ("We use Teams for meetings.", "We use Zoom now."),
    ("我们一般用 Teams 开会。", "我们现在用 Zoom 了。"),
    ("We use Teams for meetings.", "We moved our meetings to Zoom."),
    ("I use Emacs for code.", "I switched to Vim."),
    ("我一直用 Emacs 写代码。", "现在我改用 Vim 了。"),
    ("我一直用 Emacs 写代码。", "我现在用 Vim。"),
    ("I drive to work.", "I commute by train now."),
    ("我平时开车上班。", "我现在坐地铁上班。"),
    ("I drive to work.", "I take the train to work now."),
    ("我用支付宝付款。", "我现在都用微信支付了。"),
    ("I pay with PayPal.", "I pay with Apple Pay now."),
    ("我的浏览器是 Firefox。", "昨天我换成 Chrome 了。"),
    ("My browser is Firefox.", "As of today I'm on Chrome."),
    ("My browser is Firefox.", "Chrome is my browser now."),
    ("我平时开车上班。", "我上班改坐地铁了。"),
    ("I drive to work.", "As of today I take the train to work."),
    ("We use Slack as our team chat.", "We switched to Discord yesterday."),
    ("我们用 Slack 沟通。", "昨天我们换成飞书了。"),
    ("I drive to work.", "I take the train now."),
)  # fmt: skip


def ends(new: str, old: str) -> bool:
    said = exchange(new)
    return said is not None and said.ends(old) is not None


@pytest.mark.parametrize(("old", "new"), FOR_A_MOMENT)
def test_what_is_so_for_a_moment_ends_no_rule(old: str, new: str) -> None:
    """A regression: "I'm on the train now" ended "I drive to work"."""
    assert not ends(new, old)
    assert not replaces(read(new), read(old))


@pytest.mark.parametrize(("old", "new"), FROM_NOW_ON)
def test_what_is_so_from_now_on_ends_the_rule(old: str, new: str) -> None:
    assert ends(new, old)
    assert not ends(new, new)
