"""What is written aside: whole or not at all, led nowhere else, and cleared away once nobody holds it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from referee.archive.export import export
from referee.storage.aside import ENDING, clear_left, file_aside, folder_aside
from referee.storage.inuse import InUse
from tests.archive.game import write_journal

Aside = Callable[[Path], AbstractContextManager[object]]
WAYS = [lambda place: folder_aside(".made-", place), lambda place: file_aside(place / "out.zip")]
KILLED = """
import os, signal, sys
from pathlib import Path
from referee.storage.aside import file_aside, folder_aside

place = Path(sys.argv[1])
with folder_aside(".made-", place) as folder, file_aside(place / "out.zip") as file:
    (folder / "half").write_text("half")
    file.write(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left(place: Path) -> list[str]:
    return [path.name for path in place.iterdir() if path.name.endswith(ENDING)]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a folder in which a killed process left something."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert (done.returncode, len(left(tmp_path))) == (-9, 2)
    return tmp_path


@pytest.mark.parametrize("aside", WAYS)
def test_what_a_kill_left_goes_when_the_next_one_writes_there(aside: Aside, killed: Path) -> None:
    with aside(killed):
        assert len(left(killed)) == 1
    assert left(killed) == []


def test_what_a_kill_left_goes_when_a_referee_starts(killed: Path) -> None:
    with InUse(killed):
        assert left(killed) == []


@pytest.mark.parametrize("aside", WAYS)
def test_files_that_are_held_are_not_deleted(aside: Aside, tmp_path: Path) -> None:
    with aside(tmp_path):
        held = left(tmp_path)
        with aside(tmp_path):
            clear_left(tmp_path)
            assert len(left(tmp_path)) == 2
        assert left(tmp_path) == held


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (tmp_path / f"link{ENDING}").symlink_to(elsewhere)
    os.mkfifo(tmp_path / f"pipe{ENDING}")
    (tmp_path / f"strange{ENDING}").touch()
    strangers = 0 if os.geteuid() else 1
    if not strangers:
        (tmp_path / f"strange{ENDING}").unlink()
    else:
        os.chown(tmp_path / f"strange{ENDING}", 12345, 12345)
    clear_left(tmp_path)
    assert (len(left(tmp_path)), (elsewhere / "kept").exists()) == (2 + strangers, True)


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    out.write_text("before")

    def fail() -> None:
        with file_aside(out) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (out.read_text(), left(tmp_path)) == ("before", [])
    with file_aside(out, mode=0o600) as file:
        file.write(b"whole")
    assert (out.read_text(), out.stat().st_mode & 0o777, left(tmp_path)) == ("whole", 0o600, [])


@pytest.mark.parametrize("name", ["game.zip", "game.zip.part"])
def test_an_export_follows_no_planted_link(name: str, tmp_path: Path) -> None:
    journal, victim = write_journal(tmp_path / "games" / "game.journal"), tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / name).symlink_to(victim)
    export(journal, tmp_path / "game.zip")
    assert victim.read_text() == "mine"
    assert not (tmp_path / "game.zip").is_symlink()
