"""Corrects what was read, or the position, on the word of players."""

from __future__ import annotations

from contextlib import suppress

from referee.match.arguments import CommandArguments
from referee.match.events import Event, PositionCorrected, ReadingCorrected, RulingWithdrawn
from referee.match.phases import Phase
from referee.match.turnkind import places_differing, with_places
from referee.values.gameerror import GameError


def rule_board(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when players say how the board stands; the journal keeps the fields in which it differs."""
    state, game = arguments.state, arguments.game
    told = arguments.texts("fields") if arguments.has("fields") else None
    text = arguments.value("board") if told is None else with_places(game.kit, state.position.observed, told)
    observed = game.observation(text)
    with suppress(GameError):  # the ruling tells that the game failed
        game.check(state.position, observed)  # raises for a board no turn can lead to
    fields = places_differing(game.kit, state.position.observed, observed.text)
    given = (
        ReadingCorrected(arguments.by, observed.text)
        if fields is None
        else ReadingCorrected(arguments.by, fields=tuple(fields.items()), kit=game.kit)
    )
    return (given,) if state.phase is Phase.CORRECTING else (RulingWithdrawn(arguments.by), given)


def correct(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when players put the position right: the game says what may be changed."""
    position = arguments.game.corrected(arguments.state.position, arguments.mapping("changes"))
    return (PositionCorrected(arguments.by, position),)
