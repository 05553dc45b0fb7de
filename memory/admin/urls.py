"""The console's addresses; importing the tables puts them on the site."""

from memory.admin import tables
from memory.admin.site import console

__all__ = ["console", "tables"]
