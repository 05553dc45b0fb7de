"""The table of who gets which answer where, and the scene of objects it is about."""

import uuid
from typing import Any

from accounts.acting import acting
from accounts.principal import Principal
from memory import jobs, sessions
from memory.choices import Kind, LinkKind, Origin, Role, Sensitivity
from memory.forget.fence import erase
from memory.models import ReviewItem, Suppression
from memory.sessions import boards
from memory.transfer import importing
from memory.write.links import link
from memory.write.procedures import propose
from tests.cast import Api, Cast, principal_of, remember, system_of
from tests.memory.api.addresses import ADDRESSES, CANARIES, JUDGED, KINDS, LINKED, MINE
from tests.memory.knowledge.shelf import put

NOBODY = uuid.UUID(int=7)

# assistant: Alice's agent with every action up to level 20, the writer of everything in the scene ·
# colleague: Bob's agent, at Acme too · stranger: Charlie's agent at Globex, who calls Charlie
# "alice" · off: Alice switched memory off for it · alice, bob: their own keys.
CALLERS = (
    "anonymous", "revoked", "expired", "pipeline", "stranger", "colleague", "paused", "lapsed",
    "off", "reader", "low", "no_episodes", "assistant", "alice", "bob",
)  # fmt: skip
TABLE = """
                           anon revo expi pipe stra coll paus laps  off read  low noep assi alic  bob
api-memories GET            401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-memories POST           401  401  401  403  201  422  422  422  422  422  422  422  201  201  404
api-batch POST              401  401  401  403  200  200  200  200  200  200  200  200  200  200  404
api-search POST             401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-memory GET              401  401  401  403  404  404  404  404  403  200  404  404  200  200  404
api-memory PATCH            401  401  401  403  404  404  404  404  403  403  404  404  200  200  404
api-memory DELETE           401  401  401  403  404  404  404  404  200  403  404  404  200  200  404
api-versions GET            401  401  401  403  404  404  404  404  403  200  404  404  200  200  404
api-evidence GET            401  401  401  403  404  404  404  404  403  200  404  404  200  200  404
api-sources GET             401  401  401  403  404  404  404  404  403  200  404  404  200  200  404
api-links GET               401  401  401  403  404  404  404  404  403  200  404  404  200  200  404
api-links POST              401  401  401  403  404  404  404  404  403  403  404  404  201  201  404
api-memory-link DELETE      401  401  401  403  404  404  404  404  403  403  404  404  204  204  404
api-pause POST              401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-resume POST             401  401  401  403  404  404  404  404  403  403  403  403  403  409  404
api-archive POST            401  401  401  403  404  404  404  404  200  403  404  404  200  200  404
api-restore POST            401  401  401  403  404  404  404  404  409  403  404  404  409  409  404
api-forget POST             401  401  401  403  404  404  404  404  200  403  404  404  200  200  404
api-undo POST               401  401  401  403  404  404  404  404  409  403  404  404  409  409  404
api-confirm POST            401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-reject POST             401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-reviews GET             401  401  401  403  403  403  403  403  403  403  403  403  403  200  404
api-review-keep POST        401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-review-edit POST        401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-review-reject POST      401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-review-later POST       401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-review-undo POST        401  401  401  403  404  404  404  404  403  403  403  403  403  409  404
api-procedures GET          401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-procedures POST         401  401  401  403  201  422  422  422  422  422  201  201  201  201  404
api-procedure-publish POST  401  401  401  403  404  404  404  404  403  403  403  403  403  200  404
api-recall POST             401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-explain POST            401  401  401  403  403  403  403  403  403  403  403  403  403  200  404
api-feedback POST           401  401  401  403  404  404  404  404  403  201  404  404  201  403  404
api-sessions GET            401  401  401  403  200  403  403  403  200  200  200  200  200  200  404
api-sessions POST           401  401  401  403  201  403  403  403  201  403  201  201  201  403  403
api-messages GET            401  401  401  403  404  404  404  404  404  404  404  404  200  200  404
api-messages POST           401  401  401  403  404  404  404  404  404  404  404  404  202  202  404
api-context POST            401  401  401  403  404  404  404  404  404  404  404  404  200  200  404
api-turn POST               401  401  401  403  404  404  404  404  404  404  404  404  200  200  404
api-compact POST            401  401  401  403  404  404  404  404  404  404  404  404  200  200  404
api-session-close POST      401  401  401  403  404  404  404  404  404  404  404  404  202  202  404
api-board GET               401  401  401  403  404  403  403  403  403  404  404  404  200  200  404
api-board PUT               401  401  401  403  404  403  403  403  403  403  404  404  200  403  404
api-board PATCH             401  401  401  403  404  403  403  403  403  403  404  404  200  403  404
api-observations POST       401  401  401  403  404  403  403  403  403  403  404  404  201  403  404
api-task-complete POST      401  401  401  403  404  403  403  403  403  403  404  404  200  403  404
api-task-cancel POST        401  401  401  403  404  403  403  403  403  403  404  404  200  403  404
api-event GET               401  401  401  403  404  404  404  404  403  404  404  404  200  200  404
api-users GET               401  401  401  403  200  200  200  200  200  200  200  200  200  200  404
api-users POST              401  401  401  403  200  200  200  200  200  200  200  200  200  200  404
api-user GET                401  401  401  403  404  404  404  404  200  200  200  200  200  200  404
api-attributes GET          401  401  401  403  404  403  403  403  403  200  200  200  200  200  404
api-suppressions GET        401  401  401  403  404  403  403  403  403  200  200  200  200  200  404
api-suppression DELETE      401  401  401  403  404  403  403  403  403  403  403  403  403  204  404
api-days GET                401  401  401  403  404  403  403  403  403  200  200  200  200  200  404
api-export GET              401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-imports POST            401  401  401  403  404  403  403  403  403  403  403  403  403  201  404
api-import GET              401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-import DELETE           401  401  401  403  404  403  403  403  403  403  403  403  403  204  404
api-import-take POST        401  401  401  403  404  403  403  403  403  403  403  403  403  202  404
api-interests GET           401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-interests PUT           401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-interests DELETE        401  401  401  403  404  403  403  403  403  403  403  403  403  204  404
api-user-pause POST         401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-user-mode PUT           401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-agent-mode PUT          401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-user-resume POST        401  401  401  403  404  403  403  403  403  403  403  403  403  200  404
api-merge POST              401  401  401  403  404  403  403  403  409  403  409  409  409  403  404
api-link POST               401  401  401  403  404  403  403  403  403  403  403  403  201  201  404
api-erasures POST           401  401  401  403  404  403  403  403  201  403  404  404  201  201  404
api-erasure GET             401  401  401  403  404  404  404  404  200  200  200  200  200  200  404
api-deletions GET           401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-deletion-ack POST       401  401  401  403  404  404  200  200  200  200  200  200  200  403  403
api-job GET                 401  401  401  404  404  404  404  404  404  404  404  404  200  200  404
api-documents GET           401  401  401  200  200  200  200  200  200  200  200  200  200  403  403
api-documents POST          401  401  401  202  403  403  403  403  403  403  403  403  403  403  403
api-document GET            401  401  401  200  404  200  200  200  200  200  200  200  200  403  403
api-document DELETE         401  401  401  204  403  403  403  403  403  403  403  403  403  403  403
api-document-text GET       401  401  401  200  404  200  200  200  200  200  200  200  200  403  403
api-knowledge-search POST   401  401  401  200  200  200  200  200  200  200  200  200  200  403  403
api-decisions GET           401  401  401  403  200  403  403  403  403  200  200  200  200  200  404
api-audit GET               401  401  401  403  200  200  200  200  200  200  200  200  200  200  404
health-live GET             200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
health-ready GET            200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
api-schema GET              200  401  401  200  200  200  200  200  200  200  200  200  200  200  200
api-docs GET                200  401  401  200  200  200  200  200  200  200  200  200  200  200  200
api-anything-else GET       404  404  404  404  404  404  404  404  404  404  404  404  404  404  404
"""


def _rows() -> dict[tuple[str, str], dict[str, int]]:
    found = {}
    for line in TABLE.strip().splitlines()[1:]:
        name, method, *statuses = line.split()
        found[name, method] = dict(zip(CALLERS, map(int, statuses), strict=True))
    return found


ROWS = _rows()

# Who may be told Alice's words, where an answer can hold them at all: the memory is an episode of
# level 20, message and board are the assistant's, and what waits for Alice is of level 40.
OF_THE_MEMORY, OF_THE_SESSION = {"reader", "assistant", "alice"}, {"assistant", "alice"}
WORDS = {
    "api-memories GET": OF_THE_MEMORY,
    "api-search POST": OF_THE_MEMORY,
    "api-recall POST": OF_THE_MEMORY,
    "api-explain POST": {"alice"},
    "api-memory GET": OF_THE_MEMORY,
    "api-versions GET": OF_THE_MEMORY,
    "api-memory PATCH": {"assistant"},  # an agent's guess waits: the memory comes back as it was
    "api-export GET": {"alice"},
    "api-messages GET": OF_THE_SESSION,
    "api-context POST": OF_THE_SESSION,
    "api-turn POST": OF_THE_SESSION,
    "api-event GET": OF_THE_SESSION,
    "api-board GET": OF_THE_SESSION,
    "api-board PATCH": {"assistant"},
    "api-task-complete POST": {"assistant"},
    "api-task-cancel POST": {"assistant"},
    "api-reviews GET": {"alice"},
}


class Scene:
    """What there is to reach for: one of each of Alice's things."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.person = cast, cast.alice.id
        agent = principal_of(cast.keys["assistant"], "alice")
        english, chinese = CANARIES
        episode = {"kind": Kind.EPISODIC, "sensitivity": Sensitivity.PERSONAL}
        self.memory = remember(agent, f"Ate {english} {chinese} on Monday 周一", **episode).id
        self.other = remember(agent, "Read a map 看地图 of the hills", **episode).id
        self.link = link(agent, self.memory, self.other, kind=LinkKind.RELATED)[0].id
        unsaid = {"origin": Origin.TOOL, "sensitivity": Sensitivity.SPECIAL}
        waits = remember(agent.using(clearance=40), f"Prefers {english} {chinese}", **unsaid)
        self.agent = cast.agents["low"].id
        self.session, self.event = self._talk(agent, f"I love {english} soup 我喜欢{chinese}")
        boards.put(
            agent,
            task_id="task-任务",
            state={"goal": f"{english} {chinese}"},
            change=boards.Change(version=None),
        )
        way = propose(agent, title="周报 weekly report", steps=["查数 numbers", "写 write"])
        assert way.memory is not None
        self.procedure = way.memory.id
        self.document = put(cast.acme, "manual.md", "# 手册 manual\n\n" + "Words 词语. " * 30)
        self.erasure, self.suppression = self._erase(agent)
        alice = principal_of(cast.keys["alice"], "alice")
        self.file = importing.offer(alice, f"- Knows {english} {chinese}".encode())
        with acting(system_of(cast.alice)):
            self.review = ReviewItem.objects.get(memory=waits).id

    def _talk(self, agent: Principal, text: str) -> tuple[uuid.UUID, uuid.UUID]:
        session, _ = sessions.open_session(agent, session_id="chat 聊天/1")
        said = sessions.IncomingMessage(role=Role.USER, content=text)
        return session.id, sessions.append(agent, session_id=session.id, messages=[said]).event_ids[
            0
        ]

    def _erase(self, agent: Principal) -> tuple[uuid.UUID, uuid.UUID]:
        """Erase a memory that a message carried, which must not be learnt from again."""
        session, _ = sessions.open_session(agent, session_id="old 旧")
        said = sessions.IncomingMessage(role=Role.USER, content="I love jazz. 我喜欢爵士乐。")
        done = sessions.append(agent, session_id=session.id, messages=[said])
        assert done.job is not None
        self.job = done.job.id
        jobs.run_job(done.job.id)
        made = [one.memory_id for one in jobs.decisions_about(agent, list(done.event_ids))]
        memory_id = next(id_ for id_ in made if id_ is not None)
        erasure = erase(agent, memory_id).id
        with acting(system_of(self.cast.alice)):
            return erasure, Suppression.objects.get().id

    def ask(self, name: str, method: str, caller: str, *, unknown: bool = False) -> Any:
        """Send one well-formed request about Alice; ``unknown`` puts an id that nobody has."""
        path, body = self._request(f"{name} {method}", unknown=unknown)
        key = None if caller == "anonymous" else self.cast.keys[caller]
        return Api(key)(method, path, body, If_Match='"1"')

    def _request(self, what: str, *, unknown: bool) -> tuple[str, Any]:
        name = what.partition(" ")[0]
        alice: dict[str, Any] = {"user_id": "alice"}
        path, body = ADDRESSES.get(what) or ADDRESSES[name]
        ids = vars(self) | (dict.fromkeys(KINDS, NOBODY) if unknown else {})
        if body == MINE:
            body = {"memory_ids": [str(ids["memory"])]}
        if body == LINKED:
            body = {"kind": LinkKind.ABOUT, "memory_id": str(self.other)}
        if body == JUDGED:
            body = JUDGED | {"memory_id": str(ids["memory"])}
        if body is not None and "user_id" in path:
            path, body = path.replace("?user_id=alice", ""), alice | body
        return path.format(**ids), body
