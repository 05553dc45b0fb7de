"""Phone numbers, by how they are written and by what stands beside them."""

import re
from collections.abc import Iterator

_NUMBER = re.compile(
    r"(?<![0-9A-Za-z.])\+?\(?[0-9](?:[ ().\-–/]{0,3}[0-9]){5,16}(?: ?(?:x|ext\.?) ?[0-9]{1,5}|转[0-9]{1,5})?"
    r"(?![0-9A-Za-z]|[.,][0-9])"
)
_LENGTHS, _ABROAD_LENGTHS, _LOCAL_LENGTHS = range(7, 16), range(9, 16), range(8, 13)
_SHORTEST_CALLED = 6
_MOBILE_ZH = re.compile(r"(?:(?:\+|00)?86)?1[3-9][0-9]{9}\Z")
_WORDS = re.compile(
    r"(?<![a-z])(?:phone|call|calling|tel|telephone|mobile|cell|fax|whatsapp|reach|reached|contact|text"
    r"|sms|ring|dial|landline|hotline|answering at|messages? (?:to|from|on my)|registered)s?(?![a-z])"
    r"|(?<![a-z])numbers?(?: is|:)? \Z"
    r"|电话|手机|联系|号码|座机|热线|传真|微信|致电|拨打|回拨|打给|(?<![一-鿿])打\Z",
    re.IGNORECASE,
)
_WORDS_AFTER = re.compile(
    r"[ \-–(,]{0,3}(?:office|fax|home|work|mobile|cell|main|direct|打|联系)", re.IGNORECASE
)
_US = re.compile(r"(?:\+?1[ .\-]?)?(?:\([0-9]{3}\) ?|[0-9]{3}[.\- ])[0-9]{3}[.\- ][0-9]{4}")
_HOTLINE_ZH = re.compile(r"[48]00[ \-]?[0-9]{3,4}[ \-]?[0-9]{3,4}")
_LANDLINE_ZH = re.compile(r"\(?0[1-9][0-9]{1,2}\)?[ \-]?[2-9][0-9]{6,7}")
# A trunk prefix or an area code in parentheses, then groups of at least two digits.
_GROUPED = re.compile(
    r"(?:\(0?[0-9]{1,4}\)|0[0-9]{1,4}|00[0-9]{1,3})[ .\-/]{1,2}(?:[0-9]{2,7}[ .\-/]){0,4}[0-9]{2,8}"
)
_DATE_LIKE = re.compile(
    r"(?:19|20)[0-9]{2}[.\-/][0-9]{1,2}[.\-/][0-9]{1,2}.*|[0-9]{1,2}[./\-][0-9]{1,2}[./\-](?:19|20)?[0-9]{2}"
    r"|(?:19|20)[0-9]{2} ?[\-–/] ?(?:19|20)?[0-9]{2,4}"
)
# "1 1 2 3 5 8", "12 13 14": a list of numbers.
_LIST_LIKE = re.compile(r"(?:[0-9]{1,2}[ /]){3,}[0-9]{1,2}|[0-9]{1,3}(?: [0-9]{1,3}){4,}")
_PAIRS = re.compile(r"0[0-9]{1,2}(?: [0-9]{2}){4}")
_MONEY = re.compile(r".{0,3}(?:[$€£¥]|rmb|usd|eur|gbp)\s?\Z", re.IGNORECASE)
_DECIMALS = re.compile(r".*[.]\d{1,2}\Z")
_NEAR = 36


def phones(text: str) -> Iterator[tuple[int, int]]:
    """Yield where phone numbers stand."""
    for m in _NUMBER.finditer(text):
        before = text[max(0, m.start() - _NEAR) : m.start()]
        if _is_phone(m.group(), before, text[m.end() : m.end() + 10]):
            yield m.span()


def _is_phone(written: str, before: str, after: str) -> bool:
    written = re.split(r" ?(?:[xe]|转)", written)[0]
    digits = re.sub(r"\D", "", written)
    if _DATE_LIKE.fullmatch(written) or _MONEY.match(before[-5:]):
        return False
    if _MOBILE_ZH.fullmatch(digits) or _US.fullmatch(written) or _LANDLINE_ZH.fullmatch(written):
        return True
    if _HOTLINE_ZH.fullmatch(written):
        return True
    if _LIST_LIKE.fullmatch(written) and not _PAIRS.fullmatch(written):
        return False
    if written[0] == "+" and len(digits) in _ABROAD_LENGTHS:
        return True
    if len(digits) in _LOCAL_LENGTHS and _GROUPED.fullmatch(written):
        return True
    if _DECIMALS.match(written) or not _SHORTEST_CALLED <= len(digits) < _LENGTHS.stop:
        return False
    called = bool(_WORDS.search(before)) or bool(_WORDS_AFTER.match(after))
    return called and (len(digits) in _LENGTHS or digits != written)
