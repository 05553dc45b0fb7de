"""``migrate``, and afterwards the rights of every role on the tables there are now."""

from typing import Any

from django.core.management.commands.migrate import Command as Migrate
from django.db import connections

from accounts.closing import is_closed
from accounts.roles import apply_grants


class Command(Migrate):
    """Django's command; new tables are closed to the other roles until the rights are set."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, then set the rights if the connection is the owner's."""
        super().handle(*args, **options)
        connection = connections[options["database"]]
        if options["plan"] or options["check_unapplied"] or not _is_owner(connection):
            return
        if is_closed(connection):
            self.stdout.write("  Closed: a restore has not finished. Run manage.py restore again.")
            return
        apply_grants(connection)
        if options["verbosity"] >= 1:
            self.stdout.write("  Rights of the roles set.")


def _is_owner(connection: Any) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_has_role(current_user, datdba, 'MEMBER') FROM pg_database "
            "WHERE datname = current_database()"
        )
        return bool(cursor.fetchone()[0])
