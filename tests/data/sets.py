"""Where others' development data lies, beside a checkout; without it, tests skip."""

from pathlib import Path

CONVERSATIONS = Path(__file__).parents[2] / "../shared/data/retrieval/memorybank_zh.jsonl"
