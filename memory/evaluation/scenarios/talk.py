"""Steps on working memory: hand over messages, fill a session with chatter, fit it into a budget."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memory.evaluation.scenarios.reply import Reply, Who
from memory.evaluation.scenarios.world import World

Step = Mapping[str, Any]
BATCH = 200  # messages in one request
CJK = re.compile("[\u4e00-\u9fff]")
# Neutral by intent: nothing here is worth remembering.
CHATTER = {
    "en": ("What do you think about {topic}?", "There is a lot to say about {topic}."),
    "zh": ("你觉得{topic}怎么样？", "关于{topic}可以说的有很多。"),
}


def say(world: World, who: Who, step: Step) -> Reply:
    """Hand over a conversation as it happens: the clock moves to what was said last."""
    messages = _messages(step)
    said = [world.at(str(one["at"])) for one in messages if one.get("at")]
    if said and not step.get("at"):
        world.clock.set(max(said))
    return _hand_over(world, who, step, messages)


def import_chat(world: World, who: Who, step: Step) -> Reply:
    """Hand over an old conversation: the clock stands at its import."""
    if step.get("received_at"):
        world.clock.set(world.at(str(step["received_at"])))
    messages = _messages(step)
    for one in messages:
        if one.get("at"):
            world.at(str(one["at"]))  # its offset is known from now on
    return _hand_over(world, who, step, messages)


def filler(world: World, who: Who, step: Step) -> Reply:
    """Fill a session with neutral turns about a topic."""
    topic = str(step.get("topic", "the weather"))
    question, answer = CHATTER["zh" if CJK.search(topic) else "en"]
    messages = [
        {"role": "assistant" if turn % 2 else "user", "text": (answer if turn % 2 else question)}
        for turn in range(int(step["turns"]))
    ]
    told = [one | {"text": one["text"].format(topic=topic)} for one in messages]
    return _hand_over(world, who, step, told)


def compress(world: World, who: Who, step: Step) -> Reply:
    """Lay the session out within a budget: what a model would get to see of it."""
    opened = _open(world, who)
    if not opened.ok:
        return opened
    body = {"budget": step["max_tokens"], "format": "text"}
    body |= {"query": step["query"]} if "query" in step else {}
    reply = world.call(
        world.cast.agent_key(who), "POST", f"sessions/{opened.body['id']}/context", body
    )
    reply.output = reply.body["text"] if reply.ok else ""
    return reply


def long_text(given: Mapping[str, Any]) -> str:
    """Return the text a ``text_gen`` describes."""
    middle = str(given.get("repeat", "")) * int(given.get("times", 1))
    return f"{given.get('prefix', '')}{middle}{given.get('suffix', '')}"


def _messages(step: Step) -> list[dict[str, Any]]:
    messages = [dict(one) for one in step["messages"]]
    for one in messages:
        if "text_gen" in one:
            one["text"] = long_text(one["text_gen"])
    return messages


def _hand_over(world: World, who: Who, step: Step, messages: Sequence[Mapping[str, Any]]) -> Reply:
    """Send the messages to the session of the person, or of each speaker of a group.

    In a group every member has a session of their own, in which the others' lines are context: only
    the person's own lines have the role ``user``.
    """
    speakers = list(dict.fromkeys(str(one["speaker"]) for one in messages if one.get("speaker")))
    if not speakers:
        return _send(world, who, step, [_message(one) for one in messages])
    reply = Reply()
    for speaker in speakers:
        member = Who(
            tenant=who.tenant, user=speaker, agent=who.agent, session=who.session, role=who.role
        )
        heard = [_heard(one, speaker) for one in messages]
        reply = _send(world, member, step, heard)
    return reply


def _heard(message: Mapping[str, Any], speaker: str) -> dict[str, Any]:
    found = _message(message)
    if message.get("speaker") not in (None, speaker) and found["role"] == "user":
        found["role"] = "assistant"
    return found


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    found = {"role": message["role"], "content": message["text"]}
    return found | {name: message[name] for name in ("at", "name") if message.get(name)}


def _send(world: World, who: Who, step: Step, messages: Sequence[dict[str, Any]]) -> Reply:
    opened = _open(world, who)
    if not opened.ok:
        return opened
    path = f"sessions/{opened.body['id']}/messages"
    headers = {"Idempotency-Key": str(step["idem"])} if "idem" in step else {}
    reply = Reply()
    for start in range(0, len(messages), BATCH):
        batch = {"messages": messages[start : start + BATCH]}
        reply = world.call(world.cast.agent_key(who), "POST", path, batch, headers=headers)
    return reply


def _open(world: World, who: Who) -> Reply:
    """Open the session. A hasty client is hasty about what it came to say, not about this."""
    hasty = "client_timeout" in world.faults.on
    world.faults.on.discard("client_timeout")
    body = {"user_id": who.user, "session_id": who.session}
    opened = world.call(world.cast.agent_key(who), "POST", "sessions", body)
    world.faults.on.update({"client_timeout"} if hasty else ())
    return opened
