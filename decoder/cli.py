"""The command `decoder`: serve the course, check it, begin a dive, print the permissions."""

from __future__ import annotations

import dataclasses
import os
import secrets
import shlex
import shutil
import signal
import sys
from pathlib import Path

import click

from decoder import __version__
from decoder.errors import DecoderError
from decoder.settings import Settings


@click.group()
@click.version_option(__version__, prog_name="decoder")
def main() -> None:
    """Score Decoder: what one sorted-set score can mean, on a real Valkey."""


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, envvar="PORT", type=click.IntRange(0, 65535)
)
@click.option("--reload", is_flag=True, help="Start again when a file changes (development).")
def serve(host: str, port: int, reload: bool) -> None:
    """Serve the course; without DECODER_VALKEY_URL a Valkey of its own is started."""
    from decoder.launcher import serve as launch

    try:
        launch(Settings.from_environment(os.environ), host, port, reload=reload)
    except DecoderError as fault:
        click.echo(f"decoder: {fault.sentence}", err=True)
        sys.exit(2)


@main.command()
@click.option("--password", help="Of the user; a random one without it.")
def acl(password: str | None) -> None:
    """Print the command that makes this page's user on a Valkey of your own."""
    from decoder.sandbox import acl as walls

    click.echo(walls.command(password or secrets.token_urlsafe(24)))


@main.command()
@click.option("--content", default="", help="A folder of dives besides ours; DECODER_CONTENT too.")
def check(content: str) -> None:
    """Prove the course's transcripts on a fresh server and find what is wrong in its files."""
    from decoder.checking import check_course

    # So that the servers are ended and their folders removed, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        settings = Settings.from_environment(os.environ)
        if content:
            settings = dataclasses.replace(settings, content=content)
        sys.exit(1 if check_course(settings, click.echo) else 0)
    except DecoderError as fault:
        click.echo(f"decoder: {fault.sentence}", err=True)
        sys.exit(2)


@main.group()
def new() -> None:
    """Begin something of your own."""


@new.command("dive")
@click.argument("path", type=click.Path(path_type=Path))
def new_dive(path: Path) -> None:
    """Write a dive at PATH (.md, also where that is left out) which passes `decoder check`."""
    from decoder.checking import new_dive as begin

    if path.name and not path.suffix:
        path = path.with_name(f"{path.name}.md")

    try:
        folder, address = begin(path, os.environ.get("DECODER_CONTENT", ""))
    except DecoderError as fault:
        click.echo(f"decoder: {fault.sentence}", err=True)
        sys.exit(2)
    served = f"DECODER_CONTENT={shlex.quote(str(folder))} {_called()}"
    click.echo(
        f"{path} is written. From here, check it, and read it at {address}:\n\n"
        f"  {served} check\n  {served} serve"
    )


def _called() -> str:
    """Return how a shell calls this program from the folder in which one stands."""
    if Path(sys.argv[0]).name != "decoder":
        return f"{shlex.quote(sys.executable)} -m decoder.cli"
    found = shutil.which("decoder")
    on_the_path = found and Path(found).samefile(sys.argv[0])
    return "decoder" if on_the_path else shlex.quote(sys.argv[0])


if __name__ == "__main__":
    main()
