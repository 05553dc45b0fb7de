"""What the look of a secret is made of, and which values could be one."""

import re
from collections.abc import Callable
from dataclasses import dataclass

# A value as people type a password: visible ASCII, not the placeholder of an earlier pass.
VALUE = r"(?P<v>(?!\[[A-Z_]+\])[!-~]{3,128})"
QUOTE = r"[\"'“‘「`]?"
B = r"(?<![0-9A-Za-z])"
_SHORTEST, _SHORTEST_BARE, _SHORTEST_STRONG, _CERTAINLY_TOKEN = 3, 5, 4, 20


@dataclass(frozen=True, slots=True)
class Shape:
    """One look of a secret. Group `v` is replaced; `needs` (lower case) is a cheap test before it."""

    type: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    accepts: Callable[[str], bool] = bool


def look(pattern: str) -> re.Pattern[str]:
    """Return a pattern blind to case, whose classes are those of ASCII."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


_ORDINARY_WORDS = (
    "not wrong incorrect correct too very expired the a an my your our his her their its in "
    "on at of stored required saved invalid weak strong being never always now same different "
    "still empty missing changed reset gone so also hard easy long short secure insecure "
    "important protected hidden safe working fine ok okay good bad what this that it there here "
    "lost leaked compromised stolen forgotten forgot written kept managed only just no and or "
    "but for with by from as asked login signin log sign use used going sent set see you i we "
    "known unknown case-sensitive none null true false password passwords pwd key keys token "
    "tokens like similar longer due because really already hashed encrypted optional needed more "
    "less better expiring failing showing coming getting up down out back when if how why who "
    "which where at least about over under between up-to-date one two three all any each both "
    "someone something nothing everyone hers mine yours ours theirs pending valid unique public "
    "private manager policy field rules difficult impossible simple complex tricky random"
)
_NOT_A_PASSWORD = frozenset(_ORDINARY_WORDS.split())
# "rotated", "probably", "guessable": what is said of a password, not one.
_SAID_OF_IT = re.compile(r"[a-z]{3,}(?:ed|ly|able)")
_MANAGERS = re.compile(r"1password|bitwarden|lastpass|keepass(?:xc)?|keychain|chrome|icloud|id_rsa")


def _bare(value: str) -> str:
    return value.strip("\"'`“”‘’()[]{}<>,.;:!?").lower()


def could_be_password(value: str) -> bool:
    """After "is" or a colon nearly anything is a password, but for words that speak about one."""
    bare = _bare(value)
    return (
        len(bare) >= _SHORTEST
        and bare not in _NOT_A_PASSWORD
        and not _SAID_OF_IT.fullmatch(bare)
        and not _MANAGERS.fullmatch(bare)
        and not bare.startswith(("http:", "https:"))
    )


def is_mixed(value: str) -> bool:
    """Told without a verb ("pw Maple!7"), only a value no word looks like is a password."""
    core = value.strip("\"'`“”‘’(),.;:!?")
    kinds = sum(
        (any(c.isdigit() for c in core), any(c.isalpha() for c in core), not core.isalnum())
    )
    return len(core) >= _SHORTEST_BARE and kinds > 1 and could_be_password(core)


def is_strong(value: str) -> bool:
    """Beside a user's name or far from the word, it must look made up: digits or odd marks in it."""
    core = value.strip("\"'`“”‘’(),.;:?*")
    odd = any(c in "!@#$%^&*_=+~" for c in core)
    has_digit, has_letter = any(c.isdigit() for c in core), any(c.isalpha() for c in core)
    return (
        len(core) >= _SHORTEST_STRONG
        and ((has_digit and (has_letter or odd)) or (odd and has_letter))
        and could_be_password(core)
    )


# Names of things that mix letters, digits and marks, and are nobody's password.
_THINGS = re.compile(
    r"(?:sha|md|utf|base|aes|rsa|ipv|oauth|http|argon|pbkdf|bcrypt|x|iso|rfc|v|ver|win|windows|ios|android|iphone|ipad"
    r"|python|php|java|node|es|css|html|c|web|log4j|wpa|rc|h|mp|s|ec|k|i|o)-?[0-9][0-9.x]{0,6}s?"
    r"|[0-9.,]+(?:st|nd|rd|th|am|pm|kb|mb|gb|tb|ms|min|km|cm|mm|kg|hz|ghz|x|k|m|d|h|s|fa|px|pt|bit|bits|%)"
    r"|[0-9]{1,2}:[0-9]{2}(?:am|pm)?|[^@]+@[^@]+\.[a-z]{2,}|[@#][a-z_].*|.*\.[a-z]{1,4}|.*[/\\].*|[a-z_]+\(.*"
    r"|[a-z]+(?:_[a-z]+)+|[a-z]+&[a-z]+"
)


def is_made_up(value: str) -> bool:
    """Somewhere in a sentence about a password, only what looks like nothing else is it."""
    core = value.strip("\"'`“”‘’(),.;:?*")
    return len(core) > _SHORTEST_BARE and is_strong(value) and not _THINGS.fullmatch(core.lower())


def is_strong_or_number(value: str) -> bool:
    """Like `is_strong`; next to the Chinese word a number of four digits is one as well."""
    core = value.strip("\"'`“”‘’(),.;:?")
    return is_strong(value) or (core.isdigit() and len(core) >= _SHORTEST_STRONG)


def is_code(value: str) -> bool:
    """Whether it holds a digit."""
    return any(c.isdigit() for c in value)


def is_token(value: str) -> bool:
    """Whether it is long, or mixes letters and digits."""
    return len(value) >= _CERTAINLY_TOKEN or (
        any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    )
