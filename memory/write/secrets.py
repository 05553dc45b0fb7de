"""How secrets look: what is replaced at the door, before any row or model."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory.write.checksums import chinese_id, has_birth_date, luhn

# A value as people type a password: visible ASCII, not the placeholder of an earlier pass.
_VALUE = r"(?P<v>(?!\[[A-Z_]+\])[!-~]{3,128})"
_Q = r"[\"'“‘「`]?"
_EN_IS = r"(?: ?(?:[:：=]|->|=>) ?| (?:is|was|are|to) (?:now )?(?:[:：] ?)?)"
_ZH_IS = r" ?(?:现在|已经|还|就|都|我|给你)?(?:改成了?|改为了?|设成了?|设为|设置为|换成了?|是|为|叫)? ?[:：=]? ?"
_LONG_WORD = r"password|passwd|passphrase|passcode|pass[ _-]?word|login code|pwd|pw|passwort"


@dataclass(frozen=True, slots=True)
class Shape:
    """One look of a secret. Group `v` is replaced; `needs` (lower case) is a cheap test before it."""

    type: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    accepts: Callable[[str], bool] = bool


_SHORTEST, _SHORTEST_BARE, _CERTAINLY_TOKEN = 3, 5, 20
_ORDINARY_WORDS = (
    "not wrong incorrect correct too very expired the a an my your our his her their its in "
    "on at of "
    "stored required saved invalid weak strong being never always now same different still empty "
    "missing changed reset gone so also hard easy long short secure insecure important protected "
    "hidden safe working fine ok okay good bad what this that it there here lost leaked "
    "compromised "
    "stolen forgotten forgot written kept managed only just no and or but for with by from as "
    "asked "
    "login signin log sign use used going sent set see you i we known unknown case-sensitive "
    "none null true false password passwords pwd key keys token tokens like similar longer "
    "due because really already hashed encrypted optional needed more less better"
)
_NOT_A_PASSWORD = frozenset(_ORDINARY_WORDS.split())


def _could_be_password(value: str) -> bool:
    bare = value.strip("\"'`“”‘’()[]{}<>,.;:!?").lower()
    return (
        len(bare) >= _SHORTEST
        and bare not in _NOT_A_PASSWORD
        and not bare.startswith(("http:", "https:"))
    )


def _is_mixed(value: str) -> bool:
    """Told without a verb ("pw Maple!7"), only a value no word looks like is a password."""
    core = value.strip("\"'`“”‘’(),.;:!?")
    kinds = sum(
        (any(c.isdigit() for c in core), any(c.isalpha() for c in core), not core.isalnum())
    )
    return (
        len(core) >= _SHORTEST_BARE
        and kinds > 1
        and not core.lower().startswith(("http:", "https:"))
    )


def _is_code(value: str) -> bool:
    return any(c.isdigit() for c in value)


def _is_token(value: str) -> bool:
    return len(value) >= _CERTAINLY_TOKEN or (
        any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    )


def _r(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


_B = r"(?<![0-9A-Za-z])"
_E = r"(?![0-9A-Za-z])"
_PASS_WORDS = ("password", "passwd", "passphrase", "passcode", "pass", "login code", "pwd", "pw")
_ZH_PASS = ("密码", "口令", "密匙", "密钥", "秘钥", "暗号")
_TOKEN_WORDS = ("key", "token", "secret", "auth", "credential")

SHAPES: tuple[Shape, ...] = (
    Shape(
        "PRIVATE_KEY",
        _r(
            r"(?P<v>-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?)",
            0,
        ),
        ("private key",),
    ),
    Shape(
        "PASSWORD",
        _r(r"[a-z][a-z0-9+.\-]{1,30}://[^\s:/@\[\]]{0,64}:(?P<v>(?!\[[A-Z_]+\]@)[^\s/@]{1,128})@"),
        ("://",),
    ),
    Shape(
        "TOKEN",
        _r(_B + r"(?P<v>eyJ[\w\-]{6,2000}\.[\w\-]{4,4000}(?:\.[\w\-]{0,2000})?)", re.ASCII),
        ("eyj",),
    ),
    Shape(
        "TOKEN",
        _r(
            _B + r"(?:bearer|basic) (?P<v>(?!\[[A-Z_]+\])[\w\-.~+/=]{12,4000})",
            re.IGNORECASE | re.ASCII,
        ),
        ("bearer", "basic"),
        _is_token,
    ),
    Shape(
        "API_KEY",
        _r(
            _B
            + r"(?P<v>(?:sk-(?:[a-z]{2,8}-){0,3}|gh[pousr]_|github_pat_|glpat-|xox[a-z]{1,2}-|xapp-|AIza"
            r"|ya29\."
            r"|hf_|npm_|pypi-|dop_v1_|shp(?:at|ss|ca|pa)_|gsk_|tvly-|pplx-|lin_api_|figd_|nvapi-"
            r"|[a-z]{2,12}_(?:live|test|prod)_)[\w\-.]{8,512})",
            re.ASCII,
        ),
        (
            "sk-",
            "gh",
            "glpat-",
            "xox",
            "xapp-",
            "aiza",
            "ya29",
            "hf_",
            "npm_",
            "pypi-",
            "dop_",
            "shp",
            "gsk_",
            "tvly-",
            "pplx-",
            "lin_api_",
            "figd_",
            "nvapi-",
            "_live_",
            "_test_",
            "_prod_",
        ),
    ),
    Shape(
        "API_KEY",
        _r(_B + r"(?P<v>(?:A[KS]IA|LTAI|AKID)[0-9A-Za-z]{12,40})", 0),
        ("akia", "asia", "ltai", "akid"),
    ),
    Shape(
        "API_KEY",
        _r(
            r"(?:key|token|secret|密钥|秘钥|令牌)(?:[ _-]?id)?[\"']?"
            r"(?: ?[:：=] ?| (?:is|was) |是|为) ?[\"'“「`]?"
            r"(?P<v>(?!\[[A-Z_]+\])[\w\-./+=]{10,512})",
            re.IGNORECASE | re.ASCII,
        ),
        (*_TOKEN_WORDS, "密钥", "秘钥", "令牌"),
        _is_token,
    ),
    Shape(
        "PASSWORD",
        _r(
            _B + rf"(?:{_LONG_WORD}|pass)s?(?: for [\w .'\-]{{1,40}})?" + _EN_IS + _Q + _VALUE,
            re.IGNORECASE | re.ASCII,
        ),
        _PASS_WORDS,
        _could_be_password,
    ),
    Shape(
        "PASSWORD",
        _r(_B + rf"(?:{_LONG_WORD}) " + _Q + _VALUE),
        _PASS_WORDS,
        _is_mixed,
    ),
    Shape(
        "PASSWORD",
        _r(rf"(?:密码|口令|密匙|密钥|秘钥|暗号){_ZH_IS}{_Q}(?P<v>(?!\[[A-Z_]+\])[!-~]{{3,128}})"),
        _ZH_PASS,
        _could_be_password,
    ),
    Shape(
        "PASSWORD",
        _r(
            r"(?:口令|暗号)(?:就是|改成|改为|是|为|[:：])[\"'“「]?"
            r"(?P<v>(?!什么|多少|不对|错|谁|由|用|怎|哪)[\u4e00-\u9fff]{2,12})"
        ),
        ("口令", "暗号"),
    ),
    Shape(
        "CODE",
        _r(
            r"(?:验证码|校验码|动态码|安全码|取件码|提货码|PIN码?|(?<![a-z])pin(?: (?:code|number))?"
            r"|(?:verification|one[- ]time|otp|2fa|login|security|access|door|gate|alarm|auth"
            r"|sms) code"
            r"|(?<![a-z])(?:otp|cvv|cvc|cvv2))"
            r"(?: (?:for|to) [\w .'\-]{1,30})?(?: ?(?:is|was|是|为|[:：=]){1,2} ?| )[\"'“]?"
            r"(?P<v>(?!\[)[0-9A-Z]{3,10})(?![0-9A-Za-z])",
            re.IGNORECASE | re.ASCII,
        ),
        ("码", "pin", "code", "otp", "cvv", "cvc"),
        _is_code,
    ),
    Shape(
        "CODE",
        _r(r"(?:验证码|校验码|动态码|PIN码?)(?P<v>[0-9]{4,8})(?![0-9A-Za-z])"),
        ("码", "pin"),
    ),
    Shape(
        "CODE",
        _r(
            r"(?<![0-9A-Za-z])(?P<v>[0-9]{4,8})(?: is (?:your|my|the) [a-z \-]{0,30}(?:code|pin|otp)"
            r"|(?:是|为)?(?:您|你|我)?的?[\u4e00-\u9fff]{0,6}(?:验证码|校验码|动态码))"
        ),
        ("code", "pin", "otp", "码"),
    ),
)

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
