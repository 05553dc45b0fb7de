"""Lines with personal details and secrets, and lines without any, written for this project.

Every value is made up: from a seed, in the shape of its kind. ``python -m tests.data.pii_lines``
prints them as `manage.py evaluate pii` reads them.
"""

import json
import random
import string
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.data import pii_frames
from tests.data.pii_keys import KEYS

_RANDOM = random.Random(20260115)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def digits(count: int) -> str:
    """Return so many digits."""
    return "".join(_RANDOM.choices(string.digits, k=count))


def one_of(*choices: str) -> str:
    """Return one of the choices."""
    return _RANDOM.choice(choices)


def _mobile_zh() -> str:
    number = f"1{one_of('38', '39', '50', '77', '86', '99')}{digits(8)}"
    spaced = f"{number[:3]} {number[3:7]} {number[7:]}"
    return one_of(number, spaced, spaced.replace(" ", "-"), f"+86 {number}", f"86-{number}")


def _phone_abroad() -> str:
    two = f"{_RANDOM.randint(20, 98)}"
    return one_of(
        f"({_RANDOM.randint(201, 989)}) 555-{digits(4)}",
        f"{_RANDOM.randint(201, 989)}-555-{digits(4)}",
        f"+1 {_RANDOM.randint(201, 989)} 555 {digits(4)}",
        f"+44 7{digits(3)} {digits(6)}",
        f"07{digits(3)} {digits(6)}",
        f"0{two} {digits(4)} {digits(4)}",
        f"+49 1{two} {digits(7)}",
        f"0{two} {digits(2)} {digits(2)} {digits(2)} {digits(2)}",
        f"+33 6 {digits(2)} {digits(2)} {digits(2)} {digits(2)}",
    )


def _landline_zh() -> str:
    area = one_of("010", "021", "0755", "0571", "028")
    return one_of(f"{area}-{_RANDOM.randint(2, 8)}{digits(7)}", f"400-{digits(3)}-{digits(4)}")


def _id_zh() -> str:
    day = f"19{_RANDOM.randint(60, 99)}{_RANDOM.randint(1, 12):02}{_RANDOM.randint(1, 28):02}"
    body = f"{one_of('110105', '310104', '440305', '510107')}{day}{digits(3)}"
    check = "10X98765432"[sum(int(c) * w for c, w in zip(body, _ID_WEIGHTS, strict=True)) % 11]
    return body + check


def _card() -> str:
    body = one_of("4", "51", "55", "6222", "6217") + digits(15)
    body = body[:15]
    total = sum(sum(divmod(int(c) * (2 - i % 2), 10)) for i, c in enumerate(body))
    number = body + str(-total % 10)
    gap = one_of("", " ", "-")
    return gap.join(number[i : i + 4] for i in range(0, 16, 4))


def _iban() -> str:
    country, length = _RANDOM.choice([("DE", 18), ("FR", 23), ("NL", 14), ("GB", 18)])
    body = digits(length) if country in ("DE", "FR") else "INGB" + digits(length - 4)
    moved = "".join(str(int(c, 36)) for c in body + country + "00")
    number = f"{country}{98 - int(moved) % 97:02}{body}"
    spaced = " ".join(number[i : i + 4] for i in range(0, len(number), 4))
    return one_of(number, spaced)


def _mail() -> str:
    name = one_of("ann.lee", "liu_wei", "j-smith+home", "wang.fang88", "m.o.brien", "zhao2020")
    return f"{name}{digits(2)}@{one_of('example.com', 'mail.example.cn', 'post.example.co.uk')}"


def _abroad_id() -> str:
    letters = "".join(_RANDOM.choices(string.ascii_uppercase, k=2))
    return one_of(
        f"{_RANDOM.randint(100, 665)}-{_RANDOM.randint(10, 99)}-{_RANDOM.randint(1000, 9999)}",
        f"S{digits(7)}D",
        f"{letters[0]}{digits(6)}({digits(1)})",
        f"{digits(3)}.{digits(3)}.{digits(3)}-{digits(2)}",
        f"{_RANDOM.randint(60, 99)}{_RANDOM.randint(1, 12):02}{_RANDOM.randint(10, 28)}-{digits(7)}",
    )


def _passport() -> str:
    return one_of(f"E{digits(8)}", f"G{digits(8)}", f"{digits(9)}", f"C{digits(7)}X")


def _plate() -> str:
    tail = "".join(_RANDOM.choices("ABCDEFGHJK", k=1)) + digits(4)
    return one_of(f"沪A{tail}", f"京B·{tail}", f"粤C{digits(5)}")


def _ip() -> str:
    octets = ".".join(str(_RANDOM.randint(24, 240)) for _ in range(4))
    groups = ":".join(f"{_RANDOM.randint(4096, 65535):x}" for _ in range(8))
    return one_of(octets, octets, groups)


def _password() -> str:
    word = one_of("Birch", "kitchen", "Maple", "sunny", "Tiger", "laohu", "woaini", "qwe", "Fox")
    return one_of(
        f"{word}!{digits(2)}", f"{word}{digits(4)}", f"{word}_{digits(3)}#", f"{digits(2)}{word}@x",
        f"{word.upper()}-{digits(3)}-{word}", f"$uper{word}{digits(1)}", f"{word}.{word}{digits(2)}",
    )  # fmt: skip


def _code() -> str:
    return digits(_RANDOM.choice([4, 6]))


MAKERS: dict[str, Callable[[], str]] = {
    "PHONE": lambda: one_of(_mobile_zh(), _mobile_zh(), _landline_zh()),
    "PHONE_EN": _phone_abroad,
    "ID_CARD": _id_zh,
    "ID_ABROAD": _abroad_id,
    "PASSPORT": _passport,
    "CARD": _card,
    "IBAN": _iban,
    "EMAIL": _mail,
    "PLATE": _plate,
    "IP": _ip,
    "PASSWORD": _password,
    "CODE": _code,
    "DOOR": _code,
}
# The type a span is marked with, where the frames tell finer ones apart.
NAMES = {"PHONE_EN": "PHONE", "ID_ABROAD": "ID", "CODE": "PASSWORD", "DOOR": "ADDRESS"}
ROUNDS = 3


def filled(frame: str, kind: str, value: str) -> dict[str, Any]:
    """Return the line of a frame with a value in it."""
    start = frame.index("{}")
    text = frame.replace("{}", value, 1)
    span = {"start": start, "end": start + len(value), "type": NAMES.get(kind, kind)}
    return {"text": text, "lang": "en" if frame.isascii() else "zh", "spans": [span]}


def lines() -> Iterator[dict[str, Any]]:
    """Return all lines, always the same ones."""
    _RANDOM.seed(20260115)
    for kind, frames in pii_frames.FRAMES.items():
        for frame in frames:
            for _ in range(ROUNDS):
                yield filled(frame, kind, MAKERS[kind]())
    for frame, value in pii_frames.SPOKEN_SECRETS:
        yield filled(frame, "PASSWORD", value)
    for key in KEYS:
        yield filled(_RANDOM.choice(pii_frames.KEY_FRAMES), "API_KEY", key(_RANDOM))
    for text in pii_frames.CLEAN:
        yield {"text": text, "lang": "en" if text.isascii() else "zh", "spans": []}


if __name__ == "__main__":
    for line in lines():
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
