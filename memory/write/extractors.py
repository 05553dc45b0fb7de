"""Who reads a conversation for memories: the rules, or a language model beside them."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from memory.choices import Reason
from memory.policy import MODEL
from memory.providers.tokens import count_tokens
from memory.write.candidate import Candidate, Found, Refused, Talk, Turn
from memory.write.rules import extract
from memory.write.worth import refined


class Extractor(Protocol):
    """What reads a talk. It stores nothing and decides nothing: it proposes, and says what it passed over."""

    def wants(self, talk: Talk) -> bool:
        """Whether the talk is to be read at once, not when the session ends or goes idle."""
        ...

    def read(self, talk: Talk) -> list[list[Found] | None]:
        """Return what was found in each turn; None for one that could not be read this time.

        Raises:
            ModelUnavailable, ModelGarbled: if none of it could be read.
            OutOfTime: if nobody waits any more.
        """
        ...


class RulesExtractor:
    """Patterns in Chinese and English: at once, offline, blind to what they have no rule for."""

    def wants(self, talk: Talk) -> bool:
        """Always: reading costs nothing."""
        return True

    def read(self, talk: Talk) -> list[list[Found] | None]:
        """Return what the rules say to each turn, and the classifier to what they cannot read."""
        return list(refined(talk.turns, by_rules(talk)))


def by_rules(talk: Talk) -> list[list[Found]]:
    """Return what the rules find in each turn of a talk."""
    previous = [None, *talk.before][-1]
    found = []
    for turn in talk.turns:
        found.append(_by_rules(turn, previous))
        previous = turn
    return found


def _by_rules(turn: Turn, previous: Turn | None) -> list[Found]:
    if turn.other:
        whole = {"quote_start": 0, "quote_end": len(turn.text)}
        return [Refused(reason=Reason.WRONG_SPEAKER, event_id=turn.event_id, **whole)]
    return extract(turn, previous, at=turn.at)


def shows_point(found: Sequence[Found]) -> bool:
    """Whether something to keep or to forget shows in a turn."""
    return any(isinstance(one, Candidate) or one.reason == Reason.DO_NOT_REMEMBER for one in found)


def parts(talk: Talk) -> Iterator[Talk]:
    """Cut a long talk into stretches that are read together, each with the turns before it."""
    everything = [*talk.before, *talk.turns]
    start = len(talk.before)
    while start < len(everything):
        end, tokens = start, 0
        while end < len(everything) and end - start < MODEL.batch_messages:
            tokens += count_tokens(everything[end].text[: MODEL.longest])
            if tokens > MODEL.batch_tokens and end > start:
                break
            end += 1
        before = everything[max(0, start - MODEL.before) : start]
        yield Talk(before=before, turns=everything[start:end])
        start = end


# Setting EXTRACTOR -> what builds it, by path; a path of your own may stand in the setting.
EXTRACTORS = {
    "rules": "memory.write.extractors.RulesExtractor",
    "llm": "memory.write.modelled.build",
}


def get_extractor() -> Extractor:
    """The extractor of the setting ``EXTRACTOR``.

    Raises:
        ImproperlyConfigured: for a name nobody knows, or a model without address.
    """
    return _build(settings.EXTRACTOR, settings.LLM_BASE_URL, settings.LLM_MODEL)


@cache
def _build(name: str, *_model: str) -> Extractor:
    path = EXTRACTORS.get(name, name)
    if "." not in path:
        known = ", ".join(EXTRACTORS)
        raise ImproperlyConfigured(f"EXTRACTOR={name!r} is unknown. Known are: {known}")
    extractor: Extractor = import_string(path)()
    return extractor
