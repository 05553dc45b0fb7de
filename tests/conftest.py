"""The tests' own servers, and a database in which every test runs as the app role.

The servers are started before Django reads its settings, in a temporary ``DATA_DIR`` that is thrown
away. The test database is created and migrated as the owner; tests then connect as
``keepsake_app``, so that the walls bind them.
"""

from __future__ import annotations

import base64
import contextlib
import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings as properties

from config.environment import ROOT
from tests import made_once
from tests.servers import TestServers

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SERVERS = TestServers()
pytest_plugins = ["tests.cast"]

# How long one example takes says more about a busy machine, or about what is loaded first, than about us.
properties.register_profile("untimed", properties(), deadline=None)
properties.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start the servers, then let pytest-django read the settings."""
    if _only_hands_out_tests(config):
        # A worker inherits the environment, and must not read settings before its servers run.
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
        return
    if not config.option.collectonly:
        SERVERS.start()
    os.environ.setdefault(
        "MASTER_KEY", base64.b64encode(b"the tests' master key, 32 bytes.").decode()
    )
    os.environ.setdefault("SECRET_KEY", "only-for-tests")
    # The embedder's graph takes seconds to make and is the same for every run.
    os.environ.setdefault("EMBEDDER_CACHE", str(ROOT / "var" / "models"))
    # The scanner's rules take seconds to compile; their cache outlives the tests' own DATA_DIR.
    os.environ.setdefault("KF_RULE_CACHE_DIR", str(config.rootpath / "var" / "secret-rules"))
    os.environ["PUBLIC_URL"] = "http://localhost:8787"
    os.environ["LOG_LEVEL"] = "WARNING"
    # Tests ask fast; those of the limits set their own.
    os.environ["RATE_LIMIT_PER_KEY"] = os.environ["RATE_LIMIT_PER_TENANT"] = "0"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

    from django.conf import settings

    # pytest-django sets Django up after this hook, if the settings have been read by then.
    assert settings.DATABASES


def _only_hands_out_tests(config: pytest.Config) -> bool:
    """Whether the workers of pytest-xdist run the tests: each has servers of its own."""
    return config.getoption("dist") != "no" and not hasattr(config, "workerinput")


def pytest_unconfigure() -> None:
    """Stop the servers and remove their data."""
    SERVERS.stop()


@contextlib.contextmanager
def as_role(url: str) -> Iterator[None]:
    """Connect as the user of ``url`` instead; open connections are closed on both ends."""
    from django.db import connection
    from psycopg.conninfo import conninfo_to_dict

    parts, settings = conninfo_to_dict(url), connection.settings_dict
    before = {key: settings[key] for key in ("USER", "PASSWORD")}
    connection.close()
    settings.update(USER=parts.get("user", ""), PASSWORD=parts.get("password", ""))
    try:
        yield
    finally:
        connection.close()
        settings.update(before)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: Any,
    django_db_keepdb: bool,
    django_db_createdb: bool,
) -> Iterator[None]:
    """Create and migrate the test database as the owner."""
    from django.conf import settings
    from django.db import connection
    from django.db.backends.base.creation import TEST_DATABASE_PREFIX
    from django.test.utils import setup_databases, teardown_databases

    keep = django_db_keepdb and not django_db_createdb
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        stack.enter_context(as_role(settings.DATABASE_OWNER_URL))
        if SERVERS.postgres:
            name = TEST_DATABASE_PREFIX + connection.settings_dict["NAME"]
            stack.enter_context(made_once.tables(SERVERS.postgres, name))
        made = setup_databases(
            verbosity=0,
            interactive=False,
            keepdb=keep or bool(SERVERS.postgres),
            serialized_aliases=set(),
        )
    with django_db_blocker.unblock():
        _guard()
    yield
    # A server of our own goes whole; somebody's browser may still be connected to it.
    if not django_db_keepdb and not SERVERS.postgres:
        with django_db_blocker.unblock(), as_role(settings.DATABASE_OWNER_URL):
            teardown_databases(made, verbosity=0)


def _guard() -> None:
    """Refuse to touch a database that was not made for tests."""
    from django.db import connections

    for alias in connections:
        connection = connections[alias]
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_database()")
            (name,) = cursor.fetchone()
        connection.close()
        if not name.startswith("test_"):
            pytest.exit(f"The tests would run on the database {name!r}.", returncode=3)


def owner_connection() -> Any:
    """Return a raw autocommit connection to the test database as the owner."""
    import psycopg
    from django.conf import settings
    from django.db import connection

    name = connection.settings_dict["NAME"]
    if not str(name).startswith("test_"):
        pytest.exit(f"The owner was about to change the database {name!r}.", returncode=3)
    return psycopg.connect(settings.DATABASE_OWNER_URL, dbname=str(name), autocommit=True)


def empty_database() -> None:
    """Remove every row, of append-only tables too, but keep what migrations have put in."""
    from django.apps import apps
    from django.db import connection

    from accounts.roles import is_append_only

    keep = {"django_migrations", "django_content_type", "auth_permission"}
    quote = connection.ops.quote_name
    tables = [quote(name) for name in connection.introspection.table_names() if name not in keep]
    frozen = [quote(m._meta.db_table) for m in apps.get_models() if is_append_only(m)]
    with owner_connection() as owner:
        switch = "; ".join(f"ALTER TABLE {name} {{0}} TRIGGER USER" for name in frozen)
        truncate = f"TRUNCATE {', '.join(tables)} RESTART IDENTITY CASCADE"
        statements = [switch.format("DISABLE"), truncate, switch.format("ENABLE")]
        owner.execute("; ".join(filter(None, statements)))


@pytest.fixture(autouse=True, scope="session")
def _flush_as_owner() -> Iterator[None]:
    """Transactional tests truncate, which the app role may not."""
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: empty_database())
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; where there is none, its tests say so, and fail in CI."""
    from tests.browser import chromium

    if not chromium.PROGRAM:
        (pytest.fail if chromium.IS_CI else pytest.skip)(chromium.WITHOUT)
    with chromium.launched() as launched:
        yield launched


@pytest.fixture(autouse=True, scope="session")
def _quick_passwords(django_test_environment: None) -> Iterator[None]:
    """Do not spend the tests' time on making passwords hard to guess."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True, scope="session")
def _patient() -> Iterator[None]:
    """A busy machine must not turn ``?wait=true`` into an answer that comes later.

    Nor may a request, because ten seconds have gone by, ask for its tenant's quotas once more than
    the one it is compared with.
    """
    from dataclasses import replace

    from memory import jobs
    from memory.api import limits
    from memory.policy import LIMITS, SESSION

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "SESSION", replace(SESSION, wait_seconds=100.0))
        patch.setattr(limits, "LIMITS", replace(LIMITS, quota_seconds=1e9))
        yield
