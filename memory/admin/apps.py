"""The console as an app of its own, so that its unmanaged twins need no migration."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """Twins of the tables, without their content columns."""

    name = "memory.admin"
    label = "console"
    verbose_name = "Keepsake"
