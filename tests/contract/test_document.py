"""The OpenAPI document itself, its committed copy, and the page that shows it."""

import re
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from tests.architecture.source import ROOT

COPY = ROOT / "docs" / "openapi.yaml"
REGENERATE = "manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml"
KEYLESS = {
    "post_recall": "reads",
    "post_recall_explain": "reads",
    "post_memories_search": "reads",
    "post_session_compact": "again: nothing changes",
    "post_session_context": "reads",
    "post_knowledge_search": "reads",
    "post_user_merge": "asked again, it is the same question",
    "post_user_link": "answers with a secret that is stored nowhere; sent again, it makes another",
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(COPY.read_text())
    return made


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"method": method, "path": path, **operation}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_the_document_is_valid_and_nothing_is_guessed(tmp_path: Any) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi"))


def test_the_committed_copy_is_the_document() -> None:
    generator: Any = SchemaGenerator  # untyped, as is the renderer
    renderer: Any = OpenApiYamlRenderer
    made = renderer().render(generator().get_schema(public=True), {})
    assert made.decode() == COPY.read_text(), f"The API has changed: {REGENERATE}"


def test_it_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"


def test_every_operation_can_be_called_by_a_short_name(operations: list[dict[str, Any]]) -> None:
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names)) > 10
    assert all(re.fullmatch(r"(get|post|put|patch|delete)(_[a-z]+)+", name) for name in names)


def test_every_operation_says_what_it_does_takes_and_answers(
    operations: list[dict[str, Any]],
) -> None:
    for one in operations:
        name = one["operationId"]
        assert one["summary"] and len(one["tags"]) == 1, name
        assert one["security"] == [{"bearer": []}, {"apiKey": []}], name
        assert {"400", "401", "403", "404", "429"} <= set(one["responses"]), name
        for status, response in one["responses"].items():
            if status.startswith("2") and status != "204":
                assert "$ref" in response["content"]["application/json"]["schema"], name
        if "requestBody" in one:
            assert "$ref" in one["requestBody"]["content"]["application/json"]["schema"], name


def test_every_write_takes_an_idempotency_key(operations: list[dict[str, Any]]) -> None:
    for one in operations:
        headers = {each["name"] for each in one.get("parameters", ()) if each["in"] == "header"}
        writes = one["method"] != "get" and one["operationId"] not in KEYLESS
        assert ("Idempotency-Key" in headers) == writes, one["operationId"]


def test_every_list_has_bounds(operations: list[dict[str, Any]]) -> None:
    found = 0
    for one in operations:
        for parameter in one.get("parameters", ()):
            if parameter["name"] == "limit":
                found += 1
                assert 1 <= parameter["schema"]["maximum"] <= 1000, one["operationId"]
                assert parameter["schema"]["minimum"] == 1
    assert found


# --- the page ------------------------------------------------------------------------------------


def test_the_page_needs_nothing_from_elsewhere(db: None, settings: Any) -> None:
    # As after collectstatic, which tests do not run.
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    client = Client()
    page = client.get("/api/docs/")
    html = page.content.decode()
    assert page.status_code == 200
    addresses = re.findall(r"""(?:src|href)=["']([^"']+)""", html)
    assert len(addresses) >= 4
    assert [one for one in addresses if not one.startswith("/")] == []
    for address in addresses:
        answer = client.get(address.replace("&amp;", "&"))
        assert answer.status_code == 200, address
    assert "http://" not in html and "https://" not in html


def test_the_page_s_own_script_reads_our_document(db: None) -> None:
    script = Client().get("/api/docs/?script=").content.decode()
    assert "/api/schema/" in script
    assert not re.search(r"https?://", script)
    assert '"validatorUrl": null' in script


def test_the_page_is_bound_to_this_server(db: None) -> None:
    policy = Client().get("/api/docs/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "http" not in policy


@pytest.mark.parametrize("kind", ["application/json", "application/vnd.oai.openapi+json"])
def test_the_document_comes_as_json_too(db: None, kind: str) -> None:
    answer = Client().get("/api/schema/", headers={"Accept": kind})
    assert answer.status_code == 200
    assert answer.json()["openapi"] == "3.1.0"
