"""Examples: what a script's header shows is what a server answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from decoder.course import check
from decoder.figures import syllabus
from decoder.sandbox import embedded, proving
from decoder.sandbox.proving import ProvingServer
from decoder.sandbox.scripts import Script, load_scripts
from decoder.settings import files

SCRIPTS = load_scripts(files("lua"))
KNOWN = syllabus.known(SCRIPTS, files("content"))
OF_A_DESIGN = [one for one in SCRIPTS.values() if not one.name.startswith("stage/")]


@pytest.fixture(
    scope="module", params=[embedded.binary(), *proving.installed()], ids=lambda path: path.name
)
def server(request: pytest.FixtureRequest) -> Iterator[ProvingServer]:
    with ProvingServer(request.param, SCRIPTS) as running:
        yield running


def differences(server: ProvingServer, script: Script, text: str) -> list[str]:
    """Run the text of an example; return what the server answered otherwise."""
    (proof,), faults = check.of_text(script.name, text, KNOWN)
    assert faults == []
    return [fault.sentence for fault in check.prove(proof, server, is_the_prover=False)]


@pytest.mark.parametrize("script", OF_A_DESIGN, ids=lambda one: one.name)
def test_an_example_is_what_a_server_answers(server: ProvingServer, script: Script) -> None:
    text, _ = script.example
    assert differences(server, script, text) == []


def test_an_example_with_another_reply_is_found(server: ProvingServer) -> None:
    script = SCRIPTS["packed/add_prioritized"]
    text, _ = script.example
    (told,) = differences(server, script, text.replace("8589934593", "8589934594"))
    assert "8589934594" in told


def test_the_version_that_a_page_names_is_that_of_the_embedded_server() -> None:
    with ProvingServer(embedded.binary(), SCRIPTS) as running:
        assert embedded.software() == running.name
