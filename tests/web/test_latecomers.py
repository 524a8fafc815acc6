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


@pytest.mark.parametrize("late", [("cam1",), ("cam0", "cam1")])
def test_a_lens_found_meanwhile_lets_its_camera_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: tuple[str, ...]
) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    measures = load_table(RECORDING.folder)
    lenses = {name: find_lens(RECORDING.folder, measures, name) for name in late}
    table = Table(tmp_path)
    for name in late:
        shutil.rmtree(table.folder / "calibration" / name)
    known = [name for name in measures.cameras if name not in late]
    table.show(0)
    with Game.played(table, data, (1024, 768)) as game:
        game.pair()
        assert (_playing(game), _lensless(game)) == (known, [f"lens-{name}" for name in late])
        broken = lens_path(table.folder, "cam1")
        broken.write_text(broken.name, encoding="utf-8")  # no lens: nothing falls over it
        time.sleep(2.0)
        assert _playing(game) == known
        for name, lens in lenses.items():
            save_lens(lens_path(table.folder, name), lens)
        by = time.monotonic() + 60
        while sorted(_playing(game)) != ["cam0", "cam1"] or _lensless(game):
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
