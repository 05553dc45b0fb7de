"""The teller of stories: who asks, what came back, and whether it was theirs to know."""

import uuid
from collections.abc import Callable
from typing import Any, ClassVar

from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from accounts.acting import acting
from accounts.models import AuditEvent
from accounts.principal import Principal
from memory.errors import Forbidden, KeepsakeError, NotFound, VaultError
from memory.models import Memory, ReviewItem, Suppression
from tests.cast import system_of
from tests.properties.people import PAIRS, People, flat

pairs = st.sampled_from(PAIRS)
picks = st.integers(min_value=0, max_value=10_000)


class Teller(RuleBasedStateMachine):
    """One story's people and ``ids``: the things made so far, by kind, with their owner."""

    policies: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__()
        self.story = transaction.atomic()
        self.story.__enter__()
        self.people = People()
        self.ids: dict[str, list[tuple[str, uuid.UUID]]] = {
            kind: [] for kind in ("memory", "event", "session", "erasure", "review", "suppression")
        }
        self.texts: list[str] = ["以后用中文 reply in Chinese"]
        self.cursors: list[str] = []

    def teardown(self) -> None:
        """Look into the audit log, check the deferred keys, and take everything back."""
        try:
            written = flat(list(AuditEvent.objects.values()))
            words = [token for token in self.people.owners if "-" not in token]
            assert not [word for word in words if word in written], "content in the audit log"
            connection.check_constraints()
        finally:
            transaction.set_rollback(True)
            self.story.__exit__(None, None, None)

    # --- the teller's tools ----------------------------------------------------------------------

    def ask(self, pair: tuple[str, str], ask: Callable[[Principal], Any]) -> Any:
        """Return the answer (None: refused) after looking for others' words and ids in it."""
        try:
            answer = ask(self.people.principal(pair))
        except VaultError:
            raise  # the key did not fit: a row of somebody else came through
        except KeepsakeError as error:
            self.people.check(pair[1], f"{error.code} {error.detail}")
            return None
        self.people.check(pair[1], answer)
        return answer

    def about(self, kind: str, pick: int, pair: tuple[str, str], ask: Callable[..., Any]) -> Any:
        """Ask with an id of anybody's; of somebody else's, there must seem to be none."""
        if not self.ids[kind]:
            return None
        owner, id_ = self.ids[kind][pick % len(self.ids[kind])]
        if owner == pair[1]:
            return self.ask(pair, lambda principal: ask(principal, id_))
        before = self.belongings(owner)
        answer = self.refusal(pair, ask, id_)
        assert answer == self.refusal(pair, ask, uuid.uuid4()), "an id of another is told apart"
        self.people.check(pair[1], answer)
        assert self.belongings(owner) == before, f"{pair} changed what is {owner}'s"
        return None

    def refusal(self, pair: tuple[str, str], ask: Callable[..., Any], id_: uuid.UUID) -> str:
        """Return how ``pair`` is refused an id that is not theirs."""
        try:
            ask(self.people.principal(pair), id_)
        except (NotFound, Forbidden) as refused:
            return f"{refused.code} {refused.detail}"
        raise AssertionError(f"{pair} got an answer about {id_}, which is not {pair[1]}'s")

    def made(self, kind: str, pair: tuple[str, str], *ids: uuid.UUID) -> None:
        """Note what a person has got."""
        self.ids[kind] += [(pair[1], id_) for id_ in ids]
        self.people.belongs(pair[1], *ids)

    def belongings(self, person: str) -> Any:
        """Return a picture of what one person has."""
        with acting(system_of(self.people.subjects[person])):
            rows = Memory.objects.filter(subject_id=self.people.subjects[person].id)
            return list(rows.order_by("id").values_list("id", "state", "version", "importance"))

    def gather(self) -> None:
        """Note the questions that wait for each person, and what each must not be told again."""
        for model, kind in ((ReviewItem, "review"), (Suppression, "suppression")):
            self.ids[kind] = []
            for person, subject in self.people.subjects.items():
                with acting(system_of(subject)):
                    rows = model._default_manager.filter(subject_id=subject.id).order_by("id")
                    self.made(kind, ("", person), *rows.values_list("id", flat=True))

    def words(self, pair: tuple[str, str]) -> str:
        """Return a new sentence that only this person says."""
        english, chinese = self.people.canary(pair[1])
        self.texts.append(f"I love {english} soup，我喜欢{chinese}汤")
        return self.texts[-1]
