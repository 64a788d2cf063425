"""Checking: `decoder check` and `decoder new dive`: the course on a fresh server of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from decoder.course import check, guide, starter
from decoder.course.check import Proof
from decoder.course.course import Course
from decoder.course.known import Known, figure_faults
from decoder.errors import CourseFault, UnreadableFile
from decoder.figures import syllabus
from decoder.sandbox import embedded, proving
from decoder.sandbox.proving import ProvingServer
from decoder.sandbox.scripts import Script, load_scripts
from decoder.settings import Settings, files
from decoder.web.pages import HOME_FIGURE


def new_dive(path: Path, content: str) -> tuple[Path, str]:
    """Write a starter; return the content folder to serve and the dive's address in it.

    `content` is the folder that is served already, if there is one. Raises CourseFault where the
    file cannot be new.
    """
    starter.write(path, embedded.software(), content)
    folder = starter.folder_of(path, content)
    return folder, starter.address_in(folder, path)


def check_course(settings: Settings, say: Callable[[str], None]) -> int:
    """Check everything and say what was found; return the number of faults.

    Raises CourseFault for a broken glossary, SettingsError for a folder that is not there.
    """
    scripts = load_scripts(files("lua"))
    course = syllabus.read(scripts, settings)
    faults = list(course.faults)
    proofs, unreadable = _proofs(course, scripts)
    faults += unreadable
    exists = syllabus.addresses(scripts).__contains__
    faults += check.link_faults(course, exists, _figures_say(course, scripts))
    others = proving.installed()
    if not others:
        say("not compared with Redis: there is no redis-server here (apt-get install redis-server)")
    for binary in (embedded.binary(), *others):
        with ProvingServer(binary, scripts) as server:
            say(f"proving on {server.name}")
            ours = binary == embedded.binary()
            for proof in proofs:
                found = check.prove(proof, server, is_the_prover=ours)
                faults += [(proof.file, fault) for fault in found]
    for link in check.external_links(course):
        say(f"not fetched: {link}")
    for file, fault in faults:
        say(f"{file}:{fault.line}: {fault.sentence}")
    for page in dict.fromkeys(file for file, _ in course.faults if file.lower().endswith(".md")):
        say(f"its links and transcripts were not checked, mend its faults first: {page}")
    unread = {file for file, fault in faults if isinstance(fault, UnreadableFile)}
    if unread:
        say(f"files and folders that could not be read: {len(unread)}")
    transcripts = sum(len(proof.transcripts) for proof in proofs)
    pages = [one for one in course.dives.values() if not one.is_chapter and one.file != guide.FILE]
    counts = ((transcripts, "transcript"), (len(pages), "dive"), (len(faults), "fault"))
    say(", ".join([_count(*count) for count in counts]))
    return len(faults)


def _figures_say(course: Course, scripts: dict[str, Script]) -> check.Says:
    known = syllabus.known(scripts, course.folders[0])
    shown = {f"/figures/{name}": name for name in known.figures}
    shown |= {dive.path: dive.figure for dive in course.dives.values() if dive.figure}
    shown["/"] = HOME_FIGURE

    def says(path: str, query: dict[str, str], line: int) -> Iterator[CourseFault]:
        if path in shown:
            yield from figure_faults(shown[path], query, known, line)

    return says


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _proofs(
    course: Course, scripts: dict[str, Script]
) -> tuple[list[Proof], list[tuple[str, CourseFault]]]:
    """Return every claim: of the dives, of README where there is one, of the scripts' headers."""
    proofs = list(check.of_dives(course))
    faults: list[tuple[str, CourseFault]] = []
    for file, (found, wrong) in _elsewhere(scripts, syllabus.known(scripts, course.folders[0])):
        proofs += found
        faults += [(file, fault) for fault in wrong]
    return proofs, faults


def _elsewhere(
    scripts: dict[str, Script], known: Known
) -> Iterator[tuple[str, tuple[list[Proof], list[CourseFault]]]]:
    readme = files("lua").parent / "README.md"
    if readme.exists():
        yield str(readme), check.of_readme(str(readme), readme.read_text("utf-8"), known)
    for script in scripts.values():
        text, first_line = script.example
        file = f"lua/{script.name}.lua"
        yield file, check.of_text(file, text, known, first_line)
