"""POST /memories/batch: each item stands for itself."""

import pytest

from tests.cast import Api, Cast
from tests.memory.wire import body_of


def test_a_malformed_item_fails_alone(cast: Cast) -> None:
    api = Api(cast.keys["assistant"])
    items = [
        {"text": "我住在苏州。"},
        {"text": "Likes tea", "colour": "green"},
        {"text": "喜欢茶", "confidence": 7},
        {},
        {"text": "Works as a nurse in Leeds."},
    ]
    body = body_of(api("POST", "memories/batch", {"user_id": "alice", "memories": items}))
    assert [one["status"] for one in body["results"]] == [201, 400, 400, 400, 201]
    assert [one.get("code") for one in body["results"][1:4]] == ["invalid_input"] * 3
    assert "colour" in body["results"][1]["detail"]


@pytest.mark.parametrize("memories", [[], "text", ["text", "茶"], None, {}])
def test_what_is_no_list_of_objects_is_refused_whole(cast: Cast, memories: object) -> None:
    api = Api(cast.keys["assistant"])
    answer = api("POST", "memories/batch", {"user_id": "alice", "memories": memories})
    assert answer.status_code == 400
