"""The launcher: what it starts, what it starts again, and that nothing of it is left behind."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from decoder.sandbox import embedded
from tests.support.program import WAIT_S, Program
from tests.support.valkey import Valkey

pytestmark = pytest.mark.sample

SERVE = (sys.executable, "-m", "decoder.cli", "serve")
CHECKOUT = Path(__file__).parents[2]
WEB, VALKEY = "gunicorn", "valkey-server"
WORKERS = 2
CTRL_C = b"\x03"

# What a shell does for the program in the foreground: give it the terminal, then become it.
IN_THE_FOREGROUND = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.argv[1], sys.argv[1:])\n"
)


def processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the command line of every living process, by its id."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=", "-o", "ppid=", "-o", "stat=", "-o", "command="],
        capture_output=True,
        text=True,
        check=True,
    )
    living = {}
    for line in listed.stdout.splitlines():
        pid, parent, state, *command = line.split(maxsplit=3)
        if not state.startswith("Z"):  # one that only waits to be reaped has ended
            living[int(pid)] = (int(parent), "".join(command))
    return living


def children(parent: int, kind: str = "") -> set[int]:
    return {pid for pid, (of, words) in processes().items() if of == parent and kind in words}


def family(root: int) -> set[int]:
    """Return everyone below a process."""
    living = processes()
    found: set[int] = set()
    grown = {root}
    while grown:
        found |= grown
        grown = {pid for pid, (parent, _) in living.items() if parent in grown}
    return found - {root}


def until(reached: Callable[[], object], what: str) -> None:
    """Look until something is so; it fails, and never waits on, when that takes too long."""
    by = time.monotonic() + WAIT_S
    while not reached():
        assert time.monotonic() < by, f"not within {WAIT_S:g} s: {what}"


def all_gone(pids: set[int]) -> bool:
    return not pids & processes().keys()


def launcher(program: Program) -> int:
    assert program.process
    return program.process.pid


def only_child(program: Program, kind: str) -> int:
    (pid,) = children(launcher(program), kind)
    return pid


def grown_up(program: Program) -> set[int]:
    """Return all processes of a program: Valkey, the web server and its workers."""
    whole = 2 + WORKERS
    until(lambda: len(family(launcher(program))) == whole, f"{whole} processes were started")
    return family(launcher(program))


def killed(program: Program, kind: str) -> None:
    """Kill -9 one of the launcher's children; return when another one works in its place."""
    victim = only_child(program, kind)
    # Its workers still hold the port for a moment: what answers below shall be the new one.
    old = {victim, *children(victim)}
    os.kill(victim, signal.SIGKILL)
    until(lambda: children(launcher(program), kind) - old, f"{kind} was started again")
    until(lambda: all_gone(old), f"the old {kind} is gone")
    program.wait_until_ready()


def post(program: Program, **fields: str) -> dict[str, Any]:
    asked = urllib.request.Request(
        program.address + "/figures/composite/runs",
        data=urllib.parse.urlencode(fields).encode(),
        headers={"Accept": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=WAIT_S) as answer:
        run: dict[str, Any] = json.load(answer)
        return run


def shown_at(terminal: int) -> str:
    """Read what a program shows at its terminal until the first address stands there."""
    shown = b""
    while not (found := re.search(rb"(http://\S+)/\r", shown)):
        ready, _, _ = select.select([terminal], [], [], WAIT_S)
        assert ready, f"no address was shown but: {shown!r}"
        shown += os.read(terminal, 4096)
    return found[1].decode()


def ended(
    program: Program, *arguments: str, checkout: Path = CHECKOUT, **environment: str
) -> tuple[str, str]:
    """Start what cannot start; return its output and its errors, having left nothing."""
    tried = subprocess.run(
        [*SERVE, *arguments],
        cwd=checkout,
        env={**program.environment, **environment},
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert tried.returncode == 2, tried
    assert left_in(program) == []
    return tried.stdout, tried.stderr


def refused(program: Program, *arguments: str, **environment: str) -> str:
    """Start what is refused before anything runs; return the one sentence that says so."""
    shown, said = ended(program, *arguments, **environment)
    assert shown == ""
    assert said.startswith("decoder: ")
    assert said.count("\n") == 1, "a sentence, not a traceback"
    return said


def left_in(program: Program) -> list[Path]:
    return list(program.folder.iterdir())


@pytest.fixture(scope="module", autouse=True)
def heard() -> Iterator[None]:
    """A suite that runs under nohup would hand the ignored signal down to what it starts."""
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """One program for the tests that leave it whole."""
    with Program(tmp_path_factory.mktemp("steady")) as running:
        yield running


@pytest.fixture
def idle() -> Iterator[Program]:
    """A program that the test itself starts, in a folder whose path is short on every machine."""
    with tempfile.TemporaryDirectory(prefix="idle-", dir="/tmp") as folder:
        yield Program(Path(folder))


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


# Starting


def test_a_free_port_is_printed_and_answers(steady: Program) -> None:
    assert re.fullmatch(r"http://localhost:[1-9]\d*", steady.address)
    assert steady.status("/") == 200
    assert steady.status("/healthz") == 200


def test_a_busy_port_is_told_with_a_way_out(idle: Program, busy_port: int) -> None:
    said = refused(idle, "--port", str(busy_port))
    assert f"Port {busy_port} " in said
    assert re.search(r"PORT=\d+ make run", said)
    assert f"PORT={busy_port} " not in said


@pytest.mark.parametrize("host", ["nonsense.invalid", "192.0.2.1"])
def test_a_host_that_is_none_of_ours_is_told_as_that(idle: Program, host: str) -> None:
    said = refused(idle, "--host", host, "--port", "0")
    assert f"The host {host} is no address of this machine" in said
    assert "--host 127.0.0.1" in said


def test_a_busy_port_of_the_variable_PORT_is_told_too(idle: Program, busy_port: int) -> None:  # noqa: N802
    assert f"Port {busy_port} " in refused(idle, PORT=str(busy_port))


def test_an_unknown_setting_is_told_with_the_near_name(idle: Program) -> None:
    said = refused(idle, "--port", "0", DECODER_WORKRES="3")
    assert "DECODER_WORKRES" in said
    assert "DECODER_WORKERS?" in said


@pytest.mark.parametrize("value", ["many", "0"])
def test_a_setting_that_cannot_be_is_told_with_its_name(idle: Program, value: str) -> None:
    said = refused(idle, "--port", "0", DECODER_WORKERS=value)
    assert "DECODER_WORKERS=" in said
    assert value in said


@pytest.mark.long
def test_a_page_that_cannot_be_read_is_told_in_the_log_and_the_site_runs(tmp_path: Path) -> None:
    bad = tmp_path / "mine" / "bad.md"
    bad.parent.mkdir()
    bad.write_text("A page without front matter.")
    with Program(tmp_path, DECODER_CONTENT=str(bad.parent), DECODER_WORKERS="1") as running:
        assert running.status("/bad") == 503
        assert running.status("/") == 200
        assert running.status("/redis-patterns/time-delay-priority") == 200
        running.end()
        assert running.process
        assert running.process.stdout
        said = running.process.stdout.read()
    assert f"{bad}:1: begin with front matter" in said
    assert "Traceback" not in said


@pytest.mark.long
def test_a_course_folder_that_is_not_there_is_told_and_ends_the_start(
    idle: Program, tmp_path: Path
) -> None:
    _, said = ended(idle, "--port", "0", DECODER_CONTENT=str(tmp_path / "none"))
    assert "none is no folder" in said
    assert said.splitlines()[-1].startswith("decoder: ")


@pytest.mark.long
def test_a_long_temporary_directory_is_no_obstacle(tmp_path: Path) -> None:
    # The address of a Unix socket holds about 100 bytes, and a TMPDIR may be longer than that.
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    with Program(folder) as running:
        grown_up(running)
        valkey = str(only_child(running, VALKEY))
        told = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", valkey], capture_output=True, text=True
        )
        found = re.search(r"(/tmp/score-decoder-[^/]+)/", told.stdout)
        assert found
        instead = Path(found[1])
        assert instead.is_dir()
        assert running.status("/") == 200
    assert not instead.exists()
    assert left_in(running) == []


def test_nobody_else_can_read_what_the_embedded_server_was_told(steady: Program) -> None:
    (folder,) = left_in(steady)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / embedded.CONFIGURATION).stat().st_mode) == 0o600


# Ending


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_everything(program: Program, by: signal.Signals) -> None:
    ours = grown_up(program)
    assert program.end(by) == 0
    assert all_gone(ours)
    assert left_in(program) == []


def test_a_signal_before_the_first_answer_ends_everything(idle: Program) -> None:
    with subprocess.Popen(
        [*SERVE, "--port", "0"], env=idle.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert "http://" in process.stdout.readline()
        ours = family(process.pid)
        process.terminate()
        assert process.wait(WAIT_S) == 0
    until(lambda: all_gone(ours), "its processes ended")
    assert left_in(idle) == []


@pytest.mark.parametrize("leaving", ["Ctrl-C", "closing the terminal"])
def test_a_terminal_ends_everything(idle: Program, leaving: str) -> None:
    ours_end, its_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", IN_THE_FOREGROUND, *SERVE, "--port", "0"],
        env=idle.environment,
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
    )
    os.close(its_end)
    idle.address, idle.process = shown_at(ours_end), process
    idle.wait_until_ready()
    ours = grown_up(idle)
    if leaving == "Ctrl-C":
        os.write(ours_end, CTRL_C)
        process.wait(WAIT_S)
    os.close(ours_end)
    assert process.wait(WAIT_S) == 0
    assert all_gone(ours)
    assert left_in(idle) == []


@pytest.mark.long
def test_under_nohup_it_outlives_its_terminal(idle: Program) -> None:
    idle.process = subprocess.Popen(
        ["nohup", *SERVE, "--port", "0"],
        env=idle.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with idle.process as process:
        assert process.stdout
        idle.address = process.stdout.readline().split()[-1].rstrip("/")
        idle.wait_until_ready()
        process.send_signal(signal.SIGHUP)
        killed(idle, VALKEY)
        assert idle.end() == 0


if sys.platform == "linux":  # No other system tells a child that its parent was killed.

    def test_when_the_launcher_is_killed_its_children_end_by_themselves(program: Program) -> None:
        ours = grown_up(program)
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: all_gone(ours), "its children ended by themselves")

    @pytest.mark.long
    def test_what_a_killed_launcher_left_goes_with_the_next_start(program: Program) -> None:
        (left,) = left_in(program)
        program.end(signal.SIGKILL)
        assert left_in(program) == [left], "nobody was there to remove it"
        with Program(program.folder):
            (folder,) = left_in(program)
            assert folder != left
        assert left_in(program) == []


@pytest.mark.long
def test_a_start_removes_nothing_of_one_that_runs(program: Program) -> None:
    (folder,) = left_in(program)
    foreign = program.folder / f"{embedded.PREFIX}foreign"
    foreign.mkdir()
    with Program(program.folder):
        assert len(left_in(program)) == 3
    assert sorted(left_in(program)) == sorted([folder, foreign])
    assert program.status("/readyz") == 200


# Starting again


def test_a_killed_web_server_is_started_again_and_answers(steady: Program) -> None:
    killed(steady, WEB)
    assert steady.status("/") == 200


def test_a_killed_worker_is_replaced(steady: Program) -> None:
    grown_up(steady)
    web = only_child(steady, WEB)
    victim, *others = children(web)
    os.kill(victim, signal.SIGKILL)
    until(lambda: len(children(web) - {victim}) == WORKERS, "another worker stands in")
    assert only_child(steady, WEB) == web
    assert set(others) <= children(web)
    assert steady.status("/readyz") == 200


def test_a_killed_Valkey_is_started_again_and_runs_work(steady: Program) -> None:  # noqa: N802
    web = only_child(steady, WEB)
    killed(steady, VALKEY)
    assert only_child(steady, WEB) == web, "the web server went on"
    assert post(steady, tier="2", arrival="17")["score"]["stored"] == "8589934609"


def test_a_sandbox_survives_a_restart_of_the_web_server(steady: Program) -> None:
    first = post(steady, tier="2", arrival="17", action="add")
    killed(steady, WEB)
    token = first["sandbox"]["token"]
    second = post(steady, tier="1", arrival="17", token=token)
    assert second["notices"] == []
    assert second["sandbox"]["token"].partition(".")[0] == token.partition(".")[0]
    assert second["position"]["of"] == first["position"]["of"] == 11


# A server of one's own


def test_with_a_server_of_ones_own_none_is_started(idle: Program, own_valkey: Valkey) -> None:
    idle.environment |= {"DECODER_VALKEY_URL": own_valkey.url, "DECODER_SECRET": "kept"}
    with idle:
        assert children(launcher(idle), VALKEY) == set()
        post(idle, tier="2", arrival="17")
        assert own_valkey.admin.keys("{sbx:*")
    assert left_in(idle) == []
    assert own_valkey.admin.ping(), "it is not ours to end"


def test_a_server_of_ones_own_needs_a_secret_of_ones_own(idle: Program) -> None:
    said = refused(idle, "--port", "0", DECODER_VALKEY_URL="redis://127.0.0.1:1")
    assert "DECODER_SECRET" in said


@pytest.mark.parametrize("url", ["http://127.0.0.1:6379", "127.0.0.1:6379", "redis://h:port"])
def test_an_address_that_is_no_server_is_told(idle: Program, url: str) -> None:
    said = refused(idle, "--port", "0", DECODER_VALKEY_URL=url, DECODER_SECRET="kept")
    assert "DECODER_VALKEY_URL" in said
    assert "redis://" in said


# What others can see (what is logged about visitors: test_log.py)


def test_no_secret_password_or_token_stands_in_command_lines_or_output(idle: Program) -> None:
    secret = "a-secret-that-nobody-shall-see"
    idle.environment["DECODER_SECRET"] = secret
    with idle:
        grown_up(idle)
        (folder,) = left_in(idle)
        told = (folder / embedded.CONFIGURATION).read_text()
        password = re.search(r"^user decoder on >(\S+) ", told, re.MULTILINE)
        token = post(idle, tier="2", arrival="18")["sandbox"]["token"]
        ours = {launcher(idle), *family(launcher(idle))}
        lines = [command for pid, (_, command) in processes().items() if pid in ours]
        killed(idle, VALKEY)
        idle.end()
        assert idle.process
        assert idle.process.stdout
        lines += idle.process.stdout.readlines()
    assert any("Valkey ended" in line for line in lines), "the restart was told"
    assert password
    for hidden in (secret, password[1], token):
        assert not [line for line in lines if hidden in line]
