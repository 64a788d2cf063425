"""What the papers beside the code say is held to what the code is."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from decoder import settings
from decoder.cli import main as commands
from decoder.figures import FIGURES
from decoder.sandbox import acl
from decoder.web.errors import REQUEST_BYTES_MOST
from tests.support.ours import COURSE

ROOT = Path(__file__).parents[2]
PAPERS = ("README.md", "ARCHITECTURE.md", "STYLE.md", "CHANGELOG.md")
VENDOR = ROOT / "static" / "vendor"
PICTURE_BYTES_MOST = 250_000


def text(name: str) -> str:
    return (ROOT / name).read_text()


def table(paper: str, heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading, their back-ticks gone."""
    _, _, rest = text(paper).partition(f"\n## {heading}\n")
    assert rest, f"{paper} has no section “{heading}”"
    section = rest.partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [[cell.replace("`", "") for cell in row] for row in cells]


def compose() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(text("compose.yaml"))["services"]
    return services


def instructions(name: str) -> list[str]:
    """Return what follows an instruction of the Dockerfile, each time it stands there."""
    lines = re.sub(r"\\\n", " ", text("Dockerfile"))
    return re.findall(rf"^{name} +(.*)$", lines, re.MULTILINE)


# README


@pytest.mark.parametrize("command", ["make run", "make test", "make check", "docker compose up"])
def test_README_names_the_commands(command: str) -> None:  # noqa: N802
    assert command in text("README.md")


def test_README_tells_every_dive_and_figure_as_here_and_none_as_coming() -> None:  # noqa: N802
    told = text("README.md").partition("\n## What is here, and what is coming\n")[2]
    here, _, coming = " ".join(told.partition("\n## ")[0].split()).partition("Coming:")
    dives = [dive.title for dive in COURSE.dives.values() if dive.design and not dive.is_chapter]
    assert len(dives) == 2
    for name in [*dives, *FIGURES, "transcripts", "decoder check", "glossary", "instructors"]:
        assert name in here
        assert name not in coming


@pytest.mark.parametrize("limit", ["64 KiB", "8190 bytes"])
def test_README_tells_the_limits_of_a_request(limit: str) -> None:  # noqa: N802
    assert limit in text("README.md")
    number = int(limit.split()[0])
    assert REQUEST_BYTES_MOST == 64 * 1024
    assert number == 64 or f'"--limit-request-line", "{number}"' in text("decoder/launcher.py")


def test_README_lists_every_setting_with_its_default_and_meaning() -> None:  # noqa: N802
    documented = [[cell.replace("`", "") for cell in row] for row in settings.documented()]
    assert table("README.md", "Settings") == documented


@pytest.mark.parametrize("variable", [variable for variable, _, _ in settings.documented()])
def test_every_setting_that_is_documented_does_something(variable: str) -> None:
    name = variable.removeprefix(settings.PREFIX).lower()
    modules = [path.read_text() for path in (ROOT / "decoder").rglob("*.py")]
    assert any(re.search(rf"settings\.{name}\b", module) for module in modules)


@pytest.mark.parametrize("name", sorted(commands.commands))
def test_README_names_every_command_of_the_program(name: str) -> None:  # noqa: N802
    assert f"decoder {name}" in text("README.md")


@pytest.mark.parametrize("picture", ["figure.png", "figure-dark.png"])
def test_README_shows_the_figure_in_both_themes(picture: str) -> None:  # noqa: N802
    assert f"docs/{picture}" in text("README.md")
    assert 0 < (ROOT / "docs" / picture).stat().st_size < PICTURE_BYTES_MOST


# ARCHITECTURE and the others


@pytest.mark.parametrize("paper", PAPERS)
def test_every_file_that_a_paper_names_exists(paper: str) -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|lua|toml|yaml))`", text(paper))
    here = ["/" + path.relative_to(ROOT).as_posix() for path in ROOT.iterdir()]
    for folder in (".ci", "decoder", "lua", "static", "templates", "content", "tests"):
        paths = (ROOT / folder).rglob("*")
        here += [f"/{path.relative_to(ROOT).as_posix()}" for path in paths]
    # A name may leave out the folders above it, and a script's name its ending.
    endings = [(name, (f"/{name.strip('/')}", f"/{name}.lua")) for name in named]
    assert [name for name, ends in endings if not any(h.endswith(ends) for h in here)] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_link_between_the_papers_leads_somewhere(paper: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text(paper))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_STYLE_shows_our_code_as_it_is() -> None:  # noqa: N802
    piece = r"[Ii]n\s+`([\w./-]+)`:\n\n```\w+\n(.*?)```"
    shown = re.findall(piece, text("STYLE.md"), re.DOTALL)
    assert len(shown) == text("STYLE.md").count("```") // 2, "a piece whose file is not named"
    assert [name for name, code in shown if code not in text(name)] == []


def test_ARCHITECTURE_draws_the_layers_that_import_linter_holds() -> None:  # noqa: N802
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers")
    assert " → ".join(layers) in " ".join(text("ARCHITECTURE.md").split())


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_ARCHITECTURE_names_every_figure(figure: str) -> None:  # noqa: N802
    assert f"`{figure}`" in text("ARCHITECTURE.md")


def test_ARCHITECTURE_tells_every_kind_of_operation_and_what_stands_before_one() -> None:  # noqa: N802
    program = text("lua/run.lua")
    marks = re.search(r"\^\(\[(\S+?)%d\]\?\)", program)
    assert marks
    told = text("ARCHITECTURE.md").partition("\nBefore a kind, ")[2].partition("\n\n")[0]
    assert [mark for mark in marks[1] if f"`{mark}`" not in told] == []
    kinds = re.findall(r"^  (\w+) = function", program, re.MULTILINE)
    assert len(kinds) > 5
    assert [kind for kind in kinds if f"\n| `{kind}` |" not in text("ARCHITECTURE.md")] == []


# Vendored files


def test_vendored_files_are_those_that_were_written_down() -> None:
    rows = re.findall(r"`([\w.-]+)` \| `([0-9a-f]{64})`", (VENDOR / "VENDORED.md").read_text())
    scripts = {path.name: path for path in VENDOR.iterdir() if path.suffix != ".md"}
    found = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in scripts.items()}
    assert found == dict(rows)


# Containers


def test_the_image_gets_everything_that_the_wheel_is_made_of() -> None:
    wheel = tomllib.loads(text("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    copied = {source for line in instructions("COPY") for source in line.split()[:-1]}
    wanted = {*wheel["packages"], *wheel["force-include"], "pyproject.toml", "requirements.lock"}
    assert wanted <= copied
    let_through = {
        line.removeprefix("!") for line in text(".dockerignore").splitlines() if line[:1] == "!"
    }
    assert let_through == {one for one in copied if not one.startswith(("--", "/"))}


def test_the_image_starts_with_a_command_that_the_program_knows() -> None:
    (line,) = instructions("CMD")
    program, name, *options = json.loads(line)
    assert program == "decoder"
    commands.commands[name].make_context(name, options)  # a wrong option raises
    (check,) = instructions("HEALTHCHECK")
    assert "/readyz" in check


def test_compose_gives_valkey_the_rules_that_the_code_asks_for() -> None:
    (script,) = [word for word in compose()["valkey"]["command"] if "valkey-server" in word]
    (line,) = [line for line in script.splitlines() if line.startswith("user decoder ")]
    assert line == acl.configuration_line("$$VALKEY_PASSWORD")
    assert "user default off" in script.splitlines()


def test_compose_names_only_settings_that_exist() -> None:
    named = {name for name in compose()["web"]["environment"] if name.startswith("DECODER_")}
    assert named <= {variable for variable, _, _ in settings.documented()}


def test_compose_publishes_no_port_of_valkey_and_needs_both_secrets() -> None:
    assert "ports" not in compose()["valkey"]
    asked = text("compose.yaml")
    assert "${DECODER_SECRET:?" in asked
    assert "${VALKEY_PASSWORD:?" in asked
