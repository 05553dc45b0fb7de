"""The pages for the person."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Pages where a person sees and rules what is remembered."""

    name = "dashboard"
    verbose_name = "Dashboard"
