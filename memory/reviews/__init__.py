"""What waits for the person: keep, edit and keep, not true, later; each can be taken back."""
