"""Numbers that name a person, a thing of theirs or their machine: identity papers, accounts, plates, addresses of machines."""

import re
from collections.abc import Iterator

from memory.write.checksums import has_birth_date, iban
from memory.write.near import lowered, starting_at

Hit = tuple[str, int, int]

_B, _E = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
_ID18 = re.compile(_B + r"[1-8][0-9]{5}[ \-]?[0-9]{8}[ \-]?[0-9]{3}[0-9Xx]" + _E)
# Each begins with one of `_PAPER_WORDS`.
_PAPERS = (
    r"身份证|证件|护照|驾驶?证|驾照|社保|医保卡?|港澳通行证|通行证|台胞证|居住证|军官证|学号|工号|银行账号|银行账户|开户账号"
    r"|passport|(?<![a-z])id(?= number| no| card| ?[:：]|[ 是为]{1,3}[0-9]{8})|identification|identity card"
    r"|national (?:id|insurance)|citizen id|driver'?s? licen[cs]e|driving licen[cs]e|tax (?:id|file number)"
    r"|taxpayer id|social (?:security|insurance)|(?<![a-z])(?:ssn|sin|tfn|nino|nhs|pan|aadhaar|cpf|dni|nie|nric|hkid|itin)(?![a-z])"
    r"|student (?:id|number)|employee (?:id|number)|medicare|insurance (?:policy|member)|member(?:ship)? (?:id|number)"
    r"|account (?:number|no)|acct\.?(?: no| number)?|routing number|sort code"
)
_ID_IN_CONTEXT = re.compile(
    rf"(?:{_PAPERS})[^0-9A-Za-z\n]{{0,6}}"
    r"(?:(?:号码?|证号|number|card|no\.?|num|id|#|is|was|are|是|为|换成|改成)[^0-9A-Za-z\n]{0,4}){0,3}"
    r"(?P<v>(?=[A-Za-z\-]{0,6}[0-9])[0-9A-Za-z](?:[0-9A-Za-z\-.]|(?<=[0-9A-Z]) (?=[0-9]{2})){4,22}[0-9A-Za-z](?:\([0-9A-Z]\))?)"
    + _E,
    re.IGNORECASE,
)
_PAPER_WORDS = (
    "身份证", "证件", "护照", "驾", "社保", "医保", "港澳", "通行证", "台胞证", "居住证", "军官证", "学号", "工号", "银行账", "开户账",
    "passport", "id", "citizen", "national", "driv", "tax", "social", "ssn", "sin", "tfn", "ni", "nhs", "pan", "aadhaar",
    "cpf", "dni", "nric", "hkid", "itin", "student", "employee", "medicare", "insurance", "member", "acc", "routing", "sort code",
)  # fmt: skip
# Built so that no other number looks like it: US, Singapore, Hong Kong, Brazil, Korea, Italy, UK, India.
_ID_ABROAD = re.compile(
    _B + r"(?:[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}|[STFGM][0-9]{7}[A-Z]|[A-Z]{1,2}[0-9]{6}\([0-9A]\)"
    r"|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9]-[1-4][0-9]{6}"
    r"|[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]|[A-CEGHJ-PR-TW-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]"
    r"|[A-Z]{3}[PCHFATBLJG][A-Z][0-9]{4}[A-Z])" + r"(?![0-9A-Za-z])"
)
_IBAN = re.compile(_B + r"[A-Za-z]{2}[0-9]{2}(?: ?[0-9A-Za-z]{4}){2,7}(?: ?[0-9A-Za-z]{1,4})?" + _E)
_PLATE_ZH = re.compile(
    "[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• \\-]?(?=[A-Z]{0,5}[0-9])[0-9A-Z]{5,6}"
    + _E
)
_PLATE_EN = re.compile(
    r"(?:licen[cs]e plate|number plate|plate number|car plate|registration plate)(?: (?:number"
    r"|no\.?))?(?: is|:)? ?(?P<v>(?=[A-Z \-]{0,4}[0-9])[0-9A-Z][0-9A-Z \-]{3,8}[0-9A-Z])" + _E,
    re.IGNORECASE,
)
_PLATE_WORDS = ("licen", "number plate", "plate number", "car plate", "registration plate")
_IP = re.compile(_B + r"(?<![.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z]|\.[0-9])")
_IP_WORD = re.compile(r"(?<![a-z])ip(?![a-z])|address|地址|白名单", re.IGNORECASE)
_VERSION_WORD = re.compile(
    r"(?:v|version|ver\.?|release|driver|chrome|版本|第|section)[ .]?\Z", re.IGNORECASE
)
_IP6 = re.compile(_B + r"(?<![:.])(?:[0-9A-Fa-f]{1,4}:){5,7}[0-9A-Fa-f]{1,4}(?![0-9A-Za-z:])")
_PRIVATE_IP = re.compile(r"(?:10|127|0|192\.168|169\.254|172\.(?:1[6-9]|2[0-9]|3[01])|255)\.")
_NEAR = 24
_MOST_OCTET, _LONG_OCTETS = 255, 3


def ids(text: str) -> Iterator[Hit]:
    """Numbers that name somebody, with their spans, surest kinds first; they may overlap."""
    for m in _ID18.finditer(text):
        if has_birth_date(re.sub(r"[ \-]", "", m.group())):
            yield ("ID", *m.span())
    lower = lowered(text)
    papers = starting_at(_ID_IN_CONTEXT, text, lower, _PAPER_WORDS)
    yield from (("ID", *m.span("v")) for m in papers)
    yield from (("ID", *m.span()) for m in _ID_ABROAD.finditer(text))
    for m in _IBAN.finditer(text):
        near = text[max(0, m.start() - 20) : m.start()].lower()
        if iban(m.group().replace(" ", "")) or "iban" in near:
            yield ("IBAN", *m.span())
    yield from (("PLATE", *m.span()) for m in _PLATE_ZH.finditer(text))
    plates = starting_at(_PLATE_EN, text, lower, _PLATE_WORDS)
    yield from (("PLATE", *m.span("v")) for m in plates)
    yield from (("IP", *m.span()) for m in _IP6.finditer(text))
    yield from (("IP", *m.span()) for m in _IP.finditer(text) if _is_ip(text, m))


def _is_ip(text: str, m: re.Match[str]) -> bool:
    """Whether four numbers are a machine's address: a public one, or one that is called so."""
    octets = m.group().split(".")
    before, after = text[max(0, m.start() - _NEAR) : m.start()], text[m.end() :][:8]
    if any(int(octet) > _MOST_OCTET for octet in octets) or _VERSION_WORD.search(before):
        return False
    if _IP_WORD.search(before) or _IP_WORD.search(after):
        return True
    long = sum(len(octet) > 1 for octet in octets)
    return long >= _LONG_OCTETS and not _PRIVATE_IP.match(m.group())
