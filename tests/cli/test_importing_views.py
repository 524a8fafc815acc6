"""Photographs by one phone from several sides of a board: an import reads them as views of one look."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from referee.cli import main
from referee.games import package_named
from referee.storage.journal import JournalEntry, read_journal
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import TableScene
from tests.calibration.exif import noted
from tests.web.inhand import GAME, Boards, boards

SIDES_DEG = (-100.0, -10.0, 80.0)


class Walker:
    """Somebody who photographs a drawn table from all sides after each turn, with one phone."""

    def __init__(self, folder: Path) -> None:
        self.table, self.photos = folder / "table", folder / "photos"
        self.photos.mkdir()
        setup, kit = make_table(self.table, GAME, held=True), package_named(GAME).game.kit
        shutil.rmtree(self.table / "calibration")
        self._eyes = [DrawnCamera(PHONE, setup, kit) for _ in SIDES_DEG]
        self._looks = 0

    def photograph(self, *boards: str) -> None:
        """Take one picture from each side of each board, three seconds apart, and a blurred one first."""
        for text in boards:
            shown = [
                np.asarray(eye.picture(TableScene(text, held={PHONE: (side, 50.0)})), np.uint8)
                for eye, side in zip(self._eyes, SIDES_DEG, strict=True)
            ]
            shown.insert(0, np.asarray(cv2.GaussianBlur(shown[0], (0, 0), 3.0), np.uint8))
            for number, picture in enumerate(shown):
                self._keep(picture, 3 * number)
            self._looks += 1

    def _keep(self, picture: NDArray[np.uint8], second: int) -> None:
        content = cv2.imencode(".jpg", picture)[1].tobytes()
        taken = f"2026:03:14 20:{self._looks:02}:{second:02}"
        path = self.photos / f"IMG_{self._looks}_{second:02}.jpg"
        path.write_bytes(noted(content, taken, "+01:00", model="phone"))


def imported(folder: Path, walker: Walker, played: Boards) -> tuple[Path, list[JournalEntry], str]:
    start = folder / "start.json"
    start.write_text(json.dumps(played.position.to_json()), encoding="utf-8")
    words = ["import", walker.photos, "--table", walker.table, "--game", start, "--data", folder / "data"]
    done = CliRunner().invoke(main, list(map(str, words)))
    (journal,) = (folder / "data" / "games").glob("*.journal")
    return journal, read_journal(journal), done.output


@pytest.mark.long
def test_pictures_by_one_phone_are_views_in_journal_export_report_and_audit(tmp_path: Path) -> None:
    played, walker = boards(1), Walker(tmp_path)
    walker.photograph(played.start, *played.turns)
    journal, entries, told = imported(tmp_path, walker, played)
    assert [entry.data["ruling"] for entry in entries if entry.kind == "ruling"] == ["unsure", "legal"], told
    readings = [entry.data for entry in entries if entry.kind == "reading"]
    names = [f"phone1#{number}" for number in range(1, 5)]
    assert [sorted(dict(one["pictures"])) for one in readings] == 2 * [names]
    assert all("blurred" in json.dumps(one["cameras"]) for one in readings)
    shown = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--out", str(tmp_path / "turn.html")])
    assert shown.exit_code == 0, shown.output
    assert "phone1#4" in (tmp_path / "turn.html").read_text(encoding="utf-8")
    packed = CliRunner().invoke(main, ["journal", "export", str(journal), "-o", str(tmp_path / "game.zip")])
    assert packed.exit_code == 0, packed.output
    again = CliRunner().invoke(main, ["audit", "--game", str(tmp_path / "game.zip")])
    assert "are the same" in again.output, again.output


@pytest.mark.long
def test_pictures_of_two_boards_in_one_look_say_so(tmp_path: Path) -> None:
    played, walker = boards(1), Walker(tmp_path)
    walker.photograph(played.start)
    walker.photograph(played.turns[0])
    moved = sorted(walker.photos.glob("IMG_1_*.jpg"))
    still = sorted(walker.photos.glob("IMG_0_*.jpg"))
    for late, early in zip(moved[2:], still[2:], strict=True):
        late.write_bytes(early.read_bytes().replace(b" 20:00:", b" 20:01:"))
    assert "The board was changed between the pictures" in imported(tmp_path, walker, played)[2]
