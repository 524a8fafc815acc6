"""A device that is one player's own says that player's acts, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.terrabilis.engine import GAME
from referee.match.commands import Command, CommandError, decide
from referee.match.events import GameStarted, LookTaken, SetupAccepted, TurnDeclared
from referee.match.own import require_own
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, step
from tests.match.fakes import StepGame, start


def playing(declared: str = "") -> TableState:
    """Return a game with Red to move and blue at the table."""
    position = GAME.new_game({"seats": {"first": "red", "second": "blue"}})
    state = step(begin(GameStarted(position)), SetupAccepted("tablet"))
    return step(state, TurnDeclared("tablet", {"acts": declared})) if declared else state


SAID: list[tuple[str, str, dict[str, Any], str, bool]] = [
    ("red", "declare", {"declared": {"acts": "roll 1+1"}}, "", True),
    ("blue", "declare", {"declared": {"acts": "roll 1+1"}}, "", False),
    ("blue", "declare", {"declared": {"acts": "blue borrows"}}, "", True),
    ("blue", "declare", {"declared": {"acts": ""}}, "roll 1+1", False),
    ("blue", "turn_ended", {}, "roll 1+1; answer normal wrong", False),
    ("red", "turn_ended", {}, "roll 1+1; answer normal wrong", True),
    ("red", "pause", {}, "", False),
    ("red", "end_game", {"how": "draw"}, "", False),
    ("red", "declare", {"declared": {"acts": "fly"}}, "", False),
]


@pytest.mark.parametrize(("player", "name", "arguments", "declared", "taken"), SAID)
def test_only_the_own_acts_are_taken(
    player: str, name: str, arguments: dict[str, Any], declared: str, taken: bool
) -> None:
    command = Command(name, arguments, by="phone", player=player)
    if taken:
        assert decide(command, playing(declared), GAME)
    else:
        with pytest.raises(CommandError):
            decide(command, playing(declared), GAME)


def test_who_ended_the_own_turn_too_early_takes_that_back() -> None:
    ended = step(playing("roll 1+1"), LookTaken(1, by="phone"))
    (called_off,) = decide(Command("not_ended", {}, by="phone", player="red"), ended, GAME)
    assert step(ended, called_off).phase is Phase.PLAYING
    with pytest.raises(CommandError):
        decide(Command("not_ended", {}, by="phone", player="blue"), ended, GAME)


def test_who_ended_the_own_turn_says_that_it_is_over() -> None:
    """The page says “say so”: nobody needs a tablet for that."""
    ended = step(playing("roll 1+1"), LookTaken(1, by="phone"))
    require_own(Command("turn_over", {}, by="phone", player="red"), ended, GAME)
    with pytest.raises(CommandError):
        require_own(Command("turn_over", {}, by="phone", player="blue"), ended, GAME)


def test_in_other_games_the_own_turn_is_ended() -> None:
    state = step(begin(GameStarted(start())), SetupAccepted("tablet"))
    mover = state.position.to_move.word
    other = next(seat.colour.word for seat in StepGame().seats(state.position) if seat.colour.word != mover)
    assert decide(Command("turn_ended", {}, player=mover), state, StepGame())
    with pytest.raises(CommandError):
        decide(Command("turn_ended", {}, player=other), state, StepGame())
