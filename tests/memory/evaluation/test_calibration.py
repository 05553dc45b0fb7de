"""Calibrating an embedder: the service's own is the reference, any other is brought onto its scale."""

import json
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from memory.index.scale import scale_of, through
from memory.models import Calibration
from memory.policy import REFERENCE, WRITE
from memory.providers import server
from memory.providers.embedding import get_embedder, reset_embedder
from tests.cast import Api, Cast
from tests.memory.providers.endpoint import DIM, Endpoint, Reply, running
from tests.memory.wire import propose, recall, texts

TWINS = (
    "I water the plants on the balcony at dawn",
    "At dawn I water the plants on my balcony",
)


@pytest.fixture
def endpoint(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A server with a good model of another make: every cosine c of the own one is (c + 1) / 2."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(server, "PAUSE", 0.01)
    monkeypatch.setattr(server, "TRIES", 1)
    reset_embedder()
    with override_settings(EMBEDDER="e5s-use-896"):
        own = get_embedder()
    reset_embedder()
    with running() as found:
        found.embed = lambda asked: [[*row, 1.0] for row in own.passage(asked).tolist()]
        with override_settings(
            EMBEDDER="openai-compatible",
            EMBEDDING_BASE_URL=found.base_url,
            EMBEDDING_MODEL="other",
            EMBEDDING_DIM=own.dim + 1,
        ):
            yield found
    reset_embedder()


def calibrate() -> str:
    out = StringIO()
    call_command("calibrate", "--json", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_policys_thresholds_are_those_of_the_own_embedder() -> None:
    reset_embedder()
    found = json.loads(calibrate())
    assert found["gate"] == pytest.approx(REFERENCE.gate, abs=0.01)
    assert found["duplicate"] == pytest.approx(REFERENCE.duplicate, abs=0.01)
    assert found["wrong"] == 0 and found["area"] > 0.95
    assert not Calibration.objects.exists()


@pytest.mark.django_db
def test_a_measured_endpoint_serves_like_the_own_embedder(endpoint: Endpoint, api: Api) -> None:
    assert propose(api, TWINS[0])["outcome"] == "accepted"
    assert recall(api, "What is my dog called?")["degraded"] == ["calibration"]
    assert propose(api, TWINS[1])["outcome"] == "accepted"  # nothing is merged by guess
    calibrate()
    scale = scale_of(get_embedder())
    assert scale is not None
    assert scale.offset == pytest.approx(0.5, abs=0.05)
    assert scale.factor == pytest.approx(2.0, abs=0.2)
    first, second = ("我每天清晨给阳台上的花浇水。", "我每天清晨都给阳台的花浇水。")
    propose(api, first)
    assert propose(api, second)["reasons"] == ["duplicate_near"]
    assert propose(api, "我每天傍晚给楼下的猫喂食。")["outcome"] == "accepted"
    answer = recall(api, "谁给阳台上的花浇水？")
    assert (answer["status"], answer["degraded"]) == ("found", [])
    assert first in texts(answer["memories"])
    assert recall(api, "Explain quicksort in Python.")["status"] == "nothing_relevant"


@pytest.mark.deep
@pytest.mark.django_db
def test_measuring_again_replaces_what_was_measured(endpoint: Endpoint) -> None:
    calibrate()
    Calibration.objects.update(gate=0.1, duplicate=0.9)
    calibrate()
    (kept,) = Calibration.objects.all()
    assert (kept.name, round(kept.gate, 1)) == ("other", 0.6)


@pytest.mark.django_db
def test_a_model_without_meaning_gets_no_thresholds(endpoint: Endpoint) -> None:
    endpoint.embed = Endpoint().embed
    with override_settings(EMBEDDING_DIM=DIM), pytest.raises(CommandError, match="small talk"):
        calibrate()
    assert not Calibration.objects.exists()


@pytest.mark.django_db
def test_a_server_that_is_away_changes_nothing(endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(status=503)] * 3
    with pytest.raises(CommandError, match="embedding server"):
        calibrate()
    assert not Calibration.objects.exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_other_vectors_are_another_model(endpoint: Endpoint) -> None:
    """A calibration belongs to a name and a dimension: a new model under a new name has none."""
    calibrate()
    with override_settings(EMBEDDING_MODEL="newer"):
        reset_embedder()
        assert scale_of(get_embedder()) is None
    reset_embedder()


@given(gate=st.floats(-0.5, 0.8), apart=st.floats(0.05, 0.5), threshold=st.floats(0, 1))
def test_the_line_meets_both_points_and_leads_back(
    gate: float, apart: float, threshold: float
) -> None:
    scale = through(gate=gate, duplicate=gate + apart)
    assert (gate - scale.offset) * scale.factor == pytest.approx(REFERENCE.gate)
    assert scale.own(REFERENCE.duplicate) == pytest.approx(gate + apart)
    assert (scale.own(threshold) - scale.offset) * scale.factor == pytest.approx(threshold)


def test_merging_begins_where_the_guard_decides() -> None:
    """The threshold for merging lies below what nearly all true doubles reach; the guard does the rest."""
    assert REFERENCE.gate < WRITE.duplicate < REFERENCE.duplicate
