"""Street addresses of several countries: by the street's word, by the flat's, and by what announces one."""

import re
from collections.abc import Iterator

from memory.write.near import lowered, starting_at

Hit = tuple[str, int, int]

_B = r"(?<![0-9A-Za-z])"
_CAP = "A-ZÀ-ÖØ-ÞŁŚŻÅŠČŘΑ-Ω"
_LETTER = re.compile("[A-Za-z]")
_UNIT = r"(?:Apt|Apartment|Suite|Ste|apt|apartment|suite)\.? ?#?[0-9]{1,5}[A-Za-z]?"
_NUMBER_FIRST = re.compile(
    _B + r"[0-9]{1,6}[A-Za-z]?(?: [0-9A-Z][\w.'’\-]{0,24}){1,5}?,? "
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way"
    r"|Crescent|Close|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Run|Alley|Loop|Row|Walk|Grove|Gardens|Plaza"
    r"|Heights|Point|Ridge|Hill|Park)(?![A-Za-z])\.?"
    r"(?: (?:North|South|East|West|Northeast|Northwest|Southeast|Southwest|N|S|E|W|NE|NW|SE|SW)(?![A-Za-z]))?"
    r"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor|#)\.? ?[0-9A-Za-z]{1,6})?"
    rf"|{_B}[0-9]{{1,5}}(?: bis)?,? (?:rue|avenue|boulevard|place|chemin|quai|impasse|allée) (?:[\w'’.\-]{{1,20}} ?){{1,4}}"
)
_SMALL = r"(?:de|du|des|da|do|dos|das|del|della|dei|la|le|les|los|las|el|di|von|van|der) "
_NAME = rf"(?:{_SMALL}){{0,2}}[{_CAP}][\w'’.\-]{{0,24}}"
# Rua Augusta 12, Via Roma 3, ul. Długa 7; Lindenstraße 5, Storgatan 41, Kossuth utca 8.
_NUMBER_LAST = re.compile(
    r"(?<!\w)(?:Rua|Rúa|Via|Viale|Vicolo|Corso|Piazza|Largo|Rue|rue|Av\.|Avda\.?|Avenida|Calle|C/|Carrer|Plaza|Paseo"
    rf"|Praça|Travessa|Estrada|Chemin|Quai|ul\.|Ulica|al\.|pl\.|Strada|Str\.) (?:{_NAME} ){{1,4}}[0-9]{{1,5}}[A-Za-z]?(?!\w)"
    rf"|(?<!\w)[{_CAP}][\w'’.\-]{{1,30}}(?:stra(?:ss|ß)e|gasse|weg|allee|platz|ufer|laan|straat|steenweg|plein|kade|gracht|gatan"
    r"|gata|vägen|torget|vej|gade|plads|veien|vei|katu|tie) [0-9]{1,5}[A-Za-z]?(?!\w)"
    rf"|(?<!\w)(?:[{_CAP}][\w'’.\-]{{1,20}} ){{1,3}}(?:utca|út|tér|u\.|Allé|vei|gate|plads|plass|enparantza|kalea|Strasse|Straße) [0-9]{{1,5}}(?!\w)"
)
# A flat's number with what belongs to it on both sides: the rest of its line and the lines of an envelope.
_FLAT = re.compile(rf"{_UNIT}(?![0-9A-Za-z])")
_FLAT_WORDS = ("apt", "apartment", "suite", "ste")
_BEFORE_FLAT = re.compile(r"(?P<v>(?<![0-9A-Za-z])[0-9][^\n;:!?]{0,60})\n?[ >?,.]{0,5}\Z")
# After a comma the sentence may go on ("…, and can be reached"), which is no town.
_GOES_ON = "(?:and|or|but|so|who|which|where|that|can|is|was|has|with|by|at|my|his|her|our|i|he|she|we|you|they|please|then)"
_AFTER_FLAT = re.compile(
    rf"(?:(?:\n{{1,2}}[ >?]{{0,5}}|, (?!{_GOES_ON} ))[{_CAP}a-z][^\n,.;:!?0-9]{{1,40}}){{0,3}}(?:[ ,\n>?]{{0,6}}[0-9]{{4,6}}(?:-[0-9]{{4}})?(?![0-9]))?"
)
_BOX_WORDS = ("p.o", "p. o", "po box", "p o box")
_BOX = re.compile(r"(?<![A-Za-z])P\.? ?O\.? ?Box ?#?[0-9]{1,6}", re.IGNORECASE)
_MILITARY = re.compile(r"[A-Z][^\n]{2,40}\n?(?<![A-Za-z])[ADF]PO,? A[AEP] [0-9]{5}")
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DC|DE|FL|GA|HI|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK"
    "|OR|PA|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY"
)
_CODE = re.compile(
    r"(?:(?<![a-z])(?:zip(?: ?code)?|postal code|post ?code)|邮编|邮政编码)(?: is| was|是|为)?[:： ]{0,2}"
    r"(?P<v>(?=[A-Z \-]{0,4}[0-9])[0-9A-Z]{2,6}(?:[ \-][0-9A-Z]{2,5})?)(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_POSTAL = re.compile(
    rf"(?<!\w)(?:[A-Z][\w.]{{1,20}} ?){{1,3}},? (?:{_STATES}),? [0-9]{{5}}(?:-[0-9]{{4}})?(?![0-9])"
    r"|(?<!\w)[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][ABD-HJLNP-UW-Z]{2}(?!\w)"
)
_CUE = re.compile(
    r"(?:(?<![A-Za-z])address(?:es)?(?: of [\w &.]{1,24}| for [\w &.]{1,16})?(?:(?: is| was| to| with|, here they are):?|:)"
    r"|(?:located|live|lives|living|resides?|residing|residence|office is|offices are) at"
    r"|(?:moved? (?:in)?to|(?:ship|deliver|send|sent|mail|return|post|forward)(?: it| this| them| a new one)? to|(?:taxi|uber|cab|ride|lift) to"
    r"|meet (?:me|us) at|arrived at|drops you off at|live in|, and)(?=[\s:]{1,3}(?-i:[0-9]{1,6}[A-Za-z]?,? [A-ZÀ-ÞΑ-Ω0-9])))"
    r"[\s:]{1,3}(?P<v>(?=[^\n,.]{0,40}[0-9])[^\W_](?:[^.!?;\n()]|[.](?=[ ,]\S)|\n(?=[^\n])){4,110}?)"
    r"(?=\Z|[.!?;()]|\n\n|\n[a-z]|,? (?:and|or|by|via|for|in case|who|last|tonight|please|as|so|but|since|because) )",
    re.IGNORECASE,
)
_CUE_WORDS = (
    "address", "located", "live", "living", "resid", "office", "move", "ship", "deliver", "send", "sent", "mail", "return",
    "post", "forward", "taxi", "uber", "cab", "ride", "lift", "meet", "arrived", "drops", ", and",
)  # fmt: skip
_CODE_WORDS = ("zip", "post", "邮编", "邮政")
_HOUSE_ZH = re.compile(
    r"(?:路|街|巷|大道|道|弄|里|胡同|村|园|苑|小区|新区|花园|公寓|大厦|广场|新城|家园|府|庭)[东西南北中]?(?:[一二三四五六七八九十]{1,3}[段区期])?"
    r" ?[0-9一二三四五六七八九十]{1,6} ?(?:号楼?|弄|栋|幢|座|单元|室|楼)"
    r"(?:院|附)?(?: ?[0-9A-Za-z一二三四五六七八九十]{1,5} ?(?:号楼?|弄|栋|幢|座|单元|室|楼|层)){0,4}(?: ?[0-9]{3,4}室?)?"
)
_BEFORE_ADDRESS = re.compile(r"[\u4e00-\u9fff0-9A-Za-z·]{0,26}\Z")
_CUT_ADDRESS = re.compile(
    r".*(?:住在|搬到了?|搬去|位于|地址是|地址为|地址|寄到|送到|家在|现居住?于?|居住于|住|[在于到是址])"
)
# What may stand between two pieces of one address; nothing where they overlap.
_JOINT = re.compile(r"[ ,\n>]{0,4}(?:nan)?[ ,\n>]{0,4}")


def addresses(text: str) -> Iterator[Hit]:
    """Addresses near a number with their spans; what several patterns see of one is one."""
    start, end = 0, -1
    for left, right in sorted(_pieces(text)):
        if end >= 0 and _JOINT.fullmatch(text[end:left]):
            end = max(end, right)
            continue
        if end >= 0:
            yield "ADDRESS", start, end
        start, end = left, right
    if end >= 0:
        yield "ADDRESS", start, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    lower = lowered(text)
    if _LETTER.search(text):
        for pattern in (_NUMBER_FIRST, _NUMBER_LAST, _POSTAL):
            yield from (m.span() for m in pattern.finditer(text))
        if "PO A" in text:
            yield from (m.span() for m in _MILITARY.finditer(text))
        yield from (m.span() for m in starting_at(_BOX, text, lower, _BOX_WORDS))
        yield from (m.span("v") for m in starting_at(_CUE, text, lower, _CUE_WORDS))
        flats = starting_at(_FLAT, text, lower, _FLAT_WORDS)
        yield from (_around_flat(text, m) for m in flats)
    yield from (m.span("v") for m in starting_at(_CODE, text, lower, _CODE_WORDS))


def _around_flat(text: str, flat: re.Match[str]) -> tuple[int, int]:
    """From the first number of its line, or of the line before, to the end of the envelope."""
    left = max(0, flat.start() - 70)
    before = _BEFORE_FLAT.search(text[left : flat.start()])
    after = _AFTER_FLAT.match(text, flat.end())
    start = left + before.start("v") if before else flat.start()
    return start, after.end() if after else flat.end()


def addresses_zh(text: str) -> Iterator[Hit]:
    """Chinese addresses down to a house, in digits or not."""
    for m in _HOUSE_ZH.finditer(text):
        left = max(0, m.start() - 26)
        lead = _BEFORE_ADDRESS.search(text[left : m.start()])
        prefix = lead.group() if lead else ""
        cut = _CUT_ADDRESS.match(prefix)
        yield ("ADDRESS", m.start() - len(prefix) + (cut.end() if cut else 0), m.end())
