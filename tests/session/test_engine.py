"""The session engine by itself: its wishes, what it gives to write, and what an unwritten event means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.match.arguments import Command, CommandError
from referee.match.events import ChangedUnseen, LookTaken, ReadingMade, SourceEnded, TurnRuled
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.transitions import step
from referee.session.driving import carry_out
from referee.session.looking import LookPatience
from referee.session.said import (
    Captured,
    CommandGiven,
    EventNoted,
    KeepPictures,
    LookGiven,
    LookRead,
    NothingCaptured,
    TimePassed,
    WantsChange,
    WantsLook,
    WantsToRule,
)
from referee.view.notices import notices_view
from tests.session.sessions import BEFORE, GAME, STEP, TWO_STEPS, Kept, Table, capture


def test_a_look_is_wished_for_only_when_somebody_asked() -> None:
    table = Table()
    assert table.session.wish(100.0).cameras == WantsChange(None)
    table.command("turn_ended", 100.5)
    assert table.session.wish(100.5).cameras == WantsLook(100.5, 1)
    table.receive(Captured(capture(STEP), 101.0))
    assert table.driver.kinds == ["look_taken", "reading", "ruling"]
    assert table.session.state.position.turn == 2
    assert table.session.wish(101.0).cameras == WantsChange(None)


def test_pictures_are_kept_before_the_reading_is_written() -> None:
    table = Table()
    table.command("turn_ended")
    work = table.session.receive(Captured(capture(STEP), 101.0))
    assert isinstance(next(work), LookRead)
    assert isinstance(next(work), KeepPictures)
    written = work.send({"cam0": "a picture"})
    assert isinstance(written, tuple)
    (reading,) = written
    assert isinstance(reading, ReadingMade)
    assert dict(reading.pictures) == {"cam0": "a picture"}
    work.close()


def test_an_event_that_is_not_written_has_not_happened() -> None:
    table = Table()
    table.driver.full = True
    with pytest.raises(OSError, match="full"):
        table.command("turn_ended")
    assert table.session.state.phase is Phase.PLAYING
    assert table.session.state.look == 0
    table.driver.full = False
    table.command("turn_ended")
    assert table.session.state.phase is Phase.READING


def test_what_a_command_leads_to_is_written_together_or_has_not_happened() -> None:
    """A power cut between the two would leave a ruling withdrawn, and what was said about the board forgotten."""
    table = Table()
    table.command("turn_ended")
    table.receive(Captured(capture(TWO_STEPS), 101.0))
    before = table.session.state
    assert before.phase is Phase.VIOLATION
    work = table.session.receive(CommandGiven(Command("rule_board", {"board": STEP}, "red"), 102.0))
    written = next(work)
    assert isinstance(written, tuple)
    assert [event.kind for event in written] == ["ruling_withdrawn", "reading_corrected"]
    work.close()
    assert table.session.state is before
    table.command("rule_board", board=STEP)
    table.receive(NothingCaptured(103.0))
    assert table.session.state.position.turn == 2


def test_a_reading_that_is_written_is_ruled_on_although_the_ruling_was_not() -> None:
    """As after a power cut between the two: the last look is ruled on, and no other is taken."""
    table = Table()
    table.command("turn_ended")
    work = table.session.receive(Captured(capture(TWO_STEPS), 101.0))
    due = next(work)
    while not (isinstance(due, tuple) and isinstance(due[0], TurnRuled)):
        due = work.send({}) if isinstance(due, KeepPictures) else next(work)
    work.close()
    assert table.session.state.phase is Phase.RULING
    assert table.session.wish(102.0).cameras == WantsToRule()
    table.receive(NothingCaptured(102.0))
    assert table.driver.kinds[-1] == "ruling"
    assert table.session.state.phase is Phase.VIOLATION


def test_a_refused_command_changes_nothing() -> None:
    table = Table()
    before = table.session.state
    with pytest.raises(CommandError):
        table.command("put_back")
    assert table.session.state is before
    assert table.driver.events == []


def test_a_hand_in_the_way_is_waited_for_and_then_taken_as_it_is() -> None:
    table = Table(LookPatience(hand_s=3.0))
    table.command("turn_ended")
    table.receive(Captured(capture("covered", 101.0), 101.0))
    assert table.session.state.phase is Phase.READING
    assert table.session.live.waiting is not None
    assert table.session.live.waiting.id == "hand"
    assert table.session.wish(102.0).cameras == WantsLook(101.0, 1)
    table.receive(Captured(capture("covered", 104.5), 104.5))
    assert table.session.state.phase is Phase.BLIND
    assert [one.covered for one in table.driver.kept] == [True]


def test_given_pictures_that_show_nothing_leave_no_trace() -> None:
    table = Table()
    for text in ("covered", "lost"):
        table.receive(LookGiven(capture(text)))
    assert table.driver.events == []
    assert table.session.state.phase is Phase.PLAYING
    table.receive(LookGiven(capture(STEP)))
    assert table.driver.kinds == ["look_taken", "reading", "ruling"]


def test_a_fork_goes_its_own_way() -> None:
    table = Table()
    other = table.session.at(table.session.state)
    table.receive(LookGiven(capture(STEP)))
    assert (table.session.state.position.turn, other.state.position.turn) == (2, 1)
    carry_out(other.receive(LookGiven(capture(TWO_STEPS))), Kept())
    assert other.state.phase is Phase.VIOLATION
    assert table.session.state.phase is Phase.PLAYING


def test_a_followed_journal_leads_to_the_same_state() -> None:
    table = Table()
    table.receive(LookGiven(capture(TWO_STEPS)))
    table.command("put_back")
    table.receive(LookGiven(capture(STEP)))
    again = Table()
    for event in table.driver.events:
        again.session = again.session.at(step(again.session.state, event))
    assert again.session.state == table.session.state


def test_nothing_is_lost_when_pictures_end() -> None:
    table = Table()
    table.receive(TimePassed(100.0, ended="The recording has ended."))
    table.receive(TimePassed(101.0, ended="The recording has ended."))
    assert table.driver.events == [SourceEnded("The recording has ended.")]


def test_noted_events_happen_all_or_none() -> None:
    table = Table()
    with pytest.raises(Exception, match="can't"):
        table.receive(EventNoted((LookTaken(1), LookTaken(2))))
    assert table.driver.events == []


def test_blind_for_long_the_look_has_failed() -> None:
    table = Table()
    table.command("turn_ended")
    table.receive(NothingCaptured(101.0, blind_for_s=1.0, cameras=("cam0",)))
    assert table.session.state.phase is Phase.READING
    table.receive(NothingCaptured(104.0, blind_for_s=4.0, cameras=("cam0",)))
    assert table.session.state.phase is Phase.BLIND
    assert np.all([event.kind != "ruling" for event in table.driver.events])


def test_a_change_that_nobody_was_seen_to_make_is_written_and_said_until_the_turn_is_over() -> None:
    table = Table()
    for seen, unseen in ((STEP, False), (BEFORE, True), (STEP, True), (STEP, True)):
        table.receive(Captured(replace(capture(seen), unseen=unseen), 101.0))
    assert table.driver.events == [ChangedUnseen()]
    assert notices_of(table) == ["changed-unseen"]
    table.receive(LookGiven(capture(STEP)))
    assert notices_of(table) == []


def notices_of(table: Table) -> list[object]:
    return [one["id"] for one in notices_view(GAME, table.session.state, Live(), "en")]
