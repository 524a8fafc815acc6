"""A game as ``referee new-game`` writes it, installed or imported, with or without a defect."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.addons.authoring.subject import Subject
from referee.cli import main

NAME, MODULE = "dry-feet", "dry_feet"


def write(folder: Path) -> Path:
    """Write the game's distribution into a folder; return where it lies."""
    told = CliRunner().invoke(main, ["new-game", NAME, "--folder", str(folder / NAME)])
    assert told.exit_code == 0, told.output
    return folder / NAME


def spoil(package: Path, file: str, old: str, new: str) -> None:
    """Plant a defect in a file of the game's package."""
    path = package / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@contextmanager
def imported(distribution: Path, module: str = MODULE) -> Iterator[Subject]:
    """Give a game as this process imports it; the module is forgotten once the block ends."""
    sys.path.insert(0, str(distribution))
    try:
        yield Subject.of(importlib.import_module(module).package(), f"referee-{distribution.name} 0.1")
    finally:
        sys.path.remove(str(distribution))
        for name in [one for one in sys.modules if one.partition(".")[0] == module]:
            del sys.modules[name]


def checked(subject: Subject) -> Result:
    """Return what ``referee check-game`` without cameras says of a game, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Subject, "named", lambda name: subject)
        return CliRunner().invoke(main, ["check-game", subject.package.game.name, "--no-cameras"])


def referee(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
