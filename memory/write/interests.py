"""Counting what a person asks about. A question is not remembered; that it was about food, say, may be.

Only the topic's number grows: no word, no time but the last, no message id. What touches a special
topic (health, belief, money, …), what the person asked not to remember, and what others say in a
group is not counted; nor is anything once the person has switched it off.
"""

from collections.abc import Sequence

from django.db.models import F
from django.db.models.functions import Greatest

from accounts.choices import Action
from accounts.models import Subject
from accounts.principal import Principal
from memory.choices import Reason, Role
from memory.choices.topics import Topic
from memory.models import Interest
from memory.text.concepts import topics_of
from memory.text.normalise import sentences
from memory.write.candidate import Found, Refused, Turn
from memory.write.signs import QUESTION
from memory.write.topics import topic_spans


def asked_about(text: str) -> frozenset[Topic]:
    """Return the topics of the questions in a message. Pure."""
    asked = (span.text for span in sentences(text) if QUESTION.search(span.text))
    found = [topics_of(one) for one in asked if not any(topic_spans(one))]
    return frozenset(Topic(one) for one in frozenset().union(*found) if one in Topic.values)


def count_questions(principal: Principal, turn: Turn, found: Sequence[Found]) -> None:
    """Count what one message asks about; call it in the transaction that decides on the message."""
    if turn.role != Role.USER or turn.other or not principal.may_learn:
        return
    if not principal.may(Action.WRITE) or any(_unwanted(one) for one in found):
        return
    topics = asked_about(turn.text)
    if not topics or not Subject.objects.filter(id=principal.person_id, interests=True).exists():
        return
    mine = {"tenant_id": principal.tenant_id, "subject_id": principal.person_id}
    for topic in sorted(topics):
        row, _ = Interest.objects.get_or_create(
            **mine, topic=topic, defaults={"first_at": turn.at, "last_at": turn.at}
        )
        Interest.objects.filter(id=row.id).update(
            count=F("count") + 1, last_at=Greatest("last_at", turn.at)
        )


def _unwanted(one: object) -> bool:
    return isinstance(one, Refused) and one.reason == Reason.DO_NOT_REMEMBER
