"""The two commands on a machine that is not ready for them: what they say, and what to install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def test_every_target_that_is_no_file_has_a_rule_and_is_listed() -> None:
    lines = (ROOT / "Makefile").read_text().splitlines()
    (named,) = [line.partition(":")[2].split() for line in lines if line.startswith(".PHONY:")]
    rules = [line.partition(":")[0] for line in lines if re.match(r"[a-z-]+:.*##", line)]
    assert sorted(named) == sorted(rules)


def test_too_old_a_python_is_told_with_what_to_install(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    old = tmp_path / "python3.10"
    old.write_text('#!/bin/sh\n[ "$1" = -V ] && echo "Python 3.10.4"\nexit 1\n')
    old.chmod(0o755)
    made = subprocess.run(
        ["make", "setup", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert made.returncode != 0
    assert "Python 3.11 or newer is needed" in made.stdout
    assert "3.10.4" in made.stdout
    assert "apt-get install python3" in made.stdout
    assert not (tmp_path / ".venv").exists()


@pytest.mark.long
def test_without_chromium_the_last_line_says_what_was_left_out(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path)}
    environment.pop("CI", None)
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q"],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert listed.returncode == 0, listed.stdout
    assert "tests/browser/" not in listed.stdout
    last = listed.stdout.strip().splitlines()[-1]
    assert "tests/browser was left out" in last
    assert "apt-get install chromium" in last


@pytest.mark.long
def test_in_ci_a_missing_browser_is_not_passed_over(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "CI": "true"}
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/browser"],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert "tests/browser/test_move.py" in listed.stdout
    assert "left out" not in listed.stdout
