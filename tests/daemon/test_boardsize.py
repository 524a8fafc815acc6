"""A bare board that is larger or smaller than somebody said shows it by the stones of its set-up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.decoding import LONGEST_PX, smaller
from calibration.exif import focal_length_px
from calibration.picturefile import decode_picture
from calibration.table import load_table
from referee.cli.gamebook import usual_start
from referee.daemon.boardsetup import BoardSetup
from referee.games import package_named
from referee.opponents import Opponent, Strength
from tests.web.barewalk import FOCAL_35, LARGE, BareWalk, bare_data, straighten
from tests.web.inhand import GAME
from vision.reader import TableReader
from web.tableview import Outcome

pytestmark = pytest.mark.long
SIDE_DEG = -100.0
WELL_MM = 284.0 * 0.01
"""A board so much off is read as one of the right size: half a percent of it, to each side."""


class Told:
    """A table whose board's size somebody told, the set-up on it, and a finger."""

    def __init__(self, folder: Path, size_mm: float) -> None:
        (folder / "calibration").mkdir(parents=True)
        data = bare_data()
        data["board"] = {"size": [size_mm, size_mm], "thickness": 2}
        self.folder, self.kept = folder, dict[str, bytes]()
        (folder / "table.json").write_text(json.dumps(data), encoding="utf-8")
        self.reader = TableReader(load_table(folder), folder, kit=package_named(GAME).game.kit)
        self.setup = BoardSetup(self.reader, lambda: True, self.kept.update)
        self._walk, position = BareWalk(), usual_start(package_named(GAME).game)
        setup = Opponent(package_named(GAME), Strength.WEAK, 1).set_up(position)
        self._lying = package_named(GAME).game.start_from_setup(position, setup).observed.text

    def touch(self) -> Outcome:
        """Photograph the set-up and touch its corners, two shown pixels off."""
        picture = smaller(decode_picture(self._walk.photograph(self._lying, SIDE_DEG), LONGEST_PX))
        share = LARGE[0] / picture.shape[1]
        self.setup.ask(picture, focal_length_px(FOCAL_35, (picture.shape[1], picture.shape[0])))
        number = self.setup.view("en")["picture"]
        assert isinstance(number, int)
        size = picture.shape[1] * share, picture.shape[0] * share
        corners: Mapping[str, list[float]] = {
            name: [x / size[0], y / size[1]] for name, (x, y) in self._walk.corners(SIDE_DEG, 2.0).items()
        }
        return self.setup.touch(number, corners)

    def size_mm(self) -> list[float]:
        found: list[float] = json.loads((self.folder / "table.json").read_text(encoding="utf-8"))["board"]["size"]
        return found


@pytest.fixture(autouse=True)
def _straightened(monkeypatch: pytest.MonkeyPatch) -> None:
    straighten(monkeypatch)


@pytest.mark.parametrize("told_mm", [300.0, 262.0])
def test_the_stones_of_the_set_up_tell_a_size_that_was_told_wrongly(tmp_path: Path, told_mm: float) -> None:
    table = Told(tmp_path / "table", told_mm)
    outcome = table.touch()
    assert outcome.accepted
    assert outcome.words is not None
    assert f"not {told_mm:g} mm" in outcome.words.text("en")
    assert table.size_mm() == pytest.approx([284, 284], abs=WELL_MM)
    assert json.loads(table.kept["table.json"])["board"]["size"] == table.size_mm()
    assert load_table(table.folder).board == table.reader.table.board


def test_a_size_that_was_told_rightly_stays(tmp_path: Path) -> None:
    table = Told(tmp_path / "table", 285.0)
    before = (table.folder / "table.json").read_bytes()
    assert table.touch().accepted
    assert (table.folder / "table.json").read_bytes() == before
    assert "table.json" not in table.kept


def test_a_full_disk_leaves_the_size_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Told(tmp_path / "table", 300.0)

    def full(path: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "replace", full)
        outcome = table.touch()
    assert (outcome.accepted, outcome.code) == (False, "disk")
    assert table.size_mm() == [300, 300]
    assert load_table(table.folder).board == table.reader.table.board
    assert not table.setup.known
    assert table.touch().accepted
