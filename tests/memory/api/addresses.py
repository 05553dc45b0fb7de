"""What the table of permissions asks, address by address."""

from typing import Any

# Alice's words. English and Chinese, neither in any request but the search for them.
CANARIES = ("quibblesnark", "魑魅豆")

LOOKS = ("versions", "evidence", "sources", "links")
MOVES = ("pause", "resume", "archive", "restore", "forget", "undo", "confirm", "reject")
KINDS = (
    "memory", "link", "session", "job", "document", "procedure",
    "event", "review", "suppression", "erasure", "person", "file",
)  # fmt: skip
MINE, LINKED, JUDGED = {"memory_ids": "our"}, {"memory_id": "our"}, {"verdict": "helped"}
FACT = {"text": "Ran ten km 跑步", "kind": "episodic", "sensitivity": 20}
SAID = {"messages": [{"role": "user", "content": "早上好 good morning"}]}
WANTED = " ".join(CANARIES)
# What to ask, by address (and method where they differ). "?user_id=alice" moves into a body.
ADDRESSES: dict[str, tuple[str, Any]] = {
    "api-memories GET": ("memories?user_id=alice", None),
    "api-memories POST": ("memories?user_id=alice", FACT),
    "api-batch": ("memories/batch?user_id=alice", {"memories": [FACT]}),
    "api-search": ("memories/search?user_id=alice", {"text": WANTED}),
    "api-memory": ("memories/{memory}", None),
    "api-memory PATCH": ("memories/{memory}", {"text": "Ate nothing 没吃"}),
    **{f"api-{name}": (f"memories/{{memory}}/{name}", None) for name in LOOKS},
    **{f"api-{name}": (f"memories/{{memory}}/{name}", {}) for name in MOVES},
    "api-links POST": ("memories/{memory}/links", LINKED),
    "api-memory-link": ("memories/{memory}/links/{link}", None),
    "api-reviews": ("reviews?user_id=alice", None),
    **{
        f"api-review-{name}": (f"reviews/{{review}}/{name}", {})
        for name in ("keep", "reject", "later", "undo")
    },
    "api-review-edit": ("reviews/{review}/edit", {"text": "Prefers rice 米饭"}),
    "api-procedures GET": ("procedures?user_id=alice", None),
    "api-procedures POST": (
        "procedures?user_id=alice",
        {"title": "发版 release", "steps": ["测 test"]},
    ),
    "api-procedure-publish": ("procedures/{procedure}/publish", {}),
    "api-recall": ("recall?user_id=alice", {"query": WANTED}),
    "api-explain": ("recall/explain?user_id=alice", {"query": WANTED}),
    "api-feedback": ("feedback", JUDGED),
    "api-sessions GET": ("sessions?user_id=alice", None),
    "api-sessions POST": ("sessions?user_id=alice", {"session_id": "new 新"}),
    "api-messages GET": ("sessions/{session}/messages", None),
    "api-messages POST": ("sessions/{session}/messages", SAID),
    "api-context": ("sessions/{session}/context", {}),
    "api-turn": ("sessions/{session}/turn", {"query": WANTED}),
    "api-compact": ("sessions/{session}/compact", {}),
    "api-session-close": ("sessions/{session}/close", {}),
    "api-board GET": ("tasks/task-任务/state?user_id=alice", None),
    "api-board": ("tasks/task-任务/state?user_id=alice", {"state": {"doing": ["下一步 next"]}}),
    "api-observations": (
        "tasks/task-任务/observations?user_id=alice",
        {"step": 0, "observation": "Rain 下雨"},
    ),
    "api-task-complete": ("tasks/task-任务/complete?user_id=alice", {}),
    "api-task-cancel": ("tasks/task-任务/cancel?user_id=alice", {}),
    "api-event": ("events/{event}", None),
    "api-users GET": ("users?user_id=alice", None),
    "api-users POST": ("users?user_id=alice", {}),
    "api-user": ("users/{person}", None),
    "api-attributes": ("users/{person}/attributes", None),
    "api-suppressions": ("users/{person}/suppressions", None),
    "api-suppression": ("users/{person}/suppressions/{suppression}", None),
    "api-days": ("users/{person}/days?since=2026-01-01&until=2026-01-31", None),
    "api-export": ("users/{person}/export", None),
    "api-imports": ("users/{person}/imports", {"text": "- Plays chess 下棋"}),
    "api-import": ("users/{person}/imports/{file}", None),
    "api-import-take": ("users/{person}/imports/{file}/take", {"groups": ["new"]}),
    "api-interests GET": ("users/{person}/interests", None),
    "api-interests PUT": ("users/{person}/interests", {"counted": False}),
    "api-interests DELETE": ("users/{person}/interests", None),
    "api-user-pause": ("users/{person}/pause", {}),
    "api-user-mode": ("users/{person}/mode", {"mode": "use_only"}),
    "api-agent-mode": ("users/{person}/agents/{agent}/mode", {"mode": "off", "until": None}),
    "api-user-resume": ("users/{person}/resume", {}),
    "api-merge": ("users/{person}/merge?user_id=alice", {}),
    "api-link": ("users/{person}/link", {}),
    "api-erasures": ("erasures?user_id=alice", MINE),
    "api-erasure": ("erasures/{erasure}", None),
    "api-deletions": ("deletions?user_id=alice", None),
    "api-deletion-ack": ("deletions/{erasure}/ack", {}),
    "api-job": ("jobs/{job}", None),
    "api-decisions": ("decisions?user_id=alice", None),
    "api-audit": ("audit?user_id=alice", None),
    "api-documents GET": ("knowledge/documents", None),
    "api-documents POST": ("knowledge/documents", {"source": "a.md", "text": "# 手册 manual"}),
    "api-document": ("knowledge/documents/{document}", None),
    "api-document-text": ("knowledge/documents/{document}/text", None),
    "api-knowledge-search": ("knowledge/search", {"query": "手册 manual"}),
    "health-live": ("/health/live", None),
    "health-ready": ("/health/ready", None),
    "api-schema": ("/api/schema/", None),
    "api-docs": ("/api/docs/", None),
    "api-anything-else": ("nothing/here", None),
}
