"""Faults of the rules found in use, each with its whole kind, in both languages."""

import time

import pytest

from memory.choices import Kind
from tests.memory.write.test_rules import kept, say


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "I'm allergic to peanuts, so please keep that in mind for anything with food.",
            "I'm allergic to peanuts, so please keep that in mind for anything with food.",
        ),
        ("When I fly I always take a window seat.", "When I fly I always take a window seat."),
        ("坐飞机我一般选靠窗的位置。", "坐飞机我一般选靠窗的位置。"),
    ],
)
def test_words_around_a_memory_point_do_not_cost_it(said: str, text: str) -> None:
    assert [one.text for one in kept(say(said))] == [text]


@pytest.mark.parametrize("said", ["I used to live in Paris.", "我以前住在巴黎。"])
def test_what_was_once_is_no_current_value(said: str) -> None:
    assert [one.attribute for one in kept(say(said))] == [None]


@pytest.mark.parametrize("said", ["哈哈，我是火星人，别当真。", "I'm from Mars, just kidding."])
def test_a_joke_said_to_be_one_is_not_kept(said: str) -> None:
    assert kept(say(said)) == []


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("我是程序员", "work.role"),
        ("我是老师。", "work.role"),
        ("我是素食者", "diet.preference"),
        ("我是江苏人", "identity.origin"),
        ("我是左撇子", None),
        ("我是高管", None),
        ("I'm German.", None),
        ("I am Brazilian", None),
        ("I'm Vegan.", "diet.preference"),
        ("我是王芳", "identity.name"),
        ("我是欧阳娜。", "identity.name"),
        ("我是小王", "identity.name"),
        ("I'm Julian.", "identity.name"),
        ("I am Anna.", "identity.name"),
    ],
)
def test_what_somebody_is_is_not_taken_for_a_name(said: str, attribute: str | None) -> None:
    assert [one.attribute for one in kept(say(said)) if one.attribute] == (
        [attribute] if attribute else []
    )


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("我对花生过敏，推荐早餐吧。", "我对花生过敏"),
        ("我在华为工作，麻烦写一份自我介绍", "我在华为工作"),
        ("I'm allergic to peanuts, suggest a breakfast.", "I'm allergic to peanuts"),
        ("I'm vegetarian, so find me a place to eat.", "I'm vegetarian"),
        ("My name is Anna and can you book me a table?", "My name is Anna"),
        ("I'm vegetarian so what can I cook?", "I'm vegetarian"),
        ("我不吃香菜，点菜的时候注意", "我不吃香菜，点菜的时候注意"),
    ],
)
def test_a_fact_told_with_a_request_is_kept_without_the_request(said: str, text: str) -> None:
    assert [one.text for one in kept(say(said))] == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("顺便说一句，我爱喝普洱。", "我爱喝普洱。"),
        ("对了，我住在长沙。", "我住在长沙。"),
        ("By the way, I live in Porto.", "I live in Porto."),
        ("Oh, and one more thing: I enjoy tai chi.", "I enjoy tai chi."),
    ],
)
def test_what_leads_over_to_a_thing_is_no_part_of_it(said: str, text: str) -> None:
    found = kept(say(said))
    assert [one.text for one in found] == [text]
    assert said[found[0].quote_start : found[0].quote_end] == found[0].quote == text


@pytest.mark.parametrize(
    "said",
    [
        "我的体重是秘密，哈哈。", "My weight is a secret.", "我要搬去冰箱里住，笑死。", "I'm going to marry this soup, lol.",
        'He wrote in the group: "I quit next month."', "I paid by card and was charged twice.", "My order was signed for.",
        "第三点展开说说。", "你漏了一行。", "这个标题不好。", "写一段开场白，主题是新品上市。", "把上面那段改得正式一点。",
        "No, start over.", "That title is weak.", "刚吃完饭，一会儿再看。", "账户余额还有两百多。",
    ],
)  # fmt: skip
def test_idle_talk_is_not_kept(said: str) -> None:
    assert kept(say(said)) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("我换工作了，现在是幼教。", "work.role", "幼教"),
        ("我是一名剧本编辑。", "work.role", "剧本编辑"),
        ("I changed jobs: I'm a bookbinder now.", "work.role", "bookbinder"),
        ("我已经搬家到厦门，不在原来的城市了。", "home.city", "厦门"),
        ("我换号码了，现在的手机号是15177620913。", "contact.phone", "15177620913"),
        ("My phone is +49 1573 5550199 now.", "contact.phone", "+49 1573 5550199"),
        ("我把车换了，现在开老款卡罗拉。", "devices.car", "老款卡罗拉"),
        ("以后改口叫我阿岩。", "identity.form_of_address", "阿岩"),
        ("别再用以前的称呼了，改叫我小满。", "identity.form_of_address", "小满"),
        ("Please call me Theo from now on.", "identity.form_of_address", "Theo"),
        ("座位我还是喜欢第一排的。", "travel.seat", "第一排"),
        ("From now on book me quiet coach seats instead.", "travel.seat", "quiet coach"),
        ("最近口味变了，现在我最爱喝气泡水。", "favourite.drink", "气泡水"),
        ("My usual drink is black coffee.", "favourite.drink", "black coffee"),
        ("I've switched to rooibos, that's my usual drink now.", "favourite.drink", "rooibos"),
        ("我养了一只猫，叫豆包。", "pets", "猫"),
    ],
)
def test_what_is_otherwise_now_fills_its_slot(said: str, attribute: str, value: str) -> None:
    assert [(one.attribute, one.value) for one in kept(say(said))] == [(attribute, value)]


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("不对，我住在上海", "home.city"),
        ("不对，我女儿今年七岁，刚才说错了。", None),
        ("No, I live in Porto.", "home.city"),
    ],
)
def test_a_correction_of_oneself_is_no_talk_about_the_answer(
    said: str, attribute: str | None
) -> None:
    assert [one.attribute for one in kept(say(said))] == [attribute]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("我老公换工作了，现在是康复师。", "老公"),
        ("我换工作了，现在是康复师。", None),
        ("换工作了，现在是康复师。", None),
    ],
)
def test_whose_job_was_changed_is_not_lost(text: str, about: str | None) -> None:
    """A husband's new job was read as the person's own."""
    (one,) = kept(say(text))
    assert (one.about, one.attribute) == (about, None if about else "work.role")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("我现在改用 Typora 做笔记了。先不说这个，帮我把标题改短。", "我现在改用 Typora 做笔记了。"),
        ("I use Obsidian for my notes. Anyway, shorten the title please.", "I use Obsidian for my notes."),
    ],
)  # fmt: skip
def test_what_is_told_beside_a_request_does_not_lead_up_to_it(text: str, said: str) -> None:
    """A change that was told in passing was lost, and what it ended went on."""
    assert [one.text for one in kept(say(text))] == [said]


@pytest.mark.parametrize(
    "text",
    [
        "喝的我一般只选气泡水，别的喝不惯。", "我做笔记只用飞书文档，用惯了。", "数据库我们定的是 SQLite。", "我们组里决定用 SQLite 存订单数据。",
        "For notes I use Obsidian, nothing else fits.", "I mostly drink ginger ale, no sugar.",
    ],
)  # fmt: skip
def test_what_is_used_as_a_rule_is_a_fact_and_no_event(text: str) -> None:
    """No rule read these; the classifier kept them as events, which nothing ends."""
    (one,) = kept(say(text))
    assert one.kind == Kind.SEMANTIC


@pytest.mark.parametrize(
    "text",
    ["I'm moving to Munich in June.", "我下个月搬到上海。", "From June on I live in Munich."],
)
def test_a_plan_fills_no_slot(text: str) -> None:
    assert [one.attribute for one in kept(say(text))] in ([None], [])


def test_home_is_where_it_is_said_to_be() -> None:
    (one,) = kept(say("My home is in Hamburg."))
    assert (one.attribute, one.value) == ("home.city", "Hamburg")


@pytest.mark.parametrize(
    "text",
    [
        "以后" * 26,
        "我" + "刚" * 38,
        "我们" + "刚" * 38,
        "so " * 48,
        "I like tea" + ", since we now" * 24 + "!",
    ],
)
def test_a_short_sentence_that_repeats_itself_costs_little(text: str) -> None:
    """Patterns that read a repeated word in two ways took minutes for one sentence."""
    begun = time.process_time()
    say(text)
    assert time.process_time() - begun < 0.5
