"""The people, agents and keys of one story, made on first use in tenants that are thrown away."""

import threading
import uuid
from collections import defaultdict

from accounts import keys
from accounts.acting import acting
from accounts.choices import Action, KeyKind
from accounts.models import Grant, Subject, Tenant
from accounts.principal import ALL_KINDS, FULL_CLEARANCE
from accounts.setup import get_or_create_agent, new_agent_key, operator
from accounts.subjects import find_subject, get_or_create_subject, system
from memory.choices import Sensitivity
from memory.evaluation.scenarios.reply import Who

# Reads as far as anybody may: what a public audience would be shown.
PUBLIC = "ag_public"


class Cast:
    """Tenants, subjects and keys by the story's names. Agents have the owner's full rights."""

    def __init__(self) -> None:
        self.run = uuid.uuid4()
        self.tenants: dict[str, Tenant] = {}
        self.subjects: dict[tuple[str, str], list[uuid.UUID]] = defaultdict(list)
        self._keys: dict[tuple[str, ...], str] = {}
        self._lock = threading.RLock()

    def tenant(self, who: Who) -> Tenant:
        """Return the tenant; an agent's first use gives it everything up to the highest level."""
        with self._lock:
            if who.tenant not in self.tenants:
                self.tenants[who.tenant] = Tenant.objects.create(
                    name=f"evaluation {self.run} {who.tenant}", default_clearance=FULL_CLEARANCE
                )
            return self.tenants[who.tenant]

    def agent_key(self, who: Who) -> str:
        """Return the agent's key."""
        with self._lock:
            name = ("agent", who.tenant, who.agent)
            if name not in self._keys:
                agent = get_or_create_agent(self.tenant(who), who.agent)
                self._keys[name] = new_agent_key(agent, label="evaluation", environment="test")
            return self._keys[name]

    def public_key(self, who: Who) -> str:
        """Return the key of an agent that may read what is general and no more."""
        with self._lock:
            public = Who(tenant=who.tenant, user=who.user, agent=PUBLIC)
            subject = self.known(who)
            with acting(system(subject.tenant_id, subject.id, label="evaluation")):
                Grant.objects.get_or_create(
                    tenant_id=subject.tenant_id,
                    subject=subject,
                    agent=get_or_create_agent(self.tenant(who), PUBLIC),
                    defaults={
                        "actions": [Action.READ],
                        "kinds": sorted(ALL_KINDS),
                        "clearance": Sensitivity.GENERAL,
                    },
                )
            return self.agent_key(public)

    def person_key(self, who: Who) -> str:
        """Return the person's own key; a person who was erased begins anew."""
        with self._lock:
            subject = self.known(who)
            name = ("person", str(subject.id))
            if name not in self._keys:
                _, self._keys[name] = keys.issue(
                    operator(subject.tenant_id), kind=KeyKind.PERSON, subject=subject
                )
            return self._keys[name]

    def known(self, who: Who) -> Subject:
        """Return the person, made known if nobody has met them yet."""
        with self._lock:
            setup = operator(self.tenant(who).id)
            with acting(setup):
                subject, _ = get_or_create_subject(setup, who.user)
            self.note(who, subject.id)
            return subject

    def find(self, who: Who) -> Subject | None:
        """Return the person, if anybody has met them."""
        subject = find_subject(self.tenant(who).id, external_id=who.user)
        if subject is not None:
            self.note(who, subject.id)
        return subject

    def note(self, who: Who, subject_id: uuid.UUID) -> None:
        """Remember that this person was met: one name may have been several people."""
        known = self.subjects[who.tenant, who.user]
        if subject_id not in known:
            known.append(subject_id)

    def everybody(self) -> list[tuple[uuid.UUID, uuid.UUID]]:
        """Return (tenant, subject) of everyone of the story, whoever met them."""
        tenants = [tenant.id for tenant in self.tenants.values()]
        rows = Subject.objects.filter(tenant_id__in=tenants)
        return list(rows.values_list("tenant_id", "id"))
