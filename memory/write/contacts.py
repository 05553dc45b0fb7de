"""How contact and identity details look (level 30): kept in the text, masked in the index."""

import re
from collections.abc import Iterator

from memory.write.checksums import has_birth_date, iban

Hit = tuple[str, int, int]

_B, _E = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
_EMAIL = re.compile(
    r"(?<![\w.%+\-])[\w.%+\-]{1,64}@[0-9A-Za-z\-]{1,63}(?:\.[0-9A-Za-z\-]{1,63}){1,5}", re.ASCII
)
_ID18 = re.compile(_B + r"[1-8][0-9]{5}[ \-]?[0-9]{8}[ \-]?[0-9]{3}[0-9Xx]" + _E)
_ID_IN_CONTEXT = re.compile(
    r"(?:身份证|护照|驾驶?证|驾照|社保|港澳通行证|台胞证|居住证|学号|passport|(?<![a-z])id(?= number| no| ?[:：]"
    r"|[ 是为]{1,3}[0-9]{8})|(?<![a-z])id card|identification|identity card"
    r"|national id|driver'?s? licen[cs]e|tax id|social security|(?<![a-z])ssn|national insurance)"
    r"[^0-9A-Za-z\n]{0,6}(?:(?:号码?|证号|number|no\.?|num|#|is|是|为)[^0-9A-Za-z\n]{0,4}){0,3}"
    r"(?P<v>(?=[A-Za-z\-]{0,6}[0-9])[0-9A-Za-z][0-9A-Za-z\-]{5,19})" + _E,
    re.IGNORECASE,
)
_SSN = re.compile(_B + r"[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}" + _E)
_IBAN = re.compile(_B + r"[A-Za-z]{2}[0-9]{2}(?: ?[0-9A-Za-z]{4}){2,7}(?: ?[0-9A-Za-z]{1,4})?" + _E)
_PLATE_ZH = re.compile(
    "[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• \\-]?(?=[A-Z]{0,5}[0-9])[0-9A-Z]{5,6}"
    + _E
)
_PLATE_EN = re.compile(
    r"(?:licen[cs]e plate|number plate|plate number|car plate|registration plate)(?: (?:number"
    r"|no\.?))?"
    r"(?: is|:)? ?(?P<v>(?=[A-Z \-]{0,4}[0-9])[0-9A-Z][0-9A-Z \-]{3,8}[0-9A-Z])" + _E,
    re.IGNORECASE,
)
_IP = re.compile(
    r"(?:ip(?: address)?|address|地址)(?: is|是|为|[:：])? ?(?P<v>(?:[0-9]{1,3}\.){3}[0-9]{1,3})"
    + _E,
    re.IGNORECASE,
)
_IP_WORDS = ("ip", "IP", "address", "地址")

_NUMBER = re.compile(
    r"(?<![0-9A-Za-z.])\+?\(?[0-9](?:[ ().\-–/]{0,3}[0-9]){5,16}(?: ?(?:x"
    r"|ext\.?) ?[0-9]{1,5})?(?![0-9A-Za-z])"
)
_PHONE_LENGTHS, _ABROAD_LENGTHS = range(7, 16), range(9, 16)
_MOBILE_ZH = re.compile(r"(?:(?:\+|00)?86)?1[3-9][0-9]{9}\Z")
_PHONE_WORDS = re.compile(
    r"(?<![a-z])(?:phone|call|tel|telephone|mobile|cell|fax|whatsapp|reach|reached|contact"
    r"|text|ring|dial|number)s?(?![a-z])"
    r"|电话|手机|联系|号码|座机|热线|传真|微信|致电|拨打",
    re.IGNORECASE,
)
_US = re.compile(r"(?:\+?1[ .\-]?)?(?:\([0-9]{3}\) ?|[0-9]{3}[.\- ])[0-9]{3}[.\- ][0-9]{4}")
_LANDLINE_ZH = re.compile(r"\(?0[1-9][0-9]{1,2}\)?[ \-]?[2-9][0-9]{6,7}")
_DATE_LIKE = re.compile(
    r"(?:19|20)[0-9]{2}[.\-/][0-9]{1,2}[.\-/][0-9]{1,2}.*"
    r"|[0-9]{1,2}[./\-][0-9]{1,2}[./\-](?:19|20)?[0-9]{2}"
)

_LETTER = re.compile("[A-Za-z]")
_STREET_EN = re.compile(
    _B + r"[0-9]{1,6}[A-Za-z]?(?: [0-9A-Z][\w.'’\-]{0,24}){1,5}?,? "
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square"
    r"|Sq|Terrace|Way"
    r"|Crescent|Close|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Run|Alley|Loop|Row|Walk|Grove"
    r"|Gardens|Plaza"
    r"|Heights|Point|Ridge|Hill|Park)(?![A-Za-z])\.?"
    r"(?: (?:North|South|East|West|Northeast|Northwest|Southeast|Southwest|N|S|E|W|NE|NW|SE"
    r"|SW)(?![A-Za-z]))?"
    r"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor|#)\.? ?[0-9A-Za-z]{1,6})?"
)
_ADDRESS_CUE_EN = re.compile(
    r"(?:(?<![a-z])address(?: is| was|:)|(?:located|live|lives|living|resides?|residing"
    r"|residence|office is|offices are) at"
    r"|moved? (?:in)?to|(?:ship|deliver|send|mail) (?:it |this |them )?to)[: ]+"
    r"(?P<v>(?=[^\n,.]{0,40}[0-9])[0-9A-Z#][^\n.!?;,]{4,70}?)"
    r"(?=\Z|[\n.!?;,()]| and | or | by | via | for | to | in case | who | last | tonight)",
    re.IGNORECASE,
)
_HOUSE_ZH = re.compile(
    r"(?:路|街|巷|大道|道|弄|里|胡同|村|园|苑|小区|新区|花园|公寓|大厦|广场|新城|家园|府|庭)[东西南北中]?(?:[一二三四五六七八九十]{1,3}[段区期])?"
    r" ?[0-9一二三四五六七八九十]{1,6} ?(?:号楼?|弄|栋|幢|座|单元|室|楼)"
    r"(?:院|附)?(?: ?[0-9A-Za-z一二三四五六七八九十]{1,5} ?(?:号楼?|弄|栋|幢|座|单元|室|楼|层)){0,4}(?: ?[0-9]{3,4}室?)?"
)
_BEFORE_ADDRESS = re.compile(r"[\u4e00-\u9fff0-9A-Za-z·]{0,26}\Z")
_CUT_ADDRESS = re.compile(
    r".*(?:住在|搬到了?|搬去|位于|地址是|地址为|地址|寄到|送到|家在|现居住?于?|居住于|住|[在于到是址])"
)
_COORDINATES = re.compile(
    r"(?<![0-9.])-?[0-9]{1,3}\.[0-9]{3,10}°? ?[NSns]?[,，] ?-?[0-9]{1,3}\.[0-9]{3,10}(?![0-9])"
)


def contacts(text: str) -> Iterator[Hit]:
    """Contact and identity details with their spans, surest kinds first; they may overlap."""
    if "@" in text:
        yield from (("EMAIL", *m.span()) for m in _EMAIL.finditer(text))
    yield from _numbered(text)
    yield from _addresses(text)


def coordinates(text: str) -> Iterator[tuple[int, int]]:
    """Exact places given as latitude and longitude."""
    if "." in text:
        yield from (m.span() for m in _COORDINATES.finditer(text))


def _numbered(text: str) -> Iterator[Hit]:
    if not any(c in text for c in "0123456789"):
        return
    for m in _ID18.finditer(text):
        if has_birth_date(re.sub(r"[ \-]", "", m.group())):
            yield ("ID", *m.span())
    yield from (("ID", *m.span("v")) for m in _ID_IN_CONTEXT.finditer(text))
    yield from (("ID", *m.span()) for m in _SSN.finditer(text))
    for m in _IBAN.finditer(text):
        near = text[max(0, m.start() - 20) : m.start()].lower()
        if iban(m.group().replace(" ", "")) or "iban" in near:
            yield ("IBAN", *m.span())
    yield from (("PLATE", *m.span()) for m in _PLATE_ZH.finditer(text))
    yield from (("PLATE", *m.span("v")) for m in _PLATE_EN.finditer(text))
    if any(word in text for word in _IP_WORDS):
        yield from (("IP", *m.span("v")) for m in _IP.finditer(text))
    yield from _phones(text)


def _phones(text: str) -> Iterator[Hit]:
    for m in _NUMBER.finditer(text):
        if _is_phone(m.group(), text[max(0, m.start() - 36) : m.start()]):
            yield ("PHONE", *m.span())


def _is_phone(written: str, before: str) -> bool:
    written = re.split(r" ?[xe]", written)[0]
    digits = re.sub(r"\D", "", written)
    if len(digits) not in _PHONE_LENGTHS or _DATE_LIKE.fullmatch(written):
        return False
    if _MOBILE_ZH.fullmatch(digits) or _US.fullmatch(written) or _LANDLINE_ZH.fullmatch(written):
        return True
    if written[0] == "+" and len(digits) in _ABROAD_LENGTHS:
        return True
    return bool(_PHONE_WORDS.search(before)) and not re.search(r"[.]\d{1,2}\Z", written)


def _addresses(text: str) -> Iterator[Hit]:
    if _LETTER.search(text):
        yield from (("ADDRESS", *m.span()) for m in _STREET_EN.finditer(text))
        yield from (("ADDRESS", *m.span("v")) for m in _ADDRESS_CUE_EN.finditer(text))
    for m in _HOUSE_ZH.finditer(text):
        left = max(0, m.start() - 26)
        lead = _BEFORE_ADDRESS.search(text[left : m.start()])
        prefix = lead.group() if lead else ""
        cut = _CUT_ADDRESS.match(prefix)
        yield ("ADDRESS", m.start() - len(prefix) + (cut.end() if cut else 0), m.end())
