"""A stranger's game, in a distribution of its own, refereed from real pictures on the page, with a declared act."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.demo.recording import BUNDLED
from referee.storage.journal import Journal
from tests.demo.command import Demo
from tests.installing import bring, install
from tests.web.browser import needs_browser, open_page

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-game"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example game beside the referee, as pip does."""
    bring(install(EXAMPLE, tmp_path), monkeypatch)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Return the bundled pictures, as if they were of the other game: stones moved are stones moved."""
    folder = tmp_path / "recording"
    shutil.copytree(BUNDLED, folder)
    data = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    players = ["yellow", "green", "blue", "red"]
    data["position"] = {"game": "three-stones", "players": players, "board": data["position"]["board"]}
    (folder / "game.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def test_pieces_that_cant_be_told_apart_are_refused_as_soon_as_the_game_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = install(EXAMPLE, tmp_path)
    kit = site / "three_stones" / "kit.py"
    kit.write_text(kit.read_text(encoding="utf-8").replace("paint_of(word)", 'paint_of("blue")'), encoding="utf-8")
    bring(site, monkeypatch)
    start = "from referee.cli import main; main()"
    command = [sys.executable, "-c", start, "replay", str(site / "three_stones" / "playthrough.txt")]
    refused = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 2
    assert "three-stones" in refused.stderr
    assert "'red' and 'yellow' can't be told apart: both are blue" in refused.stderr


@needs_browser
@pytest.mark.usefixtures("installed")
def test_it_is_refereed_without_a_line_of_the_referee_changed(tmp_path: Path, recording: Path) -> None:
    journal = tmp_path / "game.journal"
    with Demo(journal, "--recording", str(recording), "--pace", "45") as demo, open_page() as page:
        page.goto(demo.until(r"open (http://\S+#pair=\S+) instead")[1])  # lets this machine's browser press
        expect(page.locator("#now")).to_contain_text("Yellow to play", timeout=60_000)
        page.click("[data-key=declare-open]")
        page.click("[data-key=extra-more]")
        page.click("[data-key=declare]")
        expect(page.locator("#declaration summary")).to_contain_text("Pebbles more than three: 1")
        page.click("[data-act=turn_ended]")
        expect(page.locator("#headline")).to_have_text("Legal", timeout=60_000)
        expect(page.locator("#now")).to_contain_text("Green to play")
    with Journal(journal) as kept:
        entries = list(kept.entries())
    assert [dict(entry.data["declared"]) for entry in entries if entry.kind == "declared"] == [{"extra": 1}]
    looks = [entry.data["by"] for entry in entries if entry.kind == "look_taken"]
    assert looks[1] not in ("", "recording")
    ruling = next(entry.data for entry in entries if entry.kind == "ruling")
    assert ruling["ruling"] == "legal"
    assert ruling["answer"]["turn"]["extra"] == 1
