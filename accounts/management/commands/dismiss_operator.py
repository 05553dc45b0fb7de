"""``manage.py dismiss_operator``: somebody looks after the service no longer."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.setup import LastOperator, NoOperator, dismiss_operator


class Command(BaseCommand):
    """Run by whoever has the server; each tenant's log gets a line."""

    help = "Take the console from an operator's login and sign it out everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whom."""
        parser.add_argument("email")

    def handle(self, **options: Any) -> None:
        """Do it."""
        email = options["email"]
        try:
            dismiss_operator(email)
        except NoOperator:
            raise CommandError(f"No operator signs in as {email}.") from None
        except LastOperator:
            raise CommandError(
                f"{email} is the only operator. Make another first: manage.py createsuperuser"
            ) from None
        self.stdout.write(f"{email} is no operator any more, and signed out everywhere.")
