"""Syllabus: the course, read with everything that its pages may name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from decoder.course import glossary
from decoder.course.course import Course, load
from decoder.course.known import Known
from decoder.errors import CourseFault, SettingsError
from decoder.figures import FIGURES
from decoder.figures.desk import STAGE
from decoder.sandbox import acl
from decoder.sandbox.scripts import Script
from decoder.settings import Settings, files

GLOSSARY = "glossary.yaml"


def known(scripts: Mapping[str, Script], folder: Path) -> Known:
    """Return everything that a dive may name; raises CourseFault for a broken glossary."""
    path = folder / GLOSSARY
    try:
        terms = glossary.load(path)
    except CourseFault as fault:
        raise CourseFault(f"{path}: {fault.sentence}", line=fault.line) from None
    return Known(
        {name: (*figure.FIELDS, "action") for name, figure in FIGURES.items()},
        {name: (len(one.keys), len(one.arguments)) for name, one in scripts.items()},
        acl.SHOWN,
        terms,
        lambda name, start: FIGURES[name].read_story(start).notices,
    )


def addresses(scripts: Mapping[str, Script]) -> set[str]:
    """Return the addresses of every page that is no dive: what a dive may link to."""
    fixed = {"/", "/glossary", "/instructors", "/scripts"}
    figures = {f"/figures/{name}" for name in FIGURES}
    return fixed | figures | {f"/scripts/{name}" for name in scripts if not name.startswith(STAGE)}


def read(scripts: Mapping[str, Script], settings: Settings) -> Course:
    """Read our course and, beside it, the folder that the settings name.

    Raises SettingsError when that folder does not exist. Faults of pages stand in the course.
    """
    folders = [files("content")]
    if settings.content:
        own = Path(settings.content)
        if not own.is_dir():
            raise SettingsError(f"DECODER_CONTENT={settings.content} is no folder.")
        folders.append(own)
    return load(folders, known(scripts, folders[0]))
