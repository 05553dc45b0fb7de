"""What is left of a task that has ended: an episode with its outcome, its steps and what was seen."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.principal import Principal
from memory.policy import PROCEDURE
from memory.write.procedures import CANCELLED, SUCCESS, Ended, note_end


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an agent says about the end of a task.

    ``kind`` is what sort of task it was (absent: its goal), ``steps`` how it was done (absent: what the
    board has under ``done``), ``outcome`` success or failure, ``cause`` why.
    """

    kind: str = ""
    outcome: str = SUCCESS
    cause: str = ""
    steps: Sequence[str] = ()


def remember_end(
    principal: Principal,
    *,
    state: Mapping[str, Any],
    event_ids: Sequence[uuid.UUID],
    report: Report,
    cancelled: bool,
) -> None:
    """Write the episode of a task, in the transaction that ends it; a task without a goal leaves none."""
    goal = str(state.get("goal", "")).strip()
    if not goal:
        return
    done = [one for one in state.get("done", []) if isinstance(one, str) and one.strip()]
    note_end(
        principal,
        Ended(
            kind=(report.kind or goal)[: PROCEDURE.max_title],
            goal=goal,
            outcome=CANCELLED if cancelled else report.outcome,
            steps=tuple(report.steps or done)[: PROCEDURE.max_steps],
            cause=report.cause,
            event_ids=event_ids,
        ),
    )
