"""Check digits. A checksum raises or lowers a score; it is never a wall, because people mistype."""

from datetime import date

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECK = "10X98765432"


def luhn(digits: str) -> bool:
    """Whether a card number's check digit fits."""
    total = 0
    for i, char in enumerate(reversed(digits)):
        n = int(char) * (1 + i % 2)
        total += sum(divmod(n, 10))
    return total % 10 == 0


def has_birth_date(number: str) -> bool:
    """Whether an 18-character number is built like a Chinese identity number: region, then a date."""
    if (
        len(number) != len(_ID_WEIGHTS) + 1
        or not number[:17].isdigit()
        or number[0] not in "12345678"
    ):
        return False
    try:
        born = date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return born.year // 100 in (19, 20)


def chinese_id(number: str) -> bool:
    """Whether the identity number's check character fits as well."""
    if not has_birth_date(number):
        return False
    total = sum(int(c) * w for c, w in zip(number, _ID_WEIGHTS, strict=False))
    return _ID_CHECK[total % 11] == number[17].upper()


def iban(number: str) -> bool:
    """Whether an IBAN's two check digits fit."""
    moved = (number[4:] + number[:4]).upper()
    if not moved.isalnum() or not moved.isascii():
        return False
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
