"""Whose view a sentence takes: "the user's locker" and "my locker" are one thing said by two.

An agent writes about the person in the third person. For comparing, and for the rules, which read
what a person says, such a sentence is turned round; what is stored keeps its words.
"""

import re

from memory.text.normalise import clean

_ZH = re.compile(
    r"(?:\A|(?<=[，。；,;\s]))(?:该|这位|本|此)?用户(?:本人)?(?!们|群|体|量|数|端|界|名|反馈|体验)"
)
_POSSESSIVE = re.compile(r"(?<![A-Za-z])(?:the )?user['’]s(?![A-Za-z])", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?<![A-Za-z])(?:the )?user(?P<adverb>(?: (?:really|also|always|usually|currently|now|often|never"
    r"|still|already|just|strongly))*)(?: (?P<verb>[A-Za-z]+(?:['’]t)?))?(?![A-Za-z])",
    re.IGNORECASE,
)
_VERBS = {
    "is": "am", "isn't": "am not", "has": "have", "hasn't": "haven't", "does": "do",
    "doesn't": "don't", "goes": "go", "was": "was", "wasn't": "wasn't",
}  # fmt: skip
_SIBILANT = ("sses", "shes", "ches", "xes", "zzes", "oes")


def first_person(text: str) -> str:
    """Return the sentence as the person would say it; one about somebody else comes back as it is."""
    text = _ZH.sub("我", text)
    text = _POSSESSIVE.sub("my", text)
    return _SUBJECT.sub(_said, text)


def plain(text: str) -> str:
    """Return a text as texts are compared: clean, as the person would say it, small, with one apostrophe."""
    return first_person(clean(text)).lower().replace("’", "'")


def _said(match: re.Match[str]) -> str:
    verb = match["verb"]
    return f"I{match['adverb']}" + (f" {_plain(verb)}" if verb else "")


def _plain(verb: str) -> str:
    """The first person of a verb in the third: likes is like, studies is study."""
    lower = verb.lower().replace("’", "'")
    if lower in _VERBS:
        return _VERBS[lower]
    if lower.endswith("ies") and len(lower) > len("dies"):
        return verb[:-3] + "y"
    if lower.endswith(_SIBILANT):
        return verb[:-2]
    return verb[:-1] if lower.endswith("s") and not lower.endswith("ss") else verb
