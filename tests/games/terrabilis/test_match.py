"""The game in the house's own rooms: declared touch by touch, shown, ruled on, let stand, journalled."""

from __future__ import annotations

import json
from typing import Any

from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.match.commands import Command, Name, decide
from referee.match.events import (
    CameraNote,
    GameStarted,
    LookTaken,
    ReadingMade,
    SetupAccepted,
    TurnRuled,
    event_from_json,
)
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.values.words import LANGUAGES
from referee.view import table_view
from tests.games.terrabilis.positions import COPY, position


def started(**line: Any) -> TableState:
    """Return a game whose set-up was accepted, red to move."""
    start = GAME.position(position({"red": line}) | {"copy": COPY})
    return step(begin(GameStarted(start)), SetupAccepted("tablet"))


def declared(state: TableState, wanted: str) -> TableState:
    """Return the state after a button of the banker's page was pressed."""
    board: Any = table_view(GAME, state)["board"]
    option = next(each for each in board["options"] if each["id"] == wanted)
    for event in decide(Command(Name.DECLARE, {"declared": option["declared"]}, by="tablet"), state, GAME):
        kept = json.loads(json.dumps(event.to_json()))
        assert event_from_json(event.kind, kept, GAME) == event
        state = step(state, event)
    return state


def ruled(state: TableState, seen: str) -> TableState:
    """Return the state after the turn was ended, looked at and ruled on."""
    observed = GAME.observation(seen)
    ruling = GAME.check(state.position, observed, (), state.turn.declared)
    state = step(state, LookTaken(state.look + 1, by="tablet"))
    state = step(state, ReadingMade(observed.text, (), (), True, (), (CameraNote("cam0", 8, 0.3),), 20.0))
    return step(state, TurnRuled.by_rules(observed.text, ruling))


def test_a_turn_is_declared_by_touches_and_ruled_on() -> None:
    state = started(pawn=8)
    for button in ("roll 1+1", "draw social", "install coal"):
        state = declared(state, button)
    board: Any = table_view(GAME, state, language="fr")["board"]
    assert board["ready"] is True
    assert board["accounts"][0]["amount"] == 16000
    state = ruled(state, "dice 1+1 zone 4g1y | red @10 i1")
    now = state.position
    assert isinstance(now, TerrabilisPosition)
    assert (state.phase, now.to_move, now.ledger[Country.RED].money) == (Phase.PLAYING, Country.BLUE, 16000)
    assert state.turn.declared == {}


def test_a_button_takes_the_last_act_back() -> None:
    state = declared(declared(started(pawn=8), "roll 1+1"), "draw social")
    state = declared(state, "undo")
    assert state.turn.declared == {"acts": "roll 1+1"}


def test_a_turn_let_stand_keeps_what_was_declared() -> None:
    state = declared(declared(started(), "roll 4+4"), "pay money")
    state = ruled(state, "zone 3g0y | red @8")
    assert state.phase is Phase.VIOLATION
    for language in LANGUAGES:
        view: Any = table_view(GAME, state, language=language)
        assert view["violation"]["rules"][0]["words"]
    for event in decide(Command(Name.ACCEPT, {}, by="tablet"), state, GAME):
        state = step(state, event)
    now = state.position
    assert isinstance(now, TerrabilisPosition)
    assert (now.ledger[Country.RED].money, now.zone, now.to_move) == (15000, (3, 0), Country.BLUE)
