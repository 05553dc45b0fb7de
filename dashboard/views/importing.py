"""Import: a file or a pasted list is looked at first, and comes in as far as the person wants it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages import page, refuse, then
from dashboard.people import PersonRequest, person_view
from dashboard.words import REASONS, Words
from memory.choices.transfer import ImportGroup, ImportState
from memory.errors import InvalidInput, StaleState
from memory.transfer.beside import Placed
from memory.transfer.importing import TAKEABLE, Look, accept, discard, look, offer

GROUPS: Mapping[str, tuple[Words, Words]] = {
    ImportGroup.NEW: (
        gettext_lazy("New"),
        gettext_lazy("They wait for you, unused, under Waiting for you."),
    ),
    ImportGroup.CHANGED: (
        gettext_lazy("Changed"),
        gettext_lazy("They say something else about the same. You will be asked which one holds."),
    ),
    ImportGroup.IDENTICAL: (gettext_lazy("Already there"), gettext_lazy("Nothing to do.")),
    ImportGroup.BLOCKED: (gettext_lazy("Not let in"), ""),
}
AS_IT_WAS = gettext_lazy("They come back as they were: this is your own export, unchanged.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One group of a preview as the page shows it."""

    value: str
    words: Words
    hint: Words
    count: int
    rows: list[dict[str, Any]]
    takeable: bool


@sensitive_post_parameters("passphrase", "text")
@require_http_methods(["GET", "POST"])
@person_view
def ask(request: PersonRequest) -> HttpResponse:
    """Take a file or a list, and go on to what it would bring."""
    if request.method != "POST":
        return page(request, "import.html")
    content = _sent(request)
    if not content.strip():
        return _again(request, _("Choose a file of up to 20 MB, or paste a list."))
    try:
        found = offer(request.principal, content, passphrase=request.POST.get("passphrase", ""))
    except InvalidInput:
        wrong = _(
            "This can't be read. An export from here, a JSON export of Mem0, or a list with one"
            " memory on each line can. If the file has a passphrase, type it exactly."
        )
        return _again(request, wrong)
    return redirect("import-look", found)


def _sent(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    if file is not None:
        file.seek(0)  # it was read before if the page is made anew
        return bytes(file.read())
    return request.POST.get("text", "").encode("utf-8", "replace")


def _again(request: HttpRequest, error: str) -> HttpResponse:
    sent = {"error": error, "text": request.POST.get("text", "")}
    return page(request, "import.html", sent, status=422)


@require_GET
@person_view
def show(request: PersonRequest, import_id: uuid.UUID) -> HttpResponse:
    """Show what a file would bring, or how much of it came in."""
    found = look(request.principal, import_id)
    groups = [_group(found, group) for group in ImportGroup]
    context = {
        "id": found.id,
        "groups": [one for one in groups if one.count],
        "own": found.own,
        "may_take": any(one.takeable and one.count for one in groups),
        "offered": found.state == ImportState.OFFERED,
        "done": found.state == ImportState.DONE,
        "taken": found.taken,
    }
    return page(request, "import_look.html", context)


def _group(found: Look, group: ImportGroup) -> Group:
    words, hint = GROUPS[group]
    return Group(
        value=group,
        words=words,
        hint=AS_IT_WAS if group == ImportGroup.NEW and found.own else hint,
        count=found.counts.get(group, 0),
        rows=[_row(one) for one in found.shown.get(group, ())],
        takeable=group in TAKEABLE,
    )


def _row(placed: Placed) -> dict[str, Any]:
    return {"text": placed.draft.text, "why": REASONS.get(placed.why) if placed.why else ""}


@require_POST
@person_view
def take(request: PersonRequest, import_id: uuid.UUID) -> HttpResponse:
    """Let in what was chosen."""
    chosen = [one for one in request.POST.getlist("group") if one in ImportGroup]
    try:
        accept(request.principal, import_id, [ImportGroup(one) for one in chosen])
    except InvalidInput:
        return refuse(
            request,
            _("Choose at least one group. Nothing was brought in."),
            "import-look",
            import_id,
        )
    except StaleState:
        pass  # sent twice: the page says how far it is
    return redirect("import-look", import_id)


@require_POST
@person_view
def drop(request: PersonRequest, import_id: uuid.UUID) -> HttpResponse:
    """Throw the file away."""
    discard(request.principal, import_id)
    return then(request, _("Thrown away. Nothing was brought in."), "import")
