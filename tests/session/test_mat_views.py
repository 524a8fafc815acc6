"""A phone held over a mat: nothing hides anything there, so that one view is a look."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from referee.games.terrabilis.engine import GAME
from referee.match.events import GameStarted, LookTaken, ReadingMade, SetupAccepted
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from referee.session.adapter import adapter_of
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.openlook import LONGEST_S
from referee.session.said import EventNoted, ViewShown
from tests.session.sessions import Kept
from vision.ledger.reader import MatReader

OAK = Path(__file__).parents[1] / "data" / "mats" / "oak"
STARTED = GameStarted(GAME.new_game({"seats": {"first": "red", "second": "blue"}}))


def shown(session: Session, driver: Kept, *at_s: float) -> None:
    """Hold the phone over the mat at some times."""
    picture = np.asarray(cv2.imread(str(OAK / "002.jpg")), np.uint8)
    for each in at_s:
        carry_out(session.receive(ViewShown(Capture.of({"cam0": picture}, each), each)), driver)


def test_one_view_of_a_mat_ends_its_look() -> None:
    reader, driver = MatReader.open(OAK), Kept()
    state = step(begin(STARTED), SetupAccepted(""))
    session = Session(GAME, state, adapter_of(GAME, reader), 100.0)
    carry_out(session.receive(EventNoted((LookTaken(1),))), driver)
    assert session.state.phase is Phase.READING
    shown(session, driver, 100.5)
    assert driver.kinds == ["look_taken", "reading", "ruling"]
    (reading,) = [event for event in driver.events if isinstance(event, ReadingMade)]
    assert [note.name for note in reading.cameras] == ["cam0#1"]
    assert "red @17" in reading.text


def test_a_phone_over_a_mat_that_is_set_up_begins_no_game() -> None:
    """The mat is shown to be taught; what lies there at the start is as the players agreed."""
    reader, driver = MatReader.open(OAK), Kept()
    session = Session(GAME, begin(STARTED), adapter_of(GAME, reader), 100.0)
    shown(session, driver, 101.0, 102.0 + LONGEST_S)
    assert driver.events == []
    assert session.state.phase is Phase.SET_UP
