"""Language, and which of a login's persons is shown."""

import uuid

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.logins import save_language
from dashboard.people import choose
from dashboard.signin import keep_language


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Read in another language from now on, in this browser and with this login."""
    code, to = request.POST.get("language", ""), request.POST.get("next", "/")
    ours = url_has_allowed_host_and_scheme(to, {request.get_host()}, request.is_secure())
    if not (ours and to.startswith("/")):
        to = "/"
    answer = redirect(to)
    if code in dict(settings.LANGUAGES):
        keep_language(answer, code)
        if request.user.is_authenticated:
            save_language(request.user.id, code)
    return answer


@require_POST
@login_required
def person(request: HttpRequest) -> HttpResponse:
    """Look at another person of this login."""
    try:
        chosen = uuid.UUID(request.POST.get("person", ""))
    except ValueError:
        raise Http404 from None
    if not choose(request, chosen):
        raise Http404
    return redirect("overview")
