"""How a person looks at what is kept: pages of lists, what counts as recent, what is one visit."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPolicy:
    """Sizes and spans of the person's pages."""

    page: int = 50  # memories in one piece of the list
    recent: timedelta = timedelta(days=30)  # what was learnt in it is recently learnt
    unused: timedelta = timedelta(days=90)  # without a use for so long, a memory is unused
    use: timedelta = timedelta(minutes=10)  # of the profile, uses are noted this far apart
    visit: timedelta = timedelta(minutes=30)  # after a pause this long, the next visit begins
    views: int = 10  # saved views of one person
    preview: int = 5  # statements shown before many memories are changed at once
    months: int = 24  # of the timeline
    tries: int = 3  # so often a page is made anew when something on it is erased meanwhile


LOOK = LookPolicy()
