"""An export of a game at a board without a frame is enough to find the board in its pictures again."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from calibration.boardfinder import BoardFinder
from calibration.boardpictures import board_files
from calibration.exif import picture_note
from calibration.masked import FLAT
from calibration.table import load_table
from referee.archive.export import export
from referee.report.gamefile import opened_game
from tests.archive.game import write_journal
from tests.calibration.bareboard import HIGH, LENS, LOW, TOUCHED, touches
from tests.calibration.exif import noted
from tests.scene import draw, pose, write_bare_table


def bare_table(folder: Path) -> Path:
    """Return a table that somebody set up by hand: a picture as a phone wrote it."""
    table = write_bare_table(folder / "table", draw(LOW, TOUCHED, LENS), touches(5.0))
    (picture,) = table.rglob("*.jpg")
    shown = cv2.imread(str(picture))
    assert shown is not None
    picture.write_bytes(noted(cv2.imencode(".jpg", shown)[1].tobytes(), focal_35=41, model="Phone 9"))
    return table


def test_an_export_finds_the_board_again_and_holds_nothing_but_the_board(tmp_path: Path) -> None:
    table, journal, out = bare_table(tmp_path), tmp_path / "game.journal", tmp_path / "game.zip"
    write_journal(journal)
    export(journal, out, table)
    with opened_game(out) as game:
        assert game.table is not None
        content = (game.table / "calibration" / "board-1.jpg").read_bytes()
        assert b"Phone 9" not in content
        assert picture_note(content).focal_35_mm == 41
        shown = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        assert np.abs(shown[:40, :40].astype(int) - FLAT).max() < 4
        there, seen = pose(60, 600, 500), draw(HIGH, pose(60, 600, 500), LENS)
        _, found = BoardFinder(load_table(game.table), game.table).photographed(seen, None, "phone")
    assert np.linalg.norm(found.centre_mm - there.centre_mm) < 15


def test_what_holds_the_board_alone_is_taken_as_it_is(tmp_path: Path) -> None:
    table = bare_table(tmp_path)
    files = board_files(table)
    for name, content in files.items():
        (table / name).write_bytes(content)
    assert board_files(table) == files
