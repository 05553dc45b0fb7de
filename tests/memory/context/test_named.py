"""Stories that every context should get right, by name, in both languages, with the shipped embedder."""

import pytest

from tests.cast import Api
from tests.memory.api.desk import contents
from tests.memory.api.test_turns import answer, turn
from tests.memory.wire import open_session, propose, tell

pytestmark = pytest.mark.usefixtures("shipped_embedder")


@pytest.mark.parametrize(
    ("before", "fact", "question"),
    [
        ("我要退货，买的是一双跑鞋，七天内无理由退货。", "退货的运费由卖家承担。", "谁出邮费？"),
        ("I want to return the running shoes I bought.", "Return shipping is paid by the seller.",
         "And who pays postage?"),
        ("帮我找两份报告：《新能源汽车市场报告》和《咖啡消费报告》", "《新能源汽车市场报告》有 PDF 版，在共享盘里。", "第一份有 PDF 吗？"),
        ("Find me two reports: the electric car market report and the coffee report",
         "The electric car market report is available as a PDF on the shared drive.", "Is there a PDF of the first one?"),
    ],
)  # fmt: skip
def test_a_question_that_leans_on_the_turns_before_it_takes_them_along(
    api: Api, before: str, fact: str, question: str
) -> None:
    propose(api, fact)
    session = open_session(api)
    turn(api, session, before)
    answer(api, session, "好的，我看看。")
    body = turn(api, session, question)
    assert fact in contents(body)[0] and body["recall"]["status"] == "found"


@pytest.mark.parametrize(
    ("said", "question"),
    [("我对花生过敏。", "推荐早餐"), ("I'm allergic to peanuts.", "Suggest a breakfast")],
)
def test_allergy_and_breakfast(api: Api, said: str, question: str) -> None:
    tell(api, said, session=open_session(api, "old"))
    assert said in contents(turn(api, open_session(api), question))[0]


@pytest.mark.parametrize(
    ("wish", "question"),
    [("以后叫我老王", "帮我写封邮件"), ("call me 老王", "Draft a mail to my landlord")],
)
def test_call_me_laowang(api: Api, wish: str, question: str) -> None:
    tell(api, wish, session=open_session(api, "old"))
    known, reminder, _ = contents(turn(api, open_session(api), question))
    assert wish in known and ("偏好" in reminder or "preferences" in reminder)
