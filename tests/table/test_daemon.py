"""The referee with the simplest neighbours: looks become events, and a kill anywhere changes nothing but the time."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.daemon import Noticeboard, Referee, open_game
from referee.journal import Entry, Journal, JournalError
from referee.table import Phase
from tests.table.fakes import FakeEyes, StepGame, judge, picture_of, start

GAME = StepGame()
PICTURES = ("11r/1y1", "11r/1y3", "12r/1y1", "covered", "lost", "17r/1y1", "13r/1y1", "14r/1y1")
"""Set-up, an illegal turn, a legal one, two without a view, one that can't be told, and two that end the game."""


class QuickJournal(Journal):
    """A journal that doesn't wait for the disk: these kills are not real ones, and the disk is slow."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._db.execute("PRAGMA synchronous = OFF")


class Killed(BaseException):
    """Stands for a SIGKILL: nobody catches it."""


class FatalJournal(QuickJournal):
    """Dies right before or right after an event has reached the disk."""

    def __init__(self, path: Path, appends: int, after: bool) -> None:
        super().__init__(path)
        self._left, self._after = appends, after

    def append(self, kind: str, data: Mapping[str, object]) -> Entry:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        entry = super().append(kind, data)
        if self._left == 0:
            raise Killed
        return entry


def referee_on(journal: Journal, board: Noticeboard | None = None) -> Referee:
    state = open_game(journal, GAME, start(), "test")
    return Referee(GAME, FakeEyes(), judge, journal, state, (board or Noticeboard()).publish)


def play(referee: Referee) -> None:
    """Show the pictures the referee has not ruled on yet."""
    while (number := referee.state.look + (not referee.state.awaiting)) <= len(PICTURES):
        referee.open_look(setup=number == 1)
        referee.take_look(picture_of(PICTURES[number - 1]))
    referee.end("over")


def outcome(path: Path) -> list[tuple[str, object]]:
    """What counts in a journal: everything but the readings, of which a restart may add one."""
    with QuickJournal(path) as journal:
        return [(entry.kind, entry.data) for entry in journal.entries() if entry.kind != "reading"]


def test_looks_become_events_and_rulings(tmp_path: Path) -> None:
    board = Noticeboard()
    with QuickJournal(tmp_path / "j") as journal:
        referee = referee_on(journal, board)
        play(referee)
        kinds = [entry.kind for entry in journal.entries()]
    assert kinds == [
        "game_started",
        *("look_taken", "reading", "setup_checked"),
        *("look_taken", "reading", "ruling") * 2,
        *("look_taken", "reading") * 2,
        *("look_taken", "reading", "ruling") * 3,
        "source_ended",
    ]
    assert referee.state.phase is Phase.FINISHED
    assert [turn.ruled.verdict.value for turn in referee.state.history] == [
        "illegal",
        "legal",
        "unsure",
        "legal",
        "legal",
    ]
    assert referee.banner.headline.text() == "Red wins"
    assert board.snapshot()["finished"] is True


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("appends", range(1, 22))
def test_killed_at_any_event_the_game_goes_on(tmp_path: Path, appends: int, after: bool) -> None:
    with QuickJournal(tmp_path / "whole") as journal:
        play(referee_on(journal))
    with FatalJournal(tmp_path / "killed", appends, after) as fatal, pytest.raises(Killed):
        play(referee_on(fatal))
    with QuickJournal(tmp_path / "killed") as journal:
        play(referee_on(journal))
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "whole")


def test_a_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    with QuickJournal(tmp_path / "j") as journal:
        referee_on(journal)
        with pytest.raises(JournalError, match="another game"):
            open_game(journal, GAME, start(turn=7), "test")
    with QuickJournal(tmp_path / "k") as journal:
        journal.append("tea_break", {})
        with pytest.raises(JournalError, match="no game this referee can carry on"):
            open_game(journal, GAME, start(), "test")


def test_nothing_is_shown_that_was_not_written(tmp_path: Path) -> None:
    board = Noticeboard()
    with FatalJournal(tmp_path / "j", 4, after=False) as journal:
        referee = referee_on(journal, board)
        with pytest.raises(Killed):
            play(referee)
        assert referee.state.setup is None
        assert board.snapshot()["phase"] == {"id": "set-up", "words": "Set-up"}


def test_the_noticeboard_wakes_who_waits() -> None:
    board = Noticeboard()
    assert not board.was_read
    board.publish({"n": 1})
    version = board.snapshot()["version"]
    assert isinstance(version, int)
    assert board.wait(version, 0.01)  # nothing new, but not closed either
    woken: list[bool] = []
    thread = threading.Thread(target=lambda: woken.append(board.wait(version, 10.0)))
    thread.start()
    board.publish({"n": 2})
    thread.join(5)
    assert woken == [True]
    assert board.snapshot()["version"] == version + 1
    board.close()
    assert not board.wait(version + 1, 10.0)
    assert board.was_read
