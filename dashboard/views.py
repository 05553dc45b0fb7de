"""The person's pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Say what this server is and where its API is described."""
    return render(request, "home.html")
