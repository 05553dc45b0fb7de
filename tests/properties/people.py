"""Three people in two tenants, four keys, and what belongs to whom while a story runs."""

import dataclasses
from collections.abc import Iterable
from typing import Any

from django.db import models

from accounts.models import Subject, Tenant
from accounts.principal import Principal
from tests.cast import agent_key, make_agent, make_grant, person_key, principal_of

# Which key may speak about whom. Charlie's agent calls him what Alice's agent calls her.
PAIRS = (
    ("assistant", "alice"),
    ("assistant", "bob"),
    ("low", "alice"),
    ("low", "bob"),
    ("stranger", "charlie"),
    ("alice", "alice"),
)
CALLED = {"alice": "alice", "bob": "bob", "charlie": "alice"}
SYLLABLES = ("zor", "vik", "nax", "plo", "thra", "wef", "jup", "qui", "bry", "gnu")
GLYPHS = "魑魅魍魉饕餮貔貅狻猊"


def canary(number: int) -> tuple[str, str]:
    """Return a word of English letters and one of Chinese that stand in no other text."""
    digits = [int(digit) for digit in f"{number:04d}"]
    return "".join(SYLLABLES[d] for d in digits) + "x", "".join(GLYPHS[d] for d in digits)


def flat(thing: Any) -> str:
    """Return every word and id in an answer, however deep; ciphertext left out."""
    if isinstance(thing, (bytes, memoryview)):
        return ""
    if isinstance(thing, models.Model):
        return flat({k: v for k, v in vars(thing).items() if k != "_state"})
    if dataclasses.is_dataclass(thing):
        return " ".join(flat(getattr(thing, field.name)) for field in dataclasses.fields(thing))
    if isinstance(thing, dict):
        return " ".join(f"{flat(key)} {flat(value)}" for key, value in thing.items())
    if isinstance(thing, Iterable) and not isinstance(thing, str):
        return " ".join(flat(one) for one in thing)
    return str(thing)


class People:
    """Alice and Bob at Acme, Charlie at Globex; their keys; who owns which word and id."""

    def __init__(self) -> None:
        acme, globex = Tenant.objects.create(name="Acme"), Tenant.objects.create(name="Globex 环球")
        self.subjects = {
            "alice": Subject.objects.create(tenant=acme, external_id="alice"),
            "bob": Subject.objects.create(tenant=acme, external_id="bob"),
            "charlie": Subject.objects.create(tenant=globex, external_id="alice"),
        }
        assistant, low = make_agent(acme, "assistant"), make_agent(acme, "low")
        for person in ("alice", "bob"):
            make_grant(low, self.subjects[person], clearance=10, kinds=["semantic", "procedural"])
        self.keys = {
            "assistant": agent_key(assistant),
            "low": agent_key(low),
            "stranger": agent_key(make_agent(globex, "assistant")),
            "alice": person_key(self.subjects["alice"]),
        }
        self.owners: dict[str, set[str]] = {}
        for person, subject in self.subjects.items():
            self.belongs(person, subject.id)
        self.made = 0

    def principal(self, pair: tuple[str, str]) -> Principal:
        """Return who acts, found out as the API does."""
        key, person = pair
        found = principal_of(self.keys[key], CALLED[person])
        assert found.subject_id == self.subjects[person].id
        return found

    def canary(self, person: str) -> tuple[str, str]:
        """Return new words that belong to ``person``."""
        self.made += 1
        words = canary(self.made)
        self.belongs(person, *words)
        return words

    def belongs(self, person: str, *tokens: object) -> None:
        """Note that words or ids are ``person``'s; what two people say is both's."""
        for token in tokens:
            if token is not None:
                self.owners.setdefault(str(token), set()).add(person)

    def check(self, person: str, answer: Any) -> None:
        """Fail if an answer about ``person`` holds a word or an id of somebody else."""
        words = flat(answer)
        leaked = [
            token
            for token, owners in self.owners.items()
            if person not in owners and token in words
        ]
        assert not leaked, f"{person} was told {leaked}, which belong to others"
