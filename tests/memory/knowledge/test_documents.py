"""Documents through their services: taken in, replaced, read, failed, deleted whole."""

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from accounts.acting import acting
from accounts.models import AuditEvent
from memory import jobs
from memory.choices import JobState, RecallStatus
from memory.choices.documents import DocumentFault, DocumentFormat, DocumentState
from memory.errors import BelongsInMemory, Forbidden, InvalidInput, NotFound, TooLarge, VaultError
from memory.knowledge import documents
from memory.knowledge.reading import read
from memory.knowledge.upload import Upload, check, is_personal
from memory.models import (
    Document,
    DocumentKey,
    Job,
    Passage,
    PassageTerm,
    PassageVector,
)
from memory.vault import open_tenant_vault
from tests.cast import Cast, operator, principal_of
from tests.memory.knowledge.files import HANDBOOK, pdf
from tests.memory.knowledge.shelf import look, pipeline, put, without_embedder

READ = "memory.knowledge.index.read"
TABLES = (Document, Passage, PassageTerm, PassageVector, DocumentKey)


def row_of(cast: Cast, document_id: uuid.UUID) -> Document:
    with acting(pipeline(cast.acme)):
        return Document.objects.get(id=document_id)


def counts(cast: Cast) -> dict[str, int]:
    with acting(pipeline(cast.acme)):
        return {model.__name__: model._default_manager.count() for model in TABLES}


def test_a_document_is_read_and_found_with_its_citation(cast: Cast) -> None:
    document_id = put(cast.acme, "hr/handbook.md", HANDBOOK)
    row = row_of(cast, document_id)
    assert (row.state, row.revision, row.fault) == (DocumentState.READY, 1, "")
    assert (row.characters, row.passage_count, bytes(row.original)) == (len(HANDBOOK), 4, b"")
    for question, words in (
        ("出差报销要多少天内提交", "三十天内"),
        ("days of leave a year", "28 days"),
    ):
        found = look(cast.acme, question).passages[0]
        assert words in found.text
        assert HANDBOOK[found.start : found.end] == found.text
        assert (found.document_id, found.title) == (document_id, "员工手册 Handbook")
        assert found.section[0] == "员工手册 Handbook"


def test_the_text_of_a_citation_can_be_opened(cast: Cast) -> None:
    document_id = put(cast.acme, "a.txt", "第一段。\n\nSecond paragraph.\n\n" + "长" * 3000)
    one = documents.text_of(pipeline(cast.acme), document_id, start=4, end=12)
    assert (one.text, one.start, one.end, one.revision) == ("\n\nSecond", 4, 12, 1)
    rest = documents.text_of(pipeline(cast.acme), document_id, start=20, end=None)
    assert rest.text.endswith("长" * 3000) and rest.end == rest.characters
    beyond = documents.text_of(pipeline(cast.acme), document_id, start=9999, end=None)
    assert (beyond.text, beyond.start, beyond.end) == ("", 9999, 9999)


def test_the_same_file_again_changes_nothing(cast: Cast) -> None:
    first = put(cast.acme, "a.md", HANDBOOK)
    before = Job.objects.count()
    assert put(cast.acme, "a.md", HANDBOOK) == first
    assert Job.objects.count() == before
    assert row_of(cast, first).revision == 1


def test_a_changed_file_replaces_the_one_before(cast: Cast) -> None:
    first = put(cast.acme, "a.md", "# 运费\n\n运费由卖家支付。\n")
    assert put(cast.acme, "a.md", "# 运费\n\n运费由买家支付，国际件另算。\n") == first
    assert row_of(cast, first).revision == 2
    (found,) = look(cast.acme, "运费由谁支付").passages
    assert "买家" in found.text and found.revision == 2
    assert counts(cast)["Document"] == 1
    assert counts(cast)["PassageVector"] == counts(cast)["Passage"] == 1


def test_the_old_text_serves_until_the_new_one_is_read_and_when_that_fails(cast: Cast) -> None:
    document_id = put(cast.acme, "a.pdf", pdf("退货须在三十天内"))
    send = Upload(source="a.pdf", content=b"%PDF-1.7 broken", format=DocumentFormat.PDF)
    stored = documents.store(pipeline(cast.acme), send)
    assert look(cast.acme, "退货几天内").passages
    assert stored.job is not None
    jobs.run_job(stored.job.id)
    row = row_of(cast, document_id)
    assert (row.state, row.fault, row.revision) == (DocumentState.FAILED, DocumentFault.BROKEN, 1)
    assert look(cast.acme, "退货几天内").passages
    again = documents.store(pipeline(cast.acme), send)
    assert again.job is not None, "what failed may be tried again"


def test_a_newer_file_that_comes_while_one_is_read_wins(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*args: Any) -> Any:
        monkeypatch.setattr(READ, read)
        put(cast.acme, "a.md", "# New\n\nThe newer words.\n")
        return read(*args)

    monkeypatch.setattr(READ, slow)
    document_id = put(cast.acme, "a.md", "# Old\n\nThe older words.\n")
    (found,) = look(cast.acme, "older or newer words").passages
    assert "newer" in found.text
    assert row_of(cast, document_id).state == DocumentState.READY


def test_a_file_that_brings_its_reader_down_is_given_up(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(READ, lambda *_: (_ for _ in ()).throw(MemoryError))
    document_id = put(cast.acme, "a.md", HANDBOOK)
    for _ in range(5):
        Job.objects.update(due_at="2020-01-01T00:00Z")
        jobs.run_job(Job.objects.get().id)
    assert Job.objects.get().state == JobState.SUCCEEDED
    row = row_of(cast, document_id)
    assert (row.state, row.fault, bytes(row.original)) == ("failed", "broken", b"")


def test_words_find_it_while_the_embedder_is_away(cast: Cast) -> None:
    with without_embedder():
        document_id = put(cast.acme, "a.md", HANDBOOK)
        assert row_of(cast, document_id).state == DocumentState.INDEXING
        answer = look(cast.acme, "病假超过三天需要医生证明吗")
        assert answer.status == RecallStatus.DEGRADED and answer.degraded == ["meaning"]
        assert "医生证明" in answer.passages[0].text
    Job.objects.update(due_at="2020-01-01T00:00Z")
    jobs.run_job(Job.objects.get().id)
    assert row_of(cast, document_id).state == DocumentState.READY


def test_long_documents_are_embedded_piece_by_piece(cast: Cast) -> None:
    text = "".join(f"# 第{n}章\n\n正文 words number {n}.\n\n" for n in range(40))
    document_id = put(cast.acme, "long.md", text)
    pieces = 1
    while row_of(cast, document_id).state != DocumentState.READY:
        jobs.run_job(Job.objects.get().id)
        pieces += 1
    assert pieces == 3
    assert counts(cast)["PassageVector"] == 40
    assert Job.objects.get().state == JobState.SUCCEEDED


def test_deleting_leaves_nothing(cast: Cast) -> None:
    kept = put(cast.acme, "keep.md", HANDBOOK)
    before = counts(cast)
    gone = put(cast.acme, "gone.md", "# Quokkaberry\n\n金丝雀巷 words.\n")
    with acting(pipeline(cast.acme)):
        sealed = Passage.objects.get(document_id=gone)
        vault = open_tenant_vault(pipeline(cast.acme))
    documents.delete(pipeline(cast.acme), gone)
    assert counts(cast) == before
    with acting(pipeline(cast.acme)):
        from memory.knowledge.opening import open_text

        with pytest.raises(VaultError):
            open_text(vault, sealed)  # a copy in a backup has no key any more
    for model in apps.get_app_config("memory").get_models():
        if model is not Job:
            assert not _mentions(model._meta.db_table, gone), model
    assert not look(cast.acme, "quokkaberry 金丝雀巷").passages
    with pytest.raises(NotFound):
        documents.delete(pipeline(cast.acme), gone)
    assert row_of(cast, kept).state == DocumentState.READY


def _mentions(table: str, id_: uuid.UUID) -> bool:
    with connection.cursor() as cursor, acting(pipeline_of_all()):
        cursor.execute(f'SELECT count(*) FROM "{table}" t WHERE t::text LIKE %s', [f"%{id_}%"])
        return bool(cursor.fetchone()[0])


def pipeline_of_all() -> Any:
    from accounts.models import Tenant

    return pipeline(Tenant.objects.get(name="Acme"))


def test_a_job_of_a_deleted_document_ends(cast: Cast) -> None:
    upload = Upload(source="a.md", content=HANDBOOK.encode(), format=DocumentFormat.MARKDOWN)
    stored = documents.store(pipeline(cast.acme), upload)
    documents.delete(pipeline(cast.acme), stored.document.id)
    jobs.run_job(Job.objects.get().id)
    assert Job.objects.get().state == JobState.SUCCEEDED


@pytest.mark.parametrize(
    ("source", "content", "error"),
    [
        ("a.pdf", b"no pdf", InvalidInput),
        ("a.md", "退货".encode("gb18030"), InvalidInput),
        ("a.md", b" \n", InvalidInput),
        ("a.md", b"x" * 10_000_001, TooLarge),
        (" a.md", b"x", InvalidInput),
        ("a\n.md", b"x", InvalidInput),
        ("", b"x", InvalidInput),
        ("x" * 501, b"x", InvalidInput),
        ("a.md", "我喜欢靠窗的座位。".encode(), BelongsInMemory),
        ("a.md", b"I prefer window seats.", BelongsInMemory),
    ],
)
def test_what_is_no_document_is_refused(
    source: str, content: bytes, error: type[Exception]
) -> None:
    form = DocumentFormat.PDF if source == "a.pdf" else DocumentFormat.TEXT
    with pytest.raises(error):
        check(Upload(source=source, content=content, format=form))


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("I love jazz.", True),
        ("我住在杭州。", True),
        ("I work as a nurse.", True),
        ("Returns are accepted within 30 days.", False),
        ("退货须在三十天内提出。", False),
        ("Wi-Fi in the lobby is called Guest.", False),
        ("# Jazz\n\nOur café plays jazz on Fridays.", False),
    ],
)
def test_a_persons_own_words_are_told_from_a_short_document(text: str, personal: bool) -> None:
    assert is_personal(text) is personal


def test_only_pipelines_and_operators_write(cast: Cast) -> None:
    upload = Upload(source="a.md", content=HANDBOOK.encode(), format=DocumentFormat.MARKDOWN)
    document_id = documents.store(operator(cast.acme), upload).document.id
    for name in ("assistant", "alice"):
        somebody = principal_of(cast.keys[name], "alice")
        with pytest.raises(Forbidden):
            documents.store(somebody, upload)
        with pytest.raises(Forbidden):
            documents.delete(somebody, document_id)
    with pytest.raises(Forbidden):
        documents.opened(principal_of(cast.keys["alice"], "alice"), document_id)
    documents.opened(principal_of(cast.keys["assistant"], "alice"), document_id)


def test_every_step_leaves_its_line_without_a_word(cast: Cast) -> None:
    document_id = put(cast.acme, "quokka.md", HANDBOOK, title="Quokka")
    look(cast.acme, "quokka")
    documents.delete(pipeline(cast.acme), document_id)
    lines = AuditEvent.objects.filter(code__regex=r"^(document|knowledge)\.").order_by("id")
    assert [line.code for line in lines] == [
        "document.stored",
        "document.indexed",
        "knowledge.searched",
        "document.deleted",
    ]
    assert "quokka" not in str([vars(line) for line in lines]).lower()
