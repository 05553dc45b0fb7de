"""One remembered thing: identity, kind, scope, state, sensitivity. It holds no text."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.principal import Principal
from accounts.walls import ClearanceWall, LookWall, personal, row_key
from memory.choices import IndexState, Kind, Origin, Sensitivity, State, Subtype, Trust, Visibility
from memory.models.base import PersonalRow

LISTED = (State.PENDING, State.ACTIVE, State.PAUSED, State.DISPUTED, State.ARCHIVED)


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Words about memories; each returns a query set and none writes."""

    def visible_to(self, principal: Principal) -> Self:
        """Keep what this principal may see: tenant, subject, kinds, level, agent.

        The row policies say the same; either alone must hold.
        """
        mine = self.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)
        if principal.is_operator:
            return mine.looked_at_by(principal)
        if principal.agent_id is None or principal.unrestricted:
            return mine
        level = Q(sensitivity__lte=principal.reach)
        if principal.reach >= Sensitivity.PERSONAL:
            level |= Q(pinned=True)
        own = Q(visibility=Visibility.USER) | Q(agent_id=principal.agent_id)
        return mine.filter(level, own, kind__in=principal.kinds)

    def looked_at_by(self, operator: Principal) -> Self:
        """Keep what the operator's look is about; without one, nothing."""
        if operator.look_id is None:
            return self.none()
        found = self.filter(sensitivity__lte=operator.clearance, kind__in=operator.kinds)
        return found if operator.only is None else found.filter(id=operator.only)

    def listed(self) -> Self:
        """Leave out what was forgotten or erased."""
        return self.filter(state__in=LISTED)

    def in_use(self, now: datetime) -> Self:
        """Keep what agents may use now: active and not expired."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now), state=State.ACTIVE)

    def happened(self, now: datetime) -> Self:
        """Keep what is in use, or was until it faded: it still counts as having happened."""
        return self.in_use(now) | self.filter(state=State.ARCHIVED, erase_at__gt=now)

    def in_circle(self, circle: str) -> Self:
        """Keep what is known to the same circle: what one agent keeps to itself, or what is for all."""
        if not circle:
            return self.filter(visibility=Visibility.USER)
        return self.filter(visibility=Visibility.AGENT, agent_id=circle)

    def said(self, principal: Principal, wording: int | None) -> Self:
        """Keep what says exactly this of the person, in use or waiting."""
        return self.filter(
            tenant_id=principal.tenant_id,
            subject_id=principal.person_id,
            wording=wording,
            state__in=(State.ACTIVE, State.PENDING),
        )

    def undoable(self, now: datetime) -> Self:
        """Keep what was forgotten and can still be taken back."""
        return self.filter(state=State.FORGOTTEN, undo_until__gt=now)

    def current_value(self, attribute: str, slot: int) -> Self:
        """Keep the active holder of a single-valued attribute's slot."""
        return self.current_values().filter(attribute=attribute, slot=slot)

    def current_values(self) -> Self:
        """Keep what holds, as the one value of its slot."""
        return self.filter(single=True, state=State.ACTIVE)

    def rivals_of(self, memory: "Memory") -> Self:
        """Keep what holds, in another memory, the one value of ``memory``'s own slot."""
        if not memory.single:
            return self.none()
        mine = self.filter(tenant_id=memory.tenant_id, subject_id=memory.subject_id)
        return mine.current_value(memory.attribute, memory.slot).exclude(id=memory.id)


class Memory(PersonalRow):
    """One remembered thing. Its wordings are its versions; ``version`` counts them.

    ``wording`` is a keyed digest of the current normalised text and ``slot`` one of what tells
    holders of one attribute apart (third party, condition): they let the database refuse doubles
    without seeing text. ``erase_at`` says when what has faded and was put away is erased.
    """

    kind = models.CharField(max_length=20, choices=Kind)
    subtype = models.CharField(max_length=20, choices=Subtype)
    attribute = models.CharField(max_length=100, blank=True)
    single = models.BooleanField(default=False)
    slot = models.BigIntegerField(default=0)
    wording = models.BigIntegerField(null=True)
    value = models.BigIntegerField(null=True)
    tags = ArrayField(models.BigIntegerField(), default=list)
    metadata = ArrayField(models.BigIntegerField(), default=list)
    state = models.CharField(max_length=20, choices=State)
    previous_state = models.CharField(max_length=20, choices=State, blank=True)
    sensitivity = models.PositiveSmallIntegerField(choices=Sensitivity)
    pinned = models.BooleanField(default=False)
    in_profile = models.BooleanField(default=False)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.USER)
    origin = models.CharField(max_length=20, choices=Origin)
    trust = models.PositiveSmallIntegerField(choices=Trust)
    confidence = models.FloatField(default=0.8)
    importance = models.FloatField(default=0.5)
    agent_id = models.UUIDField(null=True)
    session_id = models.UUIDField(null=True)
    project = models.CharField(max_length=100, blank=True)
    version = models.PositiveIntegerField(default=1)
    index_state = models.CharField(max_length=10, choices=IndexState, default=IndexState.PENDING)
    occurred = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    last_confirmed_at = models.DateTimeField(default=timezone.now)
    last_recalled_at = models.DateTimeField(null=True)
    recall_count = models.PositiveIntegerField(default=0)  # not as a part of the profile
    expires_at = models.DateTimeField(null=True)
    undo_until = models.DateTimeField(null=True)
    erase_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)

    # "health.condition" says something by itself, so the console does not see it.
    content_fields = ("attribute", "project", "value", "wording", "slot", "tags", "metadata")

    objects = MemoryQuerySet.as_manager()

    @property
    def circle(self) -> str:
        """The agent that keeps it to itself; empty where it is for all."""
        return str(self.agent_id) if self.visibility == Visibility.AGENT else ""

    class Meta:
        constraints = [
            row_key("memory"),
            *personal("memory"),
            ClearanceWall(name="memory_clearance_wall"),
            LookWall(name="memory_look", covers="keepsake_look_covers(id, sensitivity, kind)"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="memory_state"),
            models.CheckConstraint(
                condition=Q(kind__in=Kind.values, subtype__in=Subtype.values), name="memory_kind"
            ),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="memory_origin"),
            models.CheckConstraint(
                condition=Q(sensitivity__in=(10, 20, 30, 40)), name="memory_no_secret"
            ),
            models.CheckConstraint(
                condition=Q(
                    importance__gte=0, importance__lte=1, confidence__gte=0, confidence__lte=1
                ),
                name="memory_unit_numbers",
            ),
            models.CheckConstraint(
                condition=Q(state=State.ERASED, erased_at__isnull=False)
                | (~Q(state=State.ERASED) & Q(erased_at__isnull=True)),
                name="memory_erased_at",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.FORGOTTEN)
                | Q(undo_until__isnull=False, previous_state__gt=""),
                name="memory_undo",
            ),
            models.CheckConstraint(
                condition=Q(erase_at__isnull=True) | Q(state__in=(State.ARCHIVED, State.FORGOTTEN)),
                name="memory_erase_at",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=(State.ERASING, State.ERASED))
                | Q(wording__isnull=True, value__isnull=True, attribute="", tags=[], metadata=[]),
                name="memory_erased_keeps_nothing",
            ),
            models.UniqueConstraint(
                fields=["tenant", "subject", "attribute", "slot"],
                condition=Q(single=True, state=State.ACTIVE),
                name="memory_one_current_value",
            ),
            # Episodes may repeat in equal words at another time; nothing else may.
            models.UniqueConstraint(
                fields=["tenant", "subject", "wording", "occurred"],
                nulls_distinct=False,
                condition=Q(state__in=(State.ACTIVE, State.PENDING), wording__isnull=False),
                name="memory_one_per_wording",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "state", "-created_at"], name="memory_list"),
            models.Index(
                fields=["undo_until"], condition=Q(state=State.FORGOTTEN), name="memory_undo_due"
            ),
            models.Index(
                fields=["tenant", "subject"],
                condition=Q(index_state=IndexState.PENDING),
                name="memory_index_due",
            ),
            models.Index(
                fields=["tenant", "subject"], condition=Q(in_profile=True), name="memory_profile"
            ),
        ]
