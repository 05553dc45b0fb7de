"""/knowledge over HTTP: files and texts in, citations out."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from memory import jobs
from memory.models import Job
from tests.cast import Api, Cast, pipeline_key
from tests.memory.knowledge.files import HANDBOOK, pdf
from tests.memory.wire import body_of, problem

DOCUMENTS = "knowledge/documents"


@pytest.fixture
def api(cast: Cast) -> Api:
    """A pipeline of Acme."""
    return Api(cast.keys["pipeline"])


def send(api: Api, file: bytes, name: str, *, headers: Any = None, **fields: Any) -> Any:
    """Send a file as a form."""
    body = {"file": SimpleUploadedFile(name, file)} | fields
    return api.client.post(f"/api/v1/{DOCUMENTS}?wait=true", body, headers=headers)


def put(api: Api, source: str, text: str, **more: Any) -> dict[str, Any]:
    response = api("POST", f"{DOCUMENTS}?wait=true", {"source": source, "text": text} | more)
    assert response.status_code in (200, 201), response.content
    body: dict[str, Any] = response.json()
    return body


def test_a_text_is_taken_in_replaced_and_deleted(api: Api, cast: Cast) -> None:
    sent = {"source": "hr/手册.md", "text": HANDBOOK}
    new = body_of(api("POST", DOCUMENTS, sent), 202)
    assert new["state"] == "pending" and new["job"]["state"] == "pending"
    jobs.run_job(Job.objects.get().id)
    done = body_of(api("GET", f"jobs/{new['job']['id']}"))
    assert (done["kind"], done["state"]) == ("index", "succeeded")
    shown = body_of(api("GET", f"{DOCUMENTS}/{new['id']}"))
    assert (shown["state"], shown["revision"], shown["passages"]) == ("ready", 1, 4)
    assert (shown["source"], shown["title"]) == ("hr/手册.md", "员工手册 Handbook")
    same = body_of(api("POST", DOCUMENTS, sent), 200)
    assert same["id"] == new["id"] and "job" not in same
    changed = put(api, "hr/手册.md", HANDBOOK + "\n## 新 New\n\nMore words.\n")
    assert (changed["id"], changed["revision"], changed["state"]) == (new["id"], 2, "ready")
    assert api("DELETE", f"{DOCUMENTS}/{new['id']}").status_code == 204
    problem(api("GET", f"{DOCUMENTS}/{new['id']}"), 404, "not_found")
    assert body_of(api("GET", DOCUMENTS)) == {"documents": [], "next": None}


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("returns.pdf", pdf("退货 returns within 30 days"), "30 days"),
        ("returns.html", "<h1>退货</h1><p>returns within 30 days</p>".encode(), "30 days"),
        ("returns.txt", "退货 returns within 30 days".encode(), "30 days"),
    ],
)
def test_a_file_is_found_with_its_citation(
    api: Api, cast: Cast, name: str, file: bytes, words: str
) -> None:
    body = body_of(send(api, file, name, source=f"shop/{name}"), 201)
    agent = Api(cast.keys["assistant"])
    answer = body_of(
        agent("POST", "knowledge/search", {"query": "退货 returns within how many days"})
    )
    (found,) = answer["passages"]
    assert answer["status"] == "found" and words in found["text"]
    assert found["document_id"] == body["id"]
    assert found["page"] == (1 if name.endswith("pdf") else None)
    span = f"start={found['start']}&end={found['end']}"
    opened = body_of(agent("GET", f"{DOCUMENTS}/{body['id']}/text?{span}"))
    assert opened["text"] == found["text"]
    assert opened["revision"] == found["revision"] == 1


def test_documents_are_listed_in_pages_and_by_source(api: Api) -> None:
    for n in range(3):
        put(api, f"第{n}.md", f"# {n}\n\n正文 words.\n")
    first = body_of(api("GET", f"{DOCUMENTS}?limit=2"))
    rest = body_of(api("GET", f"{DOCUMENTS}?limit=2&cursor={first['next']}"))
    names = [one["source"] for page in (first, rest) for one in page["documents"]]
    assert names == ["第2.md", "第1.md", "第0.md"] and rest["next"] is None
    (one,) = body_of(api("GET", f"{DOCUMENTS}?source=第1.md"))["documents"]
    assert one["title"] == "1"
    assert body_of(api("GET", f"{DOCUMENTS}?source=other"))["documents"] == []


def test_search_is_narrowed_and_cut(api: Api) -> None:
    ids = [put(api, f"{n}.md", f"# 运费 {n}\n\n运费由买家支付。\n")["id"] for n in range(4)]
    ask = {"query": "运费由谁支付", "top_k": 3}
    assert len(body_of(api("POST", "knowledge/search", ask))["passages"]) == 3
    narrow = body_of(api("POST", "knowledge/search", ask | {"documents": ids[:1]}))
    assert [one["document_id"] for one in narrow["passages"]] == ids[:1]
    held = body_of(api("POST", "knowledge/search", ask | {"max_tokens": 1}))
    assert (held["status"], held["held_back"]) == ("nothing_relevant", {"over_budget": 4})


def test_a_request_sent_again_is_done_once(api: Api) -> None:
    def again(words: str) -> Any:
        headers = {"Idempotency-Key": "k1"}
        return send(api, pdf(words), "a.pdf", source="a.pdf", headers=headers)

    first = body_of(again("退货 words"), 201)
    replayed = again("退货 words")
    assert replayed["Idempotency-Replayed"] == "true"
    assert replayed.json()["id"] == first["id"]
    problem(again("other"), 422, "idempotency_conflict")
    assert Job.objects.count() == 1
    assert api("DELETE", f"{DOCUMENTS}/{first['id']}").status_code == 204
    problem(again("退货 words"), 410, "gone")


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({}, 400, "invalid_input"),
        ({"source": "a"}, 400, "invalid_input"),
        ({"source": "a.md", "colour": "red"}, 400, "invalid_input"),
        ({"source": "a.md", "format": "docx"}, 400, "invalid_input"),
        ({"source": "a\x07.md"}, 400, "invalid_input"),
        ({"source": ["a.md", "b.md"]}, 400, "invalid_input"),
        ({"source": "x" * 501 + ".md"}, 400, "invalid_input"),
        ({f"f{n}": "x" for n in range(12)}, 400, "invalid_input"),
        ({"source": "a.md", "title": "x" * 2_100_000}, 400, "invalid_input"),
    ],
)
def test_a_form_nobody_means_is_refused(
    api: Api, fields: dict[str, Any], status: int, code: str
) -> None:
    name = "a.bin" if fields == {"source": "a"} else "a.md"
    file = "我们的手册 our manual " * 40
    problem(send(api, file.encode(), name, **fields), status, code)


def test_a_form_is_whole_has_one_file_and_fits(api: Api, settings: Any) -> None:
    two = [SimpleUploadedFile(f"{n}.md", b"# words") for n in range(2)]
    address = f"/api/v1/{DOCUMENTS}"
    problem(api.client.post(address, {"source": "a.md", "file": two}), 400, "invalid_input")
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data"):
        answer = api.client.post(address, b"--x\r\nnothing", content_type=kind)
        problem(answer, 400, "invalid_input")
    empty = {"source": "a.md", "file": SimpleUploadedFile("a.md", b"")}
    problem(api.client.post(address, empty), 400, "invalid_input")
    as_text = {"source": "a.md", "file": "words"}
    problem(api.client.post(address, as_text), 400, "invalid_input")
    settings.MAX_DOCUMENT_BYTES = 1000
    problem(send(api, b"x" * 1001, "a.md", source="a.md"), 413, "too_large")


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("我喜欢靠窗的座位。", 422, "belongs_in_memory"),
        ("I prefer window seats.", 422, "belongs_in_memory"),
        (" ", 400, "invalid_input"),
    ],
)
def test_what_belongs_elsewhere_is_said(api: Api, text: str, status: int, code: str) -> None:
    found = problem(api("POST", DOCUMENTS, {"source": "a.md", "text": text}), status, code)
    assert code != "belongs_in_memory" or "POST /api/v1/memories" in found["detail"]


def test_nobody_else_s_documents_are_seen(api: Api, cast: Cast) -> None:
    body = put(api, "quokkaberry.md", "# Quokkaberry 金丝雀巷\n\n" + "Secret words 秘密. " * 20)
    for key in (cast.keys["stranger"], pipeline_key(cast.globex)):
        other = Api(key)
        for method, path, ask in (
            ("GET", DOCUMENTS, None),
            ("GET", f"{DOCUMENTS}?source=quokkaberry.md", None),
            ("GET", f"{DOCUMENTS}/{body['id']}", None),
            ("GET", f"{DOCUMENTS}/{body['id']}/text", None),
            ("POST", "knowledge/search", {"query": "quokkaberry 金丝雀巷 秘密"}),
            (
                "POST",
                "knowledge/search",
                {"query": "quokkaberry 金丝雀巷 秘密", "documents": [body["id"]]},
            ),
        ):
            told = json.dumps(other(method, path, ask).json(), ensure_ascii=False)
            assert "uokka" not in told and "秘密" not in told and body["id"] not in told
        assert other("DELETE", f"{DOCUMENTS}/{body['id']}").status_code in (403, 404)
    # The same source at another tenant is another document.
    assert put(Api(pipeline_key(cast.globex)), "quokkaberry.md", HANDBOOK)["id"] != body["id"]
    assert body_of(api("GET", f"{DOCUMENTS}/{body['id']}"))["revision"] == 1


def test_a_pipeline_reaches_no_memory_and_its_jobs_no_agent(api: Api, cast: Cast) -> None:
    problem(api("POST", "recall", {"user_id": "alice", "query": "x"}), 403, "forbidden")
    job = body_of(api("POST", DOCUMENTS, {"source": "a.md", "text": HANDBOOK}), 202)["job"]["id"]
    for key in ("assistant", "alice", "stranger"):
        problem(Api(cast.keys[key])("GET", f"jobs/{job}"), 404, "not_found")
    problem(Api(pipeline_key(cast.globex))("GET", f"jobs/{job}"), 404, "not_found")
