"""What a search of documents costs: the same number of queries for a few passages and for many."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Cast
from tests.memory.knowledge.shelf import look, put

MOST = 8


def shelf(cast: Cast, *, documents: int, sections: int) -> None:
    for number in range(documents):
        parts = (
            f"## Part {one}\n\nKayak 皮划艇 {number} {one} is blue." for one in range(sections)
        )
        put(cast.acme, f"book {number}.md", "# Boats 船\n\n" + "\n\n".join(parts))


def queries(cast: Cast) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert look(cast.acme, "Which kayak 皮划艇 is blue?", top_k=20, max_tokens=2000).passages
    return len([one for one in captured if one["sql"] not in ("BEGIN", "COMMIT")])


@pytest.mark.django_db(transaction=True)
def test_a_search_asks_the_same_for_one_passage_and_for_many(cast: Cast) -> None:
    shelf(cast, documents=1, sections=1)
    few = queries(cast)
    shelf(cast, documents=6, sections=8)
    assert queries(cast) == few <= MOST
