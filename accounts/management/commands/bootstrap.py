"""The first rows of a new installation: an operator, a tenant, an agent and its key."""

import getpass
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts import first_run
from accounts.setup import (
    get_or_create_agent,
    get_or_create_tenant,
    new_agent_key,
    new_operator,
    new_pipeline_key,
)


class Command(BaseCommand):
    """Makes what is missing and prints the key once."""

    help = (
        "Make the first operator, tenant, agent and key. Safe to run again; each run makes a key. "
        "Without names: print the address where the first operator makes them in a browser."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the names."""
        parser.add_argument("--tenant", help="name of the organisation")
        parser.add_argument("--agent", help="name of the first agent")
        parser.add_argument(
            "--may-link",
            action="store_true",
            help="the agent is the app people sign in to: let it give links to take charge",
        )
        parser.add_argument("--pipeline", metavar="NAME", help="also make a key for documents")
        parser.add_argument("--operator", metavar="EMAIL", help="login of the first operator")
        parser.add_argument("--password", help="of the operator; asked for if not given")

    def handle(self, **options: Any) -> None:
        """Make them; without names, say where the first operator is made in a browser."""
        if not (options["tenant"] or options["agent"]):
            self._offer()
            return
        if not (options["tenant"] and options["agent"]):
            raise CommandError("Name both --tenant and --agent.")
        if email := options["operator"]:
            self._operator(email, options["password"] or getpass.getpass("Password: "))
        tenant = get_or_create_tenant(options["tenant"])
        agent = get_or_create_agent(tenant, options["agent"], may_link=options["may_link"])
        key = new_agent_key(agent, label="bootstrap")
        self.stdout.write(f"Tenant {tenant.name}: {tenant.id}")
        self.stdout.write(f"Agent {agent.name}: {agent.id}")
        self.stdout.write(f"Its key, shown once: {key}")
        if name := options["pipeline"]:
            key = new_pipeline_key(tenant, label=name)
            self.stdout.write(f"Key of the pipeline {name}, shown once: {key}")

    def _offer(self) -> None:
        if not first_run.is_open():
            first_run.withdraw(settings.DATA_DIR)
            raise CommandError("There is an operator. Name --tenant and --agent to make a key.")
        token = first_run.offer(settings.DATA_DIR)
        self.stdout.write("Make the first operator here. It works once:")
        self.stdout.write(f"{settings.PUBLIC_URL}/setup/?token={token}")

    def _operator(self, email: str, password: str) -> None:
        try:
            validate_password(password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        made = new_operator(email, password)
        self.stdout.write(f"Operator {email}: {'made' if made else 'is there already'}")
