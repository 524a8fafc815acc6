"""A game in its middle, to measure the page with: forty turns, played at random by the rules and ruled on."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from referee.games import game_named
from referee.games.contract import Ruling
from referee.games.terra_turrium.position.position import TerraPosition
from referee.match.events import CameraNote, Event, GameStarted, LookTaken, ReadingMade, TurnRuled
from referee.match.state import TableState
from referee.match.transitions import begin, step
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import position

GAME = game_named("terra-turrium")
TURNS = 40
CAMERAS = ("cam0", "cam1")


def started() -> GameStarted:
    """Return the beginning of the game."""
    return GameStarted(GAME.position(position()), "A table in the middle of a game")


def played(turns: int = TURNS) -> list[Event]:
    """Return the events of a game of so many turns that has not ended, without its beginning."""
    state, rnd, found = begin(started()), random.Random("page"), list[Event]()
    while state.position.turn <= turns:
        for event in next(_turns(rnd, state)):
            found.append(event)
            state = step(state, event)
    return found


def state_after(events: list[Event]) -> TableState:
    """Return the table after these events."""
    state = begin(started())
    for event in events:
        state = step(state, event)
    return state


def _turns(rnd: random.Random, state: TableState) -> Iterator[tuple[Event, Event, Event]]:
    """Yield legal turns from a state, none of which ends the game."""
    now = state.position
    assert isinstance(now, TerraPosition)
    while True:
        turn = Turn(rnd, now)
        board = turn.play()
        ruling: Ruling | None = GAME.check(now, board) if turn.complete else None
        if ruling is None or not ruling.legal or ruling.next is None or ruling.next.finished:
            continue
        notes = tuple(CameraNote(name, 8, 0.31) for name in CAMERAS)
        kept = tuple((name, hashlib.sha256(f"{name} {now.turn}".encode()).hexdigest()) for name in CAMERAS)
        sure = ((1.0,) * 10,) * 10
        reading = ReadingMade(board.text, sure, (), True, (), notes, 180.0, kept)
        yield LookTaken(state.look + 1), reading, TurnRuled.by_rules(board.text, ruling)
