"""What all tables of the console have in common: read only, found by id, counted by code."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Count, DateTimeField, F, Model, Q, QuerySet, UUIDField
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone

from memory.admin.models.twin import Unnest
from memory.admin.moments import moment
from memory.admin.sheet import MOST_ROWS, sheet
from memory.admin.site import as_uuid, named

CSV = ("csv", "CSV")


class CodeFilter(admin.AllValuesFieldListFilter):
    """Codes that occur; an empty one is called none."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Return each code with its link."""
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or "none"}


class Guarded:
    """Every operator may look; nobody may add, change or delete."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let operators look."""
        return is_operator(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let operators look."""
        return is_operator(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class YesFilter(admin.SimpleListFilter):
    """A question that is asked of rows or not: ``words`` names those of which ``wanted`` holds."""

    words = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Offer the one answer there is besides all."""
        return [("yes", self.words)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep what is wanted."""
        return queryset.filter(self.wanted()) if self.value() else queryset

    def wanted(self) -> Q:
        """Return what holds of the rows."""
        raise NotImplementedError


class Table(Guarded, admin.ModelAdmin[Any]):
    """A table. ``totals`` are code columns counted above the list, ``names`` exact search words.

    ``tools`` are further pages: the name of the method that answers, and the words of its link. Every
    table whose rows belong to a tenant is filtered by it.
    """

    totals: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    tools: tuple[tuple[str, str], ...] = ()
    search_fields = ("pk",)
    search_help_text = "An id"
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def get_urls(self) -> list[URLPattern]:
        """Return the list and the single row; there is no history, and nothing to add or delete."""
        wanted = ("_changelist", "_change")
        kept = [one for one in super().get_urls() if str(one.name).endswith(wanted)]
        own = [self._path(name, getattr(self, name)) for name, _ in (*self.tools, CSV)]
        return [*own, *kept]

    def _path(self, name: str, view: Any) -> URLPattern:
        """Return an address of the table's own, before those of its rows."""
        label = f"{self.opts.app_label}_{self.opts.model_name}_{name}"
        found: URLPattern = path(f"{name}/", self.admin_site.admin_view(view), name=label)
        return found

    def csv(self, request: HttpRequest) -> HttpResponse:
        """Hand the list over as a file."""
        return sheet(self, request)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns, times as an operator reads them."""
        return [self._column(name) for name in self.list_display]

    def _column(self, name: Any) -> Any:
        """Return a column; of a time, what shows it. Django compares them, so each is made once."""
        fields = {one.name: one for one in self.opts.concrete_fields}
        if not isinstance(fields.get(name), DateTimeField):
            return name
        made: dict[str, Any] = self.__dict__.setdefault("_moments", {})
        return made.setdefault(name, _shown(name, str(fields[name].verbose_name)))

    def get_list_select_related(self, request: HttpRequest) -> Any:
        """Fetch what the list's references name along with it."""
        references = [one.name for one in self.opts.concrete_fields if one.is_relation]
        return [name for name in references if name in self.list_display] or False

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Return the table's filters, and the tenant's where rows have one."""
        fields = {one.name for one in self.opts.concrete_fields}
        return [*self.list_filter, *fields & {"tenant"}]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return every column of the twin."""
        names = (field.name for field in self.opts.concrete_fields)
        return [*map(self._column, names), *self.extra]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return all of them."""
        return self.get_fields(request, obj)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Look for an id in every column of ids, and for exact names."""
        kind, term = named(search_term)
        if kind and kind != self.opts.model_name:
            return queryset.none(), False
        if not term:
            return queryset, False
        wanted = Q(pk__in=[])
        for name in self.names:
            wanted |= Q(**{name: term})
        if one := as_uuid(term):
            for name in id_columns(self.model):
                wanted |= Q(**{name: one})
        return queryset.filter(wanted), False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, and above it how often each code occurs in what is filtered."""
        answer = super().changelist_view(request, extra_context)
        context = getattr(answer, "context_data", None) or {}
        if (shown := context.get("cl")) is not None:
            context["tools"] = self.tools
            context["csv"] = request.GET.urlencode()
            context["most_rows"] = MOST_ROWS
            context["as_of"] = moment(timezone.now())
            context["totals"] = [self._count(shown.queryset, name) for name in self.totals]
        return answer

    def _count(self, rows: QuerySet[Any], name: str) -> dict[str, Any]:
        field: Any = self.opts.get_field(name)
        base = getattr(field, "base_field", None)
        code = F(name) if base is None else Unnest(F(name))
        found = (
            rows.order_by().annotate(one=code).values("one").annotate(n=Count("pk")).order_by("-n")
        )
        words = dict((base or field).flatchoices)
        counted = [(words.get(row["one"], row["one"]), row["one"], row["n"]) for row in found]
        return {"name": getattr(field, "verbose_name", name), "counted": counted}


def _shown(name: str, words: str) -> Any:
    """Return the column that shows a time."""

    @admin.display(description=words, ordering=name)
    def time(row: Any) -> str:
        return moment(getattr(row, name))

    return time


def id_columns(model: type[Model]) -> list[str]:
    """Return the columns of a twin that hold ids."""
    return [
        field.attname
        for field in model._meta.concrete_fields
        if isinstance(getattr(field, "target_field", field), UUIDField)
    ]


def is_operator(request: HttpRequest) -> bool:
    """Whether an operator asks."""
    return bool(request.user.is_active and request.user.is_staff)
