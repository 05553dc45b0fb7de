"""The door: secrets become placeholders, contact details and special topics are found and graded."""

import re
from dataclasses import dataclass

from memory.choices import Sensitivity
from memory.text.normalise import clean
from memory.write.cards import cards
from memory.write.contacts import contacts, exact_places
from memory.write.known_keys import known_keys
from memory.write.secrets import SHAPES
from memory.write.shapes import Shape
from memory.write.topics import topic_spans

PLACEHOLDERS = ("PASSWORD", "API_KEY", "TOKEN", "PRIVATE_KEY", "CARD", "CODE")
_PLACEHOLDER = re.compile(rf"\[({'|'.join(PLACEHOLDERS)})\]")
# What the index shows instead of a detail; numbers of every document share one word.
_INDEX_WORD = {"PLACE": "ADDRESS"}
_TRAILING = "\"'”’」`,.;:!?)]}>"


@dataclass(frozen=True, slots=True)
class Found:
    """Something that raises the level, by its place in the *redacted* text."""

    type: str
    start: int
    end: int
    level: Sensitivity


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text safe to store, what was found in it, and how closely what is left must be held."""

    text: str
    found: tuple[Found, ...]
    level: Sensitivity
    index_text: str
    topics: tuple[str, ...]

    @property
    def secrets(self) -> tuple[Found, ...]:
        """The secrets that were taken out (their placeholders)."""
        return tuple(f for f in self.found if f.level == Sensitivity.SECRET)


def redact(text: str) -> Redacted:
    """Clean a text, take its secrets out, and grade the rest.

    `level` is that of the text which remains (at most SPECIAL); whether a secret was taken out is
    in `secrets`. Redacting a redacted text changes nothing.
    """
    text = safe(text)
    secrets = [Found(m[1], *m.span(), Sensitivity.SECRET) for m in _PLACEHOLDER.finditer(text)]
    details = _details(text, taken=secrets)
    topics = [Found(t, s, e, Sensitivity.SPECIAL) for t, s, e in topic_spans(text)]
    found = tuple(sorted((*secrets, *details, *topics), key=lambda f: (f.start, f.end, f.type)))
    left = [f.level for f in found if f.level < Sensitivity.SECRET]
    return Redacted(
        text=text,
        found=found,
        level=max(left, default=Sensitivity.GENERAL),
        index_text=_masked(text, details),
        topics=tuple(sorted({f.type.lower() for f in topics} | _place_topic(details))),
    )


def safe(text: str) -> str:
    """Return a text cleaned, with placeholders for its secrets."""
    return without_secrets(clean(text))


# So few words beside a placeholder say nothing.
_WORDS_OF_USE = 4


def holds_secret(text: str) -> bool:
    """Whether a secret was taken out of a redacted text."""
    return bool(_PLACEHOLDER.search(text))


def only_secret(text: str) -> bool:
    """Whether a redacted text says nothing but that there is a secret ("my password is [PASSWORD]")."""
    if not _PLACEHOLDER.search(text):
        return False
    rest = _PLACEHOLDER.sub(" ", text)
    rest = _SECRET_WORDS.sub(" ", rest.lower())
    return len(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", rest)) < _WORDS_OF_USE


_SECRET_WORDS = re.compile(
    r"(?<![a-z])(?:my|our|the|his|her|your|is|are|was|for|new|current|passwords?|passwd|pwd|pw"
    r"|pin|code|token|secret|"
    r"api|key|card|number|credit|debit|bank|please|remember|note|that|and|it|here|this|wifi"
    r"|wi-fi|login|account|email|bearer|"
    r"authorization|verification|otp|cvv|save)(?![a-z])"
    r"|我们?|的|是|为|新|密码|口令|验证码|卡号|银行卡|信用卡|密钥|令牌|请|帮|记住|记一下|保存|改成|了|账号|登录|支付|邮箱|家里|家|手机|开机|一下|无线"
    r"|网|别告诉别人|wifi"
)


def without_secrets(text: str) -> str:
    """A text of any layout with placeholders for its secrets; the rest stays as it is.

    Replaces until nothing more shows: what one placeholder uncovers, the next round takes.
    """
    for _ in range(8):
        new = _replace_cards(_replace_keys(text))
        lower = new.lower()
        for shape in SHAPES:
            if any(word in lower for word in shape.needs):
                new = _replace(new, shape)
        if new == text:
            break
        text = new
    return text


def _replace_keys(text: str) -> str:
    for kind, start, end in sorted(known_keys(text), key=lambda key: key[1], reverse=True):
        if not _PLACEHOLDER.search(text[start:end]):
            text = f"{text[:start]}[{kind}]{text[end:]}"
    return text


def _replace_cards(text: str) -> str:
    for start, end in reversed(list(cards(text))):
        text = f"{text[:start]}[CARD]{text[end:]}"
    return text


def _replace(text: str, shape: Shape) -> str:
    def placeholder(match: re.Match[str]) -> str:
        value = match["v"]
        core = value.rstrip(_TRAILING) or value
        if not shape.accepts(core) or _PLACEHOLDER.search(value):
            return match.group()
        head = match.group()[: match.start("v") - match.start()]
        tail = match.group()[match.start("v") - match.start() + len(core) :]
        return f"{head}[{shape.type}]{tail}"

    return shape.pattern.sub(placeholder, text)


def _details(text: str, *, taken: list[Found]) -> list[Found]:
    """Contact details without overlaps: the kind that comes first in `contacts` wins."""
    hits = [(kind, s, e, Sensitivity.CONTACT) for kind, s, e in contacts(text)]
    hits += [("PLACE", s, e, Sensitivity.SPECIAL) for s, e in exact_places(text)]
    claimed = bytearray(len(text))
    for secret in taken:
        claimed[secret.start : secret.end] = b"\1" * (secret.end - secret.start)
    kept: list[Found] = []
    for kind, start, end, level in hits:
        if not any(claimed[start:end]):
            claimed[start:end] = b"\1" * (end - start)
            kept.append(Found(kind, start, end, level))
    return sorted(kept, key=lambda f: f.start)


def _masked(text: str, details: list[Found]) -> str:
    pieces, at = [], 0
    for found in details:
        pieces += [text[at : found.start], f"[{_INDEX_WORD.get(found.type, found.type)}]"]
        at = found.end
    return "".join((*pieces, text[at:]))


def _place_topic(details: list[Found]) -> set[str]:
    return {"exact_place" for f in details if f.type == "PLACE"}
