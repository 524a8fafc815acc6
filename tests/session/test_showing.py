"""While a look by a camera in a hand is open, the session says which sides are done and which one is wanted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from calibration.picturefile import decode_picture
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.match.arguments import Command
from referee.match.events import GameStarted, SetupAccepted
from referee.match.transitions import begin, step
from referee.session.adapter import adapter_of
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.readers import reader_of
from referee.session.said import CommandGiven, ViewShown
from tests.session.sessions import Kept


@pytest.mark.long
def test_an_open_look_tells_the_sides_that_are_done_and_the_one_that_is_wanted(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    shutil.copytree(BUNDLED, folder)
    measures = json.loads((folder / "table.json").read_text(encoding="utf-8"))
    (folder / "table.json").write_text(json.dumps(measures | {"held": ["cam0"]}), encoding="utf-8")
    kept = Recording.open(BUNDLED)
    game = game_named(kept.game)
    reader = reader_of(game, folder)
    state = step(begin(GameStarted(game.position(kept.position))), SetupAccepted(""))
    session, driver = Session(game, state, adapter_of(game, reader), 100.0), Kept()
    look = kept.looks[2]
    picture = decode_picture(look.pictures["cam0"].read_bytes())

    carry_out(session.receive(CommandGiven(Command("turn_ended", {}, state.position.to_move.word), 100.0)), driver)
    before = session.live.showing
    assert before is not None
    assert (before.sides, before.show) == ((), None)
    carry_out(session.receive(ViewShown(Capture.of({"cam0": picture}, 101.0), 101.0)), driver)
    showing = session.live.showing
    assert showing is not None
    ((azimuth, elevation),) = showing.sides
    assert showing.show is not None
    assert set(showing.show.fields) <= set(showing.fields)
    assert (showing.show.azimuth_deg, showing.show.elevation_deg) != (azimuth, elevation)
