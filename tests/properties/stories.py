"""What may happen in a story: everything the services offer, also with other people's ids.

Whatever is answered to one person may hold no word and no id of another.
"""

import contextlib
import uuid
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import rule

from accounts.acting import acting
from accounts.principal import Principal
from memory import access, jobs, sessions
from memory.aggregation.days import days
from memory.choices import JobState, Kind, Origin, Role, Sensitivity, Visibility
from memory.context.build import build
from memory.context.values import ContextQuery
from memory.errors import InvalidInput
from memory.forget import drive, expire
from memory.forget.fence import erase
from memory.forget.moves import Move, move
from memory.forget.receipt import access_erasure, receipt
from memory.forget.requests import deletions, erase_some
from memory.forget.suppressions import lift
from memory.index import search
from memory.models import Memory
from memory.recall import person as of_person
from memory.recall.history import quotes, sources, wordings
from memory.recall.listing import list_memories, open_memory
from memory.recall.pipeline import recall
from memory.recall.selecting import Selection
from memory.recall.values import RecallQuery
from memory.reviews import answers, taking_back
from memory.reviews.listing import list_open
from memory.sessions import boards
from memory.sessions.originals import open_original
from memory.write.correct import correct
from memory.write.pipeline import decide
from memory.write.proposal import Proposal, Source
from memory.write.sources import source_of
from tests.cast import system_of
from tests.properties.teller import Teller, pairs, picks
from tests.properties.walls import walled


class Stories(Teller):
    """Three people remember, talk, recall, list, open, correct, decide, erase."""

    @rule(
        pair=pairs,
        origin=st.sampled_from([Origin.PERSON, Origin.AGENT, Origin.TOOL]),
        kind=st.sampled_from(list(Kind)),
        level=st.sampled_from([None, Sensitivity.PERSONAL, Sensitivity.SPECIAL]),
        visibility=st.sampled_from(list(Visibility)),
        attribute=st.sampled_from(["", "home.city", "taste.food", "diet.allergy"]),
        old=st.none() | picks,
    )
    def remember(
        self, pair: Any, old: int | None, origin: Origin, attribute: str, **how: Any
    ) -> None:
        """Propose something new, or word for word what somebody said before."""
        text = self.words(pair) if old is None else self.texts[old % len(self.texts)]
        if old is not None:
            said = [word for word in self.people.owners if word in text]
            self.people.belongs(pair[1], *said)
        proposal = Proposal(
            text=text,
            source=Source(origin=origin, said_at=timezone.now()),
            kind=how["kind"],
            sensitivity=how["level"],
            visibility=how["visibility"],
            attribute=attribute,
            value=text[:20] if attribute else "",
            tags=(text[7:12],),
        )
        others = [person for person in self.people.subjects if person != pair[1]]
        before = [self.belongings(person) for person in others]
        decided = self.ask(pair, lambda principal: decide(principal, proposal))
        assert [self.belongings(person) for person in others] == before
        if decided is not None and decided.memory is not None:
            self.made("memory", pair, decided.memory.id)
            self.people.belongs(pair[1], decided.id)

    @rule(pair=pairs.filter(lambda pair: pair[0] != "alice"))
    def talk(self, pair: Any) -> None:
        """Open the session that everybody calls the same, say something, let it be read."""
        opened = self.ask(pair, lambda who: sessions.open_session(who, session_id="聊天 chat"))
        session = opened[0].id
        self.made("session", pair, session)
        said = sessions.IncomingMessage(role=Role.USER, content=self.words(pair), name="我 me")
        done = self.ask(pair, lambda who: sessions.append(who, session_id=session, messages=[said]))
        self.made("event", pair, *done.event_ids)
        jobs.run_job(done.job.id)
        done.job.refresh_from_db()
        assert done.job.state == JobState.SUCCEEDED, done.job.error
        decisions = self.ask(pair, lambda who: jobs.decisions_about(who, list(done.event_ids)))
        self.made("memory", pair, *{one.memory_id for one in decisions if one.memory_id})

    @rule(pair=pairs, pick=picks, policy=st.sampled_from(["default", "inject", "profile_only"]))
    def recall(self, pair: Any, pick: int, policy: str) -> None:
        """Ask about anybody's words."""
        query = RecallQuery(text=self.texts[pick % len(self.texts)], policy=policy)
        self.ask(pair, lambda who: recall(who, query))

    @rule(
        pair=pairs,
        pick=picks,
        filters=st.sampled_from([{}, {"state": "active"}, {"kind": "semantic"}]),
    )
    def browse(self, pair: Any, pick: int, filters: dict[str, str]) -> None:
        """List, also from where somebody else's page ended."""
        cursor = self.cursors[pick % len(self.cursors)] if pick % 3 and self.cursors else None
        page = self.ask(
            pair,
            lambda who: list_memories(
                who, selection=Selection(columns=filters), limit=2, cursor=cursor
            ),
        )
        if page is not None and page.next:
            self.cursors.append(page.next)

    @rule(pair=pairs, pick=picks)
    def open(self, pair: Any, pick: int) -> None:
        """Open anybody's memory."""
        self.about("memory", pick, pair, open_memory)

    @rule(pair=pairs, pick=picks)
    def correct(self, pair: Any, pick: int) -> None:
        """Correct anybody's memory."""
        text = self.words(pair)
        self.about(
            "memory", pick, pair, lambda who, id_: correct(who, id_, text=text, if_version=1)
        )

    @rule(pair=pairs, pick=picks)
    def erase(self, pair: Any, pick: int) -> None:
        """Erase anybody's memory."""
        ways = [erase, lambda who, id_: erase_some(who, memory_ids=[id_], filters={})]
        if (made := self.about("memory", pick, pair, ways[pick % 2])) is not None:
            self.made("erasure", pair, made.id)

    @rule(pair=pairs, pick=picks)
    def look_up(self, pair: Any, pick: int) -> None:
        """Ask for anybody's message, quote it, write into anybody's session, see any receipt."""
        self.about("event", pick, pair, access.access_event)
        if pair[0] in ("stranger", "alice"):  # the others have rights for both who may erase
            self.about("erasure", pick, pair, lambda who, id_: receipt(access_erasure(who, id_)))
        said = sessions.IncomingMessage(role=Role.USER, content="你好 hello")
        if pair[0] != "alice":
            self.about("event", pick, pair, _quote)
            self.about(
                "session",
                pick,
                pair,
                lambda who, id_: sessions.append(who, session_id=id_, messages=[said]),
            )

    @rule(pair=pairs, pick=picks)
    def look_behind(self, pair: Any, pick: int) -> None:
        """Ask where anybody's memory comes from, and read anybody's conversation."""
        # Close to what everybody says; the prompt repeats the question, so it holds nobody's words.
        query = ContextQuery(budget=2000, query="I love soup 我喜欢汤")
        self.about("memory", pick, pair, wordings)
        self.about("memory", pick, pair, quotes)
        self.about("memory", pick, pair, sources)
        self.about("event", pick, pair, open_original)
        self.about("session", pick, pair, _messages)
        self.about("session", pick, pair, lambda who, id_: build(who, session_id=id_, query=query))

    @rule(pair=pairs, pick=picks, what=st.sampled_from(list(Move)))
    def move(self, pair: Any, pick: int, what: Move) -> None:
        """Pause, archive, forget… anybody's memory."""
        self.about("memory", pick, pair, lambda who, id_: move(who, id_, what))

    @rule(pair=pairs, pick=picks)
    def answer(self, pair: Any, pick: int) -> None:
        """Answer what waits for anybody, let anything be learnt again."""
        ways = (answers.keep, answers.reject, answers.later, taking_back.undo)
        self.gather()
        self.ask(pair, list_open)
        self.about("review", pick, pair, ways[pick % len(ways)])
        self.about("suppression", pick, pair, lift)

    @rule(pair=pairs, pick=picks)
    def task(self, pair: Any, pick: int) -> None:
        """Keep a board, resting on anybody's message; read it under anybody's name."""
        state, name = {"goal": self.words(pair)}, f"任务 {self.people.made}"
        self.about(
            "event",
            pick,
            pair,
            lambda who, id_: boards.put(
                who, task_id=name, state=state, change=boards.Change(version=None, cites=[id_])
            ),
        )
        for other in range(self.people.made):
            if other % 7 == pick % 7:
                self.ask(pair, partial(boards.read, task_id=f"任务 {other}"))

    @rule(pair=pairs)
    def ask_for_all(self, pair: Any) -> None:
        """Take the words of the domain at theirs, and look at the bare tables."""
        events = [id_ for _, id_ in self.ids["event"]]
        self.ask(pair, lambda who: jobs.decisions_about(who, events))
        self.ask(pair, lambda who: deletions(who, after=0, limit=100))
        self.ask(pair, of_person.attributes)
        self.ask(pair, of_person.suppressions)
        self.ask(pair, of_person.interests)
        self.ask(pair, partial(days, since=date(2026, 1, 1), until=date(2026, 2, 1)))
        for listed in (of_person.decisions, of_person.audit_events, sessions.list_sessions):
            self.ask(pair, partial(listed, limit=20, cursor=None))
        self.ask(pair, self._everything)

    def _everything(self, principal: Principal) -> Any:
        subject = principal.subject_id
        assert subject is not None
        with acting(principal):
            found: list[Any] = list(access.memories_visible_to(principal))
            found += list(Memory.objects.visible_to(principal))
            found += list(search.all_current(principal.tenant_id, subject))
            if self.policies:
                found += [row for model in walled() for row in model._default_manager.all()]
        return found

    @rule(person=st.sampled_from(["alice", "bob", "charlie"]))
    def housekeeping(self, person: str) -> None:
        """Let the sweepers run."""
        subject = self.people.subjects[person]
        others = [other for other in self.people.subjects if other != person]
        before = [self.belongings(other) for other in others]
        expire.expire_events(system_of(subject))
        expire.end_undo_windows(system_of(subject))
        assert [self.belongings(other) for other in others] == before
        for _, erasure in self.ids["erasure"]:
            drive.run(erasure)


def _messages(principal: Principal, session_id: uuid.UUID) -> Any:
    return sessions.list_messages(principal, session_id=session_id, limit=20, cursor=None)


def _quote(principal: Principal, event_id: uuid.UUID) -> Any:
    with contextlib.suppress(InvalidInput):  # the words do not stand there
        return source_of(
            principal, event_id=event_id, quote="love", claim="love", now=timezone.now()
        )
