"""The console's own admin site: operators only, in through the ordinary sign-in."""

import uuid
from collections.abc import Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone, translation
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override

from accounts.logins import ZONE, zone_named
from memory.admin import health, looks, quality
from memory.admin.manual import manual
from memory.admin.models import Agent, Tenant
from memory.admin.moments import moment
from memory.admin.served import served
from memory.operations.broker import broker
from memory.operations.sweeps import last_runs

# The admin's own scripts make no trusted types; everything else is as strict as elsewhere.
POLICY: dict[str, Any] = {
    name: sources
    for name, sources in settings.SECURE_CSP.items()
    if name not in {"require-trusted-types-for", "trusted-types"}
} | {"style-src": [CSP.SELF, CSP.NONCE]}
LANGUAGE = "en"
DAYS = 30  # that the page of quality shows, if nothing else is asked
# Passwords change where people change theirs; nothing here needs the others.
LEFT_OUT = {"password_change", "password_change_done", "view_on_site", "autocomplete"}


class ConsoleSite(admin.AdminSite):
    """Metadata of every tenant, for ``is_staff`` logins."""

    site_header = site_title = "Keepsake console"
    index_title = "Health"
    site_url = "/"
    index_template = "admin/health.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Let operators in."""
        return bool(request.user.is_active and request.user.is_staff)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        """Guard a view, show times by the operator's clock, and set the console's content security policy.

        The console is written in English, so what Django adds to it is, too.
        """
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def local(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            zone = zone_named(request.COOKIES.get(ZONE, "UTC"))
            with timezone.override(zone), translation.override(LANGUAGE):
                answer = guarded(request, *args, **kwargs)
                answer.headers["Content-Language"] = LANGUAGE
                return answer.render() if isinstance(answer, TemplateResponse) else answer

        return csp_override(POLICY)(local)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the addresses, with the search for ids and without what is not needed."""
        urls = super().get_urls()
        kept = [one for one in urls if getattr(one, "name", None) not in LEFT_OUT]
        own = [
            path("find/", self.admin_view(self.find), name="find"),
            path("quality/", self.admin_view(self.quality), name="quality"),
            path("manual/", self.admin_view(self.manual), name="manual"),
            path("look/<uuid:look_id>/", self.admin_view(self.look), name="look"),
            path("look/<uuid:look_id>/end/", self.admin_view(looks.end), name="look-end"),
        ]
        return [*own, *kept]

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send strangers to the sign-in page, and refuse people who are no operators."""
        target = request.GET.get("next") or reverse("admin:index")
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(target, reverse("account_login"))

    def logout(  # type: ignore[override]  # a redirect instead of a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Leave through the ordinary door."""
        return redirect("account_logout")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show what is open, stuck or waiting, then the tables."""
        now = {
            "figures": health.figures(),
            "lasts": health.lasts(),
            "served": served(),
            "broker": broker(),
            "sweepers": last_runs(),
            "versions": health.versions(),
            "as_of": moment(timezone.now()),
        }
        return super().index(request, now | (extra_context or {}))

    def look(self, request: HttpRequest, look_id: uuid.UUID) -> HttpResponse:
        """Show what is remembered about one person, while a look at them is open."""
        return looks.show(request, look_id, self.each_context(request))

    def find(self, request: HttpRequest) -> HttpResponse:
        """Go to the one row of an id, a key's prefix or a ``user_id``, or list the rows found."""
        kind, term = named(request.GET.get("q", ""))
        hits = list(self._hits(request, kind, term)) if term else []
        if len(hits) == 1:
            return redirect(hits[0]["address"])
        context = self.each_context(request) | {"title": "Find", "hits": hits, "term": term}
        return TemplateResponse(request, "admin/find.html", context)

    def quality(self, request: HttpRequest) -> HttpResponse:
        """Show how well memory serves a tenant, or one of its agents."""
        asked = request.GET
        tenants = list(Tenant.objects.order_by("name"))
        tenant = _named(tenants, asked.get("tenant", "")) or (tenants[0] if tenants else None)
        agents = list(Agent.objects.filter(tenant_id=tenant.pk).order_by("name")) if tenant else []
        agent = _named(agents, asked.get("agent", ""))
        days = next((one for one in quality.DAYS if str(one) == asked.get("days")), DAYS)
        found = tenant and quality.quality(tenant.pk, agent_id=agent and agent.pk, days=days)
        context = self.each_context(request) | {
            "title": "Quality",
            "tenants": tenants,
            "tenant": tenant,
            "agents": agents,
            "agent": agent,
            "choices": quality.DAYS,
            "days": days,
            "found": found,
        }
        return TemplateResponse(request, "admin/quality.html", context)

    def manual(self, request: HttpRequest) -> HttpResponse:
        """Show the operators' manual."""
        context = self.each_context(request) | {"title": "Manual", "manual": manual()}
        return TemplateResponse(request, "admin/manual.html", context)

    def _hits(self, request: HttpRequest, kind: str, term: str) -> Any:
        for model, table in self._registry.items():
            if kind and kind != model._meta.model_name:
                continue
            names = getattr(table, "names", ())
            queries: list[dict[str, Any]] = [{name: term} for name in names]
            if (one := as_uuid(term)) and model._meta.pk.get_internal_type() == "UUIDField":
                queries.append({"pk": one})
            for query in queries:
                for row in table.get_queryset(request).filter(**query)[:20]:
                    page = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
                    yield {
                        "kind": model._meta.verbose_name,
                        "row": row,
                        "address": reverse(page, args=[row.pk]),
                    }


def _named(rows: Sequence[Any], term: str) -> Any:
    """Return the row of this id among ``rows``, or None."""
    wanted = as_uuid(term)
    return next((one for one in rows if one.pk == wanted), None)


def named(term: str) -> tuple[str, str]:
    """Return which rows a search is about (``job``, empty: all) and what it looks for.

    ``user:lin`` looks for a person; a ``user_id`` may have a colon itself.
    """
    kind, colon, rest = term.strip().partition(":")
    kind = {"user": "person"}.get(kind, kind)
    known = {str(model._meta.model_name) for model in console._registry}
    return (kind, rest.strip()) if colon and kind in known else ("", term.strip())


def as_uuid(term: str) -> uuid.UUID | None:
    """Return the id that ``term`` writes out, or None."""
    try:
        return uuid.UUID(term)
    except ValueError:
        return None


console = ConsoleSite(name="admin")
console.disable_action("delete_selected")
