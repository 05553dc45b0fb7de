"""The operators' console: metadata without content, on a database role that can read no content."""
