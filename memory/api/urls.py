"""Addresses of the API, below /api/v1/."""

from django.urls import path

from memory.api import (
    boards,
    documents,
    erasures,
    feedback,
    history,
    links,
    memories,
    merges,
    modes,
    moves,
    procedures,
    recalls,
    reviews,
    sessions,
    transfers,
    users,
)
from memory.api.batches import BatchView, SearchView
from memory.api.contexts import CompactView, ContextView, TurnView
from memory.api.events import EventView
from memory.api.jobs import JobView

MEMORY = "memories/<uuid:memory_id>"
REVIEW = "reviews/<uuid:review_id>"
SESSION = "sessions/<uuid:session_id>"
TASK = "tasks/<str:task_id>"
DOCUMENT = "knowledge/documents/<uuid:document_id>"
PERSON = "users/<uuid:person_id>"

urlpatterns = [
    path("memories", memories.MemoriesView.as_view(), name="api-memories"),
    path("memories/batch", BatchView.as_view(), name="api-batch"),
    path("memories/search", SearchView.as_view(), name="api-search"),
    path(MEMORY, memories.MemoryDetailView.as_view(), name="api-memory"),
    path(f"{MEMORY}/versions", history.VersionsView.as_view(), name="api-versions"),
    path(f"{MEMORY}/evidence", history.EvidenceView.as_view(), name="api-evidence"),
    path(f"{MEMORY}/sources", history.SourcesView.as_view(), name="api-sources"),
    path(f"{MEMORY}/links", links.LinksView.as_view(), name="api-links"),
    path(
        f"{MEMORY}/links/<uuid:link_id>",
        links.MemoryLinkView.as_view(),
        name="api-memory-link",
    ),
    path(f"{MEMORY}/pause", moves.PauseView.as_view(), name="api-pause"),
    path(f"{MEMORY}/resume", moves.ResumeView.as_view(), name="api-resume"),
    path(f"{MEMORY}/archive", moves.ArchiveView.as_view(), name="api-archive"),
    path(f"{MEMORY}/restore", moves.RestoreView.as_view(), name="api-restore"),
    path(f"{MEMORY}/forget", moves.ForgetView.as_view(), name="api-forget"),
    path(f"{MEMORY}/undo", moves.UndoForgetView.as_view(), name="api-undo"),
    path(f"{MEMORY}/confirm", reviews.ConfirmMemoryView.as_view(), name="api-confirm"),
    path(f"{MEMORY}/reject", reviews.RejectMemoryView.as_view(), name="api-reject"),
    path("reviews", reviews.ReviewsView.as_view(), name="api-reviews"),
    path(f"{REVIEW}/keep", reviews.KeepView.as_view(), name="api-review-keep"),
    path(f"{REVIEW}/edit", reviews.EditView.as_view(), name="api-review-edit"),
    path(f"{REVIEW}/reject", reviews.RejectView.as_view(), name="api-review-reject"),
    path(f"{REVIEW}/later", reviews.LaterView.as_view(), name="api-review-later"),
    path(f"{REVIEW}/undo", reviews.UndoView.as_view(), name="api-review-undo"),
    path("procedures", procedures.ProceduresView.as_view(), name="api-procedures"),
    path(
        "procedures/<uuid:memory_id>/publish",
        procedures.PublishView.as_view(),
        name="api-procedure-publish",
    ),
    path("recall/explain", recalls.ExplainView.as_view(), name="api-explain"),
    path("recall", recalls.RecallView.as_view(), name="api-recall"),
    path("feedback", feedback.FeedbackView.as_view(), name="api-feedback"),
    path("sessions", sessions.SessionsView.as_view(), name="api-sessions"),
    path(f"{SESSION}/messages", sessions.MessagesView.as_view(), name="api-messages"),
    path(f"{SESSION}/context", ContextView.as_view(), name="api-context"),
    path(f"{SESSION}/turn", TurnView.as_view(), name="api-turn"),
    path(f"{SESSION}/compact", CompactView.as_view(), name="api-compact"),
    path(f"{SESSION}/close", sessions.CloseView.as_view(), name="api-session-close"),
    path(f"{TASK}/state", boards.BoardView.as_view(), name="api-board"),
    path(f"{TASK}/observations", boards.ObservationsView.as_view(), name="api-observations"),
    path(f"{TASK}/complete", boards.CompleteView.as_view(), name="api-task-complete"),
    path(f"{TASK}/cancel", boards.CancelView.as_view(), name="api-task-cancel"),
    path("events/<uuid:event_id>", EventView.as_view(), name="api-event"),
    path("users", users.UsersView.as_view(), name="api-users"),
    path(PERSON, users.UserView.as_view(), name="api-user"),
    path(f"{PERSON}/attributes", users.AttributesView.as_view(), name="api-attributes"),
    path(f"{PERSON}/suppressions", users.SuppressionsView.as_view(), name="api-suppressions"),
    path(
        f"{PERSON}/suppressions/<uuid:suppression_id>",
        users.SuppressionView.as_view(),
        name="api-suppression",
    ),
    path(f"{PERSON}/days", users.DaysView.as_view(), name="api-days"),
    path(f"{PERSON}/export", transfers.ExportView.as_view(), name="api-export"),
    path(f"{PERSON}/imports", transfers.ImportsView.as_view(), name="api-imports"),
    path(f"{PERSON}/imports/<uuid:import_id>", transfers.ImportView.as_view(), name="api-import"),
    path(
        f"{PERSON}/imports/<uuid:import_id>/take",
        transfers.TakeView.as_view(),
        name="api-import-take",
    ),
    path(f"{PERSON}/interests", users.InterestsView.as_view(), name="api-interests"),
    path(f"{PERSON}/merge", merges.MergeView.as_view(), name="api-merge"),
    path(f"{PERSON}/link", users.LinkView.as_view(), name="api-link"),
    path(f"{PERSON}/pause", modes.PauseUserView.as_view(), name="api-user-pause"),
    path(f"{PERSON}/resume", modes.ResumeUserView.as_view(), name="api-user-resume"),
    path(f"{PERSON}/mode", modes.UserModeView.as_view(), name="api-user-mode"),
    path(
        f"{PERSON}/agents/<uuid:agent_id>/mode",
        modes.AgentModeView.as_view(),
        name="api-agent-mode",
    ),
    path("erasures", erasures.ErasuresView.as_view(), name="api-erasures"),
    path("erasures/<uuid:erasure_id>", erasures.ErasureView.as_view(), name="api-erasure"),
    path("deletions", erasures.DeletionsView.as_view(), name="api-deletions"),
    path(
        "deletions/<uuid:erasure_id>/ack",
        erasures.AcknowledgeView.as_view(),
        name="api-deletion-ack",
    ),
    path("jobs/<uuid:job_id>", JobView.as_view(), name="api-job"),
    path("knowledge/documents", documents.DocumentsView.as_view(), name="api-documents"),
    path(DOCUMENT, documents.DocumentView.as_view(), name="api-document"),
    path(f"{DOCUMENT}/text", documents.DocumentTextView.as_view(), name="api-document-text"),
    path("knowledge/search", documents.KnowledgeSearchView.as_view(), name="api-knowledge-search"),
    path("decisions", history.DecisionsView.as_view(), name="api-decisions"),
    path("audit", history.AuditView.as_view(), name="api-audit"),
]
