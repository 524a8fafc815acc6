"""An evening that was sent in is read again, and held against its record as the players corrected it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evening import evening
from benchmarks.real import main
from referee.addons.trackrecord.cases import true_board
from referee.archive.export import export
from referee.archive.measures import measures_folder
from referee.match.events import ReadingCorrected, RulingWithdrawn, Undone
from referee.match.state import EntryStatus
from referee.session.said import EventNoted, LookGiven, NothingCaptured
from tests.again.recorded import bundled
from tests.session.sessions import STEP, Table, capture

OTHER_STEP = "12r/1y1"


@pytest.mark.long
def test_an_export_is_read_again_and_held_against_its_record(tmp_path: Path) -> None:
    journal, page = tmp_path / "game.journal", tmp_path / "page.md"
    bundled(journal, looks=2)
    (tmp_path / "evening").mkdir()
    export(journal, tmp_path / "evening" / "club.zip", measures_folder(journal))
    assert main([str(tmp_path), "evening", "--page", str(page)]) == 0
    told = [line.strip("| ").split(" | ") for line in page.read_text(encoding="utf-8").splitlines()]
    rows = {tuple(cells[1:3]): cells[3:] for cells in told if cells[0] == "club"}
    assert rows["turns", "all"][:2] == ["2", "2 (100.0 %)"]
    assert rows["places", "all"][0] == "100"
    assert int(rows["places", "all"][1].split()[0]) > 90
    parts = [int(rows["places", part][0]) for part in ("stacks", "pieces")]
    assert sum(parts) == int(rows["places", "fixed camera"][0]) == int(rows["places", "usual light"][0]) == 100
    assert rows["recorded", "2"][:1] == ["0"]  # of the two rulings none was put right


def test_a_board_that_players_gave_is_the_truth_of_the_reading_before_it() -> None:
    table = Table()
    table.receive(LookGiven(capture(STEP)))
    table.receive(EventNoted((RulingWithdrawn("red"), ReadingCorrected("red", OTHER_STEP))))
    table.receive(NothingCaptured(102.0))
    history = table.session.state.history
    assert [one.fate for one in history] == [EntryStatus.WITHDRAWN, EntryStatus.STANDS]
    assert true_board(history, history[0]) == OTHER_STEP


def test_a_turn_that_was_undone_tells_nothing() -> None:
    table = Table()
    table.receive(LookGiven(capture(STEP)))
    table.receive(EventNoted((Undone("red", 1),)))
    assert true_board(table.session.state.history, table.session.state.history[0]) == ""


def test_a_folder_without_exports_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no ZIP"):
        evening(tmp_path)
