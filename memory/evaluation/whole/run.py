"""Telling, asking and erasing: the product's own way from a message to an answer, and to nothing left.

Every session is handed over by an agent, read by the jobs and closed; each question is asked for its
person and once for somebody else; each task is laid out with memory and without; some people are erased
and looked for. Sessions happen when their file says, questions and tasks a day after the last. All of
it is in one transaction that is rolled back.
"""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from tqdm import tqdm

from accounts.acting import acting
from memory.choices import Sensitivity
from memory.context.build import build
from memory.context.values import ContextQuery
from memory.evaluation.clock import Clock
from memory.evaluation.whole.people import People, Recipe, gathered
from memory.evaluation.whole.reading import Conversation, Data, Question, Task, read
from memory.evaluation.whole.tally import Asked, Tally
from memory.evaluation.whole.tasks import BUDGET, Handed, Tried, handed
from memory.forget import drive
from memory.forget.erasers import ERASERS
from memory.forget.requests import erase_person
from memory.models import Erasure, SubjectKey
from memory.recall.pipeline import recall
from memory.recall.values import RecallAnswer, RecalledItem, RecallQuery
from memory.sessions import life

ERASED = 5  # each so-and-so-many-th person is erased at the end
TOP = 10

# Called with how much is done and how much there is.
type Report = Callable[[int, int], None]
# Whose each memory is.
type Owners = Mapping[uuid.UUID, tuple[str, str]]


def evaluate(
    path: Path, *, progress: bool, recipe: Recipe | None = None, report: Report | None = None
) -> dict[str, Any]:
    """Return the numbers of one JSONL file, and under ``faults`` the words of what went wrong.

    Raises:
        InvalidInput: names the line that is not understood, or the number of the recipe.
    """
    data = read(path)
    recipe = recipe or Recipe()
    clock, tally = Clock(data.sessions[0].at), Tally()
    with gathered(recipe, clock) as people:
        steps = _steps(people, tally, data)
        total = len(data.sessions) + len(data.questions) + len(data.tasks)
        total += len({one.person for one in data.sessions})
        for done, _ in enumerate(
            tqdm(steps, desc=path.stem, total=total, disable=not progress), start=1
        ):
            if report is not None:
                report(done, total)
    numbers = tally.numbers()
    return numbers | {"faults": dict(tally.faults)}


def _steps(people: People, tally: Tally, data: Data) -> Iterator[None]:
    for said in data.sessions:
        written, ms = people.tell(said)
        tally.hear(said, written, ms)
        yield
    people.clock.advance(timedelta(days=1))
    for person in people.agents:
        _look(people, tally, person, [said for said in data.sessions if said.person == person])
    owner = _owners(tally)
    yield from _ask_all(people, tally, data.questions, owner)
    for at, task in enumerate(data.tasks):
        tally.try_(_tried(people, task, owner, name=f"task {at}"))
        yield
    for at, person in enumerate(list(people.agents)):
        if at % ERASED == 0:
            _erase(people, tally, person)
        yield


def _look(
    people: People, tally: Tally, person: tuple[str, str], sessions: Iterable[Conversation]
) -> None:
    """See what was made of the sensitive words: secrets are nowhere, the rest is held as closely."""
    stored = people.stored(person)
    levels = {said.id: rows for said, rows in tally.told if said.person == person}
    for said in sessions:
        for one in said.sensitive:
            if one.level == Sensitivity.SECRET:
                fine = not any(one.text in text for text in stored)
            else:
                rows = [row for row in levels[said.id] if row.kept and row.turn == one.turn]
                fine = all(row.level >= one.level for row in rows if one.text in row.text)
            tally.sensitive.append((one.level, fine))
            if not fine:
                tally.faults["sensitive"].append(f"{said.id}: {said.turns[one.turn][1]}")


def _owners(tally: Tally) -> Owners:
    """Return whose each memory is, as it was told."""
    return {
        memory: said.person
        for said, rows in tally.told
        for row in rows
        if (memory := row.memory_id) is not None
    }


def _ask_all(
    people: People, tally: Tally, questions: Sequence[Question], owner: Owners
) -> Iterator[None]:
    everybody = list(people.agents)
    for at, question in enumerate(questions):
        answer, ms = _asked(people, question.text, question.person)
        stranger = everybody[(everybody.index(question.person) + 1 + at) % len(everybody)]
        others, _ = _asked(people, question.text, stranger)
        foreign = [
            *_foreign(people, answer, question.person, owner),
            *_foreign(people, others, stranger, owner),
        ]
        tally.faults["leaked"] += [one.opened.text for one in foreign]
        handed = [*answer.items, *answer.profile]
        tally.asked.append(
            Asked(
                question=question,
                ranked=[str(one.opened.memory.id) for one in handed],
                found=len(answer.items),
                stale=any(_is_old(one, question) for one in handed),
                foreign=len(foreign),
                tokens=sum(one.tokens for one in handed),
                ms=ms,
            )
        )
        yield


def _asked(people: People, text: str, person: tuple[str, str]) -> tuple[RecallAnswer, float]:
    query = RecallQuery(text=text, policy=people.recipe.name, top_k=TOP)
    begun = time.perf_counter()
    answer = recall(people.agents[person], query)
    return answer, (time.perf_counter() - begun) * 1000


def _tried(people: People, task: Task, owner: Owners, *, name: str) -> Tried:
    """Ask for a task in a session of its own, with memory, and in another one without."""
    found: list[Handed] = []
    for uses in (True, False):
        agent = people.agents[task.person].using(may_use=uses)
        opened, _ = life.open_session(agent, session_id=f"{name} {uses}")
        query = ContextQuery(budget=BUDGET, query=task.text, policy=people.recipe.named)
        context = build(agent, session_id=opened.id, query=query)
        answer = context.recalled
        foreign = _foreign(people, answer, task.person, owner) if answer else ()
        found.append(handed(task, context, foreign=len(foreign)))
    return Tried(task=task, on=found[0], off=found[1])


def _foreign(
    people: People, answer: RecallAnswer, person: tuple[str, str], owner: Owners
) -> list[RecalledItem]:
    """Return what was handed over that is another person's: as it was told, and by its row."""
    mine = people.subjects[person].id
    return [
        one
        for one in [*answer.items, *answer.profile]
        if one.opened.memory.subject_id != mine or owner.get(one.opened.memory.id, person) != person
    ]


def _is_old(item: RecalledItem, question: Question) -> bool:
    text = item.opened.text.casefold()
    if not question.old or item.past:
        return False
    return question.old.casefold() in text and question.now.casefold() not in text


def _erase(people: People, tally: Tally, person: tuple[str, str]) -> None:
    """Erase a person to the end, and count what is left of them."""
    service = people.service(person)
    erasure = erase_person(service, confirm=people.subjects[person].external_id)
    drive.run(erasure.id)
    with acting(service):
        done = Erasure.objects.get(id=erasure.id)
        left = sum(eraser.count(done) for eraser in ERASERS)
        left += SubjectKey.objects.filter(subject_id=done.subject_id).count()
    tally.erased += 1
    tally.residue += left + (done.erased_at is None)
