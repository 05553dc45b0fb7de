"""What each entry of a file is beside what is there: new, changed, identical, or not to come in."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from accounts.principal import Principal
from memory.choices import GONE, Origin, Reason, State
from memory.choices.transfer import ImportGroup
from memory.models import Memory, Suppression
from memory.policy import TRANSFER, WRITE
from memory.transfer.reading import Entry
from memory.transfer.whole import proposal_of
from memory.vault import SubjectVault
from memory.write.admit import admit
from memory.write.allow import suppressible
from memory.write.case import Marks, marks
from memory.write.classify import classify
from memory.write.proposal import Draft, Proposal, Source
from memory.write.reading import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry, read, and what it is beside what is there; ``why`` says what keeps it out."""

    entry: Entry
    draft: Draft
    group: ImportGroup
    why: Reason | None = None


@dataclass(slots=True, kw_only=True)
class Beside:
    """The person's memories as far as an entry must be compared with them: three queries in all."""

    vault: SubjectVault
    now: datetime
    suppressed: frozenset[int]
    wordings: set[tuple[int, datetime | None]]
    holders: set[tuple[str, int]]
    own: set[uuid.UUID]

    @classmethod
    def of(cls, principal: Principal, vault: SubjectVault, now: datetime) -> "Beside":
        """Look at what the person has. Call it inside a transaction of theirs."""
        ids = principal.tenant_id, principal.person_id
        kept = Suppression.objects.in_force(*ids).values_list("digest", flat=True)
        mine = Memory.objects.filter(tenant_id=ids[0], subject_id=ids[1]).exclude(state__in=GONE)
        rows = mine.values_list("id", "wording", "occurred", "attribute", "slot", "single", "state")
        found = cls(
            vault=vault,
            now=now,
            suppressed=frozenset(kept),
            wordings=set(),
            holders=set(),
            own=set(),
        )
        for memory_id, wording, occurred, attribute, slot, single, state in rows:
            found.own.add(memory_id)
            if wording is not None:
                found.wordings.add((wording, occurred))
            if single and state == State.ACTIVE:
                found.holders.add((attribute, slot))
        return found

    def place(self, entry: Entry) -> Placed:
        """Return what the entry is beside what is there, and count it as there from now on."""
        if len(entry.text) > WRITE.max_text:  # reading all of it could take minutes
            cut = classify(self._proposal(replace(entry, text=entry.text[: WRITE.max_text])))
            return Placed(entry=entry, draft=cut, group=ImportGroup.BLOCKED, why=Reason.TOO_LONG)
        draft = classify(self._proposal(entry))
        own = marks(self.vault, draft)
        if why := self._barred(entry, draft):
            return Placed(entry=entry, draft=draft, group=ImportGroup.BLOCKED, why=why)
        group = self._group(entry, draft, own)
        if group == ImportGroup.NEW and own.wording is not None:
            self.wordings.add((own.wording, draft.proposal.occurred))
        return Placed(entry=entry, draft=draft, group=group)

    def _proposal(self, entry: Entry) -> Proposal:
        if entry.whole is not None:
            return proposal_of(entry.whole, entry.text)
        source = Source(origin=Origin.IMPORT, said_at=entry.said_at or self.now)
        return read(Proposal(text=entry.text, source=source, importance=TRANSFER.importance))

    def _barred(self, entry: Entry, draft: Draft) -> Reason | None:
        if why := admit(draft):
            return why
        if self.suppressed.intersection(suppressible(self.vault, draft)):
            return Reason.SUPPRESSED
        forgotten = entry.whole is not None and entry.whole["state"] == State.FORGOTTEN
        return Reason.FORGOTTEN if forgotten else None

    def _group(self, entry: Entry, draft: Draft, own: Marks) -> ImportGroup:
        if (own.wording, draft.proposal.occurred) in self.wordings:
            return ImportGroup.IDENTICAL
        if draft.single and (draft.proposal.attribute, own.slot) in self.holders:
            return ImportGroup.CHANGED
        if entry.whole is not None and uuid.UUID(str(entry.whole["id"])) in self.own:
            return ImportGroup.CHANGED
        return ImportGroup.NEW
