"""Who can see one memory: by the rule that recall obeys, with equal agents asked about once."""

from __future__ import annotations

import uuid

from accounts.choices import MemoryMode
from memory.choices import Visibility
from memory.recall.readers import readers
from tests.cast import Cast, make_agent, make_grant, principal_of, remember


def test_what_one_agent_keeps_to_itself_its_equal_does_not_see(cast: Cast) -> None:
    make_grant(make_agent(cast.acme, "twin 孪生"), cast.alice)  # the very rights of the assistant
    make_grant(make_agent(cast.acme, "away"), cast.alice, memory_mode=MemoryMode.OFF)
    mine = principal_of(cast.keys["assistant"], "alice")
    kept = remember(mine, "我周末去拙政园画画。", visibility=Visibility.AGENT)
    shared = remember(mine, "Plays the cello on Fridays.")
    alice = principal_of(cast.keys["alice"], "alice")

    def sees(memory_id: uuid.UUID) -> set[str]:
        return {one.name for one in readers(alice, memory_id) if one.sees}

    assert sees(kept.id) == {"assistant"}
    assert {"assistant", "twin 孪生"} <= sees(shared.id)
    assert not {"away", "off", "paused", "lapsed"} & sees(shared.id)
