"""An agent's verdicts move a memory's confidence by small steps, never past the bounds."""

from hypothesis import given
from hypothesis import strategies as some

from memory.choices import Trust
from memory.choices.verdicts import Verdict
from memory.policy import FEEDBACK
from memory.write.feedback import moved


@given(
    start=some.floats(0, 1),
    trust=some.sampled_from(Trust),
    said=some.lists(some.tuples(some.sampled_from(Verdict), some.integers(1, 50)), max_size=60),
)
def test_no_agent_leads_it_past_the_bounds(
    start: float, trust: Trust, said: list[tuple[Verdict, int]]
) -> None:
    confidence = start
    for verdict, share in said:
        after = moved(confidence, trust=trust, verdict=verdict, share=share)
        step = FEEDBACK.helped if verdict == Verdict.HELPED else FEEDBACK.hurt
        assert abs(after - confidence) <= step + 1e-9
        confidence = after
    assert min(start, FEEDBACK.floor) <= confidence <= max(start, FEEDBACK.ceiling)
    if trust >= Trust.CONFIRMED:
        assert confidence >= min(start, FEEDBACK.floor_confirmed)
