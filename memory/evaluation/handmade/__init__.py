"""Sets written for this project, on which an embedder is measured and calibrated."""

from pathlib import Path

# Half say the same twice, half differ in a number, a name, a tool, a date …
PAIRS_FILE = Path(__file__).with_name("pairs.jsonl")
# Facts that change: told, told otherwise, and asked about.
UPDATES_FILE = Path(__file__).with_name("updates.jsonl")
# Questions that none of the hand-made memories answers.
NEGATIVES_FILE = Path(__file__).with_name("negatives.jsonl")
# The same, of which most name neither what was nor what it was for.
CHANGES_FILE = Path(__file__).with_name("changes.jsonl")
