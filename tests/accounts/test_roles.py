"""What each database role may do, and which ones the service refuses to run as."""

from io import StringIO
from typing import cast

import psycopg
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, connections, models, transaction
from psycopg.conninfo import make_conninfo

from accounts import roles
from accounts.management.commands import bootstrap_roles
from accounts.models import AuditEvent, Tenant, User
from tests.conftest import as_role, owner_connection


def _url(settings: object, role: str) -> str:
    return make_conninfo(settings.DATABASE_OWNER_URL, user=role)  # type: ignore[attr-defined]


def _as(settings: object, role: str) -> psycopg.Connection:
    name = str(connection.settings_dict["NAME"])
    return psycopg.connect(_url(settings, role), dbname=name, autocommit=True)


class TestRequireSafeRole:
    def test_the_app_is_accepted(self, db: None) -> None:
        roles.require_safe_role()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("role", [roles.OWNER, roles.BACKUP, "postgres"])
    def test_stronger_roles_are_refused(self, role: str, settings: object) -> None:
        if role != roles.OWNER and not _embedded(settings):
            pytest.skip("needs a server that trusts its socket")
        with (
            as_role(_url(settings, role)),
            pytest.raises(roles.UnsafeRole, match=f"'{role}' could pass the walls"),
        ):
            roles.require_safe_role()

    @pytest.mark.django_db(transaction=True)
    def test_a_role_switched_by_set_role_is_refused(self, settings: object) -> None:
        if not _embedded(settings):
            pytest.skip("needs a server that trusts its socket")
        with as_role(_url(settings, "postgres")), connection.cursor() as cursor:
            cursor.execute("SET ROLE keepsake_app")
            with pytest.raises(roles.UnsafeRole, match="SET ROLE keepsake_app"):
                roles.require_safe_role()

    @pytest.mark.django_db(transaction=True)
    def test_a_member_of_the_owner_is_refused(self, settings: object) -> None:
        if not _embedded(settings):
            pytest.skip("needs a superuser")
        with _as(settings, "postgres") as superuser:
            superuser.execute("GRANT keepsake_owner TO keepsake_app")
            try:
                connection.close()
                with pytest.raises(roles.UnsafeRole, match="member of its owner"):
                    roles.require_safe_role()
            finally:
                superuser.execute("REVOKE keepsake_owner FROM keepsake_app")


def _embedded(settings: object) -> bool:
    return "host=%2F" in settings.DATABASE_OWNER_URL  # type: ignore[attr-defined]


class TestApp:
    def test_tests_run_as_the_app_on_a_test_database(self, db: None) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT session_user, current_user, current_database()")
            session, current, database = cursor.fetchone()
        assert (session, current) == (roles.APP, roles.APP)
        assert database.startswith("test_")

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TABLE stray (i int)",
            "CREATE SCHEMA stray",
            "ALTER TABLE accounts_grant DISABLE ROW LEVEL SECURITY",
            "DROP POLICY grant_wall ON accounts_grant",
            "CREATE POLICY open ON accounts_grant USING (true)",
            "TRUNCATE accounts_grant",
            "SET ROLE keepsake_owner",
            "SET ROLE keepsake_backup",
            "ALTER ROLE keepsake_app BYPASSRLS",
            "UPDATE django_migrations SET name = ''",
            "DELETE FROM accounts_auditevent",
            "UPDATE accounts_auditevent SET code = ''",
            "ALTER TABLE accounts_auditevent DISABLE TRIGGER USER",
        ],
    )
    def test_it_cannot_change_tables_or_become_another(self, db: None, statement: str) -> None:
        with (
            pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

    def test_it_adds_to_the_audit_log(self, db: None) -> None:
        AuditEvent.objects.create(code="key_created", actor_kind="system")
        assert AuditEvent.objects.count() == 1


class TestConsole:
    @pytest.mark.django_db(transaction=True, databases=["default", "console"])
    def test_it_reads_people_but_no_password_and_writes_nothing(self) -> None:
        User.objects.create_user("alice@example.org", "secret")
        with connections["console"].cursor() as cursor:
            cursor.execute("SELECT email FROM accounts_user")
            assert cursor.fetchall() == [("alice@example.org",)]
        with connections["console"].cursor() as cursor:
            # A setting of the session is no wall; the missing rights are.
            cursor.execute("SET default_transaction_read_only = off")
            for statement in ("SELECT password FROM accounts_user", "DELETE FROM accounts_user"):
                with pytest.raises(ProgrammingError, match="permission denied"):
                    cursor.execute(statement)

    def test_no_content_column_is_granted(self, db: None) -> None:
        with owner_connection() as owner:
            granted = set(
                owner.execute(
                    "SELECT table_name, column_name FROM information_schema.column_privileges "
                    "WHERE grantee = %s",
                    [roles.CONSOLE],
                ).fetchall()
            )
            binary = set(
                owner.execute(
                    "SELECT table_name, column_name FROM information_schema.columns "
                    "WHERE table_schema = 'public' AND (data_type = 'bytea' "
                    "OR udt_name IN ('_bytea', 'vector', 'halfvec', 'sparsevec', 'bit'))"
                ).fetchall()
            )
        assert len(granted) > 50
        assert binary
        assert not granted & binary
        assert not [column for column in granted if column[1] in {"password", "session_data"}]
        for model in apps.get_models():
            for name in getattr(model, "content_fields", ()):
                field = cast("models.Field[object, object]", model._meta.get_field(name))
                assert (model._meta.db_table, field.column) not in granted


class TestBackup:
    @pytest.mark.django_db(transaction=True)
    def test_it_reads_past_the_walls_and_writes_nothing(self, settings: object) -> None:
        if not _embedded(settings):
            pytest.skip("needs a server that trusts its socket")
        Tenant.objects.create(name="t")
        with _as(settings, roles.BACKUP) as backup:
            for model in apps.get_models():
                if model._meta.managed:
                    backup.execute(f'SELECT * FROM "{model._meta.db_table}"')
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                backup.execute("DELETE FROM accounts_tenant")
            backup.execute("SET default_transaction_read_only = off")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                backup.execute("DELETE FROM accounts_tenant")


class TestFlush:
    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("round_", [1, 2])
    def test_every_transactional_test_starts_empty(self, round_: int) -> None:
        AuditEvent.objects.create(code="key_created", actor_kind="system")
        Tenant.objects.create(name="t")
        assert AuditEvent.objects.count() == Tenant.objects.count() == 1


class TestBootstrap:
    def test_the_command_sets_passwords_hashed_and_runs_twice(
        self, settings: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if not _embedded(settings):
            pytest.skip("needs a superuser")
        for role, variable in bootstrap_roles.VARIABLES.items():
            monkeypatch.setenv(variable, f"postgresql://{role}:secret-{role}@db/keepsake")
        superuser = make_conninfo(_url(settings, "postgres"), dbname="postgres")
        for _ in range(2):
            call_command("bootstrap_roles", superuser_url=superuser, stdout=StringIO())
        with psycopg.connect(superuser) as connection:
            stored = connection.execute(
                "SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE 'keepsake%'"
            ).fetchall()
        assert {name for name, _ in stored} == set(roles.ATTRIBUTES)
        assert all(password.startswith("SCRAM-SHA-256$") for _, password in stored)

    def test_a_url_with_another_role_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://admin@db/keepsake")
        with pytest.raises(CommandError, match="must connect as keepsake_owner"):
            call_command("bootstrap_roles", superuser_url="host=db")
