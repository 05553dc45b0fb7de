"""Payment cards: a run of digits is weighed by check digit, issuer, grouping and the words beside it."""

import re
from collections.abc import Iterator

from memory.write.checksums import chinese_id, has_birth_date, luhn

_DIGITS = re.compile(r"(?<![0-9A-Za-z])[0-9](?:[ \-–.]{0,2}[0-9]){11,18}(?![0-9A-Za-z])")
_CARD_WORDS = re.compile(
    r"(?<![a-z])(?:credit|debit|bank|visa|mastercard|amex|maestro|(?<!id )(?<!identity )card|cc)(?![a-z])|卡|银联|信用卡"
    r"|储蓄",
    re.IGNORECASE,
)
_ID_WORDS = re.compile(
    r"身份证|证件|identity|identification|(?<![a-z])id(?![a-z])|订单|order|phone|mobile|call|whatsapp|电话|手机|快递|单号|tracking|学号",
    re.IGNORECASE,
)
_ISSUERS = re.compile(r"3[0-9]|4|5[0-9]|6[0-9]|2[2-7]|2131|1800|95")
_GROUPED = re.compile(r"\d{4}([ \-–.])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \-–])\d{6}\2\d{5}")
CARD_THRESHOLD = 0.6
_TYPICAL_LENGTHS = (15, 16)
_LONGEST_PHONE = 15
_SHORT_LENGTH = 12  # only with company: a phone number abroad is as long


def card_score(number: str, written: str, before: str, after: str) -> float:
    """How sure a run of digits is a payment card: check digit, issuer, grouping and company."""
    near = before[-40:]
    checks, issued = luhn(number), bool(_ISSUERS.match(number))
    typical = checks and issued and len(number) in _TYPICAL_LENGTHS
    score = 0.5 * checks + 0.2 * (issued and len(number) > _SHORT_LENGTH)
    score += 0.2 * bool(_GROUPED.fullmatch(written))
    score += 0.45 * bool(_CARD_WORDS.search(near) or _CARD_WORDS.search(after[:20]))
    if _ID_WORDS.search(before[-20:]) and not typical:
        score -= 0.5  # an order number, unless it is built exactly like a card
    if len(set(number)) == 1:
        score -= 0.5
    return round(score, 3)


def cards(text: str) -> Iterator[tuple[int, int]]:
    """Where payment card numbers stand, spaced and dashed ones too."""
    for match in _DIGITS.finditer(text):
        number = re.sub(r"\D", "", match.group())
        if chinese_id(number) or (has_birth_date(number) and not luhn(number)):
            continue
        if text[max(0, match.start() - 1)] == "+" and len(number) <= _LONGEST_PHONE:
            continue
        before, after = text[max(0, match.start() - 60) : match.start()], text[match.end() :][:30]
        if card_score(number, match.group(), before, after) >= CARD_THRESHOLD:
            yield match.span()
