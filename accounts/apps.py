"""The app that knows who."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Tenants, people, subjects, agents, keys, grants and the audit log."""

    name = "accounts"
    verbose_name = "Accounts"
