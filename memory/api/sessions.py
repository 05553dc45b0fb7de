"""/sessions: open one, hand over its messages."""

import uuid

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access, jobs, sessions
from memory.api import inputs, outputs
from memory.api.base import MemoryView, parse
from memory.choices import JobState, Role
from memory.errors import Forbidden


class SessionsView(MemoryView):
    """Open a session."""

    @extend_schema(request=inputs.SessionInput, responses={201: dict, 200: dict})
    def post(self, request: Request) -> Response:
        """Return the id of the agent's session of this name; 201 if it is new."""
        values = parse(inputs.SessionInput, request.data)
        if self.caller.agent_id is None:
            raise Forbidden("Only an agent's key opens sessions.")
        principal = access.for_user(self.caller, values["user_id"], create=True)
        session, new = sessions.open_session(principal, session_id=values.get("session_id"))
        body = {
            "id": session.id,
            "user_id": values["user_id"],
            "session_id": session.external_id,
            "opened_at": session.opened_at,
            "closed_at": session.closed_at,
        }
        return Response(body, status=status.HTTP_201_CREATED if new else status.HTTP_200_OK)


class MessagesView(MemoryView):
    """Hand over messages."""

    @extend_schema(
        request=inputs.MessagesInput,
        parameters=[OpenApiParameter("wait", bool, description="Answer with the decisions.")],
        responses={202: dict, 200: dict},
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        """Store messages; extraction follows as a job, or at once with ``?wait=true``."""
        values = parse(inputs.MessagesInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        messages = [
            sessions.IncomingMessage(**(one | {"role": Role(one["role"])}))
            for one in values["messages"]
        ]
        done = sessions.append(principal, session_id=session_id, messages=messages)
        events = list(done.event_ids)
        if done.job is None:
            return Response(outputs.appended(events, None, []))
        if request.query_params.get("wait", "").lower() not in {"true", "1"}:
            return Response(
                outputs.appended(events, done.job, None), status=status.HTTP_202_ACCEPTED
            )
        job = jobs.wait_for(done.job)
        if job.state in (JobState.PENDING, JobState.RUNNING):
            return Response(outputs.appended(events, job, None), status=status.HTTP_202_ACCEPTED)
        decisions = jobs.decisions_about(principal, events)
        return Response(outputs.appended(events, job, decisions))
