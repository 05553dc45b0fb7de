"""Writing down that what is stored passes the door again; workers do it."""

import uuid
from typing import Any

from django.db import transaction

from accounts.models import Subject
from memory import queue
from memory.choices import UNFINISHED, JobKind
from memory.models import Job


def rescan_tenant(tenant_id: uuid.UUID, *, user_id: str | None = None) -> list[Job]:
    """Write down that what is stored passes the door again: one person's, or everybody's and the documents.

    There is a job for each person and one for the documents; one that is under way is kept.
    """
    people = Subject.objects.of_tenant(tenant_id).filter(erased_at__isnull=True)
    if user_id is not None:
        people = people.filter(external_id=user_id)
    with transaction.atomic():
        whose = [*people.values_list("id", flat=True), *([] if user_id is not None else [None])]
        return [_rescan_job(tenant_id, one) for one in whose]


def _rescan_job(tenant_id: uuid.UUID, subject_id: uuid.UUID | None) -> Job:
    what: dict[str, Any] = {
        "kind": JobKind.RESCAN,
        "tenant_id": tenant_id,
        "subject_id": subject_id,
        "target_id": subject_id or tenant_id,
    }
    open_one = Job.objects.filter(**what, state__in=UNFINISHED).first()
    return open_one or queue.add_job(**what, agent_id=None)
