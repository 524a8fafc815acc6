"""A camera whose lens becomes known while a game goes on takes part from then on, without a new start."""

from __future__ import annotations

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


def test_lenses_found_meanwhile_let_their_cameras_in_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    measures = load_table(RECORDING.folder)
    lenses = {name: find_lens(RECORDING.folder, measures, name) for name in measures.cameras}
    table = Table(tmp_path)
    for name in lenses:
        shutil.rmtree(table.folder / "calibration" / name)
    table.show(0)
    with Game.played(table, data, (1024, 768)) as game:
        game.pair()
        assert (_playing(game), _lensless(game)) == ([], ["lens-cam0", "lens-cam1"])
        broken = lens_path(table.folder, "cam1")
        broken.write_text(broken.name, encoding="utf-8")  # no lens: nothing falls over it
        time.sleep(2.0)
        assert _playing(game) == []
        by = time.monotonic() + 120
        for name, missing in (("cam0", ["lens-cam1"]), ("cam1", [])):
            save_lens(lens_path(table.folder, name), lenses[name])
            while name not in _playing(game) or _lensless(game) != missing:
                assert time.monotonic() < by, game.state()
                time.sleep(0.1)
        game.phase("playing")
        game.show(1)
        game.press("turn_ended")
        while not game.state()["history"]:
            assert time.monotonic() < by + 60, game.state()["banner"]
            time.sleep(0.1)
        assert game.state()["history"][0]["verdict"] == "illegal"  # the recorded game begins with a stone on a tower
    (journal,) = (data / "games").rglob("*.journal")
    read = [entry for entry in read_journal(journal, recover=False) if entry.kind == "reading"]
    assert read[-1].data["cameras"].keys() == {"cam0", "cam1"}
    for name, lens in lenses.items():  # an audit reads the game with them
        assert (load_lens(journal.with_suffix(".table") / "calibration" / f"{name}.json").matrix == lens.matrix).all()
