"""Agents: what each may do, what it can see, its keys. Every change says what the agent can do now."""

import uuid

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import connections, grants
from accounts.grants import AgentRights, NoGrant
from accounts.logins import agent_names
from dashboard import granting
from dashboard.pages import page, then
from dashboard.people import PersonRequest, person_view
from dashboard.shown import rows
from dashboard.signin import asked_again
from memory.errors import Forbidden, NotFound
from memory.identity.move import devices
from memory.recall.sight import NOTHING, SHOWN, Sight, sight


@require_GET
@person_view
def show_all(request: PersonRequest) -> HttpResponse:
    """List the agents that act for the person."""
    found = [granting.card(one) for one in grants.list_agents(request.principal)]
    asked, joined = devices(request.principal)
    context = {
        "agents": found,
        "all_paused": _all_paused(found),
        "connected": any(one["may"] for one in found),
        "asked": asked,
        "joined": joined,
    }
    return page(request, "agents.html", context)


def _all_paused(found: list[dict[str, object]]) -> bool:
    return all(one["paused"] for one in found if one["may_pause"])


@require_GET
@person_view
def show(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Show one agent: its rights, its keys, and exactly what it can see."""
    found = _find(request, agent_id)
    return _show(request, found, granting.form(found))


def _show(
    request: PersonRequest,
    found: AgentRights,
    form: dict[str, object],
    *,
    errors: dict[str, object] | None = None,
) -> HttpResponse:
    past = request.GET.get("past", "")
    seen = _sight(request, found, past=int(past[:9]) if past.isdecimal() else 0)
    context = {
        "card": granting.card(found),
        "form": form,
        "errors": errors or {},
        "sight": seen,
        "shown": seen.past + len(seen.items),
        "coming": min(SHOWN, seen.left),
        "further": seen.past + SHOWN,
        "rows": rows(seen.items, agent_names(request.principal)),
        "may_revoke": connections.may_revoke_keys(request.principal),
    }
    return page(request, "agent.html", context, status=422 if errors else 200)


@require_POST
@person_view
def rights(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Change what the agent may do."""
    found = _find(request, agent_id)
    try:
        asked = granting.read(found, request.POST)
    except granting.BadRights as error:
        form = granting.form(found, request.POST)
        return _show(request, found, form, errors={error.field: error.why})
    grants.change(request.principal, agent_id, asked)
    return _changed(request, agent_id)


@require_POST
@person_view
def pause(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Stop one agent at once."""
    _find(request, agent_id)
    grants.pause(request.principal, agent_id, paused=True)
    return _changed(request, agent_id)


@require_POST
@person_view
def resume(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Let one agent go on."""
    _find(request, agent_id)
    grants.pause(request.principal, agent_id, paused=False)
    return _changed(request, agent_id)


@require_POST
@person_view
def pause_all(request: PersonRequest) -> HttpResponse:
    """Stop every agent at once."""
    grants.pause_all(request.principal)
    return then(request, _("Paused. No agent can read or write anything about you now."), "agents")


@require_POST
@person_view
def revoke(request: PersonRequest, agent_id: uuid.UUID, key_id: uuid.UUID) -> HttpResponse:
    """Revoke one of the agent's keys."""
    try:
        connections.revoke_key(request.principal, agent_id, key_id)
    except NoGrant:
        raise NotFound from None
    say = _("Revoked. Whoever presents this key is refused from now on.")
    return then(request, say, "agent", agent_id)


@require_http_methods(["GET", "POST"])
@person_view
@asked_again
def rotate(request: PersonRequest, agent_id: uuid.UUID, key_id: uuid.UUID) -> HttpResponse:
    """Put a new key in the place of one, shown this once."""
    found = _find(request, agent_id)
    old = next((key for key in (*found.keys, *found.expired) if key.id == key_id), None)
    if old is None:
        raise NotFound
    context = {"card": granting.card(found), "key": old}
    if request.method == "POST":
        context["secret"] = connections.rotate_key(request.principal, agent_id, key_id)
    elif not connections.may_revoke_keys(request.principal):
        raise Forbidden
    return page(request, "key_rotate.html", context)


@require_http_methods(["GET", "POST"])
@person_view
def disconnect(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Take every right away from one agent, after a page that says so."""
    found = _find(request, agent_id)
    if request.method != "POST":
        alone = connections.may_revoke_keys(request.principal)
        return page(request, "disconnect.html", {"card": granting.card(found), "alone": alone})
    connections.disconnect(request.principal, agent_id)
    say = _("Disconnected. %(agent)s can neither read nor write anything about you.")
    return then(request, say % {"agent": found.agent.name}, "agents")


@require_http_methods(["GET", "POST"])
@person_view
def disconnect_all(request: PersonRequest) -> HttpResponse:
    """Take every right away from all agents, after a page that says so."""
    if request.method != "POST":
        alone = connections.may_revoke_keys(request.principal)
        return page(request, "disconnect.html", {"alone": alone})
    connections.disconnect_all(request.principal)
    return then(request, _("Disconnected. No agent can do anything with your memory."), "agents")


def _find(request: PersonRequest, agent_id: uuid.UUID) -> AgentRights:
    try:
        return grants.find_agent(request.principal, agent_id)
    except NoGrant:
        raise NotFound from None


def _sight(request: PersonRequest, found: AgentRights, *, past: int = 0) -> Sight:
    if found.standing == "stopped":
        return NOTHING
    return sight(request.principal, found.agent.id, past=past)


def _changed(request: PersonRequest, agent_id: uuid.UUID) -> HttpResponse:
    """Say what the agent can do after a change, by the rules that bind it."""
    found = _find(request, agent_id)
    seen = _sight(request, found)
    if not seen.total:
        say = _("Saved. %(agent)s can't read any of your memories now.")
    else:
        say = ngettext(
            "Saved. %(agent)s can read %(number)s memory now.",
            "Saved. %(agent)s can read %(number)s memories now.",
            seen.total,
        )
    words = say % {"agent": found.agent.name, "number": seen.total}
    return then(request, words, "agent", agent_id)
