"""The people of a file in tenants that are rolled back: they tell, are asked, and are erased."""

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.acting import acting
from accounts.choices import ActorKind
from accounts.models import Subject, Tenant
from accounts.principal import FULL_CLEARANCE, Principal
from accounts.setup import get_or_create_agent, operator
from accounts.subjects import get_or_create_subject, rights_for, system
from memory import access, jobs
from memory.choices import UNFINISHED, Outcome
from memory.evaluation.clock import Clock, moved
from memory.evaluation.opened import opened_texts
from memory.evaluation.whole.reading import Conversation
from memory.models import Decision, Job, Memory, RecallRecipe
from memory.policy.adjusting import adjusted
from memory.sessions import life, messages
from memory.vault import open_vault

# A session is read at once; what is put off longer is not waited for.
ROUNDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the gate decided about one turn (None: about the session as a whole)."""

    turn: int | None
    outcome: Outcome
    read_as: str
    level: int
    memory_id: uuid.UUID | None
    text: str

    @property
    def kept(self) -> bool:
        """Whether something is remembered by it."""
        return self.outcome != Outcome.REFUSED and self.memory_id is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Which recall recipe is measured, with numbers of its own if there are any."""

    base: str = "default"
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return what a recall names."""
        return "measured" if self.numbers else self.base

    @property
    def named(self) -> str:
        """Return what a context names: empty, so that it has a context's own recipe, unless another was chosen."""
        return "" if self == Recipe() else self.name

    def check(self) -> None:
        """Refuse what no tenant could set.

        Raises:
            InvalidInput: says which number is out of its range.
        """
        if self.numbers:
            adjusted(self.base, self.name, self.numbers)


class People:
    """Tenants and people by the file's names, an agent that hears them, and a clock."""

    def __init__(self, clock: Clock, recipe: Recipe) -> None:
        self.clock, self.recipe = clock, recipe
        self.run = uuid.uuid4()
        self.tenants: dict[str, Tenant] = {}
        self.subjects: dict[tuple[str, str], Subject] = {}
        self.agents: dict[tuple[str, str], Principal] = {}

    def agent(self, person: tuple[str, str]) -> Principal:
        """Return the agent that talks with a person, with the rights of its grant."""
        if person not in self.agents:
            tenant = self._tenant(person[0])
            subject, _ = get_or_create_subject(operator(tenant.id), person[1])
            speaker = get_or_create_agent(tenant, "assistant")
            caller = Principal(
                kind=ActorKind.AGENT, tenant_id=tenant.id, actor_id=speaker.id, label="evaluation"
            )
            self.subjects[person] = subject
            self.agents[person] = rights_for(caller, subject)
        return self.agents[person]

    def service(self, person: tuple[str, str]) -> Principal:
        """Return the service itself at work for a person."""
        subject = self.subjects[person]
        return system(subject.tenant_id, subject.id, label="evaluation")

    def tell(self, said: Conversation) -> tuple[list[Written], float]:
        """Hand a session over, have it read, and close it: what was decided, and the milliseconds."""
        self.clock.set(said.at)
        agent = self.agent(said.person)
        begun = time.perf_counter()
        opened, _ = life.open_session(agent, session_id=said.id)
        told = [
            messages.IncomingMessage(role=role, content=text, at=said.at + timedelta(minutes=at))
            for at, (role, text) in enumerate(said.turns)
        ]
        self.clock.set(said.at + timedelta(minutes=len(told)))
        appended = messages.append(agent, session_id=opened.id, messages=told)
        life.close(agent, session_id=opened.id)
        self._work(said.person)
        ms = (time.perf_counter() - begun) * 1000
        return self._decided(said.person, appended.event_ids), ms

    def stored(self, person: tuple[str, str]) -> list[str]:
        """Return every text of a person that is stored and opens."""
        with acting(self.service(person).unlimited()) as principal:
            return list(opened_texts(open_vault(principal), self.subjects[person].id))

    def _tenant(self, name: str) -> Tenant:
        if name not in self.tenants:
            tenant = Tenant.objects.create(
                name=f"evaluation {self.run} {name}", default_clearance=FULL_CLEARANCE
            )
            self.tenants[name] = tenant
            if self.recipe.numbers:
                with acting(operator(tenant.id)):
                    RecallRecipe.objects.create(
                        tenant=tenant,
                        name=self.recipe.name,
                        base=self.recipe.base,
                        numbers=dict(self.recipe.numbers),
                    )
        return self.tenants[name]

    def _work(self, person: tuple[str, str]) -> None:
        subject = self.subjects[person]
        for _ in range(ROUNDS):
            due = Job.objects.filter(
                tenant_id=subject.tenant_id,
                subject_id=subject.id,
                state__in=UNFINISHED,
                due_at__lte=timezone.now(),
            )
            ids = list(due.order_by("due_at").values_list("id", flat=True))
            for one in ids:
                jobs.run_job(one, at_once=True)
            if not ids:
                return

    def _decided(self, person: tuple[str, str], event_ids: Sequence[uuid.UUID]) -> list[Written]:
        turns = {one: at for at, one in enumerate(event_ids)}
        with acting(self.service(person).unlimited()) as principal:
            mine = Decision.objects.filter(subject_id=principal.person_id)
            since = mine.filter(created_at__gte=self.clock.at).order_by("created_at")
            rows = list(since)
            vault = open_vault(principal)
            memories = Memory.objects.filter(id__in=[row.memory_id for row in rows])
            texts = {one.memory.id: one.text for one in access.open_current(vault, memories)}
        return [
            Written(
                turn=turns.get(row.event_id) if row.event_id else None,
                outcome=Outcome(row.outcome),
                read_as=f"{row.kind}/{row.subtype}",
                level=row.sensitivity or 0,
                memory_id=row.memory_id,
                text=texts.get(row.memory_id, "") if row.memory_id else "",
            )
            for row in rows
        ]


@contextmanager
def gathered(recipe: Recipe, clock: Clock) -> Iterator[People]:
    """Bring people together; nothing of them is kept."""
    recipe.check()
    with transaction.atomic(), moved(clock):
        yield People(clock, recipe)
        transaction.set_rollback(True)
