"""Gathering what could go into a context: session, task, memories. Opens text; writes only logs."""

from dataclasses import dataclass

from accounts.principal import Principal
from memory.context.conversation import Conversation, conversation
from memory.context.remembered import Remembered, as_known, remembered, tongue_of
from memory.context.values import Cited, ContextQuery, Desk, LeftOut, Part, Why
from memory.errors import NotFound
from memory.index.asked import sharing
from memory.knowledge.search import search
from memory.knowledge.values import KnowledgeQuery
from memory.models import Session
from memory.policy import CONTEXT
from memory.recall.pipeline import MAX_QUERY
from memory.recall.values import RecallAnswer
from memory.sessions import boards
from memory.sessions.summaries import stored
from memory.vault import open_vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A desk and the recall behind it, if there was one."""

    desk: Desk
    recalled: RecallAnswer | None = None


def gather(principal: Principal, session: Session, query: ContextQuery) -> Gathered:
    """Return everything a context may be made of, inside ``acting``.

    Raises:
        Forbidden: if a person's key asks for knowledge.
        Gone: if what the task's board rests on was erased.
    """
    vault = open_vault(principal)
    summary = stored(principal, vault, session)
    talk = conversation(vault, session, query, told=summary.event_ids, zone=principal.zone)
    task, notes = _task(principal, query)
    goal = str(task.get("goal", "")) if task else ""
    asked = query.query or talk.last_said or goal
    with sharing():
        found = remembered(principal, session, query, asked=asked, goal=goal, talk=talk)
        knowledge = _knowledge(principal, query, asked)
    tongue = tongue_of(principal, found.profile, asked)
    desk = Desk(
        language=tongue,
        system=query.system or talk.system,
        query=query.query,
        profile=[as_known(principal, item, tongue) for item in found.profile],
        memory=[as_known(principal, item, tongue) for item in found.memory],
        knowledge=knowledge,
        summary=summary,
        task=task,
        exchanges=talk.exchanges,
        order=talk.order,
        left_out=[*notes, *_notes(principal, found, talk)],
    )
    return Gathered(desk=desk, recalled=found.answer)


def _knowledge(principal: Principal, query: ContextQuery, asked: str) -> list[Cited]:
    """Return passages about what is asked. They are the organisation's, whatever memory may do."""
    if not query.knowledge or not asked.strip():
        return []
    wanted = KnowledgeQuery(
        text=asked[:MAX_QUERY], top_k=CONTEXT.passages, max_tokens=CONTEXT.passage_tokens
    )
    return [
        Cited(
            document_id=one.document_id,
            title=one.title,
            section=one.section,
            page=one.page,
            start=one.start,
            end=one.end,
            revision=one.revision,
            text=one.text,
        )
        for one in search(principal, wanted).passages
    ]


def _notes(principal: Principal, found: Remembered, talk: Conversation) -> list[LeftOut]:
    notes: list[LeftOut] = []
    if not principal.may_use:
        notes += [LeftOut(part=part, why=Why.MEMORY_OFF) for part in (Part.PROFILE, Part.MEMORY)]
    if found.over:
        over = [item.opened.memory.id for item in found.over]
        notes.append(LeftOut(part=Part.MEMORY, why=Why.OVER_ITEMS, ids=over))
    if talk.low:
        notes.append(LeftOut(part=Part.RECENT, why=Why.LOW_INFORMATION, ids=talk.low))
    return notes


def _task(
    principal: Principal, query: ContextQuery
) -> tuple[dict[str, object] | None, list[LeftOut]]:
    if query.task_id is None:
        return None, []
    if not principal.may_use:
        return None, [LeftOut(part=Part.TASK, why=Why.MEMORY_OFF)]
    try:
        board = boards.read(principal, task_id=query.task_id)
    except NotFound:
        return None, [LeftOut(part=Part.TASK, why=Why.MISSING)]
    return board.state | {"status": board.row.status}, []
