"""Terms of Chinese, English and mixed texts, and their digests."""

import string
import threading
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.index.terms import STOP_WORDS, digests, is_rare_shape, terms

KEY = b"k" * 32


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I am running two marathons", {"run", "two", "marathon"}),
        ("I don't like Mia's cats", {"like", "mia", "cat"}),
        ("我的猫叫豆包", {"猫叫", "叫豆", "豆包"}),
        ("Bart won in May", {"bart", "won", "may"}),
        ("猫", {"猫"}),
        ("关于税务的资料", {"税务", "资料"}),
        ("如果怎么样都可以，或者什么都行", {"都", "都行"}),
        (
            "海关于三月查验，不如果汁",
            {"海关", "关于", "于三", "三月", "月查", "查验", "不如", "如果", "果汁"},
        ),
        ("你在哪里？", {"哪里"}),
        ("我习惯用vim写code", {"习惯", "惯用", "vim", "写", "code"}),
        ("发票INV-2024-0017的", {"发票", "inv-2024-0017", "inv", "2024", "0017"}),
        ("端口8080和v1.2.3", {"端口", "8080", "和", "v1.2.3", "v1"}),
        ("邮箱bob@example.com", {"邮箱", "bob@example.com", "bob", "exampl", "com"}),
        ("The Wi-Fi password", {"wifi", "wi", "fi", "password"}),
        ("rent is 1,200 euros", {"rent", "1200", "euro"}),
        ("ＡＢＣ１２３号", {"abc123", "号"}),
        ("豆包🐱Biscuit🐶", {"豆包", "biscuit"}),
        ("東京タワー", {"東京", "京タ", "タワ", "ワー"}),
        ("AT&T", {"at&t"}),
        ("user_id 是 42", {"user_id", "user", "id", "42"}),
        ("", set()),
        ("，。!? 🎉", set()),
    ],
)
def test_terms_of_a_text(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("猫叫什么？", "我的猫叫豆包"),
        ("What dogs do I have?", "We adopted a dog"),
        ("INV-2024-0017付了吗", "I paid invoice inv-2024-0017."),
        ("k8s版本", "生产环境用的是 K8s 1.28"),
        ("成都的酒店", "下个月去成都出差"),
        ("wifi密码", "the Wi-Fi router is in the closet"),
        ("我学过吉他吗", "我在学吉他"),
        ("目的地", "目的地是冰岛"),
    ],
)
def test_question_and_text_share_a_term(question: str, text: str) -> None:
    assert terms(question).keys() & terms(text).keys()


def test_frequencies_count_every_occurrence() -> None:
    counted = terms("coffee, coffee and 咖啡 咖啡 咖啡")
    assert counted == {"coffe": 2, "咖啡": 3}
    assert counted.total() == 5


@pytest.mark.parametrize(
    "question",
    [
        "Who are you?",
        "I can't, won't, didn’t.",
        "Why would they?",
        "我是你的",
        "在吗？",
        *sorted(STOP_WORDS),
    ],
)
def test_a_question_of_grammar_alone_has_no_terms(question: str) -> None:
    assert not terms(question)


@pytest.mark.parametrize(
    "term", ["inv-2024-0017", "8080", "bob@example.com", "v1.2.3", "k8s", "user_id", "at&t"]
)
def test_identifiers_and_numbers_have_a_rare_shape(term: str) -> None:
    assert is_rare_shape(term)


@pytest.mark.parametrize("term", ["coffe", "豆包", "wifi", "7", "猫"])
def test_words_and_single_digits_have_none(term: str) -> None:
    assert not is_rare_shape(term)


def test_digest_is_the_keyed_hash_as_bigint() -> None:
    # python -c "import hmac; print(hmac.digest(b'k'*32, '猫'.encode(), 'sha256')[:8].hex())"
    expected = {
        term: int.from_bytes(bytes.fromhex(digest), "big", signed=True)
        for term, digest in (("猫", CAT_ZH), ("cat", CAT_EN))
    }
    assert digests({"猫": 2, "cat": 1}, KEY) == {expected["猫"]: 2, expected["cat"]: 1}


CAT_ZH = "1bf7860a153044f7"
CAT_EN = "ea88081960395176"

any_text = st.text() | st.text(st.characters(categories=["Lo", "Nd", "Mn", "Po", "Cs", "So"]))
mixed_text = st.text(
    st.sampled_from("我的猫叫豆包在成都酒吧 '-_.@:/&,;" + string.ascii_letters + "0189é")
)


@given(any_text | mixed_text)
def test_any_text_has_terms_without_blanks(text: str) -> None:
    counted = terms(text)
    assert all(count > 0 for count in counted.values())
    assert all(term and not any(c.isspace() for c in term) for term in counted)


@given(any_text | mixed_text)
def test_terms_ignore_case_width_and_what_stands_around(text: str) -> None:
    assert terms(f"\n{text} ") == terms(text)
    assert terms(unicodedata.normalize("NFKC", text)) == terms(text)


@given(mixed_text)
def test_a_word_is_found_next_to_chinese_without_a_space(text: str) -> None:
    glued, spaced = terms(f"豆包{text}包豆"), terms(f"豆包 {text} 包豆")
    latin = {term for term in spaced if term.isascii()}
    assert latin == {term for term in glued if term.isascii()}


@given(any_text | mixed_text, st.binary(min_size=32, max_size=32))
def test_digests_are_stable_and_fit_a_bigint(text: str, key: bytes) -> None:
    counted = terms(text)
    hidden = digests(counted, key)
    assert hidden == digests(terms(text), key)
    assert sum(hidden.values()) == counted.total()
    assert all(-(2**63) <= digest < 2**63 for digest in hidden)


@given(
    st.text(min_size=1), st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32)
)
def test_another_key_gives_another_digest(term: str, one: bytes, other: bytes) -> None:
    same = digests({term: 1}, one).keys() == digests({term: 1}, other).keys()
    assert same == (one == other)


def test_threads_do_not_disturb_each_other() -> None:
    texts = [f"running{chr(97 + n)}s walkings{chr(97 + n)} 跑步{n}" for n in range(26)]
    alone = [terms(text) for text in texts]
    together: dict[int, list[object]] = {}

    def work(number: int) -> None:
        together[number] = [terms(text) for text in texts]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found == alone for found in together.values())
