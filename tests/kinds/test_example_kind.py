"""A stranger's kind of observation, in a distribution of its own: measured, laid, seen and ruled on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from calibration.table import load_table
from tests.demo.command import Demo
from tests.installing import bring, install
from tests.virtual.beside import FLAT
from tests.web.browser import needs_browser, open_page

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLE = DOCS / "example-kind"
SCRIPT = """[game "last-cup"]

1. red -A1 -B1 -C1 -D1 {illegal: cups.count}
1. red -A1 -B1 {!bump left} {!pause 0.1}
2. blue +A1 -C1 {illegal: cups.back}
2. blue -C1 -D1 -E1 {!hand B1}
3. red -F1
"""

SOLIDS = """async () => {
    const { virtual } = await import("/kinds/cups/virtual.js");
    const state = await (await fetch("/api/virtual?lang=de")).json();
    const cups = virtual.solids(state, (row, col) => [10 * col, 0]);
    return [virtual.ground(state.kit, state.sizes).length, cups.map(({ userData }) => userData.col)];
}"""
"""What is drawn in space where there is a graphics card; without one, each frame takes a second."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the kind is installed."""
    return install(EXAMPLE, tmp_path_factory.mktemp("kind"))


@pytest.fixture(autouse=True)
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, monkeypatch)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)


def referee(*words: str) -> str:
    """Run a command. Return what it says, and fail where it fails."""
    done = run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_of_it_is_measured_replayed_and_played_from_drawn_pictures(tmp_path: Path) -> None:
    """Two breaches are seen and named, a bumped camera and a hand accuse nobody, and the last cup wins."""
    table = tmp_path / "table"
    referee("new", str(table), "--game", "last-cup", "--preset", "clay", "--cup", "50x70")
    assert load_table(table).cube_mm == (50, 50, 70)
    refused = run("read", "--table", str(table))
    assert (refused.returncode, "read at the table only" in refused.stderr) == (2, True), refused.stderr
    assert "won by Red" in referee("replay", str(EXAMPLE / "last_cup" / "playthrough.txt"))
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    said = referee("demo", "--script", str(script), "--fast")
    assert "The record is as the script implies: 5 turns." in said
    assert "{illegal: cups.count A1 B1 C1 D1}" in said


def test_its_game_keeps_the_contract() -> None:
    """What the guide tells authors to run passes with the example installed."""
    chosen = ["-q", "-n0", "-p", "no:cacheprovider", "-k", "last-cup", "tests/games/test_conformance.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *chosen], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout


@needs_browser
@pytest.mark.browser
def test_a_person_turns_a_cup_on_the_page_of_the_virtual_table() -> None:
    """Its scripts draw the row for players, and a press on its page turns a cup over, in the browser's language."""
    with Demo(None, "--play", "--game", "last-cup", "--people", "2") as demo, open_page(880, 400, "de") as page:
        page.add_init_script(FLAT)
        page.goto(demo.until(r"(http://\S+/virtual#\S+)")[1])
        expect(page.get_by_role("button", name="Einen Becher umdrehen")).to_be_visible()
        page.locator("summary", has_text="Alle Felder").click()
        row = page.locator("#fields")
        row.get_by_role("button", name="C1: Öffnung oben").click()
        expect(row.get_by_role("button", name="C1: Öffnung unten")).to_be_visible()
        assert page.evaluate(SOLIDS) == [1, [0, 1, 2, 3, 4, 5]]
        page.get_by_role("button", name="Zug beendet").first.click()
        tablet = page.frame_locator("#tablet")
        expect(tablet.get_by_text("Blau ist am Zug").first).to_be_visible()
        expect(tablet.locator("#board-words")).to_contain_text("C1 ∩")


def test_the_guide_leads_through_every_file_of_it() -> None:
    guide = (DOCS / "develop" / "adding-a-kind.md").read_text(encoding="utf-8")
    modules = [path.name for path in (EXAMPLE / "cups").iterdir() if path.suffix == ".py"]
    assert not [name for name in modules if name != "__init__.py" and f"`{name}`" not in guide]
