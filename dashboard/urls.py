"""Addresses of the person's pages. An address holds ids and codes, never content."""

from django.urls import path

from dashboard.views import account, correcting, erasures, forgetting, memories, memory, overview

urlpatterns = [
    path("", overview.show, name="overview"),
    path("overview/recent/", overview.recent, name="overview-recent"),
    path("memories/", memories.show, name="memories"),
    path("memories/search/", memories.search, name="memories-search"),
    path("memories/new/", correcting.add, name="memory-new"),
    path("memories/<uuid:memory_id>/", memory.show, name="memory"),
    path("memories/<uuid:memory_id>/show/", memory.reveal, name="memory-show"),
    path("memories/<uuid:memory_id>/edit/", correcting.edit, name="memory-edit"),
    path("memories/<uuid:memory_id>/pause/", memory.pause, name="memory-pause"),
    path("memories/<uuid:memory_id>/resume/", memory.resume, name="memory-resume"),
    path("memories/<uuid:memory_id>/forget/", forgetting.ask, name="memory-forget"),
    path("memories/<uuid:memory_id>/undo/", forgetting.undo, name="memory-undo"),
    path("memories/<uuid:memory_id>/erase/", forgetting.erase, name="memory-erase"),
    path("forgotten/", forgetting.recently, name="forgotten"),
    path("erasures/", erasures.show_all, name="erasures"),
    path("erasures/<uuid:erasure_id>/", erasures.show, name="erasure"),
    path("erasures/<uuid:erasure_id>/receipt.json", erasures.download, name="erasure-receipt"),
    path("language/", account.language, name="language"),
    path("person/", account.person, name="person"),
]
