"""/users/…/mode and pause, resume: switch memory for a person, or for one of their agents."""

import uuid
from datetime import datetime
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import grants
from accounts.choices import MemoryMode
from accounts.grants import NoGrant
from accounts.principal import Principal
from accounts.subjects import set_mode
from memory import access
from memory.api import people_inputs, people_outputs, replays, schema_people
from memory.api.base import MemoryView, parse
from memory.api.idempotency import Written, idempotent
from memory.errors import Forbidden, InvalidInput, NotFound


class ModeView(MemoryView):
    """Memory mode for all agents of a person."""

    def switch(
        self, person_id: uuid.UUID, *, mode: MemoryMode, until: datetime | None = None
    ) -> Written:
        """Switch memory; answer the person's switches."""
        principal = _person(access.for_person(self.caller, person_id))
        try:
            set_mode(principal, person_id, mode=mode, until=until)
        except ValueError as refused:
            raise InvalidInput(f"until: {refused}") from None
        subject = access.subject_of(principal)
        return Written(Response(people_outputs.subject(subject)), [subject.id], subject.id)


class UserModeView(ModeView):
    """Any mode, for good or until a time."""

    @extend_schema(request=people_inputs.ModeInput, responses={200: schema_people.PersonSwitches})
    @idempotent(replays.person)
    def put(self, request: Request, person_id: uuid.UUID) -> Written:
        """Switch; only the person may."""
        return self.switch(person_id, **parse(people_inputs.ModeInput, request.data))


class SwitchView(ModeView):
    """One mode, until it is changed."""

    mode: ClassVar[MemoryMode]

    @extend_schema(request=None, responses={200: schema_people.PersonSwitches})
    @idempotent(replays.person)
    def post(self, request: Request, person_id: uuid.UUID) -> Written:
        """Switch; only the person may."""
        return self.switch(person_id, mode=self.mode)


class PauseUserView(SwitchView):
    """Nothing is remembered or recalled."""

    mode = MemoryMode.OFF


class ResumeUserView(SwitchView):
    """Memory works as usual."""

    mode = MemoryMode.NORMAL


class AgentModeView(MemoryView):
    """Memory mode for one agent of a person; the stricter of both holds."""

    def stands(self, written: Written) -> Response:
        """Answer a repeated request; ids: the agent; about: the person."""
        principal, agent_id = replays.person_of(self, written), written.ids[0]
        try:
            grant = grants.find_agent(principal, agent_id).grant
        except NoGrant:
            raise NotFound from None
        return Response(people_outputs.agent_mode(grant), status=written.status)

    @extend_schema(request=people_inputs.ModeInput, responses={200: schema_people.AgentMode})
    @idempotent(stands)
    def put(self, request: Request, person_id: uuid.UUID, agent_id: uuid.UUID) -> Written:
        """Switch, for good or until a time; only the person may."""
        values: dict[str, Any] = parse(people_inputs.ModeInput, request.data)
        principal = _person(access.for_person(self.caller, person_id))
        try:
            grant = grants.set_mode(principal, agent_id, **values)
        except NoGrant:
            raise NotFound from None
        except ValueError as refused:
            raise InvalidInput(f"until: {refused}") from None
        return Written(Response(people_outputs.agent_mode(grant)), [agent_id], person_id)


def _person(principal: Principal) -> Principal:
    if not principal.is_person:
        raise Forbidden("Only the person switches their memory on or off.")
    return principal
