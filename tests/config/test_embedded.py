"""The embedded servers come back after a crash, with everything that was written."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from accounts.roles import OWNER, bootstrap
from config.embedded import files
from config.embedded.keys import MasterKeyLost, ensure_master_key
from config.embedded.postgres import Postgres
from config.embedded.process import clean, left_behind
from config.embedded.supervisor import NotStarted, Stopped, Supervisor
from config.embedded.valkey import Valkey


@pytest.fixture
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    # pytest's own folder is closed to other users and its path is long.
    import shutil
    import tempfile

    path = Path(tempfile.mkdtemp(prefix="ks-")).resolve()
    files.prepare(path)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    running = Supervisor(say=lambda _: None, on_change=lambda _: None)
    yield running
    running.stop_all()


def _kill(supervisor: Supervisor, name: str) -> None:
    process = supervisor.children[name].process
    assert process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def _back(supervisor: Supervisor, name: str, *, within: float = 20) -> None:
    deadline = time.monotonic() + within
    while supervisor.children[name].process is None or not supervisor.children[name].deaths:
        assert time.monotonic() < deadline
        supervisor.tick()
    supervisor.wait_ready(name, timeout=within)


def _rows(postgres: Postgres) -> list[tuple[int]]:
    with psycopg.connect(postgres.url(OWNER)) as connection:
        return connection.execute("SELECT i FROM kept").fetchall()


@pytest.fixture
def postgres(data_dir: Path, supervisor: Supervisor) -> Postgres:
    server = Postgres(data_dir)
    supervisor.start(server.part())
    supervisor.wait_ready("postgres", timeout=60)
    bootstrap(server.url(database="postgres"))
    with psycopg.connect(server.url(OWNER)) as connection:
        connection.execute("CREATE TABLE kept (i int)")
        connection.execute("INSERT INTO kept VALUES (7)")
    return server


class TestPostgres:
    def test_is_back_after_kill_with_its_data(
        self, postgres: Postgres, supervisor: Supervisor
    ) -> None:
        _kill(supervisor, "postgres")
        _back(supervisor, "postgres")
        assert _rows(postgres) == [(7,)]

    def test_survives_a_lock_whose_number_is_another_process(
        self, postgres: Postgres, supervisor: Supervisor
    ) -> None:
        _kill(supervisor, "postgres")
        lock = postgres.folder / "postmaster.pid"
        sleeper = subprocess.Popen(["sleep", "60"], user=postgres.user)
        try:
            lines = lock.read_text().splitlines()
            lock.write_text("\n".join([str(sleeper.pid), *lines[1:]]) + "\n")
            _back(supervisor, "postgres")
            assert _rows(postgres) == [(7,)]
            assert sleeper.poll() is None
        finally:
            sleeper.kill()
            sleeper.wait()

    def test_what_a_dead_supervisor_left_is_found_and_stopped(
        self, postgres: Postgres, supervisor: Supervisor, data_dir: Path
    ) -> None:
        assert [p.name() for p in left_behind("postgres", data_dir)] == ["postgres"]
        clean("postgres", data_dir, stop_signal=signal.SIGINT)
        assert left_behind("postgres", data_dir) == []
        _back(supervisor, "postgres")
        assert _rows(postgres) == [(7,)]

    def test_a_half_made_cluster_is_made_again(self, data_dir: Path) -> None:
        server = Postgres(data_dir, settings={"fsync": "off"})
        (server.folder / "base").mkdir()
        (server.folder / "postgresql.conf").write_text("")
        server.prepare()
        assert server.exists

    def test_logs_hold_no_statement_and_no_parameter(
        self, postgres: Postgres, data_dir: Path
    ) -> None:
        with psycopg.connect(postgres.url(OWNER)) as connection:
            connection.execute("CREATE TABLE one (t text UNIQUE)")
            connection.execute("INSERT INTO one VALUES (%s)", ["my-secret-text"])
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("INSERT INTO one VALUES (%s)", ["my-secret-text"])
        log = (data_dir / "logs" / "postgres.log").read_text()
        assert "duplicate key" in log
        assert "my-secret-text" not in log
        assert "INSERT" not in log

    def test_a_long_path_gets_a_short_socket(self, data_dir: Path) -> None:
        deep = data_dir / ("x" * 120)
        files.prepare(deep)
        assert len(Postgres(deep).url()) < 200
        assert len(str(Postgres(deep).sockets)) < 100


class TestValkey:
    def test_is_back_after_kill_with_its_data(self, data_dir: Path, supervisor: Supervisor) -> None:
        server = Valkey(data_dir)
        supervisor.start(server.part())
        supervisor.wait_ready("valkey", timeout=30)
        client = redis.Redis(unix_socket_path=str(server.socket))
        client.set("kept", "7")
        time.sleep(1.2)  # appendfsync everysec
        _kill(supervisor, "valkey")
        _back(supervisor, "valkey")
        assert client.get("kept") == b"7"
        client.close()


class TestSupervisor:
    def test_gives_up_on_what_keeps_ending_and_shows_its_log(
        self, data_dir: Path, supervisor: Supervisor
    ) -> None:
        from config.embedded.process import Part

        command = [sys.executable, "-c", "raise SystemExit('no such thing')"]
        supervisor.start(
            Part(name="bad", command=command, data_dir=data_dir, is_ready=lambda: False)
        )
        with pytest.raises(NotStarted, match="no such thing"):
            supervisor.wait_ready("bad", timeout=20, deaths=2)

    def test_stops_when_asked(self, supervisor: Supervisor) -> None:
        supervisor.stopping = True
        with pytest.raises(Stopped):
            supervisor.tick()


class TestFiles:
    def test_private_files_are_private_and_replaced_whole(self, data_dir: Path) -> None:
        run = files.RunFile(data_dir)
        run.update(url="a", demo={"email": "x"})
        run.update(url="b")
        assert run.read() == {"url": "b", "demo": {"email": "x"}}
        assert stat.S_IMODE(run.path.stat().st_mode) == 0o600

    def test_only_one_supervisor_holds_a_folder(self, data_dir: Path) -> None:
        assert files.holder(data_dir) is None
        with files.only_one(data_dir):
            assert files.holder(data_dir) == os.getpid()
            with pytest.raises(files.AlreadyRunning), files.only_one(data_dir):
                pass
        assert files.holder(data_dir) is None

    def test_a_log_that_grew_is_shortened(self, data_dir: Path) -> None:
        log = data_dir / "logs" / "web.log"
        log.write_text("x" * 100)
        files.shorten_log(log, limit=50)
        assert log.read_text() == ""
        assert (data_dir / "logs" / "web.log.1").read_text() == "x" * 50


class TestMasterKey:
    def test_is_made_once_with_a_warning(
        self, data_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("MASTER_KEY")
        said: list[str] = []
        ensure_master_key(data_dir, has_data=lambda: False, say=said.append)
        key = (data_dir / "master.key").read_text()
        assert "BACK IT UP" in said[0]
        assert stat.S_IMODE((data_dir / "master.key").stat().st_mode) == 0o600
        ensure_master_key(data_dir, has_data=lambda: True, say=said.append)
        assert (data_dir / "master.key").read_text() == key
        assert len(said) == 1

    def test_is_never_made_anew_over_sealed_data(
        self, data_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("MASTER_KEY")
        with pytest.raises(MasterKeyLost, match="from your backup"):
            ensure_master_key(data_dir, has_data=lambda: True, say=lambda _: None)
        assert not (data_dir / "master.key").exists()
