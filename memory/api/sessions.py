"""/sessions: open one, list them, hand over and read messages, close."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access, jobs, sessions
from memory.api import (
    inputs,
    outputs,
    replays,
    schema_sessions,
    session_inputs,
    session_outputs,
)
from memory.api.base import MemoryView, flag, parse
from memory.api.idempotency import Written, idempotent
from memory.api.shapes import WAIT
from memory.choices import Role
from memory.errors import Forbidden
from memory.quotas import Quota

NOTHING = uuid.UUID(int=0)


class SessionsView(MemoryView):
    """Open a session; list sessions."""

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; ids: the session."""
        principal = replays.person_of(self, written)
        session = sessions.find_session(principal, written.ids[0])
        user_id = access.subject_of(principal).external_id
        return Response(_opened(session, user_id), status=written.status)

    @extend_schema(
        request=inputs.SessionInput,
        responses=dict.fromkeys((200, 201), schema_sessions.OpenedSession),
    )
    @idempotent(stands)
    def post(self, request: Request) -> Written:
        """Return the id of the agent's session of this name; 201 if it is new."""
        values = parse(inputs.SessionInput, request.data)
        if self.caller.agent_id is None:
            raise Forbidden("Only an agent's key opens sessions.")
        principal = access.for_user(self.caller, values["user_id"], create=True)
        session, new = sessions.open_session(principal, session_id=values.get("session_id"))
        answer = Response(
            _opened(session, values["user_id"]),
            status=status.HTTP_201_CREATED if new else status.HTTP_200_OK,
        )
        return Written(answer, [session.id], principal.subject_id)

    @extend_schema(parameters=[inputs.PageQuery], responses={200: schema_sessions.SessionPage})
    def get(self, request: Request) -> Response:
        """List a person's sessions, newest first; an agent sees its own."""
        values = parse(inputs.PageQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        found, more = sessions.list_sessions(
            principal, limit=values["limit"], cursor=values.get("cursor")
        )
        items = [session_outputs.session(row) for row in found]
        return Response({"sessions": items, "next": more})


def _opened(session: Any, user_id: str) -> dict[str, Any]:
    return {
        "id": session.id,
        "user_id": user_id,
        "session_id": session.external_id,
        "opened_at": session.opened_at,
        "closed_at": session.closed_at,
    }


class CloseView(MemoryView):
    """Close a session."""

    def answer(self, written: Written) -> Response:
        """Answer now and again; ids: the session, then the job if there is one."""
        principal = replays.person_of(self, written)
        session_id, *job_ids = written.ids
        body = session_outputs.session(sessions.find_session(principal, session_id))
        if not job_ids:
            return Response(body)
        job, code = replays.worked(self, principal, job_ids[0])
        return Response(body | {"job": outputs.job_state(job)}, status=code)

    @extend_schema(
        request=session_inputs.CloseInput,
        parameters=[WAIT],
        responses=dict.fromkeys((200, 202), schema_sessions.ClosedSession),
    )
    @idempotent(answer)
    def post(self, request: Request, session_id: uuid.UUID) -> Written:
        """Close it; 202 with a job if messages are still to be read. Again: nothing changes."""
        parse(session_inputs.CloseInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        flag(request, "wait")  # said wrongly, nothing is closed
        closed = sessions.close(principal, session_id=session_id)
        job_ids = [closed.job.id] if closed.job else []
        return Written(None, [session_id, *job_ids], principal.subject_id)


class MessagesView(MemoryView):
    """Hand over messages; read them."""

    counts = {"POST": (Quota.EVENTS,)}

    @extend_schema(
        parameters=[session_inputs.MessageListQuery],
        responses={200: schema_sessions.MessagePage},
    )
    def get(self, request: Request, session_id: uuid.UUID) -> Response:
        """List messages by when they were said, oldest first."""
        values = parse(session_inputs.MessageListQuery, request.query_params)
        principal = access.for_object(self.caller, "session", session_id)
        page = sessions.list_messages(
            principal, session_id=session_id, limit=values["limit"], cursor=values.get("cursor")
        )
        items = [session_outputs.message(one) for one in page.items]
        return Response({"messages": items, "next": page.next})

    def answer(self, written: Written) -> Response:
        """Answer now and again; ids: the job (none: nil), then the events."""
        job_id, *events = written.ids
        if job_id == NOTHING:
            return Response(outputs.appended(events, None, []))
        principal = replays.person_of(self, written)
        job, code = replays.worked(self, principal, job_id)
        waited = flag(self.request, "wait") and code == status.HTTP_200_OK
        decisions = jobs.decisions_about(principal, events) if waited else None
        code = code if waited else status.HTTP_202_ACCEPTED
        return Response(outputs.appended(events, job, decisions), status=code)

    @extend_schema(
        request=inputs.MessagesInput,
        parameters=[WAIT],
        responses=dict.fromkeys((200, 202), schema_sessions.MessagesAnswer),
    )
    @idempotent(answer)
    def post(self, request: Request, session_id: uuid.UUID) -> Written:
        """Store messages; extraction follows as a job, or at once with ``?wait=true``."""
        values = parse(inputs.MessagesInput, request.data)
        principal = access.for_object(self.caller, "session", session_id)
        messages = [
            sessions.IncomingMessage(**(one | {"role": Role(one["role"])}))
            for one in values["messages"]
        ]
        wait = flag(request, "wait")
        done = sessions.append(principal, session_id=session_id, messages=messages)
        ids = [done.job.id if done.job else NOTHING, *done.event_ids]
        if done.job is None or wait:
            return Written(None, ids, principal.subject_id)
        answer = outputs.appended(done.event_ids, done.job, None)
        return Written(Response(answer, status=status.HTTP_202_ACCEPTED), ids, principal.subject_id)
