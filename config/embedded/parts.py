"""The children that are Keepsake itself: how each is started."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from celery import Celery

from config.embedded.process import Part
from config.environment import ROOT

type Environment = Mapping[str, str]

# Only ``migrate`` may change tables; the others never see the owner's password.
OWNER_ONLY = "DATABASE_OWNER_URL"


def _python(name: str, data_dir: Path, environment: Environment, *arguments: str) -> Part:
    return Part(
        name=name,
        command=[sys.executable, *arguments],
        data_dir=data_dir,
        env={key: value for key, value in environment.items() if key != OWNER_ONLY},
        cwd=ROOT,
    )


def migrate(data_dir: Path, environment: Environment) -> Part:
    """The tables and the rights on them, as the owner."""
    part = _python("migrate", data_dir, environment, "manage.py", "migrate", "--no-input")
    return replace(part, env=environment)


def collectstatic(data_dir: Path, environment: Environment) -> Part:
    """The pages' files, gathered where the web server reads them."""
    command = ("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
    return _python("collectstatic", data_dir, environment, *command)


def embedder(data_dir: Path, environment: Environment) -> Part:
    """What the embedder keeps on disk, so that web and worker do not both make it."""
    return _python("embedder", data_dir, environment, "manage.py", "load_embedder")


def demo(data_dir: Path, environment: Environment) -> Part:
    """The demo person, made over HTTP."""
    return _python("demo", data_dir, environment, "manage.py", "demo", "--seed")


def worker(data_dir: Path, environment: Environment) -> Part:
    """The Celery worker: one process does the work, its parent watches it."""
    command = ("-m", "celery", "-A", "config", "worker", "--concurrency", "1")
    options = ("--hostname", "keepsake@%h", "--loglevel", "WARNING", "--without-gossip")
    part = _python("worker", data_dir, environment, *command, *options)

    def answers() -> bool:
        with Celery(broker=environment["REDIS_URL"], set_as_current=False) as probe:
            return bool(probe.control.ping(timeout=1, limit=1))

    return replace(part, is_ready=answers)


def beat(data_dir: Path, environment: Environment) -> Part:
    """The one clock that wakes the sweepers."""
    command = ("-m", "celery", "-A", "config", "beat", "--loglevel", "WARNING")
    schedule = str(data_dir / "celerybeat-schedule")
    # No pid file: the lock on DATA_DIR already keeps a second beat away.
    return _python("beat", data_dir, environment, *command, "--schedule", schedule, "--pidfile", "")


def web(
    data_dir: Path, environment: Environment, *, port: int, is_ready: Callable[[], bool]
) -> Part:
    """The web server. It writes no access log: queries and ids of people stay out of files."""
    command = ("-m", "granian", "config.wsgi:application", "--interface", "wsgi")
    address = ("--host", "127.0.0.1", "--port", str(port), "--no-ws")
    threads = str(min(8, 4 * (os.cpu_count() or 1)))
    options = ("--workers", "1", "--blocking-threads", threads, "--no-access-log")
    respawn = ("--respawn-failed-workers", "--respawn-interval", "0.5")
    limits = ("--log-level", "warning", "--workers-kill-timeout", "10")
    part = _python("web", data_dir, environment, *command, *address, *options, *respawn, *limits)
    return replace(part, is_ready=is_ready)
