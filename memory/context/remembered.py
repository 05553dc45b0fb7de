"""The memories of a context: a profile that stays, and what is about the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.principal import Principal
from memory import access
from memory.choices import Kind, Origin, Role, Subtype, Trust
from memory.context.conversation import Conversation
from memory.context.values import ContextQuery, Known, Part
from memory.context.words import words
from memory.models import Session
from memory.policy import CONTEXT, QUESTION
from memory.recall.budget import cut
from memory.recall.pipeline import MAX_QUERY, recall
from memory.recall.recipes import recipe
from memory.recall.values import RecallAnswer, RecalledItem, RecallQuery, Said
from memory.text.normalise import language

FOLLOWED = (Subtype.PREFERENCE, Subtype.INSTRUCTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Recalled memories by their part, those that are too many, and the answer they came in."""

    profile: Sequence[RecalledItem] = ()
    memory: Sequence[RecalledItem] = ()
    over: Sequence[RecalledItem] = ()
    answer: RecallAnswer | None = None


def remembered(
    principal: Principal,
    session: Session,
    query: ContextQuery,
    *,
    asked: str,
    goal: str,
    talk: Conversation,
) -> Remembered:
    """Recall what is about ``asked``, and part it into profile and the rest.

    A new message that leans on what was before it is understood by the turns and the ``goal`` of the
    task; what was learnt from it alone, or later, is no memory of it. The profile stays the same
    whatever is asked, so that the beginning of the prompt does.
    """
    policy = recipe(principal, query.policy or CONTEXT.recipe)
    if not principal.may_use:
        return Remembered()
    answer = recall(
        principal,
        RecallQuery(
            text=asked[:MAX_QUERY] if asked.strip() else Part.PROFILE.value,
            turns=_before(talk, goal) if query.query else (),
            policy=policy.name if asked.strip() else "profile_only",
            top_k=min(CONTEXT.items, policy.top_k),
            purpose=query.purpose,
            session_id=session.id,
        ),
    )
    items = _known_before(answer.items, talk)
    known = _known_before(answer.profile, talk)
    standing = [*known, *(one for one in items if one.opened.memory.in_profile)]
    profile, _ = cut(
        sorted(standing, key=_standing),
        top_k=CONTEXT.profile_items,
        max_tokens=policy.profile_tokens,
        tokens=lambda item: item.tokens,
    )
    ids = {item.opened.memory.id for item in profile}
    others = [item for item in items if item.opened.memory.id not in ids]
    unplaced = [item for item in known if item.opened.memory.id not in ids]
    room = CONTEXT.items - len(profile)
    return Remembered(
        profile=profile,
        memory=others[:room],
        over=[*others[room:], *unplaced],
        answer=answer,
    )


def _before(talk: Conversation, goal: str) -> list[Said]:
    """Return what a question may lean on: the latest turns, and before them the goal of the task."""
    aim = [Said(role=Role.USER, content=goal)] if goal else []
    spoken = [turn for turn in talk.turns if turn.role != Role.TOOL]
    latest = spoken[-(QUESTION.turns - len(aim)) :]
    return [*aim, *(Said(role=turn.role, content=turn.text) for turn in latest)]


def _known_before(items: Sequence[RecalledItem], talk: Conversation) -> list[RecalledItem]:
    return [one for one in items if not one.evidence or not set(one.evidence) <= talk.ahead]


def _standing(item: RecalledItem) -> tuple[bool, float, object, str]:
    memory = item.opened.memory
    return (not memory.pinned, -memory.importance, memory.created_at, str(memory.id))


def as_known(principal: Principal, item: RecalledItem, tongue: str) -> Known:
    """Return a memory as a line of a prompt needs it; days are those of the person's time zone."""
    memory = item.opened.memory
    own = memory.origin in (Origin.PERSON, Origin.PERSON_QUOTED) or memory.trust == Trust.CONFIRMED
    labels = words(tongue)
    mark = "" if own else labels.inferred if memory.origin == Origin.AGENT else labels.other
    when = memory.occurred if memory.kind == Kind.EPISODIC else None
    return Known(
        memory_id=memory.id,
        text=item.opened.text,
        mark=mark,
        when=when.astimezone(principal.zone).date() if when else None,
        binding=own and (memory.subtype in FOLLOWED or memory.pinned),
    )


def tongue_of(principal: Principal, profile: Sequence[RecalledItem], asked: str) -> str:
    """Return the person's language: as they set it, as their profile is written, as they ask.

    What changes least comes first, so that the beginning of the prompt stays the same.
    """
    if chosen := access.subject_of(principal).language:
        return chosen
    spoken = [item.opened.version.language for item in profile]
    known = [one for one in spoken if one in ("zh", "en")]
    if known:
        return max(sorted(set(known)), key=known.count)
    return language(asked)
