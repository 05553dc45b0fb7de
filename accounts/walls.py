"""Database rules declared on the models as constraints, so that migrations carry them.

``makemigrations`` finds them, ``AddConstraint`` runs their SQL, tests read them from ``_meta``.
The app role owns nothing, so ENABLE (without FORCE) binds it; the owner runs migrations and
dumps past it.
"""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table
from django.db.models.constraints import BaseConstraint

SETTING = "(SELECT nullif(current_setting('app.{}', true), ''))"
CONSOLE_ROLE = "keepsake_console"


class _Ddl(BaseConstraint):
    """A constraint that is one statement of SQL run after the table exists."""

    def _sql(self, quote: Any) -> str:
        raise NotImplementedError

    def _drop(self, quote: Any) -> str:
        raise NotImplementedError

    def _statement(
        self, model: type[models.Model], editor: BaseDatabaseSchemaEditor, sql: str
    ) -> Statement:
        quote = editor.quote_name
        return Statement(sql, table=Table(model._meta.db_table, quote), name=quote(self.name))

    def constraint_sql(
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> str:
        """Add the statement after CREATE TABLE; nothing stands inside it."""
        assert model is not None and schema_editor is not None
        if statement := self.create_sql(model, schema_editor):
            schema_editor.deferred_sql.append(statement)
        return ""

    def create_sql(  # type: ignore[override]  # Django's own return a Statement as well
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement | None:
        """Return the statement that puts the rule up."""
        assert model is not None and schema_editor is not None
        return self._statement(model, schema_editor, self._sql(schema_editor.quote_name))

    def remove_sql(  # type: ignore[override]
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement:
        """Return the statement that takes the rule down."""
        assert model is not None and schema_editor is not None
        return self._statement(model, schema_editor, self._drop(schema_editor.quote_name))

    def validate(self, *args: Any, **kwargs: Any) -> None:
        """Leave the check to the database."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.deconstruct() == self.deconstruct()

    def __hash__(self) -> int:
        return hash(self.name)


class CompositeForeignKey(_Ddl):
    """(columns) REFERENCES to(to_columns): a row cannot point at another person's row.

    Deferred, because Django deletes parents and children in its own order.
    """

    def __init__(
        self, *, name: str, columns: Sequence[str], to: str, to_columns: Sequence[str], **kw: Any
    ) -> None:
        super().__init__(name=name, **kw)
        self.columns, self.to, self.to_columns = tuple(columns), to, tuple(to_columns)

    def deconstruct(self) -> Any:
        """Describe the constraint for migrations."""
        path, args, kwargs = super().deconstruct()
        more = {"columns": self.columns, "to": self.to, "to_columns": self.to_columns}
        return path, args, kwargs | more

    def create_sql(  # type: ignore[override]  # Django's own return a Statement as well
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement | None:
        """Put the key up at the end of the migration, when every unique key it needs exists."""
        statement = super().create_sql(model, schema_editor)
        assert schema_editor is not None and statement is not None
        schema_editor.deferred_sql.append(statement)
        return None

    def _sql(self, quote: Any) -> str:
        here, there = (", ".join(map(quote, names)) for names in (self.columns, self.to_columns))
        return (
            f"ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY ({here}) "
            f"REFERENCES {quote(self.to)} ({there}) DEFERRABLE INITIALLY DEFERRED"
        )

    def _drop(self, quote: Any) -> str:
        return "ALTER TABLE %(table)s DROP CONSTRAINT %(name)s"


class RowWall(_Ddl):
    """Row-level security: the named columns equal the transaction's settings, else no row.

    The console's role, which has no content column, may read across people.
    """

    def __init__(
        self, *, name: str, columns: Sequence[str] = ("tenant_id", "subject_id"), **kw: Any
    ) -> None:
        super().__init__(name=name, **kw)
        self.columns = tuple(columns)

    def deconstruct(self) -> Any:
        """Describe the constraint for migrations."""
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"columns": self.columns}

    def _sql(self, quote: Any) -> str:
        mine = " AND ".join(f"{column} = {SETTING.format(column)}::uuid" for column in self.columns)
        return (
            "ALTER TABLE %(table)s ENABLE ROW LEVEL SECURITY; "
            f"CREATE POLICY %(name)s ON %(table)s USING ({mine}) WITH CHECK ({mine}); "
            f"CREATE POLICY {quote(self.name + '_console')} ON %(table)s FOR SELECT "
            f"TO {CONSOLE_ROLE} USING (true)"
        )

    def _drop(self, quote: Any) -> str:
        return (
            f"DROP POLICY %(name)s ON %(table)s; "
            f"DROP POLICY {quote(self.name + '_console')} ON %(table)s; "
            "ALTER TABLE %(table)s DISABLE ROW LEVEL SECURITY"
        )


class ClearanceWall(_Ddl):
    """A second, restrictive policy for reading: the grant's highest level, kinds and agent.

    Pinned safety facts are visible from level 20 on, whatever their own level. A memory kept for
    one agent is visible to that agent, the person and the system (no ``app.agent_id``).
    """

    def __init__(self, *, name: str, safety_level: int = 20, **kw: Any) -> None:
        super().__init__(name=name, **kw)
        self.safety_level = safety_level

    def deconstruct(self) -> Any:
        """Describe the constraint for migrations."""
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"safety_level": self.safety_level}

    def _sql(self, quote: Any) -> str:
        clearance = f"{SETTING.format('clearance')}::int"
        # Each in a SELECT of its own: it is worked out once for a statement, not for each row.
        console = f"(SELECT current_user = '{CONSOLE_ROLE}')"
        kinds = f"(SELECT string_to_array({SETTING.format('kinds')}, ','))::text[]"
        agent = f"{SETTING.format('agent_id')}::uuid"
        return (
            "CREATE POLICY %(name)s ON %(table)s AS RESTRICTIVE FOR SELECT USING ("
            f"{console} OR ("
            f"(sensitivity <= {clearance} OR (pinned AND {clearance} >= {self.safety_level})) "
            f"AND kind = ANY ({kinds}) "
            f"AND (visibility = 'user' OR {agent} IS NULL OR agent_id = {agent})))"
        )

    def _drop(self, quote: Any) -> str:
        return "DROP POLICY %(name)s ON %(table)s"


class LookWall(_Ddl):
    """An operator (``app.look_id``) reads a row while a look that ``covers`` it is open, and writes none.

    ``covers`` is a condition in SQL; it is asked for operators alone. Others pass.
    """

    def __init__(self, *, name: str, covers: str, **kw: Any) -> None:
        super().__init__(name=name, **kw)
        self.covers = covers

    def deconstruct(self) -> Any:
        """Describe the constraint for migrations."""
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"covers": self.covers}

    def _sql(self, quote: Any) -> str:
        other = f"{SETTING.format('look_id')} IS NULL"
        make = "CREATE POLICY {} ON %(table)s AS RESTRICTIVE"
        return (
            f"{make.format('%(name)s')} USING ({other} OR {self.covers}) WITH CHECK ({other}); "
            f"{make.format(quote(self.name + '_keeps'))} FOR DELETE USING ({other})"
        )

    def _drop(self, quote: Any) -> str:
        keeps = quote(self.name + "_keeps")
        return f"DROP POLICY %(name)s ON %(table)s; DROP POLICY {keeps} ON %(table)s"


class AppendOnly(_Ddl):
    """Rows are added and read, never changed, deleted or truncated, not even by the owner."""

    def _sql(self, quote: Any) -> str:
        function = quote(self.name + "_refuse")
        return (
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION '%% is append-only', TG_TABLE_NAME; END$$; "
            "CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE OR TRUNCATE ON %(table)s "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
        )

    def _drop(self, quote: Any) -> str:
        function = quote(self.name + "_refuse")
        return f"DROP TRIGGER %(name)s ON %(table)s; DROP FUNCTION {function}()"


def row_key(name: str, *columns: str) -> models.UniqueConstraint:
    """Return the unique key that composite foreign keys of other tables point at."""
    return models.UniqueConstraint(
        fields=[*(columns or ("tenant", "subject", "id"))], name=f"{name}_row_key"
    )


def tenant_key(name: str, column: str, to: str) -> CompositeForeignKey:
    """Return the composite foreign key (tenant, column) to a row of the same tenant."""
    return CompositeForeignKey(
        name=f"{name}_{column.removesuffix('_id')}_fk",
        columns=["tenant_id", column],
        to=to,
        to_columns=["tenant_id", "id"],
    )


def subject_key(name: str) -> CompositeForeignKey:
    """Return the composite foreign key to the subject, for tables with or without a row policy."""
    return tenant_key(name, "subject_id", "accounts_subject")


def personal(name: str, *, parents: dict[str, str] | None = None) -> list[BaseConstraint]:
    """Return the walls of one personal table: row policy and composite foreign keys.

    ``parents`` maps a foreign key column (``memory_id``) to the table it points at; the key is
    then (tenant, subject, id), so that a row cannot name another person's parent.
    """
    keys = [
        CompositeForeignKey(
            name=f"{name}_{column.removesuffix('_id')}_fk",
            columns=["tenant_id", "subject_id", column],
            to=table,
            to_columns=["tenant_id", "subject_id", "id"],
        )
        for column, table in (parents or {}).items()
    ]
    return [RowWall(name=f"{name}_wall"), subject_key(name), *keys]
