"""Twins of tenants, people, agents, keys, grants and the audit log."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.choices import (
    Action,
    ActorKind,
    AuditCode,
    HoldReason,
    KeyKind,
    Learning,
    LookGround,
    MemoryMode,
)
from memory.admin.models.twin import Twin, to, to_person
from memory.choices import Sensitivity


class Tenant(Twin):
    """An organisation."""

    name = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    grants_on_first_use = models.BooleanField()
    default_clearance = models.PositiveSmallIntegerField()
    default_learning = models.CharField(max_length=20, choices=Learning)
    break_glass = models.BooleanField()
    quotas = models.JSONField()

    class Meta(Twin.Meta):
        db_table = "accounts_tenant"

    def __str__(self) -> str:
        return self.name


class Person(Twin):
    """A subject: ids and switches."""

    tenant = to("console.Tenant")
    external_id = models.CharField("user id", max_length=200)
    login_id = models.UUIDField(null=True)
    is_anonymous = models.BooleanField()
    time_zone = models.CharField(max_length=50)
    memory_mode = models.CharField(max_length=20, choices=MemoryMode)
    memory_mode_until = models.DateTimeField(null=True)
    learning = models.CharField(max_length=20, choices=Learning)
    undo_minutes = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    held_at = models.DateTimeField(null=True)
    hold_reason = models.CharField(max_length=50, choices=HoldReason)
    erased_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_subject"
        verbose_name_plural = "people"


class Agent(Twin):
    """A program."""

    tenant = to("console.Tenant")
    name = models.CharField(max_length=200)
    system_of_record = models.BooleanField()
    may_link = models.BooleanField()
    created_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_agent"

    def __str__(self) -> str:
        return self.name


class Invitation(Twin):
    """A link by which a person takes charge."""

    tenant = to("console.Tenant")
    person = to_person()
    agent = to("console.Agent", null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_personlink"


class Recipe(Twin):
    """A recall recipe of an organisation's own."""

    tenant = to("console.Tenant")
    name = models.CharField(max_length=30)
    base = models.CharField(max_length=30)
    numbers = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta(Twin.Meta):
        db_table = "memory_recallrecipe"
        verbose_name = "recall recipe"

    def __str__(self) -> str:
        return self.name


class Key(Twin):
    """An API key by its public part."""

    tenant = to("console.Tenant")
    kind = models.CharField(max_length=20, choices=KeyKind)
    agent = to("console.Agent", null=True)
    person = to("console.Person", db_column="subject_id", null=True)
    label = models.CharField(max_length=100)
    prefix = models.CharField(max_length=8)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_apikey"

    def __str__(self) -> str:
        return self.prefix


class Grant(Twin):
    """What a person lets an agent do."""

    tenant = to("console.Tenant")
    person = to_person()
    agent = to("console.Agent")
    actions = ArrayField(models.CharField(max_length=20, choices=Action))
    kinds = ArrayField(models.CharField(max_length=20))
    clearance = models.PositiveSmallIntegerField()
    purposes = ArrayField(models.CharField(max_length=50))
    memory_mode = models.CharField(max_length=20, choices=MemoryMode)
    memory_mode_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_grant"


class Look(Twin):
    """An operator's look at a person's memories."""

    tenant = to("console.Tenant")
    person = to_person()
    ground = models.CharField(max_length=20, choices=LookGround)
    operator_id = models.UUIDField(null=True)
    reason = models.CharField(max_length=50)
    clearance = models.PositiveSmallIntegerField()
    kinds = ArrayField(models.CharField(max_length=20))
    memory_id = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    views = models.PositiveIntegerField()
    looked_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "accounts_look"


class Line(Twin):
    """One line of the audit log. Plain ids: the line outlives what it names."""

    id = models.BigIntegerField(primary_key=True)  # type: ignore[assignment]  # lines are numbered
    at = models.DateTimeField()
    code = models.CharField(max_length=50, choices=AuditCode)
    tenant_id = models.UUIDField(null=True)
    subject_id = models.UUIDField(null=True)
    actor_kind = models.CharField(max_length=20, choices=ActorKind)
    actor_id = models.UUIDField(null=True)
    actor_label = models.CharField(max_length=200)
    key_prefix = models.CharField(max_length=8)
    object_kind = models.CharField(max_length=30)
    object_id = models.UUIDField(null=True)
    version_before = models.PositiveIntegerField(null=True)
    version_after = models.PositiveIntegerField(null=True)
    fields = ArrayField(models.CharField(max_length=50))
    sensitivity = models.PositiveSmallIntegerField(choices=Sensitivity, null=True)
    purpose = models.CharField(max_length=50)
    reason = models.CharField(max_length=50)
    decision = models.CharField(max_length=30)
    result_count = models.PositiveIntegerField(null=True)
    request_id = models.CharField(max_length=64)
    address = models.CharField(max_length=45)

    class Meta(Twin.Meta):
        db_table = "accounts_auditevent"
        verbose_name = "audit line"
