"""``manage.py rotate_master_key``: wrap every key by the new MASTER_KEY."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.sealing import seal
from memory.errors import KeepsakeError
from memory.rotation import check_sentinel, rotate
from memory.vault import audit_signer


class Command(BaseCommand):
    """May be stopped and begun again at any time."""

    help = (
        "With MASTER_KEY the new key and MASTER_KEY_BEFORE the one until now, in every process: wrap "
        "the key of every person and tenant anew. Afterwards MASTER_KEY_BEFORE is not needed."
    )

    def handle(self, **options: Any) -> None:
        """Do it and count."""
        if not settings.MASTER_KEY_BEFORE:
            raise CommandError("Set MASTER_KEY_BEFORE to the key until now, MASTER_KEY to the new.")
        try:
            check_sentinel()
            done = rotate()
        except KeepsakeError as error:
            raise CommandError(error.detail) from None
        seal(audit_signer())
        if done.foreign:
            raise CommandError(
                f"{done.wrapped} keys wrapped anew; {done.foreign} are wrapped by a third master "
                "key, which is not here. Nothing is lost; keep MASTER_KEY_BEFORE."
            )
        self.stdout.write(
            f"{done.wrapped} keys wrapped anew. MASTER_KEY_BEFORE is not needed any more; "
            "back the new key up, and keep the old one until the last keys/ of before have ended."
        )
