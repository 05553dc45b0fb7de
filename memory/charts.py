"""Small bar charts as SVG, drawn by the server: no script, no style, a table beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT, GAP, LEAST = 240, 56, 4, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One week or day: its bar in the drawing's units, and its row in the table."""

    x: int
    y: int
    width: int
    height: int
    begins: datetime
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars, their drawing's size, and what they add up to."""

    bars: Sequence[Bar]
    width: int
    height: int
    total: int
    best: datetime | None


def bars(spans: Sequence[tuple[datetime, int]]) -> Chart:
    """Return the chart of numbers of weeks or days; one without any is a thin line, never nothing."""
    most = max((number for _, number in spans), default=0)
    step = WIDTH // max(len(spans), 1)
    drawn = []
    for position, (begins, number) in enumerate(spans):
        height = max(LEAST, round(number / most * HEIGHT)) if most else LEAST
        drawn.append(
            Bar(
                x=position * step,
                y=HEIGHT - height,
                width=max(1, step - GAP),
                height=height,
                begins=begins,
                number=number,
            )
        )
    return Chart(
        bars=drawn,
        width=WIDTH,
        height=HEIGHT,
        total=sum(number for _, number in spans),
        best=max(spans, key=lambda one: one[1])[0] if most else None,
    )
