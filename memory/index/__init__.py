"""Dense and lexical search inside one person."""
