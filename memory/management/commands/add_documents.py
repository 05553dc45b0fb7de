"""``manage.py add_documents``: hand files and folders in as documents of an organisation."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.choices import ActorKind
from accounts.principal import Principal
from accounts.setup import find_tenant
from memory.errors import InvalidInput, KeepsakeError
from memory.knowledge.documents import store
from memory.knowledge.upload import Upload, format_of


class Command(BaseCommand):
    """Takes each file in; workers read them."""

    help = (
        "Hand in files, and all files of known formats in folders, as documents of an organisation. "
        "A file's path as given is its source: sent again, what has not changed is left alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whose they are and where they lie."""
        parser.add_argument("--tenant", required=True, help="name of the organisation")
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE")

    def handle(self, **options: Any) -> None:
        """Hand all of them in; what is refused does not hold up the rest, but is an error."""
        tenant = find_tenant(options["tenant"])
        if tenant is None:
            raise CommandError(f"There is no organisation {options['tenant']}.")
        operator = Principal(
            kind=ActorKind.OPERATOR, tenant_id=tenant.id, actor_id=None, label="add_documents"
        )
        refused = 0
        for path in _files(options["paths"]):
            try:
                said = _hand_in(operator, path)
            except KeepsakeError as error:
                refused += 1
                said = f"refused: {error.detail}"
            self.stdout.write(f"{path.as_posix()}  {said}")
        if refused:
            raise CommandError(f"{refused} refused.")


def _hand_in(operator: Principal, path: Path) -> str:
    form = format_of(path.name)
    stored = store(operator, Upload(source=path.as_posix(), content=path.read_bytes(), format=form))
    if stored.job is None:
        return "unchanged"
    return "new" if stored.is_new else "changed"


def _files(paths: list[Path]) -> Iterator[Path]:
    """Yield the files named, and of folders those whose format their name tells, in order."""
    for path in paths:
        if path.is_dir():
            yield from (one for one in sorted(path.rglob("*")) if one.is_file() and _is_known(one))
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"There is no file {path}.")


def _is_known(path: Path) -> bool:
    try:
        format_of(path.name)
    except InvalidInput:
        return False
    return True
