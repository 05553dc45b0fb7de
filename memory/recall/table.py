"""The table behind an explanation: each wording that a question could have reached, and its fate."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.principal import Principal
from memory import access
from memory.choices import Sensitivity, State, Visibility
from memory.index.search import ranked
from memory.models import Memory, Version
from memory.policy import RecallPolicy
from memory.recall import scope
from memory.recall.candidates import find
from memory.recall.fates import Fate
from memory.recall.filters import condition
from memory.recall.question import Question, understand
from memory.recall.rows import Row, fetch
from memory.recall.score import Score
from memory.recall.values import RecalledItem, RecallQuery
from memory.recall.weigh import Weighed
from memory.vault import SubjectVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One wording and what became of it, with its score if it passed the gate.

    ``opened`` is None for whoever may not read the words.
    """

    memory_id: uuid.UUID
    version: int
    fate: Fate
    state: str
    opened: access.OpenedMemory | None
    why: Sequence[str] = ()
    score: Score | None = None
    past: bool = False
    cosine: float | None = None
    bm25: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Who asked what, and what came of it (None: nothing is handed to the asker at all)."""

    whole: Principal
    asker: Principal
    vault: SubjectVault
    query: RecallQuery
    policy: RecallPolicy
    weighed: Weighed | None
    now: datetime

    def lines(self) -> list[Line]:
        """Return what was handed over, then what was held back, then what was never looked at."""
        seen = list(self._considered())
        known = {line.opened.version.id for line in seen if line.opened}
        everything = Version.objects.filter(
            tenant_id=self.whole.tenant_id,
            subject_id=self.whole.person_id,
            memory__in=access.memories_visible_to(self.whole),
        )
        found = find(
            self.vault,
            ranked(everything),
            words=self._question.text,
            meaning=self._question.meaning,
            policy=self.policy,
        )
        hits = {hit.version_id: hit for hit in found.hits if hit.version_id not in known}
        rows = self._rows(hits)
        order = {version: position for position, version in enumerate(hits)}
        unseen = self._unseen(sorted(rows, key=lambda row: order[row.opened.version.id]))
        return [
            *seen,
            *(
                self._line(row, fate, cosine=hits[id_].cosine, bm25=hits[id_].bm25)
                for row, fate in unseen
                for id_ in [row.opened.version.id]
            ),
        ]

    def line_of(self, memory: Memory) -> Line:
        """Return the line of a memory whose words and meaning are far from the question."""
        current = Version.objects.current().filter(memory=memory).values_list("id", flat=True)
        ((row, fate),) = self._unseen(self._rows(current))
        return self._line(row, fate)

    @property
    def _question(self) -> Question:
        if self.weighed:
            return self.weighed.question
        return understand(self.query, now=self.now.astimezone(self.asker.zone))

    def _considered(self) -> Iterable[Line]:
        if self.weighed is None:
            return
        for item in self.weighed.taken:
            yield self._of_item(item, Fate.TAKEN)
        for item in self.weighed.profile:
            yield self._of_item(item, Fate.PROFILE)
        for item, fate in self.weighed.held:
            yield self._of_item(item, fate)
        below = {hit.version_id: hit for hit in self.weighed.below}
        listed = {item.opened.version.id for item in self.weighed.profile}
        for row in sorted(
            self._rows(below), key=lambda one: -(below[one.opened.version.id].cosine or 0)
        ):
            hit = below[row.opened.version.id]
            if hit.version_id not in listed:
                yield self._line(row, Fate.BELOW_GATE, cosine=hit.cosine, bm25=hit.bm25)

    def _rows(self, wordings: Iterable[uuid.UUID]) -> list[Row]:
        return fetch(self.whole, self.vault, list(wordings), question=self._question)

    def _of_item(self, item: RecalledItem, fate: Fate) -> Line:
        return Line(
            memory_id=item.opened.memory.id,
            version=item.opened.version.number,
            fate=fate,
            state=item.opened.memory.state,
            opened=item.opened,
            why=item.why,
            score=item.score,
            past=item.past,
            cosine=item.cosine,
            bm25=item.bm25,
        )

    def _line(
        self, row: Row, fate: Fate, *, cosine: float | None = None, bm25: float = 0.0
    ) -> Line:
        return Line(
            memory_id=row.opened.memory.id,
            version=row.opened.version.number,
            fate=fate,
            state=row.opened.memory.state,
            opened=row.opened,
            cosine=cosine,
            bm25=bm25,
        )

    def _unseen(self, rows: Sequence[Row]) -> list[tuple[Row, Fate]]:
        reached = self._reached([row.opened.version.id for row in rows])
        return [(row, self._why(row, reached)) for row in rows]

    def _reached(self, wordings: Sequence[uuid.UUID]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
        """Return which wordings every filter lets through, and which the question's time does."""
        rows = Version.objects.filter(id__in=wordings, tenant_id=self.whole.tenant_id)
        rows = rows.filter(subject_id=self.whole.person_id)
        kept = rows
        if self.query.filters:
            kept = rows.filter(condition(self.query.filters, self.vault.digest))
        timely, question = rows, self._question
        if question.back:
            timely = rows.exclude(scope.out_of_time(question.times, said=question.said))
        return set(kept.values_list("id", flat=True)), set(timely.values_list("id", flat=True))

    def _why(self, row: Row, reached: tuple[set[uuid.UUID], set[uuid.UUID]]) -> Fate:
        memory, version = row.opened.memory, row.opened.version
        ended = version.valid_to is not None and version.valid_to <= self.now
        faults = (
            (self.weighed is None, Fate.NOT_ALLOWED),
            (memory.state != State.ACTIVE, Fate.NOT_IN_USE),
            (bool(memory.expires_at and memory.expires_at <= self.now), Fate.EXPIRED),
            (self._is_other_agents(memory), Fate.OTHER_AGENT),
            (self._is_limited and memory.kind not in self.asker.kinds, Fate.KIND_NOT_GRANTED),
            (self._is_above(memory), Fate.ABOVE_LEVEL),
            (version.superseded_at is not None, Fate.SUPERSEDED),
            (ended, Fate.ENDED),
            (version.id not in reached[0], Fate.FILTERED),
            (version.id not in reached[1], Fate.OUTSIDE_TIME),
        )
        return next((fate for fault, fate in faults if fault), Fate.NOT_CLOSE)

    @property
    def _is_limited(self) -> bool:
        return self.asker.agent_id is not None

    def _is_other_agents(self, memory: Memory) -> bool:
        private = memory.visibility == Visibility.AGENT
        return self._is_limited and private and memory.agent_id != self.asker.agent_id

    def _is_above(self, memory: Memory) -> bool:
        clearance = self.asker.reach
        safe = memory.pinned and clearance >= Sensitivity.PERSONAL
        return self._is_limited and memory.sensitivity > clearance and not safe
