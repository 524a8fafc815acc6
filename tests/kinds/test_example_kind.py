"""A stranger's kind of observation, in a distribution of its own: measured, laid, seen and ruled on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from calibration.table import load_table
from tests.installing import bring, install

pytestmark = pytest.mark.process

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "example-kind"
SCRIPT = """[game "last-cup"]

1. red -A1 -B1 -C1 -D1 {illegal: cups.count}
1. red -A1 -B1 {!bump left} {!pause 0.1}
2. blue +A1 -C1 {illegal: cups.back}
2. blue -C1 -D1 -E1 {!hand B1}
3. red -F1
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the kind is installed."""
    return install(EXAMPLE, tmp_path_factory.mktemp("kind"))


@pytest.fixture(autouse=True)
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, monkeypatch)


def referee(*words: str) -> str:
    """Run a command. Return what it says, and fail where it fails."""
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_of_it_is_measured_replayed_and_played_from_drawn_pictures(tmp_path: Path) -> None:
    """Two breaches are seen and named, a bumped camera and a hand accuse nobody, and the last cup wins."""
    table = tmp_path / "table"
    referee("new", str(table), "--game", "last-cup", "--preset", "clay", "--cup", "50x70")
    assert load_table(table).cube_mm == (50, 50, 70)
    assert "won by Red" in referee("replay", str(EXAMPLE / "last_cup" / "playthrough.txt"))
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    said = referee("demo", "--script", str(script), "--fast")
    assert "The record is as the script implies: 5 turns." in said
    assert "{illegal: cups.count A1 B1 C1 D1}" in said


def test_the_page_finds_its_widget() -> None:
    program = "from referee.kinds import page_folder; print((page_folder('cups') / 'widget.js').is_file())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "True\n"


def test_the_guide_leads_through_every_file_of_it() -> None:
    guide = (DOCS / "develop" / "adding-a-kind.md").read_text(encoding="utf-8")
    modules = [path.name for path in (EXAMPLE / "cups").iterdir() if path.suffix == ".py"]
    assert not [name for name in modules if name != "__init__.py" and f"`{name}`" not in guide]
