"""Working memory and recalled memory, laid out for a model within a token budget."""
