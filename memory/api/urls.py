"""Addresses of the API, below /api/v1/."""

from django.urls import path

from memory.api.erasures import ErasureView
from memory.api.memories import MemoriesView, MemoryDetailView
from memory.api.recalls import RecallView
from memory.api.sessions import MessagesView, SessionsView
from memory.api.users import UsersView

urlpatterns = [
    path("memories", MemoriesView.as_view(), name="api-memories"),
    path("memories/<uuid:memory_id>", MemoryDetailView.as_view(), name="api-memory"),
    path("recall", RecallView.as_view(), name="api-recall"),
    path("sessions", SessionsView.as_view(), name="api-sessions"),
    path("sessions/<uuid:session_id>/messages", MessagesView.as_view(), name="api-messages"),
    path("users", UsersView.as_view(), name="api-users"),
    path("erasures/<uuid:erasure_id>", ErasureView.as_view(), name="api-erasure"),
]
