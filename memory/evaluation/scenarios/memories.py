"""Steps on long-term memory: write, correct, delete, recall, list, history."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memory.evaluation.scenarios.looking import active
from memory.evaluation.scenarios.reply import Reply, Skipped, Stuck, Who
from memory.evaluation.scenarios.world import World

FIELDS = ("text", "tags", "importance", "valid_from", "valid_to", "visibility", "kind", "subtype")
# Fields of a written memory that the API has no word for.
UNKNOWN = {"pinned": "POST /memories takes no `pinned`", "scope": "POST /memories takes no `scope`"}
UNKNOWN_TO_RECALL = ("since", "include_history", "session_only")
PAGE = 200

Step = Mapping[str, Any]


def write(world: World, who: Who, step: Step) -> Reply:
    """Propose a memory with the owner's full rights: what the gate asks the person, they confirm."""
    for name, why in UNKNOWN.items():
        if step.get(name):
            raise Skipped(why)
    body = {name: step[name] for name in FIELDS if name in step} | {"user_id": who.user}
    if "meta" in step:
        body["metadata"] = {name: str(value) for name, value in step["meta"].items()}
    theirs = step.get("source") == "user" or who.role == "user"
    key = world.cast.person_key(who) if theirs else world.cast.agent_key(who)
    reply = world.call(key, "POST", "memories", body, headers=_idem(step))
    if "id" in step:
        world.label(str(step["id"]), who, reply)
    waits = reply.ok and isinstance(reply.body, dict) and reply.body.get("state") == "pending"
    if waits and not theirs and "source" not in step:
        path = f"memories/{reply.body['id']}/confirm"
        world.call(world.cast.person_key(who), "POST", path)
    return reply


def correct(world: World, who: Who, step: Step) -> Reply:
    """Give a memory another wording, found by label, search text or pattern."""
    key = _by(world, who, step)
    memory_id = _target(world, who, step, key)
    version = step.get("if_version")
    if version is None:
        opened = world.call(key, "GET", f"memories/{memory_id}")
        version = opened.body.get("version") if opened.ok else 1
    headers = _idem(step) | {"If-Match": f'"{version}"'}
    return world.call(
        key, "PATCH", f"memories/{memory_id}", {"text": step["text"]}, headers=headers
    )


def delete(world: World, who: Who, step: Step) -> Reply:
    """Erase: one memory, those that match, or everything about the person."""
    key = _by(world, who, step)
    if step.get("target") == "all_of_user":
        body = {"user_id": who.user, "everything": True, "confirm": who.user}
        world.cast.known(who)
        return world.call(key, "POST", "erasures", body, headers=_idem(step))
    if "match" in step:
        found = [str(one["id"]) for one in active(world, who) if _matches(step["match"], one)]
        body = {"user_id": who.user, "memory_ids": found}
        return world.call(key, "POST", "erasures", body, headers=_idem(step))
    if "filter" in step:
        body = {"user_id": who.user, "filters": step["filter"]}
        return world.call(key, "POST", "erasures", body, headers=_idem(step))
    memory_id = step.get("target_id") or _target(world, who, step, key)
    return world.call(key, "DELETE", f"memories/{memory_id}", headers=_idem(step))


def recall(world: World, who: Who, step: Step) -> Reply:
    """Ask; the profile's memories count as items of the answer, after the others."""
    if missing := [name for name in UNKNOWN_TO_RECALL if step.get(name)]:
        raise Skipped(f"POST /recall takes no `{missing[0]}`")
    body = {"user_id": who.user, "query": step["query"], "top_k": step.get("k", 5)}
    body |= {name: step[name] for name in ("max_tokens", "as_of") if name in step}
    public = step.get("audience") == "public"
    key = world.cast.public_key(who) if public else world.cast.agent_key(who)
    if who.role == "user":
        key = world.cast.person_key(who)
    reply = world.call(key, "POST", "recall", body)
    if reply.ok:
        reply.items = [*reply.body["memories"], *reply.body["profile"]]
        reply.output = "\n".join(str(one["text"]) for one in reply.items)
    return reply


def list_all(world: World, who: Who, step: Step) -> Reply:
    """List as the person sees it: one page, or every page."""
    key = world.cast.person_key(who)
    query: dict[str, Any] = {"user_id": who.user, "limit": step.get("page_size", PAGE)}
    reply = world.call(key, "GET", "memories", query=query)
    items = list(reply.body["memories"]) if reply.ok else []
    page = reply
    while page.ok and page.body["next"] and step.get("all_pages", "page_size" not in step):
        page = world.call(key, "GET", "memories", query=query | {"cursor": page.body["next"]})
        items += page.body["memories"] if page.ok else []
    reply.items = items
    return reply


def history(world: World, who: Who, step: Step) -> Reply:
    """Show the wordings of one memory, or of every memory one of whose wordings matches."""
    key = world.cast.person_key(who)
    if "match" not in step:
        reply = world.call(key, "GET", f"memories/{_target(world, who, step, key)}/versions")
        reply.items = reply.body["versions"] if reply.ok else []
        return reply
    replies = [
        world.call(key, "GET", f"memories/{one['id']}/versions")
        for one in list_all(world, who, {}).items
    ]
    shown = [
        one
        for reply in replies
        if reply.ok and any(_matches(step["match"], version) for version in reply.body["versions"])
        for one in reply.body["versions"]
    ]
    return Reply(status=200, body={"versions": shown}, items=shown)


def _by(world: World, who: Who, step: Step) -> str:
    theirs = step.get("by", "user") == "user" and who.role != "agent"
    return world.cast.person_key(who) if theirs else world.cast.agent_key(who)


def _target(world: World, who: Who, step: Step, key: str) -> str:
    """Return the id of the memory a step names.

    Raises:
        Stuck: if it names none that is there.
    """
    if "target" in step:
        label = world.labelled(str(step["target"]))
        if label.memory_id is None:
            raise Stuck(f"{step['target']} was refused, so there is no such memory")
        return str(label.memory_id)
    for memory_id in _found(world, who, step, key):
        return memory_id
    raise Stuck(f"no memory is found for {step.get('find') or step.get('match')!r}")


def _found(world: World, who: Who, step: Step, key: str) -> Iterator[str]:
    if "find" in step:
        body = {"user_id": who.user, "text": step["find"]}
        reply = world.call(key, "POST", "memories/search", body)
        yield from (str(one["id"]) for one in (reply.body["memories"] if reply.ok else ()))
    elif "match" in step:
        yield from (str(one["id"]) for one in active(world, who) if _matches(step["match"], one))


def _matches(pattern: str, item: Mapping[str, Any]) -> bool:
    return bool(re.search(pattern, str(item.get("text") or ""), re.IGNORECASE))


def _idem(step: Step) -> dict[str, str]:
    return {"Idempotency-Key": str(step["idem"])} if "idem" in step else {}
