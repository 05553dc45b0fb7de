"""/users: our id for the person a caller names."""

import pytest

from accounts.models import AuditEvent, Subject
from tests.cast import Api, Cast
from tests.memory.wire import body_of, problem


@pytest.mark.parametrize("user_id", ["dora", "朵拉/2 🌸", "d" * 200])
def test_a_new_person_is_201_then_200_with_one_id(api: Api, cast: Cast, user_id: str) -> None:
    first = body_of(api("POST", "users", {"user_id": user_id}), 201)
    again = body_of(api("POST", "users", {"user_id": user_id}), 200)
    assert first == again and first["user_id"] == user_id
    subject = Subject.objects.get(tenant=cast.acme, external_id=user_id)
    assert str(subject.id) == first["id"]
    assert AuditEvent.objects.filter(code="subject.created", subject_id=subject.id).count() == 1


def test_a_known_person_is_found_by_the_caller_s_id(api: Api, cast: Cast) -> None:
    found = body_of(api("GET", "users?user_id=alice"))
    assert found == {"id": str(cast.alice.id), "user_id": "alice"}


def test_two_tenants_people_of_one_name_are_two(api: Api, cast: Cast) -> None:
    other = body_of(Api(cast.keys["stranger"])("GET", "users?user_id=alice"))
    assert other["id"] == str(cast.charlie.id) != str(cast.alice.id)


def test_nobody_is_404_and_looking_makes_nobody(api: Api) -> None:
    problem(api("GET", "users?user_id=%E6%9D%8E%E9%9B%B7"), 404, "not_found")
    assert not Subject.objects.filter(external_id="李雷").exists()


def test_looking_a_person_up_leaks_nothing_of_another_tenant(api: Api) -> None:
    problem(Api(None)("GET", "users?user_id=alice"), 401, "not_authenticated")
    problem(api("GET", "users?user_id=charlie"), 404, "not_found")


def test_a_person_s_key_knows_nobody_else(cast: Cast) -> None:
    own = Api(cast.keys["alice"])
    assert body_of(own("GET", "users?user_id=alice"))["id"] == str(cast.alice.id)
    for method, path, body in (
        ("GET", "users?user_id=bob", None),
        ("POST", "users", {"user_id": "bob"}),
        ("POST", "users", {"user_id": "somebody new 新人"}),
    ):
        problem(own(method, path, body), 404, "not_found")
    assert not Subject.objects.filter(external_id="somebody new 新人").exists()


@pytest.mark.parametrize("user_id", ["", " ", "a ", "\u0000", "\ud800", "tab\there", 7.5, None, []])
def test_no_person_is_made_of_what_is_no_id(api: Api, user_id: object) -> None:
    before = Subject.objects.count()
    problem(api("POST", "users", {"user_id": user_id}), 400, "invalid_input")
    assert Subject.objects.count() == before


@pytest.mark.parametrize("query", ["", "?user_id=", "?user=alice", "?user_id=alice&all=true"])
def test_a_query_without_a_person_is_400(api: Api, query: str) -> None:
    problem(api("GET", f"users{query}"), 400, "invalid_input")


def test_a_pipeline_has_no_business_here(cast: Cast) -> None:
    problem(Api(cast.keys["pipeline"])("GET", "users?user_id=alice"), 403, "forbidden")
