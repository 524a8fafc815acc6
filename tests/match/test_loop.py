"""The turn loop between the looks: put back, set up, blind, stale commands, a journal that can't be written."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.daemon import CommandQueue, TableSight, TurnLoop, ViewPublisher
from referee.daemon.gamesfolder import GamesFolder
from referee.match.commands import Command
from referee.match.events import GameStarted, event_from_json
from referee.match.phases import Phase
from referee.match.state import EntryStatus
from referee.match.transitions import replay
from referee.session.said import WantsChange
from referee.storage.journal import JournalEntry, JournalError
from tests.match.fakes import FakeEyes, FakeSight, start, step_adapter
from tests.match.looking import GAME, At
from tests.match.loops import QuickJournal, told
from tests.untyped import untyped


@pytest.fixture
def at(tmp_path: Path) -> At:
    at = At(tmp_path / "j")
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING  # the set-up was right: the game began by itself
    return at


def test_a_wrong_set_up_is_told_live_until_it_is_right(tmp_path: Path) -> None:
    at = At(tmp_path / "j")
    at.shows("21r/1y1")
    assert at.phase is Phase.SET_UP
    assert [d["fields"] for d in at.view["setup"]["differences"]] == [["A2"]]
    assert at.journal.last == 1  # nothing was asked, so nothing is written
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING


def test_a_violation_is_over_when_the_board_is_seen_to_be_back(at: At) -> None:
    at.ends("21r/1y3")
    assert at.phase is Phase.VIOLATION
    tasks = at.loop.live.tasks
    assert [(task.field.name, task.stands, task.seen, task.done) for task in tasks] == [
        ("B1", "1", "3", False),
        ("A2", "1", "2", False),
    ]
    at.shows("11r/1y3")
    assert [(task.field.name, task.done) for task in at.loop.live.tasks] == [("B1", False), ("A2", True)]
    assert at.view["violation"]["put_back"][1]["done"] is True
    assert "1 of 2" in at.view["banner"]["advice"]
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING
    assert at.loop.state.history[-1].fate is EntryStatus.TAKEN_BACK


def test_something_else_that_is_wrong_must_be_put_back_too(at: At) -> None:
    at.ends("11r/1y3")
    at.shows("21r/1y1")
    assert at.phase is Phase.VIOLATION
    assert [task.field.name for task in at.loop.live.tasks if not task.done] == ["A2"]


def test_an_accepted_turn_goes_on_from_the_board_as_it_is(at: At) -> None:
    at.ends("11r/1y3")
    assert at.tell("accept")
    assert (at.phase, at.loop.state.position.turn, at.loop.state.position.board.text) == (Phase.PLAYING, 2, "11r/1y3")
    at.ends("11r/1y4")
    assert at.phase is Phase.FINISHED  # a stack of four


def test_a_reading_called_wrong_is_put_right_by_hand_and_ruled_again(at: At) -> None:
    at.ends("11r/1y3")
    assert at.tell("reading_wrong")
    assert at.phase is Phase.CORRECTING
    assert at.tell("rule_board", board="11r/1y2")
    assert at.phase is Phase.PLAYING
    assert [entry.fate for entry in at.loop.state.history] == [EntryStatus.WITHDRAWN, EntryStatus.STANDS]
    assert at.loop.state.history[-1].by_hand


@pytest.mark.parametrize("said", [{"board": "11r/1y2"}, {"fields": {"B1": "2"}}])
def test_the_journal_keeps_of_a_correction_only_what_differs(at: At, said: dict[str, Any]) -> None:
    at.ends("11r/1y3")
    assert at.tell("rule_board", **said)
    (kept,) = (entry.data for entry in at.journal.entries() if entry.kind == "reading_corrected")
    assert kept == {"by": "tablet", "fields": {"B1": "2"}}
    again = replay(event_from_json(entry.kind, entry.data, GAME) for entry in at.journal.entries())
    assert again == at.loop.state
    assert again.history[-1].ruled.observed == "11r/1y2"


@pytest.mark.parametrize("fields", [{"C9": "2"}, {"B1": "2x"}, {"B1": 2}, ["B1"], {"": ""}])
def test_a_correction_of_no_field_is_refused(at: At, fields: object) -> None:
    at.ends("11r/1y3")
    assert not at.tell("rule_board", fields=fields)
    assert at.phase is Phase.VIOLATION


def test_a_legal_ruling_can_be_withdrawn_and_turns_undone(at: At) -> None:
    at.ends("11r/1y2")
    assert at.tell("undo", entry=1)
    assert at.phase is Phase.RESTORING
    assert [task.field.name for task in at.loop.live.tasks] == ["B1"]
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING
    assert at.loop.state.position == start()


def test_a_board_put_back_before_the_undo_is_seen_at_once(at: At) -> None:
    at.ends("11r/1y2")
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING
    assert at.tell("undo", entry=1)  # from here on nobody touches the table
    at.shows("11r/1y1")
    assert at.phase is Phase.PLAYING
    assert at.loop.state.position == start()


def test_the_board_is_looked_at_once_after_an_undo(at: At) -> None:
    at.ends("11r/1y2")
    at.shows("21r/1y2")
    at.sight.moving = True
    assert at.tell("undo", entry=1)
    assert [task.field.name for task in at.loop.live.tasks] == ["B1"]
    at.sight.moving = False
    at.shows("21r/1y2")
    assert [(task.field.name, task.seen) for task in at.loop.live.tasks] == [("B1", "2"), ("A2", "2")]
    assert at.loop.session.wish(at.clock.now_s).cameras == WantsChange()


def test_a_correction_is_one_event_and_can_be_undone(at: At) -> None:
    before = at.journal.last
    assert at.tell("correct", changes={"board": "31r/1y1"})
    assert at.journal.last == before + 1
    assert list(at.journal.entries())[-1].data["by"] == "tablet"
    assert at.loop.state.position.board.text == "31r/1y1"
    assert at.tell("undo", entry=1)
    assert at.loop.state.position == start()


def test_an_earlier_turn_put_right_is_one_event_and_outlasts_a_kill(at: At, tmp_path: Path) -> None:
    at.ends("12r/1y1")
    at.ends("12r/1y2")
    before = at.journal.last
    assert not at.tell("put_right", entry=1, fields={"A2": "1", "B2": "2r"})  # so it stands
    assert at.journal.last == before
    assert at.tell("put_right", entry=1, fields={"A2": "2"})
    assert at.journal.last == before + 1
    assert at.loop.state.position.board.text == "21r/1y2"
    told_now = at.view["banner"]["detail"]
    assert "Turn 1 of Red was put right. 1 later turn was judged again and stands." in told_now
    assert [entry["fate_words"] for entry in at.view["history"]] == ["put right", "judged again"]
    assert [entry["after"] for entry in at.view["history"]] == ["21r/1y1", "21r/1y2"]
    events = [event_from_json(entry.kind, entry.data, GAME) for entry in at.journal.entries()]
    for number in range(1, len(events)):
        assert replay(events[:number]) is not None
    at.journal.close()
    again = At(tmp_path / "j")
    assert again.loop.state == at.loop.state
    again.ends("21r/2y2")
    assert (again.phase, again.loop.state.position.turn) == (Phase.PLAYING, 4)


def test_a_hand_is_waited_for_and_then_said_to_cover_the_board(at: At) -> None:
    at.ends("covered")
    assert at.phase is Phase.READING
    assert at.view["live"]["waiting"]["id"] == "hand"
    at.shows("covered", rounds=12)
    assert at.phase is Phase.BLIND
    assert at.view["banner"]["headline"] == "Something is in the way"
    at.shows("11r/1y2", rounds=4)
    assert at.phase is Phase.PLAYING  # it looked again by itself
    assert at.loop.state.position.turn == 2


def test_movement_is_waited_for_without_end_and_can_be_called_off(at: At) -> None:
    at.sight.moving = True
    at.ends("11r/1y2")
    at.shows("11r/1y2", rounds=100)
    assert at.phase is Phase.READING
    assert at.tell("not_ended")
    assert at.phase is Phase.PLAYING


def test_without_any_camera_the_referee_says_that_it_is_blind(at: At) -> None:
    at.sight.blind_s = 4.0
    at.ends("11r/1y2")
    assert at.phase is Phase.BLIND
    assert at.tell("rule_board", board="11r/1y2")  # the players can still have their turn ruled on
    assert at.phase is Phase.PLAYING


def test_progress_and_frames_of_the_turn(at: At) -> None:
    at.shows("12r/1y1")
    assert at.view["live"]["progress"] == [{"id": "placed", "words": "placed", "value": 1, "of": 1}]
    at.ends("12r/1y1")
    readings = [entry.data for entry in at.journal.entries() if entry.kind == "reading"]
    assert readings[-1]["frames"] == ["12r/1y1"]
    assert at.loop.live.progress == ()


def test_a_board_still_for_long_enough_can_end_the_turn(tmp_path: Path) -> None:
    at = At(tmp_path / "j", still_s=2.0)
    at.shows("11r/1y1")
    at.shows("11r/1y1", rounds=20)
    assert at.loop.state.position.turn == 1  # nothing has changed, so no turn was played
    at.shows("11r/1y2", rounds=3)
    assert at.loop.state.position.turn == 1
    at.shows("11r/1y2", rounds=8)
    assert at.loop.state.position.turn == 2


def test_nobody_decides_on_what_is_over(at: At) -> None:
    at.ends("11r/1y3")
    seen = at.journal.last
    first = told(at.loop, at.desk, "accept", seen)
    second = told(at.loop, at.desk, "put_back", seen)
    assert first.accepted
    assert (second.accepted, second.code) == (False, "moved-on")
    assert at.loop.state.position.turn == 2


def test_commands_that_make_no_sense_are_refused_with_words(at: At) -> None:
    refused: list[tuple[str, dict[str, object], str]] = [
        ("sing", {}, "command"),
        ("accept", {}, "phase"),
        ("turn_ended", {"player": "yellow"}, "turn"),
        ("turn_ended", {"player": "purple"}, "arguments"),
        ("turn_ended", {"loudly": True}, "arguments"),
        ("undo", {"entry": 7}, "phase"),
        ("correct", {"changes": 3}, "arguments"),
        ("correct", {"changes": {"board": "99"}}, "arguments"),
        ("end_game", {"how": "boredom"}, "arguments"),
        ("resign", {"player": None}, "arguments"),
        ("dispute", {"entry": 1, "words": "x" * 501}, "phase"),
        ("new_game", {"choice": {}}, "command"),
    ]
    last = at.journal.last
    for name, arguments, code in refused:
        outcome = told(at.loop, at.desk, name, **untyped(arguments))
        assert (outcome.accepted, outcome.code) == (False, code), name
        assert outcome.words is not None
        assert outcome.words.text("de")
    assert at.journal.last == last


def test_who_gave_up_is_passed_over(tmp_path: Path) -> None:
    at = At(tmp_path / "j")
    at.shows("11r/1y1")
    assert at.tell("resign", player="yellow")
    assert at.phase is Phase.FINISHED
    assert at.view["winners"] == ["red"]
    late = told(at.loop, at.desk, "turn_ended")
    assert (late.accepted, late.code) == (False, "phase")
    assert str(late.words) == "The game is over: this came too late and does not count."
    assert at.tell("undo", entry=1)
    at.shows("11r/1y1")
    assert (at.phase, at.loop.state.out) == (Phase.PLAYING, ())


class FullJournal(QuickJournal):
    """A disk that is full now and then."""

    full = False

    def append_all(self, events: Sequence[tuple[str, Mapping[str, object]]]) -> tuple[JournalEntry, ...]:
        if self.full:
            raise JournalError("no room")
        return super().append_all(events)


def test_what_could_not_be_written_does_not_count(tmp_path: Path) -> None:
    journal = FullJournal(tmp_path / "j")
    at = At(tmp_path / "j", journal)
    at.shows("11r/1y1")
    journal.full = True
    outcome = told(at.loop, at.desk, "turn_ended")
    assert (outcome.accepted, outcome.code) == (False, "disk")
    assert at.phase is Phase.PLAYING
    assert [notice["id"] for notice in at.view["notices"]] == ["journal"]
    journal.full = False
    at.ends("11r/1y2")
    assert at.loop.state.position.turn == 2
    assert at.view["notices"] == []


def test_full_in_the_middle_of_a_look_it_is_taken_again(tmp_path: Path) -> None:
    journal = FullJournal(tmp_path / "j")
    at = At(tmp_path / "j", journal)
    at.shows("11r/1y1")
    at.sight.moving = True
    at.ends("11r/1y2")
    at.sight.moving, journal.full = False, True
    at.shows("11r/1y2", rounds=10)
    assert at.phase is Phase.READING
    journal.full = False
    at.shows("11r/1y2", rounds=10)
    assert at.loop.state.position.turn == 2


def test_after_a_restart_everything_is_as_it_was(tmp_path: Path) -> None:
    at = At(tmp_path / "j")
    at.shows("11r/1y1")
    at.ends("11r/1y3")
    assert at.tell("pause")
    state = at.loop.state
    at.journal.close()
    again = At(tmp_path / "j")
    assert again.loop.state == state
    again.shows("11r/1y1", rounds=3)
    assert again.phase is Phase.PAUSED  # nothing at the table counts now
    assert again.tell("resume")
    again.shows("11r/1y1", rounds=2)
    assert again.phase is Phase.PLAYING


def test_a_new_game_gets_a_journal_of_its_own_and_clocks_may_go_back(tmp_path: Path) -> None:
    shelf = GamesFolder(tmp_path, "steps")
    book = shelf.begin(GameStarted(start(), "test"))
    desk, board = CommandQueue(), ViewPublisher()
    loop = TurnLoop(GAME, TableSight(FakeSight(), adapter=step_adapter(FakeEyes())), book, desk, board.publish)
    refused = told(loop, desk, "new_game", choice={"edition": "golden"})
    assert (refused.accepted, refused.code) == (False, "edition")
    made = told(loop, desk, "new_game", choice={"edition": "plain"}, players={"red": "Ada"})
    assert made.accepted
    assert loop.journal.journal.path != book.journal.path
    assert untyped(board.snapshot())["seats"][0]["name"] == "Ada"
    assert shelf.newest() == loop.journal.journal.path  # also within the same second
    loop.close()
    carried = shelf.carry_on(GAME)
    assert carried is not None
    assert carried.state == loop.state
    carried.close()


def test_a_board_set_up_before_the_game_is_begun_is_looked_at(tmp_path: Path) -> None:
    sight, desk = FakeSight(), CommandQueue()
    sight.board = "21r/1y1"  # not right, and it stays as it is
    book = GamesFolder(tmp_path, "steps").begin(GameStarted(start(), "test"))
    loop = TurnLoop(GAME, TableSight(sight, adapter=step_adapter(FakeEyes())), book, desk, ViewPublisher().publish)
    loop.round()
    assert loop.live.setup
    assert told(loop, desk, "new_game", choice={"edition": "plain"}).accepted
    loop.round()
    assert loop.live.setup
    loop.close()


def test_senders_wait_for_what_became_of_their_command(tmp_path: Path) -> None:
    at = At(tmp_path / "j")
    at.sight.board = "21r/1y1"  # not right: the game does not begin by itself
    answers: list[bool] = []
    sender = threading.Thread(target=lambda: answers.append(at.desk.command("begin", {}, "tablet").accepted))
    sender.start()
    while not answers:
        at.loop.round()
    sender.join()
    assert answers == [True]
    assert at.journal.last == 2
    at.desk.close()
    assert at.desk.command("pause", {}, "tablet").code == "closed"
    assert at.desk.put(Command("pause")).outcome is not None
