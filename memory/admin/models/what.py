"""Twins of what the gate decided, what waits, and what is erased."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.choices import ActorKind
from memory.admin.models.twin import Twin, to, to_person
from memory.choices import (
    ErasureScope,
    ErasureState,
    JobKind,
    JobState,
    Kind,
    Outcome,
    Reason,
    RecallStatus,
    ReviewKind,
    ReviewState,
    Sensitivity,
    State,
    StepState,
    Subtype,
)
from memory.choices import verdicts as said
from memory.choices.documents import DocumentFault, DocumentFormat, DocumentState
from memory.choices.experiments import Arm, ExperimentKind
from memory.choices.notices import NoticeState


class Remembered(Twin):
    """A memory, to be counted."""

    person = to_person()
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=20, choices=State)

    class Meta(Twin.Meta):
        db_table = "memory_memory"


class Decision(Twin):
    """What the gate answered to one candidate."""

    tenant = to("console.Tenant")
    person = to_person()
    outcome = models.CharField(max_length=20, choices=Outcome)
    reasons = ArrayField(models.CharField(max_length=30, choices=Reason))
    kind = models.CharField(max_length=20, choices=Kind)
    subtype = models.CharField(max_length=20, choices=Subtype)
    sensitivity = models.PositiveSmallIntegerField(choices=Sensitivity, null=True)
    memory_id = models.UUIDField(null=True)
    event_id = models.UUIDField(null=True)
    agent = to("console.Agent", null=True)
    request_id = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta(Twin.Meta):
        db_table = "memory_decision"


class Verdict(Twin):
    """What an agent said of what it was handed, to be counted."""

    tenant = to("console.Tenant")
    agent = to("console.Agent")
    recall = to("console.Recall", null=True)
    verdict = models.CharField(max_length=10, choices=said.Verdict)
    success = models.BooleanField(null=True)
    at = models.DateTimeField()

    class Meta(Twin.Meta):
        db_table = "memory_feedback"


class Recall(Twin):
    """One recall, to be counted."""

    tenant = to("console.Tenant")
    agent_id = models.UUIDField(null=True)
    session_id = models.UUIDField(null=True)
    status = models.CharField(max_length=20, choices=RecallStatus)
    policy = models.CharField(max_length=30)
    result_count = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    experiment_id = models.UUIDField(null=True)
    arm = models.CharField(max_length=1, choices=Arm)
    at = models.DateTimeField()

    class Meta(Twin.Meta):
        db_table = "memory_recalllog"


class Experiment(Twin):
    """A comparison of two ways of recalling."""

    tenant = to("console.Tenant")
    name = models.CharField(max_length=40)
    kind = models.CharField(max_length=10, choices=ExperimentKind)
    recipe_a = models.CharField(max_length=30)
    recipe_b = models.CharField(max_length=30)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "memory_experiment"

    def __str__(self) -> str:
        return self.name


class Review(Twin):
    """A question that waits for the person."""

    tenant = to("console.Tenant")
    person = to_person()
    memory_id = models.UUIDField()
    kind = models.CharField(max_length=20, choices=ReviewKind)
    state = models.CharField(max_length=20, choices=ReviewState)
    created_at = models.DateTimeField()
    snoozed_until = models.DateTimeField(null=True)
    lapses_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "memory_reviewitem"


class Erasure(Twin):
    """A request to erase."""

    tenant = to("console.Tenant")
    person = to_person()
    state = models.CharField(max_length=30, choices=ErasureState)
    scope = models.CharField(max_length=20, choices=ErasureScope)
    memory_ids = ArrayField(models.UUIDField())
    event_ids = ArrayField(models.UUIDField())
    requested_by_kind = models.CharField(max_length=20, choices=ActorKind)
    requested_by_id = models.UUIDField(null=True)
    requested_at = models.DateTimeField()
    fenced_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    backups_until = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    hold_reason = models.CharField(max_length=50)

    class Meta(Twin.Meta):
        db_table = "memory_erasure"


class Step(Twin):
    """One store's part of an erasure."""

    tenant = to("console.Tenant")
    person = to_person()
    erasure = to("console.Erasure")
    store = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=StepState)
    attempts = models.PositiveSmallIntegerField()
    leased_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField()
    count_before = models.PositiveIntegerField(null=True)
    count_after = models.PositiveIntegerField(null=True)
    verified_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100)

    class Meta(Twin.Meta):
        db_table = "memory_erasurestep"
        verbose_name = "erasure step"

    def __str__(self) -> str:
        return f"{self.store} {self.state}"


class Job(Twin):
    """Work in the background."""

    tenant = to("console.Tenant")
    person = to_person()
    kind = models.CharField(max_length=20, choices=JobKind)
    target_id = models.UUIDField()
    agent_id = models.UUIDField(null=True)
    state = models.CharField(max_length=20, choices=JobState)
    attempts = models.PositiveSmallIntegerField()
    done = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)
    leased_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField()
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100)
    request_id = models.CharField(max_length=64)
    tally = ArrayField(models.CharField(max_length=40))

    class Meta(Twin.Meta):
        db_table = "memory_job"


class Document(Twin):
    """A document of an organisation, without its name."""

    tenant = to("console.Tenant")
    format = models.CharField(max_length=10, choices=DocumentFormat)
    language = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=DocumentState)
    fault = models.CharField(max_length=10, choices=DocumentFault)
    revision = models.PositiveIntegerField()
    tries = models.PositiveSmallIntegerField()
    size = models.PositiveIntegerField()
    characters = models.PositiveIntegerField()
    passage_count = models.PositiveIntegerField()
    sender_kind = models.CharField(max_length=20, choices=ActorKind)
    sender_id = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    indexed_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "memory_document"


class Notice(Twin):
    """A notice to one agent of what was erased."""

    tenant = to("console.Tenant")
    person = to_person()
    agent = to("console.Agent", null=True)
    topic = models.CharField(max_length=50)
    erasure_id = models.UUIDField(null=True)
    state = models.CharField(max_length=20, choices=NoticeState)
    attempts = models.PositiveSmallIntegerField()
    leased_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "memory_outboxmessage"


class Target(Twin):
    """Where an agent is told of erasures."""

    tenant = to("console.Tenant")
    agent = to("console.Agent")
    url = models.CharField(max_length=500)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta(Twin.Meta):
        db_table = "memory_webhooktarget"


class Set(Twin):
    """A file to measure on, without its content."""

    tenant = to("console.Tenant")
    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    lines = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta(Twin.Meta):
        db_table = "memory_evaluationset"
        verbose_name = "evaluation set"

    def __str__(self) -> str:
        return self.name


class Run(Twin):
    """An evaluation and its numbers."""

    what = models.CharField(max_length=20)
    name = models.CharField(max_length=40)
    data = models.CharField(max_length=60)
    digest = models.CharField(max_length=64)
    owner_id = models.UUIDField("tenant", null=True)
    recipe = models.JSONField()
    version = models.CharField(max_length=60)
    state = models.CharField(max_length=20, choices=JobState)
    done = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=100)
    operator_id = models.UUIDField(null=True)
    at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    seconds = models.FloatField(null=True)
    numbers = models.JSONField()

    class Meta(Twin.Meta):
        db_table = "memory_evaluationrun"
        verbose_name = "evaluation"

    def __str__(self) -> str:
        return f"{self.what} {self.name or self.data}"
