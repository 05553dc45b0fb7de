"""The turn that a message answers, as far as an index may take it in.

It is the turn right before it in its session, said by somebody else. Left out: tools and system texts,
"ok", what was said while learning was off, what the person asked not to remember, and what must be held more closely than the memory itself.
"""

import uuid
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Subquery

from accounts.acting import acting
from accounts.principal import Principal
from memory.choices import Reason, Role, Sensitivity
from memory.index.context import Before, Meaning, embed
from memory.models import Decision, Event, Message
from memory.text.normalise import fold
from memory.vault import Place, SubjectVault, open_vault
from memory.write.proposal import Draft
from memory.write.redact import redact

SPEAKERS = (Role.USER, Role.ASSISTANT)


def meaning_of(principal: Principal, draft: Draft) -> Meaning | None:
    """Return what a draft means, said in answer to the turn before it; None if the embedder is down."""
    event_id, before = draft.proposal.source.event_id, None
    if event_id is not None:
        with acting(principal.unlimited()):
            levels = {event_id: draft.sensitivity}
            before = answered(principal, open_vault(principal), levels).get(event_id)
    read = draft.proposal  # whoever read it may have embedded exactly these words
    return embed(
        draft.index_text, before, own=read.vector if read.text == draft.index_text else None
    )


def answered(
    principal: Principal, vault: SubjectVault, levels: Mapping[uuid.UUID, Sensitivity]
) -> dict[uuid.UUID, Before]:
    """Return, for each event that answers a turn, that turn; call it inside ``acting``.

    ``levels`` maps the events behind memories to how closely the memory of each is held.
    """
    pairs = _pairs(principal, levels)
    events = Event.objects.filter(
        tenant_id=principal.tenant_id,
        subject_id=principal.person_id,
        id__in={*pairs, *pairs.values()},
    ).in_bulk()
    vault.load(events)
    found = {}
    for event_id, before_id in pairs.items():
        event, before = events.get(event_id), events.get(before_id)
        if (
            event is None
            or before is None
            or not (vault.holds(event.id) and vault.holds(before.id))
        ):
            continue
        redacted = redact(vault.unseal(Place(object_id=before.id), before.text))
        if redacted.level <= levels[event_id] and _who(vault, event) != _who(vault, before):
            found[event_id] = Before(before.id, redacted.index_text)
    return found


def _pairs(principal: Principal, event_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, uuid.UUID]:
    """Return event → the event right before it in the session."""
    if not event_ids:
        return {}
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    refused = Decision.objects.filter(
        **mine, event_id=OuterRef("event_id"), reasons__contains=[Reason.DO_NOT_REMEMBER]
    )
    last = Message.objects.filter(
        **mine, session=OuterRef("session"), sequence=OuterRef("sequence") - 1
    ).filter(~Exists(refused), role__in=SPEAKERS, low_information=False, may_learn=True)
    rows = Message.objects.filter(**mine, event_id__in=event_ids)
    pairs = rows.annotate(before=Subquery(last.values("event_id")[:1]))
    return dict(pairs.filter(before__isnull=False).values_list("event_id", "before"))


def _who(vault: SubjectVault, event: Event) -> tuple[str, str]:
    if not event.speaker:
        return event.role, ""
    return event.role, fold(vault.unseal(Place(object_id=event.id, field="speaker"), event.speaker))
