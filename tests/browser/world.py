"""People in every state a page can show, made through the service wherever it can make them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone

from tests.browser.house import House, Resident, signed_in

if TYPE_CHECKING:
    from accounts.models import User
    from memory.models import Erasure

AGENDA, SUMMARY = "开会前先把议程发给小林。", "Lin wants a short summary every Friday afternoon."
PRICES, HIKING = "We decided to go with three plans at 19/49/199 yuan.", "我喜欢爬山"
AISLE = "I prefer aisle seats on long flights now."
DATABASE = "我们的项目部署在阿里云上，数据库是 PostgreSQL 16。"
REPORTS = "以后所有报告都用中文写，先给数字。"
LONG = (
    "https://files.example.com/plans/2026/quarter-four/a-very-long-name-without-a-single-blank-in-it"
    "-so-that-a-narrow-window-has-to-break-it-somewhere.html"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Lin with a full dashboard, Nova with an empty one, others who see special pages."""

    house: House
    lin: Resident
    nova: Resident
    spare: Resident  # may be changed by anybody
    both: Resident  # one login with two persons
    linkless: User
    guarded: Resident  # with a second factor
    operator: User
    memories: dict[str, str]  # of Lin: the id by what is special about each
    reviews: dict[str, str]  # the id by kind
    erased: str
    stuck: str
    agent: str
    session: str
    merge: str
    ended: str  # the token of an account that was deleted
    look: str

    def user(self, who: str) -> User | None:
        """Return the login of somebody, by the name of the field."""
        found = getattr(self, who, None)
        return getattr(found, "user", found)

    def link(self) -> str:
        """Return the path of a link by which somebody may take charge."""
        return self.house.invite(f"mei-{time.monotonic_ns()}")


def build(house: House) -> World:
    """Let everybody move in, and put Lin's memories into every state."""
    lin = house.settle("lin")
    nova = house.settle("nova", story=False)
    _talk(lin)
    return World(
        house=house,
        lin=lin,
        nova=nova,
        spare=house.settle("spare", story=False),
        both=_both(house),
        linkless=house.stranger("nobody@example.com"),
        guarded=_guarded(house),
        operator=house.stranger("operator@example.com", staff=True),
        memories=_memories(lin),
        reviews=_reviews(lin),
        erased=_erased(lin),
        stuck=str(stuck(lin).id),
        agent=str(house.program.id),
        session=_session(lin),
        merge=_asked(lin),
        ended=_ended(house),
        look=_look(lin),
    )


def _look(lin: Resident) -> str:
    """Let the operator look at Lin's memories for three days."""
    from accounts.acting import acting
    from accounts.models import Look
    from tests.cast import system_of

    given = {"what": "all", "level": "20", "until": "days"}
    signed_in(lin).post(reverse("support-access"), given)
    with acting(system_of(lin.subject)):
        return str(Look.objects.get().id)


def _talk(lin: Resident) -> None:
    """Have more to show: long words, uses, questions of each kind, a second agent."""

    def propose(text: str, **more: str) -> None:
        lin.agent.answer("POST", "memories", {"user_id": "lin", "text": text} | more)

    propose(f"The plan for the fourth quarter stands at {LONG}", subtype="fact")
    _may_see(lin, 40)
    propose("Lin takes insulin every morning.", subtype="fact")
    _may_see(lin, 20)
    propose("Lin now lives in Chengdu.", subtype="fact", attribute="home.city", value="Chengdu")
    for question in (
        "我们的数据库是什么？",
        "Which seat on a long flight?",
        "周末去哪里走走？",
    ) * 2:
        lin.agent.recalled(question)


def _ids(lin: Resident) -> dict[str, str]:
    return {text: str(one["id"]) for text, one in lin.agent.listed().items()}


def _may_see(lin: Resident, level: int) -> None:
    from accounts.acting import acting
    from accounts.models import Grant
    from tests.cast import system_of

    with acting(system_of(lin.subject)):
        Grant.objects.update(clearance=level)


def _memories(lin: Resident) -> dict[str, str]:
    browser, ids = signed_in(lin), _ids(lin)
    found = {
        "plain": ids[DATABASE],
        "chinese": ids[REPORTS],
        "paused": ids[PRICES],
        "forgotten": ids[HIKING],
        "sensitive": _sensitive(lin),
        "erased": ids[AISLE],
    }
    browser.post(
        reverse("memory-edit", args=[found["plain"]]),
        {"text": DATABASE.replace("16", "18"), "version": "1"},
    )
    browser.post(reverse("memory-pause", args=[found["paused"]]))
    browser.post(reverse("memory-forget", args=[found["forgotten"]]))
    return found


def _sensitive(lin: Resident) -> str:
    from accounts.acting import acting
    from memory.models import Memory
    from tests.cast import system_of

    with acting(system_of(lin.subject)):
        return str(Memory.objects.filter(sensitivity=40, state="active")[:1].get().id)


def _reviews(lin: Resident) -> dict[str, str]:
    from accounts.acting import acting
    from memory.models import ReviewItem
    from tests.cast import system_of

    with acting(system_of(lin.subject)):
        rejected = ReviewItem.objects.filter(memory_id=_ids(lin)[SUMMARY]).get()
        left = ReviewItem.objects.filter(state="open").exclude(id=rejected.id)
        ids = {kind: str(id_) for kind, id_ in left.values_list("kind", "id")}
    signed_in(lin).post(reverse("review-reject", args=[rejected.id]))
    return ids


def _asked(lin: Resident) -> str:
    """Let the agent meet somebody without a name, and ask whether that was Lin."""
    met = lin.agent.answer("POST", "users", {"user_id": "lins-phone", "anonymous": True})
    return str(lin.agent.answer("POST", f"users/{met['id']}/merge", {"user_id": "lin"})["id"])


def _session(lin: Resident) -> str:
    """Return the session from which the most was kept."""
    from memory.sessions.kept import past_sessions
    from tests.cast import system_of

    found, _ = past_sessions(system_of(lin.subject), limit=100, cursor=None)
    return str(max(found, key=lambda one: (one.kept, one.messages)).session.id)


def _erased(lin: Resident) -> str:
    """Erase one memory and wait until the worker has come to the receipt."""
    from memory.models import Erasure

    signed_in(lin).post(reverse("memory-erase", args=[_ids(lin)[AISLE]]))
    erasure = Erasure.objects.get(subject_id=lin.subject.id)
    for _ in range(300):
        erasure.refresh_from_db()
        if erasure.erased_at:
            return str(erasure.id)
        time.sleep(0.1)
    raise AssertionError(f"no worker finished the erasure: {erasure.state}")


def _ended(house: House) -> str:
    """Delete an account and return what leads to its receipt."""
    from memory.forget.leaving import leave
    from memory.forget.receipt import token_for

    leaver = house.settle("leaver", story=False)
    signed_in(leaver).post(reverse("memory-new"), {"text": "I keep my bicycle in the red shed"})
    return token_for(leave(leaver.user.id))


def stuck(lin: Resident) -> Erasure:
    """Write down an erasure in the middle of which a store did not answer."""
    from memory.forget.erasers import ERASERS
    from memory.models import Erasure, ErasureStep

    owner = {"tenant_id": lin.subject.tenant_id, "subject_id": lin.subject.id}
    now = timezone.now()
    erasure = Erasure.objects.create(
        state="needs_attention",
        requested_by_kind="person",
        fenced_at=now,
        memory_ids=[uuid4()],
        **owner,
    )
    for position, eraser in enumerate(ERASERS):
        state = "done" if position < 5 else "failed" if position == 5 else "queued"
        done = {"count_before": 1, "count_after": 0, "verified_at": now} if position < 5 else {}
        ErasureStep.objects.create(
            erasure=erasure, store=eraser.store, position=position, state=state, **owner, **done
        )
    return erasure


def _both(house: House) -> Resident:
    """Return somebody with a second person in another organisation."""
    from accounts.setup import get_or_create_tenant, operator
    from accounts.subjects import get_or_create_subject

    both = house.settle("both", story=False)
    other = get_or_create_tenant("环球 Globex Holding and Partners Limited")
    subject, _ = get_or_create_subject(operator(other.id), "both")
    type(subject)._default_manager.filter(id=subject.id).update(login=both.user)
    return both


def _guarded(house: House) -> Resident:
    """Return a login with an authenticator app and recovery codes."""
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    guarded = house.settle("guarded", story=False)
    TOTP.activate(guarded.user, generate_totp_secret())
    RecoveryCodes.activate(guarded.user)
    return guarded
