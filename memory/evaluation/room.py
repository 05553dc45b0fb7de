"""A person of a tenant that never was: everything done for them is rolled back."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from accounts.acting import acting
from accounts.principal import Principal
from accounts.setup import get_or_create_tenant
from accounts.subjects import get_or_create_subject, system


@contextmanager
def nobody() -> Iterator[Principal]:
    """Act for a new person of a new tenant; nothing of either is kept."""
    with transaction.atomic():
        tenant = get_or_create_tenant(f"evaluation {uuid.uuid4()}")
        setup = system(tenant.id, uuid.uuid4(), label="evaluation").using(subject_id=None)
        subject, _ = get_or_create_subject(setup, "person")
        with acting(system(tenant.id, subject.id, label="evaluation")) as principal:
            yield principal
        transaction.set_rollback(True)
