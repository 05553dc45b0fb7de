"""/jobs/{id}: how far work in the background is."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import jobs
from memory.api import schema_sessions
from memory.api.authentication import HasKey
from memory.api.base import MemoryView


class JobView(MemoryView):
    """One job."""

    permission_classes = (HasKey,)

    @extend_schema(responses={200: schema_sessions.Job})
    def get(self, request: Request, job_id: uuid.UUID) -> Response:
        """Return its state: pending, running, succeeded or failed."""
        job = jobs.access_job(self.caller, job_id)
        return Response(
            {
                "id": job.id,
                "kind": job.kind,
                "state": job.state,
                "attempts": job.attempts,
                "done": job.done,
                "total": job.total,
                "created_at": job.created_at,
                "finished_at": job.finished_at,
                "error": job.error or None,
            }
        )
