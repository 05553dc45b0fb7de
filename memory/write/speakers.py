"""Who speaks in a group: in the user's role, but not the person whose session it is."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.principal import Principal
from accounts.subjects import find_subject
from memory import access
from memory.choices import Role
from memory.models import Memory
from memory.text.normalise import fold
from memory.vault import SubjectVault
from memory.write.candidate import Turn

NAMES = ("identity.name", "identity.form_of_address")


def others(principal: Principal, vault: SubjectVault, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns with those of other people marked; call it inside ``acting``.

    A turn without a name is the person's, and so is one under their ``user_id`` or a name they are
    known by. Any other name is somebody else's as soon as the talk has a second speaker; alone, it is
    what the agent calls the person.
    """
    spoken = {fold(turn.name or "") for turn in turns if turn.role == Role.USER}
    if len(spoken) < 2:  # noqa: PLR2004 - two make a group
        return list(turns)
    own = {"", *_own_names(principal, vault)}
    return [
        replace(turn, other=turn.role == Role.USER and fold(turn.name or "") not in own)
        for turn in turns
    ]


def _own_names(principal: Principal, vault: SubjectVault) -> set[str]:
    subject = find_subject(principal.tenant_id, subject_id=principal.person_id)
    known = Memory.objects.filter(
        tenant_id=principal.tenant_id, subject_id=principal.person_id, state="active"
    ).filter(attribute__in=NAMES)
    said = [str(one.details.get("value", "")) for one in access.open_current(vault, known)]
    return {fold(name) for name in [*said, subject.external_id if subject else ""]}
