"""Taking along: everything about a person as one file."""
