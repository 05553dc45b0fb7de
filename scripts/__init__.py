"""Commands for developers, run from the project's root as ``python -m scripts.NAME``."""
