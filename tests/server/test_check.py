"""`decoder check` and `decoder new dive` as one types them: what they say, and how they end."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from decoder.sandbox import embedded, proving
from decoder.sandbox.proving import ProvingServer
from tests.server.test_launcher import all_gone, children, family, until
from tests.support.course import FRONT, page, write
from tests.support.program import Program

pytestmark = pytest.mark.sample

DECODER = (sys.executable, "-m", "decoder.cli")
CHECKOUT = Path(__file__).parents[2]
WAIT_S = 60
NO_REDIS = "no redis-server here: apt-get install redis-server"
needs_redis = pytest.mark.skipif(
    not proving.installed() and not os.environ.get("CI"), reason=NO_REDIS
)


@pytest.fixture(scope="module")
def prover() -> str:
    """The name and version of the embedded server."""
    with ProvingServer(embedded.binary(), {}) as server:
        return server.name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "course"
    made.mkdir()
    return made


def decoder(
    tmp_path: Path, *arguments: str, checkout: Path = CHECKOUT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the program; what it leaves in its temporary directory fails the test."""
    temporary = tmp_path / "tmp"
    temporary.mkdir(exist_ok=True)
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("DECODER_")}
    done = subprocess.run(
        [*DECODER, *arguments],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        cwd=checkout,
        env={**inherited, "TMPDIR": str(temporary), **environment},
    )
    assert list(temporary.iterdir()) == []
    assert "Traceback" not in done.stderr
    return done


def check(tmp_path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return decoder(tmp_path, "check", "--content", str(folder))


def last(done: subprocess.CompletedProcess[str]) -> tuple[int, int, int]:
    """Return what the last line counts: transcripts, dives, faults."""
    counted = done.stdout.splitlines()[-1]
    found = re.fullmatch(r"(\d+) transcripts?, (\d+) dives?, (\d+) faults?", counted)
    assert found, done.stdout + done.stderr
    return int(found[1]), int(found[2]), int(found[3])


def dive(transcript: str, prover: str, options: str = "one fresh") -> str:
    """Return a page with one transcript, whose first line is line 12."""
    front = FRONT.replace("Valkey 9.1.2", prover)
    text = page(f"## Part\n\n```transcript {options}\n{transcript}```\n", front)
    assert text.split("\n")[11] == transcript.split("\n")[0]
    return text


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, int, int]:
    """What our own course counts."""
    return last(decoder(tmp_path_factory.mktemp("ours"), "check"))


def test_our_course_has_no_fault(ours: tuple[int, int, int]) -> None:
    transcripts, dives, faults = ours
    assert faults == 0
    assert dives >= 2
    assert transcripts >= 25


def test_a_dive_of_ones_own_is_proven_on_every_server(
    tmp_path: Path, folder: Path, prover: str, ours: tuple[int, int, int]
) -> None:
    write(folder, "c/page.md", dive("> ZADD s 1 m\n(integer) 1\n", prover))
    for done in (
        check(tmp_path, folder),
        decoder(tmp_path, "check", DECODER_CONTENT=str(folder)),
    ):
        assert done.returncode == 0, done.stdout
        assert last(done) == (ours[0] + 1, ours[1] + 1, 0)
        assert f"proving on {prover}" in done.stdout.splitlines()


@needs_redis
def test_the_redis_of_the_machine_proves_too(tmp_path: Path, folder: Path, prover: str) -> None:
    text = "> ZADD s 0x10 a\n(error) ERR value is not a valid float\n"
    write(folder, "page.md", dive(text, prover))
    done = check(tmp_path, folder)
    assert re.search(r"^proving on Redis \d", done.stdout, re.MULTILINE)
    assert done.returncode == 1
    assert "answers otherwise" in done.stdout
    assert "Redis" in done.stdout.split("answers otherwise")[0].splitlines()[-1]
    write(folder, "page.md", dive(text + "#: on Redis 7\n(integer) 1\n", prover))
    assert check(tmp_path, folder).returncode == 0


def test_that_there_is_no_redis_is_said(tmp_path: Path, folder: Path) -> None:
    done = decoder(tmp_path, "check", PATH=str(folder))
    assert done.returncode == 0
    assert "not compared with Redis: there is no redis-server here" in done.stdout


def test_a_reply_that_differs_is_told_with_file_line_and_both(
    tmp_path: Path, folder: Path, prover: str
) -> None:
    text = '> ZADD s 1 a 2 b\n(integer) 2\n\n> ZRANGE s 0 -1\n1) "b"\n2) "a"\n'
    path = write(folder, "c/page.md", dive(text, prover))
    done = check(tmp_path, folder)
    assert done.returncode == 1
    assert (
        f"{path}:15: {prover} answers otherwise to\n"
        "      > ZRANGE s 0 -1\n"
        "      recorded:\n"
        '        1) "b"\n'
        '        2) "a"\n'
        "      answered:\n"
        '        1) "a"\n'
        '        2) "b"\n'
    ) in done.stdout
    assert last(done)[2] == 1 + len(proving.installed())


def test_a_script_is_run_as_valkey_cli_runs_it(tmp_path: Path, folder: Path, prover: str) -> None:
    call = "$ valkey-cli --eval lua/packed/add_prioritized.lua emq:{o}:p emq:{o}:pc , 2 JOB0\n"
    good = f'{call}(integer) 1\n> ZSCORE emq:{{o}}:p JOB0\n"8589934593"\n'
    write(folder, "page.md", dive(good, prover))
    assert check(tmp_path, folder).returncode == 0
    path = write(folder, "page.md", dive(good.replace("934593", "934594"), prover))
    assert f"{path}:14: " in check(tmp_path, folder).stdout


def test_transcripts_share_what_they_wrote_unless_they_are_fresh(
    tmp_path: Path, folder: Path, prover: str
) -> None:
    def second(options: str, reply: str) -> str:
        more = f"\n```transcript {options}\n> GET k\n{reply}\n```\n"
        return dive("> SET k v\nOK\n", prover) + more

    for options, reply in (("two", '"v"'), ("two fresh", "(nil)")):
        write(folder, "page.md", second(options, reply))
        assert check(tmp_path, folder).returncode == 0, options
    write(folder, "page.md", second("two fresh", '"v"'))
    assert check(tmp_path, folder).returncode == 1


def test_no_file_sees_what_another_wrote(tmp_path: Path, folder: Path, prover: str) -> None:
    write(folder, "a.md", dive("> SET k v\nOK\n", prover))
    write(folder, "b.md", dive("> GET k\n(nil)\n", prover, "one"))
    assert check(tmp_path, folder).returncode == 0


def test_a_reply_proven_on_another_version_is_told_once(tmp_path: Path, folder: Path) -> None:
    path = write(folder, "page.md", dive("> GET k\n(nil)\n", "Valkey 8.0.0"))
    done = check(tmp_path, folder)
    assert done.returncode == 1
    assert f"{path}:1: proved: says Valkey 8.0.0 and this is Valkey" in done.stdout
    assert last(done)[2] == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("---\ntitle: a: b\n---\n", "page.md:2: the front matter is no YAML here"),
        (page("## Part\n\n::: script packed/nope\n:::\n"), "page.md:11: there is no lua/packed/"),
        (page("## Part\n\n::: figure composit\n:::\n"), "page.md:11: there is no figure “comp"),
        (page("## Part\n\n::: term flibber\n:::\n"), "page.md:11: the glossary does not define"),
        (page("## Part\n\n![](a.png)\n"), "page.md:11: say what the picture a.png shows"),
        (page("## Part\n\n#### Deep\n"), "page.md:11: “Deep” skips a level"),
        (page("## Part\n\n[x](/nowhere)\n"), "page.md:11: /nowhere leads nowhere"),
        (page("## Part\n\n[x](#nothing)\n"), "page.md:11: #nothing leads nowhere"),
        (page("## Part\n\n[x](/?tier=9&arrival=3)\n"), "page.md:11: /?tier=9&arrival=3: the fig"),
        (page("## Part\n\n[x](/figures/two-designs?teir=1)\n"),
         "page.md:11: /figures/two-designs?teir=1: the figure two-designs has no “teir”; did you"),
        (page("## Part\n\n```transcript a\n> FLUSHALL\nOK\n```\n"), "page.md:12: a sandbox does"),
        ("\udcff", "page.md:1: the file is no UTF-8"),
    ],
)  # fmt: skip
def test_each_kind_of_fault_is_told_with_its_place(
    tmp_path: Path, folder: Path, text: str, says: str
) -> None:
    (folder / "page.md").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = check(tmp_path, folder)
    assert done.returncode == 1
    assert f"{folder}/{says}" in done.stdout
    assert last(done)[2] == 1


NOT_CHECKED = "its links and transcripts were not checked, mend its faults first: {}"


def test_the_check_goes_on_behind_a_broken_dive_and_says_what_it_left_out(
    tmp_path: Path, folder: Path, prover: str, ours: tuple[int, int, int]
) -> None:
    good = write(folder, "good.md", dive("> GET k\n(nil)\n", prover) + "\n[x](/bad#part)\n")
    wrong = write(folder, "wrong.md", dive('> GET k\n"v"\n', prover) + "\n[x](/nowhere)\n")
    bad = write(folder, "bad.md", dive('> GET k\n"v"\n', prover) + "\n::: nte\n\n[x](/nowhere)\n")
    chapter = write(folder, "c/index.md", "no front matter")
    write(folder, "z/index.md", page("## Part\n\nText.\n"))
    twice = write(folder, "z.md", dive('> GET k\n"v"\n', prover))
    done = check(tmp_path, folder)
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert f"{wrong}:16: /nowhere leads nowhere: there is no such page." in lines
    assert f"{wrong}:12: {prover} answers otherwise to" in lines
    assert f"{bad}:16: “::: nte” is no directive; did you mean note?" in lines
    left_out = [line for line in lines if line.startswith(NOT_CHECKED.partition("{")[0])]
    assert sorted(left_out) == sorted([NOT_CHECKED.format(one) for one in (bad, chapter, twice)])
    assert not [line for line in lines if line.startswith((f"{good}:", f"{bad}:12:"))]
    # What is broken is no dive and has no transcripts.
    on_each = 1 + len(proving.installed())
    assert last(done) == (ours[0] + 2, ours[1] + 2, 4 + on_each)


@pytest.mark.long
def test_the_check_counts_the_files_that_could_not_be_read(tmp_path: Path, folder: Path) -> None:
    (folder / "no-text.md").write_bytes(b"\xff\xfe\x00")
    done = check(tmp_path, folder)
    assert "files and folders that could not be read: 1" in done.stdout.splitlines()
    (folder / "dangling.md").symlink_to(folder / "nowhere.md")
    done = check(tmp_path, folder)
    assert "files and folders that could not be read: 2" in done.stdout.splitlines()
    assert "could not be read" not in check(tmp_path, tmp_path / "tmp").stdout


def test_addresses_of_others_are_listed_and_not_fetched(tmp_path: Path, folder: Path) -> None:
    write(folder, "page.md", page("## Part\n\n<https://nowhere.example/x>\n"))
    done = check(tmp_path, folder)
    assert done.returncode == 0
    assert "not fetched: https://nowhere.example/x" in done.stdout.splitlines()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, folder: Path) -> None:
    done = check(tmp_path, folder / "none")
    assert done.returncode == 2
    assert done.stderr == f"decoder: DECODER_CONTENT={folder}/none is no folder.\n"


def test_an_empty_folder_changes_nothing(
    tmp_path: Path, folder: Path, ours: tuple[int, int, int]
) -> None:
    done = check(tmp_path, folder)
    assert done.returncode == 0
    assert last(done) == ours


# The examples of README and of the scripts


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that a test may change."""
    for name in ("decoder", "lua", "content"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CHECKOUT / name, tmp_path / "copy" / name, ignore=ignored)
    (tmp_path / "copy" / "README.md").write_text("# Nothing\n")
    return tmp_path / "copy"


@pytest.mark.parametrize(
    ("transcript", "says"),
    [
        ("> ZADD s 1 m\n(integer) 1\n", ""),
        ("> ZADD s 1 m\n(integer) 2\n", "README.md:5: Valkey"),
        ("> SHUTDOWN\nOK\n", "README.md:5: a sandbox does not run SHUTDOWN"),
        ("$ valkey-cli --eval lua/a/b.lua k\nOK\n", "README.md:5: there is no lua/a/b.lua"),
        ("ZADD s 1 m\n", "README.md:5: “ZADD s 1 m” is no command"),
    ],
)
def test_the_transcripts_of_README_are_proven(  # noqa: N802
    tmp_path: Path, checkout: Path, transcript: str, says: str
) -> None:
    text = f"# Readme\n\nWords.\n```transcript one\n{transcript}```\n"
    write(checkout, "README.md", text)
    done = decoder(tmp_path, "check", checkout=checkout)
    assert done.returncode == (1 if says else 0), done.stdout
    assert says in done.stdout


def test_the_example_in_a_scripts_header_is_proven(tmp_path: Path, checkout: Path) -> None:
    path = checkout / "lua" / "packed" / "add_prioritized.lua"
    call = "$ valkey-cli --eval lua/packed/add_prioritized.lua p c , 2 JOB0"
    header, end, body = path.read_text().partition("]]\n")
    header = header.partition("Example:\n")[0].rstrip() + "\n"
    for reply, code in (("(integer) 1", 0), ("(integer) 7", 1)):
        example = f"\nExample:\n  {call}\n  {reply}\n"
        path.write_text(header + example + end + body)
        done = decoder(tmp_path, "check", checkout=checkout)
        assert done.returncode == code, done.stdout
    line = path.read_text().split("\n").index(f"  {call}") + 1
    assert f"lua/packed/add_prioritized.lua:{line}: " in done.stdout


# A dive of your own


@pytest.mark.parametrize(
    "name", ["my-dive", "2024", "yes", "null", "1e3", "a.b", "A_b", "-", "~", ".a"]
)
def test_a_new_dive_passes_the_check_as_it_is(
    tmp_path: Path, folder: Path, ours: tuple[int, int, int], name: str
) -> None:
    path = folder / "deep" / "course" / f"{name}.md"
    done = decoder(tmp_path, "new", "dive", str(path))
    if not name[0].isalnum():
        assert done.returncode == 2
        assert "its name is its address" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert f"{path} is written" in done.stdout
    checked = check(tmp_path, folder)
    assert checked.returncode == 0, checked.stdout
    assert last(checked) == (ours[0] + 1, ours[1] + 1, 0)


@pytest.mark.parametrize(
    ("typed", "content", "address"),
    [
        ("my-dives/queues/first.md", "my-dives", "/queues/first"),
        ("first.md", ".", "/first"),
        ("./my dives/it's/first.md", "my dives/it's", "/first"),
        # Below /figures the site has pages of its own.
        ("a/figures/first.md", "a/figures", "/first"),
        ("../elsewhere/deep/first.md", "../elsewhere/deep", "/first"),
        ("{here}/absolute/first.md", "{here}/absolute", "/first"),
    ],
)
def test_a_new_dive_ends_with_commands_that_run_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, content: str, address: str
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    typed, content = typed.format(here=here), content.format(here=here)
    done = decoder(tmp_path, "new", "dive", typed, checkout=here)
    assert done.returncode == 0, done.stderr
    said, _, commands = done.stdout.partition(":\n\n")
    assert said.endswith(f"read it at {address}")
    checks, serves = [line.strip() for line in commands.splitlines()]
    called = shlex.join([*DECODER])
    assert (checks, serves) == (
        f"DECODER_CONTENT={shlex.quote(content)} {called} check",
        f"DECODER_CONTENT={shlex.quote(content)} {called} serve",
    )
    checked = subprocess.run(["sh", "-c", checks], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    (tmp_path / "left").mkdir()
    with Program(tmp_path / "left", DECODER_CONTENT=content) as program:
        assert program.status(address) == 200


def test_a_new_dive_in_the_folder_that_is_served_names_that_folder(
    tmp_path: Path, folder: Path
) -> None:
    path = folder / "deep" / "queues" / "first.md"
    done = decoder(tmp_path, "new", "dive", str(path), DECODER_CONTENT=str(folder))
    assert "read it at /deep/queues/first:" in done.stdout
    assert f"DECODER_CONTENT={folder} " in done.stdout


@pytest.mark.parametrize("called", [".venv/bin/decoder", "decoder"])
def test_a_new_dive_names_the_program_as_one_called_it(tmp_path: Path, called: str) -> None:
    script = Path(sys.executable).with_name("decoder")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/decoder").symlink_to(script)
    path = f"{tmp_path / '.venv/bin'}:{os.environ['PATH']}" if called == "decoder" else "/usr/bin"
    done = subprocess.run(
        [called, "new", "dive", "mine/first.md"],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert f"  DECODER_CONTENT=mine {called} check\n" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["glossary", "scripts", "figures"])
def test_a_new_dive_does_not_begin_at_an_address_of_the_site(
    tmp_path: Path, folder: Path, name: str
) -> None:
    done = decoder(tmp_path, "new", "dive", str(folder / f"{name}.md"))
    assert done.returncode == 2
    assert f"/{name} is an address of the site: choose another name." in done.stderr
    assert list(folder.iterdir()) == []


def taken(folder: Path, kind: str) -> Path:
    path = folder / "page.md"
    if kind == "file":
        path.write_text("Mine.")
    if kind == "folder":
        path.mkdir()
    if kind == "dangling":
        path.symlink_to(folder / "elsewhere.md")
    if kind == "below a file":
        (folder / "file").write_text("Mine.")
        return folder / "file" / "page.md"
    if kind == "text":
        return folder / "page.txt"
    return path


def test_a_new_dive_gets_the_ending_that_was_left_out(tmp_path: Path, folder: Path) -> None:
    done = decoder(tmp_path, "new", "dive", str(folder / "queues" / "first"))
    assert done.returncode == 0, done.stderr
    assert "first.md is written" in done.stdout
    assert (folder / "queues" / "first.md").is_file()


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("file", "is there already: it was left as it is"),
        ("folder", "is there already"),
        ("dangling", "is there already"),
        ("below a file", "file/page.md cannot be written"),
        ("text", "a dive is a file that ends in .md"),
    ],
)
def test_a_new_dive_overwrites_nothing(tmp_path: Path, folder: Path, kind: str, says: str) -> None:
    path = taken(folder, kind)
    before = {one: one.is_file() and one.read_bytes() for one in folder.rglob("*")}
    done = decoder(tmp_path, "new", "dive", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith("decoder: ")
    assert says in done.stderr
    assert {one: one.is_file() and one.read_bytes() for one in folder.rglob("*")} == before


# Nothing is left behind


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A check that waits for a server which never answers, so that it can be ended meanwhile."""
    write(tmp_path, "bin/redis-server", f"#!/bin/sh\nexec {shutil.which('sleep')} 60\n").chmod(
        0o755
    )
    (tmp_path / "left").mkdir()
    environment = {**os.environ, "PATH": str(tmp_path / "bin"), "TMPDIR": str(tmp_path / "left")}
    with subprocess.Popen([*DECODER, "check"], env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as started:  # fmt: skip
        until(lambda: children(started.pid, "sleep"), "the other server was started")
        yield started
        started.kill()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_check_that_is_ended_leaves_no_server(
    stuck: subprocess.Popen[bytes], tmp_path: Path, by: signal.Signals
) -> None:
    begun = family(stuck.pid)
    stuck.send_signal(by)
    assert stuck.wait(WAIT_S) != 0
    until(lambda: all_gone(begun), "the servers ended")
    if by != signal.SIGKILL:
        assert list((tmp_path / "left").iterdir()) == []


def test_a_server_that_does_not_start_is_told(tmp_path: Path) -> None:
    write(tmp_path, "bin/redis-server", "#!/bin/sh\nexit 3\n").chmod(0o755)
    began = time.monotonic()
    done = decoder(tmp_path, "check", PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert done.stderr == f"decoder: {tmp_path / 'bin' / 'redis-server'} does not start.\n"
    assert time.monotonic() - began < WAIT_S


def test_a_long_temporary_directory_is_no_obstacle_to_a_check(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    assert decoder(tmp_path, "check", TMPDIR=str(long)).returncode == 0
    assert list(long.iterdir()) == []
