"""The Celery application. Messages carry ids only; the work itself is rows (docs/architecture.md)."""

import os
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, task_prerun, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("keepsake")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["memory"])


@before_task_publish.connect
def _pass_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    from accounts.requests import current_request_id
    from memory.measuring import spans

    if headers is not None:
        headers["request_id"] = current_request_id()
        headers[spans.PARENT] = spans.carried()


@task_prerun.connect
def _take_request_id(task: Any = None, **_: Any) -> None:
    from accounts.requests import set_request_id
    from memory.measuring import spans

    set_request_id(getattr(task.request, "request_id", None))
    spans.follow(getattr(task.request, spans.PARENT, None))


@worker_process_init.connect
def _check_role(**_: Any) -> None:
    from accounts.roles import require_safe_role

    require_safe_role()
