"""One draft on its way through compare and store, with all that these steps need to know."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accounts.principal import Principal
from memory.index.context import Meaning
from memory.text.normalise import fold
from memory.text.perspective import first_person
from memory.vault import SubjectVault
from memory.write.proposal import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The keyed digests by which the database tells one memory from another."""

    wording: int | None
    slot: int
    value: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A draft, who proposes it, the person's vault, and what its indexed text means.

    ``meaning`` is None while the embedder is down.
    """

    principal: Principal
    vault: SubjectVault
    draft: Draft
    marks: Marks
    meaning: Meaning | None


def open_case(
    principal: Principal, vault: SubjectVault, draft: Draft, meaning: Meaning | None
) -> Case:
    """Return the case of a draft, with its digests made."""
    own = marks(vault, draft)
    return Case(principal=principal, vault=vault, draft=draft, marks=own, meaning=meaning)


def marks(vault: SubjectVault, draft: Draft) -> Marks:
    """Return the digests of a draft: its wording, its slot (whom, when it holds) and its value."""
    proposal = draft.proposal
    # What holds for a stated while is another thing in another while.
    ends = proposal.valid_to.timestamp() if proposal.valid_to else None
    begins = proposal.valid_from.timestamp() if proposal.valid_from else None
    period = f"\n{begins}\n{ends}" if ends else ""
    circle = f"\n{proposal.circle}" if proposal.circle else ""
    bound = f"{proposal.attribute}\n{draft.value}"
    return Marks(
        wording=wording_of(vault, draft.text, apart=period + circle),
        slot=slot_of(
            vault, about=proposal.about, condition=proposal.condition, circle=proposal.circle
        ),
        value=vault.digest("value", bound) if proposal.attribute and draft.value else None,
    )


def wording_of(vault: SubjectVault, text: str, *, apart: str = "") -> int:
    """Return the digest by which equal wordings are one; ``apart`` tells stated whiles and circles apart."""
    return vault.digest("wording", fold(first_person(text)) + apart)


def tags_of(vault: SubjectVault, tags: Iterable[str]) -> list[int]:
    """Return the digests by which a memory is filtered by its tags."""
    return [vault.digest("tag", tag) for tag in tags]


def metadata_of(vault: SubjectVault, metadata: Mapping[str, str]) -> list[int]:
    """Return the digests by which a memory is filtered by its metadata, one for each name and value."""
    return [vault.digest("metadata", f"{name}\n{value}") for name, value in metadata.items()]


def slot_of(vault: SubjectVault, *, about: str = "", condition: str = "", circle: str = "") -> int:
    """Return the digest that tells the holders of one attribute apart: about whom, when it holds, whose."""
    slot = slot_text(about=about, condition=condition) + (f"\n{circle}" if circle else "")
    return vault.digest("slot", slot) if slot.strip() else 0


def slot_text(*, about: str = "", condition: str = "") -> str:
    """Return what the digest of a slot is made of."""
    return f"{fold(about)}\n{fold(condition)}"
