"""The referee with the simplest neighbours: looks become events, and a kill anywhere changes nothing but the time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from referee.daemon import CommandQueue, TurnLoop, ViewPublisher, open_game
from referee.match.commands import Name, actions
from referee.match.transitions import Phase
from referee.storage.journal import Journal, JournalEntry, JournalError
from tests.match.fakes import start
from tests.match.loops import GAME, PICTURES, QuickJournal, loop_on, told
from tests.untyped import untyped


class Killed(BaseException):
    """Stands for a SIGKILL: nobody catches it."""


class FatalJournal(QuickJournal):
    """Dies right before or right after an event has reached the disk."""

    def __init__(self, path: Path, appends: int, after: bool) -> None:
        super().__init__(path)
        self._left, self._after = appends, after

    def append_all(self, events: Sequence[tuple[str, Mapping[str, object]]]) -> tuple[JournalEntry, ...]:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        entries = super().append_all(events)
        if self._left == 0:
            raise Killed
        return entries


def play(loop: TurnLoop, desk: CommandQueue) -> None:
    """End turn after turn until the pictures have been shown."""
    for _ in range(3 * len(PICTURES)):
        loop.round()
        if loop.state.look >= len(PICTURES) and not loop.state.awaiting:
            loop.round()
            return
        if not loop.state.awaiting:
            first = "look_again" if Name.LOOK_AGAIN in actions(loop.state) else "turn_ended"
            assert told(loop, desk, first).accepted


def played(path: Path, journal: Journal | None = None) -> TurnLoop:
    desk = CommandQueue()
    loop = loop_on(journal or QuickJournal(path), desk=desk)
    play(loop, desk)
    return loop


def outcome(path: Path) -> list[tuple[str, object]]:
    """Return what counts in a journal: everything but the readings, of which a restart may add one."""
    with QuickJournal(path) as journal:
        return [(entry.kind, entry.data) for entry in journal.entries() if entry.kind != "reading"]


def test_looks_become_events_and_rulings(tmp_path: Path) -> None:
    board, desk = ViewPublisher(), CommandQueue()
    with QuickJournal(tmp_path / "j") as journal:
        loop = loop_on(journal, board, desk=desk)
        play(loop, desk)
        kinds = [entry.kind for entry in journal.entries()]
    assert kinds == [
        "game_started",
        *("look_taken", "reading", "setup_checked"),
        *("look_taken", "reading", "ruling") * 2,
        *("look_taken", "reading") * 2,
        *("look_taken", "reading", "ruling") * 3,
        "source_ended",
    ]
    assert loop.state.phase is Phase.FINISHED
    verdicts = [turn.ruled.verdict.value for turn in loop.state.history if turn.ruled]
    assert verdicts == ["illegal", "legal", "unsure", "legal", "legal"]
    assert loop.banner.headline.text() == "Red wins"
    assert board.snapshot()["finished"] is True
    assert untyped(board.snapshot("de"))["banner"]["headline"] == "Rot gewinnt"


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("appends", range(1, 22))
def test_killed_at_any_event_the_game_goes_on(tmp_path: Path, appends: int, after: bool) -> None:
    with QuickJournal(tmp_path / "whole") as journal:
        played(tmp_path, journal)
    with FatalJournal(tmp_path / "killed", appends, after) as fatal, pytest.raises(Killed):
        played(tmp_path, fatal)
    with QuickJournal(tmp_path / "killed") as journal:
        played(tmp_path, journal)
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "whole")


def test_a_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    with QuickJournal(tmp_path / "j") as journal:
        loop_on(journal)
        with pytest.raises(JournalError, match="another game"):
            open_game(journal, GAME, start(turn=7), "test")
    with QuickJournal(tmp_path / "k") as journal:
        journal.append("tea_break", {})
        with pytest.raises(JournalError, match="no game this referee can carry on"):
            open_game(journal, GAME, start(), "test")


def test_nothing_is_shown_that_was_not_written(tmp_path: Path) -> None:
    board, desk = ViewPublisher(), CommandQueue()
    with FatalJournal(tmp_path / "j", 4, after=False) as journal:
        loop = loop_on(journal, board, desk=desk)
        with pytest.raises(Killed):
            play(loop, desk)
        assert loop.state.turn.differences is None
        assert board.snapshot()["phase"] == {"id": "set-up", "words": "Set-up"}


def test_the_noticeboard_wakes_who_waits() -> None:
    board = ViewPublisher()
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
