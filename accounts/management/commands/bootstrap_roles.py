"""Make the roles, the database and the extension on a PostgreSQL of your own."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from psycopg.conninfo import conninfo_to_dict

from accounts.roles import APP, BACKUP, CONSOLE, DATABASE, OWNER, bootstrap
from config import environment

VARIABLES = {
    OWNER: "DATABASE_OWNER_URL",
    APP: "DATABASE_URL",
    CONSOLE: "DATABASE_CONSOLE_URL",
    BACKUP: "DATABASE_BACKUP_URL",
}


class Command(BaseCommand):
    """Run once as a superuser, before the first ``migrate``. Running it again is harmless."""

    help = (
        "Makes the roles keepsake_owner, _app, _console and _backup with the passwords in "
        "DATABASE_OWNER_URL, DATABASE_URL, DATABASE_CONSOLE_URL and DATABASE_BACKUP_URL "
        "(optional), the database they name, and the extension vector."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the superuser's connection string."""
        parser.add_argument(
            "--superuser-url",
            default=environment.text("DATABASE_SUPERUSER_URL"),
            help="A superuser's connection string (or DATABASE_SUPERUSER_URL in the environment).",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the URLs, then make what is missing."""
        if not options["superuser_url"]:
            raise CommandError("Give --superuser-url or set DATABASE_SUPERUSER_URL.")
        passwords, databases = {}, set()
        for role, variable in VARIABLES.items():
            parts = conninfo_to_dict(environment.text(variable))
            if not parts and role == BACKUP:
                continue
            if parts.get("user") != role:
                raise CommandError(f"{variable} must connect as {role}.")
            passwords[role] = str(parts.get("password") or "")
            databases.add(str(parts.get("dbname") or DATABASE))
        if len(databases) != 1:
            raise CommandError(f"The URLs name several databases: {', '.join(sorted(databases))}.")
        database = databases.pop()
        bootstrap(options["superuser_url"], passwords=passwords, database=database)
        self.stdout.write(
            f"The roles and the database {database} are ready. Next: manage.py migrate"
        )
