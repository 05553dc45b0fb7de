"""The whole product on one file of sessions and questions: told, asked, erased, and everything counted."""
