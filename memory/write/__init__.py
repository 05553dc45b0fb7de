"""The write path: candidate → normalise and redact → admit → classify → allow → dedupe → conflict → store."""
