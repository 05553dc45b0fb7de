"""How the service stands: what waits, what is stuck, what its sweepers did, how long what is kept."""
