"""When one thing took another's place without either's use being named, and when both hold."""

import json
import re

import pytest

from memory.evaluation.handmade import CHANGES_FILE, PAIRS_FILE, UPDATES_FILE
from memory.text.ahead import ahead
from memory.text.alternatives import lists
from memory.text.exchanged import exchange, in_use
from tests.memory.text.test_changed import BOTH_HOLD as NOTHING_CHANGED

ENDED = (
    ("我们用 Jenkins 跑持续集成。", "我们迁到 GitHub Actions 了。"),
    ("我写代码一直用 VS Code。", "最近改用 Neovim 了，顺手多了。"),
    ("我平时靠跑步锻炼身体。", "膝盖不行，我换成游泳了。"),
    ("我平时最爱喝燕麦拿铁。", "我现在不喝原来那个了，改喝豆浆。"),
    ("会上定了，后台的数据库采用 PostgreSQL。", "数据库的方案改了，我们决定换成 ClickHouse。"),
    ("坐飞机我偏好靠过道的位子。", "以后座位换成靠窗的吧，我现在喜欢靠窗。"),
    ("我每天坐地铁上班。", "我上班改骑电动车了。"),
    ("We run our builds on CircleCI.", "We've moved to GitLab CI."),
    ("Our docs live in Confluence.", "We switched to Notion."),
    ("Our team decided to use MongoDB for the orders.", "The plan changed: we decided to move the database to PostgreSQL."),
    ("I mostly drink ginger ale, no sugar.", "I've switched to oat lattes, that's my usual drink now."),
    ("I take my notes in Vim.", "I use Typora for my notes now instead of my old app."),
    ("My phone is a Galaxy S23.", "I switched to a Pixel 9."),
    ("My password manager is LastPass.", "I'm on Bitwarden now."),
    ("我们用 Stripe 收款。", "We replaced Stripe with Adyen."),
    ("我用 Chrome 浏览器。", "昨天我换成 Firefox 了。"),
    ("My browser is Chrome.", "I switched to Firefox yesterday."),
    ("我在家用 Chrome 浏览器。", "我家里换成 Firefox 了。"),
    ("I use Chrome as my browser at home.", "At home I switched to Firefox."),
    ("我们官网部署在阿里云。", "官网我们迁到腾讯云了。"),
    ("我们换成 MySQL 了。", "我们又换回 PostgreSQL 了。"),
    ("We moved to MySQL.", "We moved back to PostgreSQL."),
    ("I switched to VS Code.", "I'm back on Vim."),
    ("We use PostgreSQL as our database.", "We no longer use PostgreSQL, we moved to MySQL."),
    ("我们用 PostgreSQL 数据库。", "我们不再用 PostgreSQL 了，换成了 MySQL。"),
    ("我弹吉他。", "我现在改弹钢琴了，不弹吉他了。"),
    ("我们监控用 Zabbix。", "上周五监控换成 Prometheus 了。"),
    ("Our task tracker is Jira.", "We dropped Jira for Linear on Monday."),
    ("My gym is PureGym.", "I gave up PureGym and joined The Gym."),
    ("Our host is Heroku.", "As of last month we host everything on Fly.io."),
    ("We use Phoenix for our backend.", "We moved our backend to Django."),
)  # fmt: skip
BOTH_HOLD = (
    ("订单数据存在 PostgreSQL。", "日志我们换成 ClickHouse 了。"),
    ("我们的数据库用的是 MySQL。", "缓存我们换成 Redis 了。"),
    ("公司用钉钉沟通。", "家里的群聊换成微信了。"),
    ("我写代码用 VS Code。", "我记笔记改用 Obsidian 了。"),
    ("我们后端用 Python。", "我们前端换成 TypeScript 了。"),
    ("生产环境部署在阿里云。", "测试环境搬到腾讯云了。"),
    ("我平时坐地铁上班。", "我出差改坐高铁了。"),
    ("我的车是卡罗拉。", "我上班改骑电动车了。"),
    ("我很喜欢羽毛球。", "我换成跑步了。"),
    ("我会说英语。", "我改学法语了。"),
    ("我以前用 Evernote 记笔记。", "我换成 Notion 了。"),
    ("我讨厌喝美式。", "我改喝拿铁了。"),
    ("我妈用华为手机。", "我换成 iPhone 了。"),
    ("我们用 Kafka 做消息队列。", "我打算换成 RabbitMQ。"),
    ("我用 Chrome 浏览器。", "要不要换成 Firefox？"),
    ("我用 Chrome 浏览器。", "我也用 Firefox 了。"),
    ("我用 Chrome 浏览器。", "他们换成 Firefox 了。"),
    ("我喜欢喝美式和拿铁。", "我改喝豆浆了。"),
    ("我们的数据库用 PostgreSQL。", "我们还是没换成 MySQL。"),
    ("我的显示器是戴尔的。", "我换成 MacBook 了。"),
    ("我在建设银行上班。", "工资卡换成招商银行了。"),
    ("我在招商银行存钱。", "我换单位了，现在在中信银行。"),
    ("我对牛奶过敏。", "我改喝豆浆了。"),
    ("我用支付宝付款。", "公司收款换成微信支付了。"),
    ("我学过钢琴。", "我改弹吉他了。"),
    ("Orders are stored in PostgreSQL.", "We moved the logs to ClickHouse."),
    ("We use MySQL as our database.", "We switched our cache to Redis."),
    ("Our team chats on Slack.", "My book club moved to WhatsApp."),
    ("I write code in VS Code.", "I've switched to Obsidian for my notes."),
    ("Our backend is written in Python.", "We moved the frontend to TypeScript."),
    ("Production runs on AWS.", "We migrated staging to Hetzner."),
    ("I take the train to work.", "I switched to the bus for the school run."),
    ("I drive a Volvo.", "I cycle to work now."),
    ("I love badminton.", "I've switched to running."),
    ("I speak English.", "I switched to learning French."),
    ("I used to take notes in Evernote.", "I switched to Notion."),
    ("I hate americanos.", "I've switched to lattes."),
    ("My mother has a Galaxy phone.", "I switched to an iPhone."),
    ("We use Kafka as the message queue.", "We're planning to switch to RabbitMQ."),
    ("My browser is Chrome.", "Should I switch to Firefox?"),
    ("My browser is Chrome.", "I use Firefox now as well."),
    ("My browser is Chrome.", "They switched to Firefox."),
    ("I like americanos and lattes.", "I've switched to soy milk."),
    ("Our database is PostgreSQL.", "We didn't switch to MySQL."),
    ("My monitor is a Dell.", "I switched to a MacBook."),
    ("I work at Barclays.", "I moved my account to Monzo."),
    ("I'm allergic to soy milk.", "I've switched to oat lattes."),
    ("I pay with PayPal.", "Our shop moved to Stripe."),
    ("I learnt the piano as a child.", "I swapped the guitar for the violin."),
    ("I use Vim for code.", "I go with Word for letters now."),
    ("Our database is PostgreSQL.", "We never switched to MySQL."),
    ("Our database is PostgreSQL.", "We can't switch to MySQL."),
    ("Our database is PostgreSQL.", "We're going to switch to MySQL."),
    ("Our database is PostgreSQL.", "We hope to switch to MySQL."),
    ("Our database is PostgreSQL.", "In 2012 we switched to MySQL."),
    ("My browser is Chrome.", "I don't use Edge now."),
    ("My browser is Chrome.", "I switched Edge off."),
    ("My browser is Chrome.", "I use Firefox now, alongside Chrome."),
    ("My browser is Chrome.", "You switched to Firefox."),
    ("I use PostgreSQL in my Atlas project.", "I switched to SQLite in my Borealis project."),
    ("We use PostgreSQL in the Atlas service.", "We switched to MySQL in the billing service."),
    ("Our German customers' data is on AWS.", "Our French customers' data moved to Azure."),
    ("我们的数据库是 PostgreSQL。", "我们没有换成 MySQL。"),
    ("我们的数据库是 PostgreSQL。", "我们并没有换成 MySQL。"),
    ("我们的数据库是 PostgreSQL。", "我们不会换成 MySQL。"),
    ("我们的数据库是 PostgreSQL。", "我们要换成 MySQL。"),
    ("我们的数据库是 PostgreSQL。", "我们希望换成 MySQL。"),
    ("我们的数据库是 PostgreSQL。", "我们换成过 MySQL，后来又换回 PostgreSQL 了。"),
    ("我的浏览器是 Chrome。", "我想把浏览器换成 Firefox。"),
    ("我坐地铁上班。", "我今天改坐公交了。"),
    ("订单服务用 MySQL。", "支付服务换成 PostgreSQL 了。"),
    ("My laptop is a ThinkPad.", "For today I switched to a MacBook."),
    ("I run our builds on Jenkins.", "My sister switched to GitHub Actions."),
    ("I go to work by bus.", "We moved the meeting to Zoom."),
    ("My phone is a Pixel.", "I changed the phone case."),
    ("I know Ruby well.", "I've switched to Python."),
    ("我会写 Java。", "我改用 Python 了。"),
    ("I have Netflix.", "I have Disney+ now."),
    ("我有一张招商银行的储蓄卡。", "工资卡换成建行了。"),
    ("I play the violin.", "I switched the lights off."),
    # Elsewhere: at work, at home, in the new project, on a site of its own.
    ("在公司我用 Chrome 浏览器。", "在家我改用 Firefox 了。"),
    ("我的浏览器是 Chrome。", "上班我改用 Firefox 了。"),
    ("我的浏览器是 Chrome。", "现在上班用 Firefox，在家还是用 Chrome。"),
    ("At home I use Chrome as my browser.", "At work I've switched to Edge."),
    ("My mail client is Outlook.", "At home I switched to Thunderbird."),
    ("My browser is Chrome.", "At work I use Firefox now, at home still Chrome."),
    ("老项目的数据库用 MySQL。", "新项目的数据库换成 PostgreSQL 了。"),
    ("我们的数据库是 MySQL。", "新项目我们换成 PostgreSQL 了。"),
    ("Our old project uses MySQL as its database.", "In the new project we switched to PostgreSQL."),
    ("Our database is MySQL.", "For the new project we went with PostgreSQL."),
    ("官网部署在阿里云。", "海外官网换成 AWS 了。"),
    ("Our website is hosted on AWS.", "We moved our German website to Hetzner."),
    ("We use PostgreSQL for the orders.", "We moved the orders of our German customers to MySQL."),
    # A name of something else: a city, an island, a street, a person.
    ("I use Django as my backend framework.", "I moved to Phoenix last month."),
    ("I live in Phoenix.", "We moved our backend to Django."),
    ("My programming language is Python.", "I moved to Java for a year."),
    ("My phone is a Pixel.", "We moved to Galaxy Street."),
    ("My programming language is Python.", "I moved to Julia's place."),
    ("我的后端框架是 Django。", "我搬到 Phoenix 了，在 Phoenix 市区。"),
    # What lies ahead.
    ("We use PostgreSQL as our database.", "We're switching to MySQL in June."),
    ("My browser is Chrome.", "I'm switching to Firefox on Monday."),
    ("We use Jenkins for our builds.", "Starting in July we switch to GitLab CI."),
    ("We use Jenkins for our builds.", "Soon we switch to GitLab CI."),
    ("我们用 Slack 沟通。", "我们六月份换成飞书。"),
    ("我们的数据库是 PostgreSQL。", "数据库年底换成 MySQL。"),
    ("我们用 Jenkins 跑持续集成。", "等项目上线我们就换成 GitHub Actions。"),
    ("我们用 Jenkins 跑持续集成。", "过两个月我们换成 GitLab CI。"),
    # It was so meanwhile.
    ("Our database is MySQL.", "We moved to PostgreSQL for a week, but we're back on MySQL now."),
    ("我们的数据库是 MySQL。", "我们换成 PostgreSQL 用了一周，现在又换回 MySQL 了。"),
)  # fmt: skip


def ends(new: str, old: str) -> bool:
    said = exchange(new)
    return said is not None and said.ends(old) is not None


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_took_the_place_ends_what_was(old: str, new: str) -> None:
    assert ends(new, old)
    assert not ends(new, new)


@pytest.mark.parametrize(("old", "new"), [*BOTH_HOLD, *NOTHING_CHANGED])
def test_what_is_for_something_else_ends_nothing(old: str, new: str) -> None:
    assert not ends(new, old)


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("We're switching to MySQL in June.", True),
        ("I'm moving to Munich next month", True),
        ("We switched to MySQL in June.", False),
        ("I live in Berlin, see you tomorrow", False),
        ("I'm switching to tea.", False),
        ("我们六月换成飞书。", True),
        ("我们六月换成飞书了。", False),
        ("我下个月搬去上海", True),
        ("我住在北京，下周见", False),
        ("", False),
    ],
)
def test_what_lies_ahead_is_told_from_what_has_come_to_be(text: str, *, later: bool) -> None:
    assert ahead(text) is later


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("喝的我一般只选气泡水，别的喝不惯。", True),
        ("数据库我们定的是 SQLite。", True),
        ("I mostly drink ginger ale, no sugar.", True),
        ("I tried Obsidian for my notes.", False),
        ("要不要用 Obsidian 做笔记？", False),
        ("I like the mornings.", False),
    ],
)
def test_what_is_in_use_is_a_thing_of_a_sort_that_is_called_by_its_name(
    text: str, *, used: bool
) -> None:
    assert in_use(text) is used


def _told(file: str) -> list[tuple[str, str, list[str]]]:
    rows = (json.loads(line) for line in file.splitlines())
    return [(one["person"], one["theme"], [told["text"] for told in one["told"]]) for one in rows]


def test_none_of_a_persons_other_things_ends() -> None:
    """Every change of the sets against everything else that its person said; pairs both ways."""
    told = [
        *_told(UPDATES_FILE.read_text("utf-8")),
        *_told(CHANGES_FILE.read_text("utf-8")),
    ]
    wrong = [
        (new, old)
        for person, theme, texts in told
        for new in texts[1:]
        for other, else_, olds in told
        if other == person and else_ != theme
        for old in olds
        if ends(new, old)
    ]
    assert wrong == []
    rows = [json.loads(line) for line in PAIRS_FILE.read_text("utf-8").splitlines()]
    assert not [one for one in rows if ends(one["a"], one["b"]) or ends(one["b"], one["a"])]


@pytest.mark.parametrize(
    "text", ["", "换", "换成", "now", "switched to", "改" * 400, "x换成y" * 99]
)
def test_anything_can_be_read(text: str) -> None:
    assert not ends(text, text)


def test_the_list_is_well_formed() -> None:
    found = lists()
    assert len(found.things) > 60 and len(found.words) > 800
    assert found.liked | found.named | found.daily <= set(found.things)
    for word in found.words:
        assert re.fullmatch(r"[^\s|=~!_]+(?: [^\s|=~!_]+)*", word), word
        assert len(set(found.words[word])) == len(found.words[word]), word
