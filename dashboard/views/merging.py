"""Other devices: whether somebody an agent met without a name is the person; and taken apart again."""

import uuid

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.pages import page, then
from dashboard.people import PersonRequest, person_view
from memory.identity.move import agree, question, refuse, unlink


@require_http_methods(["GET", "POST"])
@person_view
def answer(request: PersonRequest, merge_id: uuid.UUID) -> HttpResponse:
    """Ask, in numbers, and do what the person says."""
    if request.method != "POST":
        context = {"question": question(request.principal, merge_id)}
        return page(request, "merge.html", context)
    if request.POST.get("answer") != "yes":
        refuse(request.principal, merge_id)
        return then(request, _("Noted: that is somebody else. Nothing was moved."), "agents")
    moved = agree(request.principal, merge_id)
    if moved.asked:
        say = _("It is yours now. Some of it differs from what you have: please decide.")
        return then(request, say, "reviews")
    return then(request, _("It is yours now. Agents see it as they see your memories."), "memories")


@require_POST
@person_view
def end(request: PersonRequest, merge_id: uuid.UUID) -> HttpResponse:
    """Let the other device be nobody known again."""
    unlink(request.principal, merge_id)
    say = _("The link is ended. What came from there stays yours; nothing new comes in.")
    return then(request, say, "agents")
