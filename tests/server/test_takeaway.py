"""Taking the commands along: both files, run on a server of one's own, give the order shown."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import lxml.html
import pytest
from flask import Flask
from flask.testing import FlaskClient

from decoder.app import create_app
from decoder.figures import FIGURES
from decoder.figures.desk import Desk
from decoder.figures.takeaway import taken
from decoder.readings.catalogue import READINGS
from decoder.readings.run import Run, as_json
from decoder.sandbox import embedded
from decoder.settings import Settings
from decoder.transcripts import command as commands
from decoder.transcripts.takeaway import Taken, theirs, write_cli, write_python
from tests.conftest import SECRET
from tests.server.test_hostile import HOSTILE
from tests.support.valkey import ADMINISTRATOR, Valkey

pytestmark = pytest.mark.sample

NO_PROMPT = "no prompt here to feed a file to: apt-get install redis-tools"
KINDS = ("txt", "py")
FOREIGN = {"emq:{orders}:prioritized": "a real queue", "lesson": "of somebody else"}
"""Keys of the reader's own that are named like ours, or nearly like those that are written."""

Pairs = list[tuple[str, str]]


def states() -> Iterator[tuple[str, str]]:
    """Yield figures and queries: two of each figure first, then many more."""
    yield from (("composite", ""), ("composite", "tier=3&arrival=17&then=serve,add,at-1-9,serve"))
    yield ("composite", "tier=2097152&arrival=7&full=1&then=add,serve-JOB0Nb1VTbfnu4,serve")
    yield ("composite", "then=" + ",".join(["add"] * 40))
    for name, reading in READINGS.items():
        actions = [one.name for one in reading.actions]
        yield ("three-readings", f"reading={name}")
        yield ("three-readings", f"reading={name}&now_ms=1780226978000&then={','.join(actions)}")
        yield ("three-readings", f"reading={name}&clock=server&then={','.join(actions)}")
        for step in (1, 2, 3, 4):
            yield ("three-readings", f"reading={name}&step={step}&now_ms=1780226978000")
    yield from (("two-designs", ""), ("two-designs", "tier=3&delay=120&guess=same"))
    yield from (("two-designs", "tier=1&delay=120"), ("two-designs", "tier=2&delay=60"))
    scores = ("", "inf", "-0", "-inf", "nan", "not a score", "0x200000011", "2^53-1", "6.02e23",
              "5e-324", "1e400", "'\"\\ \u2028", "a\r\nFLUSHALL")  # fmt: skip
    yield from (("bits", "score=" + text) for text in scores)
    yield ("bits", "bits=7ff8000000000000")
    for name, lab in FIGURES.items():
        if not hasattr(lab, "CHOICES"):
            continue
        yield (name, "")
        ends = [(one, end) for one in lab.INPUTS for end in (one.range.least, one.range.most)]
        yield from ((name, f"{one.name}={end}") for one, end in ends)
        yield from ((name, f"{one.name}={value}") for one in lab.CHOICES for value in one.values)
    turns = ("-", "ab", "abr", "abrab", "aarab", "abra")
    yield from (("race", f"turns={one}&how={how}") for one in turns for how in ("zrem", "compare"))


def cases() -> list[Any]:
    """Return the states as parameters; of each figure all but the first two are long."""
    seen: dict[str, int] = {}
    out = []
    for name, query in states():
        seen[name] = seen.get(name, 0) + 1
        marks = [pytest.mark.long] if seen[name] > 2 else []
        out.append(pytest.param(name, query, marks=marks, id=f"{name}-{seen[name]}"))
    return out


@pytest.fixture
def unlimited(valkey: Valkey) -> Flask:
    limits = {"commands_per_minute": 10**9, "sandboxes_per_minute": 10**6}
    return create_app(Settings(valkey_url=valkey.url, secret=SECRET, **limits))


@pytest.fixture(scope="module")
def theirs_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("theirs")) as server:
        yield server


@pytest.fixture
def own(theirs_only: Valkey) -> Valkey:
    """The reader's own server, with what is the reader's own on it."""
    theirs_only.admin.flushall()
    theirs_only.admin.mset(FOREIGN)
    return theirs_only


def fields_of(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))


def run_of(app: Flask, figure: str, query: str) -> Run:
    desk: Desk = app.extensions["desk"]
    visit = desk.open(figure, fields_of(query), f"/figures/{figure}")
    return desk.run(visit, whole=True)


def files_of(run: Run) -> tuple[Taken, str, str]:
    took = taken(run, f"http://localhost{run.address}")
    return took, write_cli(took), write_python(took)


def fed(server: Valkey, text: str) -> list[bytes]:
    """Feed a file to the prompt; return the lines that it prints."""
    prompt = shutil.which("valkey-cli") or shutil.which("redis-cli")
    assert prompt, NO_PROMPT
    socket = str(server.folder / embedded.SOCKET)
    words = [prompt, "-s", socket, "--user", ADMINISTRATOR, "--pass", "admin", "--no-auth-warning"]
    done = subprocess.run(words, input=text.encode(), capture_output=True, check=True, timeout=60)
    assert done.stderr == b""
    return done.stdout.split(b"\n")


def ran(server: Valkey, folder: Path, text: str) -> list[str]:
    """Run a file in a Python of its own; return the lines that it prints."""
    file = folder / "taken.py"
    file.write_text(text, "utf-8")
    url = f"unix://{ADMINISTRATOR}:admin@{server.folder / embedded.SOCKET}"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", str(file), url], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().split("\n")


def shown(run: Run) -> list[Pairs]:
    """Return the orders that the JSON of a run shows, one after the other."""
    body = as_json(run)
    if run.figure in ("composite", "three-readings"):
        return [[(one["member"], one["score"]) for one in body["order"]]]
    if "orders" in body:
        return [[(o["member"], o["score"]) for o in order] for order in body["orders"].values()]
    return [
        pairs_of(step["reply"])
        for step in body["steps"]
        if step["by"] == "client" and not step["reply"].startswith("(error)")
        if re.search(r"WITHSCORES|^ZPOP|^HGETALL", step["command"])
    ]


def pairs_of(reply: str) -> Pairs:
    texts = re.findall(r'^ *\d+\) (".*")$', reply, re.MULTILINE)
    words = [commands.split(text)[0] for text in texts]
    return list(zip(words[::2], words[1::2], strict=True))


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def told_by_prompt(lines: list[bytes], orders: list[Pairs], first: int) -> None:
    """Compare each order, of which the first `first` members are not known, with what was told."""
    at = [n for n, line in enumerate(lines) if line.startswith(b"Order: ")]
    assert len(at) == len(orders)
    for n, pairs in zip(at, orders, strict=True):
        words = [raw(word) for pair in pairs for word in pair]
        begin = n + 1 + 2 * first
        assert lines[begin : begin + len(words)] == words
        assert words or lines[begin] == b""


def told_by_program(lines: list[str], orders: list[Pairs], first: int) -> None:
    told: list[list[str]] = []
    for line in lines:
        if line.startswith("Order: "):
            told.append([])
        elif told and "\t" in line:
            told[-1].append(line)
    expected = [[raw("\t".join(pair)).decode("utf-8", "replace") for pair in o] for o in orders]
    assert len(told) == len(expected)
    for lines_of_one, order in zip(told, expected, strict=True):
        assert lines_of_one[first : first + len(order)] == order


def contents(server: Valkey, prefix: str = "") -> dict[bytes, Any]:
    """Return what each key holds whose name begins with a prefix, without that."""
    reads = {
        b"zset": lambda key: server.raw.zrange(key, 0, -1, withscores=True),
        b"hash": server.raw.hgetall,
        b"list": lambda key: server.raw.lrange(key, 0, -1),
        b"string": server.raw.get,
    }
    keys = [key for key in server.raw.keys("*") if key.startswith(prefix.encode())]
    return {key.removeprefix(prefix.encode()): reads[server.raw.type(key)](key) for key in keys}


def listed(text: str) -> set[str]:
    """Return the keys that the head of a file lists."""
    return set(re.findall(r"^(?:#|ECHO \") {2,3}(lesson:\S+?)\"?$", text, re.MULTILINE))


@pytest.mark.parametrize(("figure", "query"), cases())
def test_both_files_give_the_order_shown_and_touch_only_the_keys_that_they_list(
    unlimited: Flask, own: Valkey, tmp_path: Path, figure: str, query: str
) -> None:
    run = run_of(unlimited, figure, query)
    took, typed, program = files_of(run)
    orders = shown(run)
    first = run.order.members[0].rank if run.order.members and not run.lesson else 0
    assert listed(typed) == listed(program) == {theirs(key) for key in took.keys}

    for _ in range(2):
        told_by_prompt(fed(own, typed), orders, first)
    by_prompt = contents(own)
    own.admin.flushall()
    own.admin.mset(FOREIGN)
    for _ in range(2):
        told_by_program(ran(own, tmp_path, program), orders, first)
    assert contents(own) == by_prompt

    foreign = {key: own.admin.get(key) for key in FOREIGN}
    assert foreign == FOREIGN
    written = {key.decode() for key in by_prompt} - set(FOREIGN)
    assert written <= listed(typed)


@pytest.mark.parametrize("name", READINGS)
def test_what_is_left_on_ones_own_server_is_what_is_left_in_the_sandbox(
    unlimited: Flask, own: Valkey, valkey: Valkey, name: str
) -> None:
    actions = ",".join(one.name for one in READINGS[name].actions)
    query = f"reading={name}&now_ms=1780226978000&then={actions}"
    run = run_of(unlimited, "three-readings", query)
    _, typed, _ = files_of(run)
    fed(own, typed)
    sandbox = "{sbx:" + run.sandbox.token.split(".")[0] + "}:"
    lanes = {
        key.partition(b":")[2]: value
        for key, value in contents(valkey, sandbox).items()
        if not key.startswith(b".")
    }
    ours = {theirs(key.decode()).encode(): value for key, value in lanes.items()}
    left = {key: value for key, value in contents(own).items() if key.decode() not in FOREIGN}
    assert left == ours != {}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_address_answers_the_file_of_its_state(unlimited: Flask, figure: str, kind: str) -> None:
    query = next((query for name, query in list(states())[::-1] if name == figure), "")
    answer = unlimited.test_client().get(f"/figures/{figure}/commands.{kind}", query_string=query)
    assert answer.status_code == 200
    _, typed, program = files_of(run_of(unlimited, figure, query))
    assert answer.text == (typed if kind == "txt" else program)
    said = {"txt": "text/plain", "py": "text/x-python"}[kind]
    assert answer.headers["Content-Type"] == f"{said}; charset=utf-8"
    file = f'attachment; filename="score-decoder-{figure}.{kind}"'
    assert answer.headers["Content-Disposition"] == file
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("kind", KINDS)
def test_the_head_of_a_file_names_its_state_the_server_and_how_to_run_it(
    valkey: Valkey, kind: str
) -> None:
    settings = Settings(valkey_url=valkey.url, secret=SECRET, public_url="https://teach.example")
    client = create_app(settings).test_client()
    text = client.get(f"/figures/composite/commands.{kind}?tier=3&then=serve").text
    assert "https://teach.example/figures/composite?tier=3&arrival=17&then=serve" in text
    version = valkey.admin.info("server")["valkey_version"]
    assert f"Valkey {version}" in text
    how = {"txt": "valkey-cli < score-decoder-composite.txt", "py": "pip install redis"}[kind]
    assert how in text
    assert "redis-cli" not in text
    assert "sbx:" not in text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_unknown_figure_has_no_commands(client: FlaskClient, kind: str, method: str) -> None:
    for name in ("nothing", "composite%00", "..", "Composite"):
        answer = client.open(f"/figures/{name}/commands.{kind}", method=method)
        assert answer.status_code == 404
    assert client.get("/figures/composite/commands.exe").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_asking_for_the_headers_opens_no_sandbox(
    client: FlaskClient, valkey: Valkey, kind: str
) -> None:
    answer = client.head(f"/figures/composite/commands.{kind}?then=serve")
    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.headers["Content-Disposition"].endswith(f'composite.{kind}"')
    assert valkey.admin.dbsize() == 0


@pytest.mark.sample
@pytest.mark.parametrize("figure", FIGURES)
def test_no_text_in_an_address_is_answered_with_a_fault_or_leaves_its_line(
    unlimited: Flask, figure: str
) -> None:
    client = unlimited.test_client()
    for text in HOSTILE.values():
        for field in (*FIGURES[figure].FIELDS, "then", "full", "now_ms"):
            for kind in KINDS:
                query = {field: text[:2000].encode("utf-8", "surrogateescape")}
                answer = client.get(f"/figures/{figure}/commands.{kind}", query_string=query)
                assert answer.status_code == 200, (field, text[:40])
                assert not re.search(r"^(FLUSHALL|SET x|run\('FLUSHALL)", answer.text, re.M)
                if kind == "py":
                    compile(answer.text, "taken.py", "exec")


@pytest.mark.parametrize("figure", FIGURES)
def test_a_page_links_to_the_commands_of_its_state(client: FlaskClient, figure: str) -> None:
    query = next((query for name, query in states() if name == figure and query), "")
    tree = lxml.html.document_fromstring(client.get(f"/figures/{figure}?{query}").text)
    (state,) = tree.xpath("//a[@class='state']/@href")
    _, mark, asked = state.partition("?")
    links = tree.xpath("//p[contains(@class, 'take')]/a/@href")
    assert links == [f"/figures/{figure}/commands.{kind}{mark}{asked}" for kind in KINDS]
