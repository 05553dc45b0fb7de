"""The second half of the gate: consent. It is per kind and level, so it comes after grading."""

from collections.abc import Sequence

from accounts.choices import Action, Learning
from accounts.principal import Principal
from memory import access
from memory.choices import Origin, Reason, Sensitivity, Subtype, SuppressionBasis
from memory.models import Event, Suppression
from memory.text.normalise import fold
from memory.vault import Place, SubjectVault
from memory.write.attributes import OF_DETAIL
from memory.write.proposal import Draft

UNBELIEVED = (Origin.TOOL, Origin.WEB, Origin.OTHER_AGENT, Origin.IMPORT)
# What changes how agents behave, or where money and messages go, is never taken from a guess.
BEHAVIOUR = (Subtype.INSTRUCTION, Subtype.PROCEDURE)
BEHAVIOUR_ATTRIBUTES = ("contact.", "payment.")


def refusal(principal: Principal, draft: Draft) -> Reason | None:
    """Return why this principal may not write this draft at all, or None."""
    if not principal.may(Action.WRITE):
        return Reason.NO_GRANT
    if not principal.may_learn:
        return Reason.MEMORY_OFF
    if draft.kind not in principal.kinds:
        return Reason.KIND_NOT_GRANTED
    if draft.proposal.source.origin in (Origin.PERSON, Origin.PERSON_QUOTED):
        return None
    if draft.sensitivity > principal.clearance:
        return Reason.LEVEL_NOT_GRANTED
    if principal.learning == Learning.ONLY_STATED:
        return Reason.ONLY_STATED
    return None


def waits(principal: Principal, draft: Draft) -> Reason | None:
    """Return why the draft waits, unused, for the person's word, or None."""
    origin = draft.proposal.source.origin
    if origin in (Origin.PERSON, Origin.PERSON_QUOTED):
        return None
    if origin in UNBELIEVED:
        return Reason.UNTRUSTED_SOURCE
    if draft.sensitivity > Sensitivity.PERSONAL:
        return Reason.SENSITIVE
    if draft.subtype in BEHAVIOUR or draft.proposal.attribute.startswith(BEHAVIOUR_ATTRIBUTES):
        return Reason.BEHAVIOUR
    if draft.instruction_like:
        return Reason.INSTRUCTION_LIKE
    if principal.learning == Learning.ASK_FIRST:
        return Reason.ASK_FIRST
    return None


def suppressed(vault: SubjectVault, draft: Draft, *, source: Sequence[int]) -> bool:
    """Whether the person does not want this learnt again: by attribute, wording or source, of which the
    digests are given."""
    digests = [*suppressible(vault, draft), *source]
    kept = Suppression.objects.in_force(vault.tenant_id, vault.subject_id)
    return kept.filter(digest__in=digests).exists()


def suppressible(vault: SubjectVault, draft: Draft) -> list[int]:
    """Return the digests under which a suppression would name the draft, but for its source."""
    digests = vault.digests("suppress wording", fold(draft.text))
    slots = {draft.proposal.attribute, *(OF_DETAIL.get(one, "") for one in draft.details)} - {""}
    for slot in sorted(slots):
        digests += vault.digests("suppress attribute", slot)
    return digests


def names_of(vault: SubjectVault, event: Event) -> list[int]:
    """Return the digests by which a message may be named that must not be learnt from again."""
    if not vault.former or not vault.holds(event.id):
        return [event.digest]
    text = vault.unseal(Place(object_id=event.id), event.text)
    name = access.event_name(role=event.role, at=event.occurred_at, text=text)
    return vault.digests("suppress event", name)


def unwanted(vault: SubjectVault, purpose: str, text: str) -> bool:
    """Whether the person had what was worked out of this name erased or refused, or let it lapse."""
    kept = Suppression.objects.in_force(vault.tenant_id, vault.subject_id)
    digests = vault.digests(purpose, text)
    return kept.filter(basis=SuppressionBasis.DERIVED, digest__in=digests).exists()
