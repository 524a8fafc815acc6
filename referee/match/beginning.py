"""Begins a game: on a board that the referee reads and players complete, or on the players' word alone."""

from __future__ import annotations

from referee.games.contract import Position
from referee.match.arguments import CommandArguments, CommandError
from referee.match.events import AnyGame, Event, FieldTold, LookTaken, SeatsTaken, SetupAccepted, Trigger
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.turnkind import turn_kind
from referee.values.board import Board, Field
from referee.values.words import say


def awaits_setup(game: AnyGame, position: Position) -> bool:
    """Return whether a board is still to be set up: nothing was played, and no piece stands in the position."""
    return position.turn == 1 and turn_kind(game.kit).awaits_pieces(position.observed)


def looks_first(state: TableState, game: AnyGame) -> bool:
    """Return whether *Begin* looks at the board first: it is still to be set up.

    A board that could not be seen is looked at again, unless what was agreed on is a whole set-up already.
    """
    if state.ended or not awaits_setup(game, state.position):
        return False
    seen = state.awaiting or state.reading is None or state.reading.trigger is Trigger.SEEN
    return seen or bool(game.setup_differences(state.position, state.position.observed))


def begin(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when the players want to begin. Raises RequestError for a board no game can start from.

    What they say of the whole board counts; else the board is looked at, and where that can't be, or where a position
    with pieces was agreed on, the game begins from what was agreed.
    """
    state, game = arguments.state, arguments.game
    if arguments.has("board"):
        return (SetupAccepted(arguments.by, game.start_from_setup(state.position, arguments.observation("board"))),)
    if looks_first(state, game):
        return (LookTaken(state.look + 1, setup=True, by=arguments.by),)
    began = state.history[0].before if state.history else state.position
    if not awaits_setup(game, began):
        return (SetupAccepted(arguments.by),)
    return (SetupAccepted(arguments.by, game.start_from_setup(state.position, state.position.observed)),)


def take_seats(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when players take the seats that are seen: with them the set-up is looked at again."""
    other = arguments.state.turn.other
    if other is None:
        raise CommandError("phase", say("This can't be done now: the table has moved on. Please look again."))
    return (
        SeatsTaken(arguments.by, other.position),
        LookTaken(arguments.state.look + 1, setup=True, by=arguments.by),
    )


def tell(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when somebody says what stands on a field, or on several at once.

    The last answer of a set-up leads to a look.
    """
    state, kit = arguments.state, arguments.game.kit
    said = {arguments.text("field"): arguments.text("stands"), **arguments.texts("others")}
    for name, stands in said.items():
        place = Field.from_name(name)
        Board.parse(stands, 1, 1, kit.letters)
        if place.row >= kit.rows or place.col >= kit.columns:
            raise CommandError("arguments", say("The board has no field {at}.", at=place))
    (field, stands), *others = said.items()
    told = FieldTold(arguments.by, field, stands, tuple(others))
    if state.phase is not Phase.SET_UP or {place.name for place in state.unanswered} - set(said):
        return (told,)
    return (told, LookTaken(state.look + 1, setup=True, by=arguments.by))


def may_say_all(state: TableState, game: AnyGame) -> bool:
    """Return whether players may say how a whole set-up stands: it was looked at, and that did not begin the game."""
    failed = state.reading is not None and state.reading.trigger is not Trigger.SEEN
    found = bool(state.turn.asks or state.turn.differences or failed)
    return awaits_setup(game, state.position) and not state.awaiting and found


def may_tell(state: TableState) -> bool:
    """Return whether somebody was asked what stands on a field."""
    if state.phase is Phase.SET_UP:
        return bool(state.turn.asks) and not state.awaiting
    unsure = state.unsure
    return unsure is not None and bool(unsure.ask or unsure.candidates)
