"""/tasks/{task_id}: the board of a task, with version and step. ``task_id`` is the caller's own."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.principal import Principal
from memory import access
from memory.api import replays, schema_sessions, session_inputs, session_outputs
from memory.api.base import MemoryView, StrictSerializer, if_match, parse
from memory.api.idempotency import Written, idempotent
from memory.api.shapes import IF_MATCH, IF_MATCH_MAYBE
from memory.errors import Gone, InvalidInput
from memory.sessions import boards
from memory.sessions.ending import Report
from memory.sessions.observations import Observation, observe


class _TaskView(MemoryView):
    """What every call about a task does: body, person, version."""

    def asked(
        self, request: Request, shape: type[StrictSerializer]
    ) -> tuple[Principal, dict[str, Any]]:
        """Return who acts for whom, and the rest of the body; user_id may stand in the query."""
        named = request.query_params.dict()
        body = dict(request.data)
        if both := set(named) & set(body):
            raise InvalidInput(f"{', '.join(sorted(both))} stands in body and query.")
        values = parse(shape, body | named)
        return access.for_user(self.caller, values.pop("user_id"), create=True), values


def _stands(view: MemoryView, written: Written) -> Response:
    """Answer a repeated request about a board, as it stands now."""
    principal = replays.person_of(view, written)
    return _tagged(boards.read(principal, task_id=view.kwargs["task_id"]), written.status)


def _written(board: boards.Board, code: int = status.HTTP_200_OK) -> Written:
    row = board.row
    return Written(_tagged(board, code), [row.id, *row.event_ids], row.subject_id)


def _version(request: Request) -> int | None:
    return if_match(request) if request.headers.get("If-Match", "").strip() else None


def _change(request: Request, values: dict[str, Any]) -> boards.Change:
    return boards.Change(
        version=_version(request), step=values.get("step"), cites=values.get("event_ids", ())
    )


def _tagged(board: boards.Board, code: int = status.HTTP_200_OK) -> Response:
    headers = {"ETag": f'"{board.row.version}"'}
    return Response(session_outputs.board(board), status=code, headers=headers)


class BoardView(_TaskView):
    """Read, replace or patch the state of a task."""

    @extend_schema(parameters=[session_inputs.BoardQuery], responses={200: schema_sessions.Board})
    def get(self, request: Request, task_id: str) -> Response:
        """Open the board; its version comes as ETag."""
        values = parse(session_inputs.BoardQuery, request.query_params)
        principal = access.for_user(self.caller, values["user_id"])
        return _tagged(boards.read(principal, task_id=task_id))

    @extend_schema(
        request=session_inputs.BoardInput,
        parameters=[IF_MATCH_MAYBE],
        responses={200: schema_sessions.Board, 201: schema_sessions.Board},
    )
    @idempotent(_stands)
    def put(self, request: Request, task_id: str) -> Written:
        """Replace the state with If-Match; without it, make the board (201)."""
        principal, values = self.asked(request, session_inputs.BoardInput)
        board, new = boards.put(
            principal, task_id=task_id, state=values["state"], change=_change(request, values)
        )
        return _written(board, status.HTTP_201_CREATED if new else status.HTTP_200_OK)

    @extend_schema(
        request=session_inputs.BoardInput,
        parameters=[IF_MATCH],
        responses={200: schema_sessions.Board},
    )
    @idempotent(_stands)
    def patch(self, request: Request, task_id: str) -> Written:
        """Merge a patch into the state (RFC 7396); needs If-Match."""
        if_match(request)
        principal, values = self.asked(request, session_inputs.BoardInput)
        change = _change(request, values)
        return _written(
            boards.patch(principal, task_id=task_id, state=values["state"], change=change)
        )


class ObservationsView(_TaskView):
    """Hand over what was seen."""

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; ids: the event."""
        principal = replays.person_of(self, written)
        if access.is_erased(principal, written.ids[0]):
            raise Gone("What was seen was erased.")
        row = boards.read(principal, task_id=self.kwargs["task_id"]).row
        body = {"event": written.ids[0], "step": row.step, "version": row.version}
        return Response(body, status=written.status)

    @extend_schema(
        request=session_inputs.ObservationInput, responses={201: schema_sessions.Observed}
    )
    @idempotent(stands)
    def post(self, request: Request, task_id: str) -> Written:
        """Keep an observation of the step the task stands at; of another step it is 409."""
        principal, values = self.asked(request, session_inputs.ObservationInput)
        seen = Observation(step=values["step"], text=values["observation"], at=values.get("at"))
        event_id, row = observe(principal, task_id=task_id, seen=seen)
        body = {"event": event_id, "step": row.step, "version": row.version}
        answer = Response(body, status=status.HTTP_201_CREATED)
        return Written(answer, [event_id], principal.subject_id)


class CompleteView(_TaskView):
    """The task is done."""

    @extend_schema(
        request=session_inputs.CompleteInput,
        parameters=[IF_MATCH_MAYBE],
        responses={200: schema_sessions.Board},
    )
    @idempotent(_stands)
    def post(self, request: Request, task_id: str) -> Written:
        """End the task, well or not; doing it again changes nothing."""
        principal, values = self.asked(request, session_inputs.CompleteInput)
        return _ended(principal, task_id, boards.COMPLETED, request, values)


class CancelView(_TaskView):
    """The task is given up."""

    @extend_schema(
        request=session_inputs.CancelInput,
        parameters=[IF_MATCH_MAYBE],
        responses={200: schema_sessions.Board},
    )
    @idempotent(_stands)
    def post(self, request: Request, task_id: str) -> Written:
        """End the task undone; doing it again changes nothing."""
        principal, values = self.asked(request, session_inputs.CancelInput)
        return _ended(principal, task_id, boards.CANCELLED, request, values)


def _ended(
    principal: Principal, task_id: str, to: str, request: Request, values: dict[str, Any]
) -> Written:
    board = boards.finish(
        principal, task_id=task_id, status=to, version=_version(request), report=Report(**values)
    )
    return _written(board)
