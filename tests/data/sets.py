"""Where development data lies beside a checkout; tests that want it skip, visibly, without it."""

from pathlib import Path

CONVERSATIONS = Path(__file__).parents[2] / "../shared/data/retrieval/memorybank_zh.jsonl"
