"""A camera whose lens becomes known while a game goes on takes part from then on, without a new start."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from calibration.lens import load_lens, save_lens
from calibration.lenses import find_lens, lens_path
from calibration.table import load_table
from referee.storage.journal import read_journal
from tests.demo.table import RECORDING, Table
from tests.web.browser import needs_browser
from tests.web.whole import Game

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]


def _lensless(game: Game) -> list[str]:
    return [one["id"] for one in game.state()["notices"] if one["id"].startswith("lens-")]


def _playing(game: Game) -> list[str]:
    return [one["name"] for one in game.state()["cameras"]]


def test_a_lens_found_meanwhile_lets_its_camera_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    lens = find_lens(RECORDING.folder, load_table(RECORDING.folder), "cam1")
    table = Table(tmp_path)
    shutil.rmtree(table.folder / "calibration" / "cam1")
    table.show(0)
    with Game.played(table, data, (1024, 768)) as game:
        game.pair()
        game.phase("playing")
        assert (_playing(game), _lensless(game)) == (["cam0"], ["lens-cam1"])
        path = lens_path(table.folder, "cam1")
        path.write_text(path.name, encoding="utf-8")  # no lens: nothing falls over it
        time.sleep(2.0)
        assert _playing(game) == ["cam0"]
        save_lens(path, lens)
        by = time.monotonic() + 60
        while _playing(game) != ["cam0", "cam1"] or _lensless(game):
            assert time.monotonic() < by, game.state()
            time.sleep(0.1)
        game.show(1)
        game.press("turn_ended")
        while not game.state()["history"]:
            assert time.monotonic() < by + 60, game.state()["banner"]
            time.sleep(0.1)
        assert game.state()["history"][0]["verdict"] == "illegal"  # the recorded game begins with a stone on a tower
    (journal,) = (data / "games").rglob("*.journal")
    read = [entry for entry in read_journal(journal, recover=False) if entry.kind == "reading"]
    assert {note["camera"] for note in json.loads(json.dumps(read[-1].data))["cameras"]} == {"cam0", "cam1"}
    beside = load_lens(journal.with_suffix(".table") / "calibration" / "cam1.json")  # an audit reads the game with it
    assert (beside.matrix == lens.matrix).all()
