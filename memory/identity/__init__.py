"""One person on several devices: what is remembered of an anonymous subject becomes a person's."""
