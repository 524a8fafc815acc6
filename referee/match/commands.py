"""Commands of players, by page, button or key: a pure step from a command to events.

A command is allowed in a phase when the events it stands for can happen there (referee/match/phases.py), so page,
buttons and table never disagree. ``actions`` lists what may be given now; ``decide`` turns a command into events, or
refuses it with a reason. Commands come from the network: nothing of their arguments is taken for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from referee.games.contract import RequestError
from referee.games.guarding import shown
from referee.match import declaring
from referee.match.arguments import Command, CommandArguments, CommandError, Judge
from referee.match.beginning import begin, may_tell, take_seats, tell
from referee.match.correcting import correct, rule_board
from referee.match.events import (
    AnyGame,
    CalledOff,
    ClockLaidAside,
    Disputed,
    End,
    Event,
    EventError,
    GameEnded,
    LookTaken,
    Paused,
    PutBack,
    QuestionDenied,
    Resigned,
    Resolution,
    Resolved,
    Resumed,
    RulingWithdrawn,
    TimeGiven,
    Trigger,
    TurnAccepted,
    TurnConfirmed,
    Undone,
)
from referee.match.own import require_own
from referee.match.phases import TRANSITIONS, Phase
from referee.match.puttingright import NEWEST_ONLY, may_be_put_right, put_right
from referee.match.questions import asked_first
from referee.match.state import Entry, TableState
from referee.match.transitions import TableError, step
from referee.match.turnkind import judges_again, needs_pictures
from referee.values.board import BoardError
from referee.values.words import board_words, say, verbatim

__all__ = ["ARGUMENTS", "Command", "CommandError", "Name", "actions", "button", "decide", "last_not_ended"]


class Name(StrEnum):
    """Names of the commands; a word is never changed once published."""

    TURN_ENDED = "turn_ended"
    DECLARE = "declare"
    ENTER = "enter"
    DRAFT = "draft"
    DENY = "deny"
    TURN_OVER = "turn_over"
    TELL = "tell"
    LAST_NOT_ENDED = "last_not_ended"
    LOOK_AGAIN = "look_again"
    NOT_ENDED = "not_ended"
    BEGIN = "begin"
    TAKE_SEATS = "take_seats"
    PUT_BACK = "put_back"
    ACCEPT = "accept"
    READING_WRONG = "reading_wrong"
    RULE_BOARD = "rule_board"
    CORRECT = "correct"
    PUT_RIGHT = "put_right"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    DISPUTE = "dispute"
    RESOLVE = "resolve"
    RESIGN = "resign"
    END_GAME = "end_game"
    GIVE_TIME = "give_time"
    CLOCK_ASIDE = "clock_aside"
    NEW_GAME = "new_game"
    PLAY_AGAIN = "play_again"


ARGUMENTS: Mapping[Name, Mapping[str, str]] = {
    Name.TURN_ENDED: {
        "player": "colour whose button was pressed, optional",
        "declared": "object with the answers to the form, optional",
    },
    Name.DECLARE: {
        "declared": "object with the answers to the form, optional: else what was entered",
        "option": "id of the option whose questions are answered by it, optional: its draft is done",
    },
    Name.ENTER: {
        "turn": "number of the turn it is meant for",
        "field": "id of a question of the form",
        "value": "the answer to it, optional: without it none",
    },
    Name.DRAFT: {
        "turn": "number of the turn it is meant for",
        "option": "id of an option that asks something",
        "values": "object with the answers so far, optional: without it the draft is dropped",
    },
    Name.DENY: {},
    Name.TURN_OVER: {},
    Name.TELL: {
        "field": "name of a field",
        "stands": "height and piece that stand there, as in board text",
        "others": "further fields with what stands there, optional",
    },
    Name.LAST_NOT_ENDED: {},
    Name.LOOK_AGAIN: {},
    Name.NOT_ENDED: {},
    Name.BEGIN: {"board": "board text as it stands, optional: else the board is looked at"},
    Name.TAKE_SEATS: {},
    Name.PUT_BACK: {},
    Name.ACCEPT: {"board": "board text as it stands, optional: else the board that was read"},
    Name.READING_WRONG: {},
    Name.RULE_BOARD: {
        "fields": "object: what stands on each field that differs from the position, at the end of the turn",
        "board": "board text at the end of the turn, in place of fields",
    },
    Name.CORRECT: {"changes": "object with keys of a position: board, in_hand, attacks, to_move, turn, ..."},
    Name.PUT_RIGHT: {
        "entry": "number of the turn's entry in the record",
        "fields": "object: what stood on each field that differed from the position before it, when the turn ended",
        "board": "board text at the end of that turn, in place of fields",
        "declared": "object with what was declared of that turn, optional: else what was declared then",
    },
    Name.UNDO: {"entry": "number of the first entry of the record that shall not count"},
    Name.PAUSE: {},
    Name.RESUME: {},
    Name.DISPUTE: {"entry": "number of an entry of the record", "words": "what is disputed, optional"},
    Name.RESOLVE: {
        "dispute": "number of an open dispute",
        "outcome": "stands, changed or withdrawn",
        "words": "optional",
    },
    Name.RESIGN: {"player": "colour that gives up"},
    Name.END_GAME: {"how": "agreement, draw or abandoned", "winners": "list of colours, optional"},
    Name.GIVE_TIME: {"player": "colour that gets more time", "seconds": "how much"},
    Name.CLOCK_ASIDE: {},
    Name.NEW_GAME: {
        "choice": "as choices() says",
        "players": "object of colours and names, optional",
        "clock": "object with total_s, turn_s, increment_s, delay_s, optional: without it no clock runs",
    },
    Name.PLAY_AGAIN: {},
}
"""The arguments of each command. Every command also takes ``seen``, a number (see Command)."""

_NEEDS: Mapping[Name, tuple[Trigger, ...]] = {
    Name.TURN_ENDED: (Trigger.TURN_ENDED,),
    Name.DECLARE: (Trigger.DECLARED,),
    Name.ENTER: (Trigger.ENTERED,),
    Name.DRAFT: (Trigger.ENTERED,),
    Name.DENY: (Trigger.DENIED,),
    Name.TURN_OVER: (Trigger.CONFIRMED,),
    Name.TELL: (Trigger.TOLD,),
    Name.LAST_NOT_ENDED: (Trigger.UNDONE,),
    Name.LOOK_AGAIN: (Trigger.TURN_ENDED, Trigger.SETUP_LOOK),
    Name.NOT_ENDED: (Trigger.CALLED_OFF,),
    Name.BEGIN: (Trigger.SETUP_ACCEPTED,),
    Name.TAKE_SEATS: (Trigger.RESEATED,),
    Name.PUT_BACK: (Trigger.PUT_BACK,),
    Name.ACCEPT: (Trigger.ACCEPTED,),
    Name.READING_WRONG: (Trigger.WITHDRAWN,),
    Name.RULE_BOARD: (Trigger.READING_CORRECTED, Trigger.WITHDRAWN),
    Name.CORRECT: (Trigger.CORRECTED,),
    Name.PUT_RIGHT: (Trigger.AGAIN,),
    Name.UNDO: (Trigger.UNDONE,),
    Name.PAUSE: (Trigger.PAUSED,),
    Name.RESUME: (Trigger.RESUMED,),
    Name.DISPUTE: (Trigger.DISPUTED,),
    Name.RESOLVE: (Trigger.RESOLVED,),
    Name.RESIGN: (Trigger.RESIGNED,),
    Name.END_GAME: (Trigger.ENDED,),
    Name.GIVE_TIME: (Trigger.CLOCK_SET,),
    Name.CLOCK_ASIDE: (Trigger.CLOCK_SET,),
    Name.NEW_GAME: (),
    Name.PLAY_AGAIN: (),
}
"""The triggers of which one must be possible for a command to be offered."""

_UNSEEN = (Name.LAST_NOT_ENDED, Name.LOOK_AGAIN, Name.READING_WRONG, Name.RULE_BOARD)
"""Commands that make no sense where no camera is needed, since everything is declared."""
_AGAIN = (Phase.SET_UP, Phase.VIOLATION, Phase.UNSURE, Phase.BLIND, Phase.CORRECTING)
_LOOKS = frozenset({Name.TURN_ENDED, Name.LOOK_AGAIN})
_BY_HAND = (Phase.CORRECTING, Phase.VIOLATION, Phase.UNSURE, Phase.BLIND)


def actions(state: TableState, game: AnyGame | None = None) -> tuple[Name, ...]:
    """Return the commands that may be given in this state. Without a game nothing can be declared.

    Where a game fails, what it asks for is not offered.
    """
    game = game and shown(game)
    asked: Mapping[Name, Callable[[AnyGame], bool]] = {
        Name.DECLARE: lambda rules: rules.form(state.position) is not None,
        Name.ENTER: lambda rules: rules.form(state.position) is not None,
        Name.DRAFT: lambda rules: not needs_pictures(rules.kit),
        Name.DENY: lambda rules: asked_first(state, rules) is not None,
        Name.LAST_NOT_ENDED: lambda rules: last_not_ended(state, rules) is not None,
        Name.PUT_RIGHT: lambda rules: judges_again(rules.kit),
    }
    unseen = _UNSEEN if game is not None and not needs_pictures(game.kit) else ()
    offered = (name for name in Name if name not in unseen and _offered(state, name))
    return tuple(name for name in offered if name not in asked or (game is not None and asked[name](game)))


def last_not_ended(state: TableState, game: AnyGame) -> Entry | None:
    """Return the turn before, if it seems to be under way still.

    That is so if nothing had changed when it was ruled on, and what breaks a rule now is a legal turn of its player.
    """
    turn, last = state.open_turn, state.last_counting
    if state.phase is not Phase.VIOLATION or turn is None or turn.ruled is None or last is None or last.after is None:
        return None
    if last.ruled is None or last.before.observed.text != last.after.observed.text:
        return None
    try:
        ruling = game.check(last.before, game.observation(turn.ruled.observed))
    except RequestError:
        return None
    return last if ruling.legal else None


def _offered(state: TableState, name: Name) -> bool:
    if name is Name.NEW_GAME:
        fresh = state.phase in (Phase.SET_UP, Phase.PLAYING) and not state.history
        return not state.begun.recorded and (state.phase is Phase.FINISHED or fresh)
    if name is Name.PLAY_AGAIN:
        over = state.phase is Phase.FINISHED or bool(state.ended)
        return state.begun.recorded and over and not state.awaiting
    if name in _LOOKS and state.ended:
        return False
    leads = TRANSITIONS[state.phase]
    if not any(trigger in leads for trigger in _NEEDS[name]):
        return False
    only = _ONLY.get(name)
    return only is None or only(state)


def _clocked(state: TableState) -> bool:
    return state.clock is not None and not state.clock.aside and state.phase is not Phase.FINISHED


def _withdrawable(state: TableState) -> bool:
    try:
        step(state, RulingWithdrawn(""))
    except TableError:
        return False
    return True


_ONLY: Mapping[Name, Callable[[TableState], bool]] = {
    Name.TURN_ENDED: lambda state: state.phase in (Phase.PLAYING, Phase.RESTORING),
    Name.DECLARE: lambda state: state.open_turn is not None or state.phase not in (Phase.VIOLATION, Phase.UNSURE),
    Name.TURN_OVER: lambda state: state.unchanged,
    Name.TELL: may_tell,
    Name.TAKE_SEATS: lambda state: state.turn.other is not None and not state.awaiting,
    Name.LOOK_AGAIN: lambda state: state.phase in _AGAIN and not (state.phase is Phase.SET_UP and state.awaiting),
    Name.ACCEPT: lambda state: not state.unchanged,
    Name.RULE_BOARD: lambda state: state.phase in _BY_HAND,
    Name.READING_WRONG: _withdrawable,
    Name.PUT_RIGHT: lambda state: state.result is None and any(map(may_be_put_right, state.history)),
    Name.UNDO: lambda state: state.last_counting is not None,
    Name.DISPUTE: lambda state: bool(state.history),
    Name.RESOLVE: lambda state: any(dispute.outcome is None for dispute in state.disputes),
    Name.GIVE_TIME: _clocked,
    Name.CLOCK_ASIDE: _clocked,
}
"""Further conditions for a command to be offered where its trigger leads somewhere."""


def decide(command: Command, state: TableState, game: AnyGame, judge: Judge | None = None) -> tuple[Event, ...]:
    """Return the events a command stands for, each possible after the one before. Raises CommandError.

    judge: rules on earlier turns again; without it none is put right.
    ``new_game`` and ``play_again`` are not for here: they leave this game's journal.
    """
    name = _known(command, state, game)
    if command.player:
        require_own(command, state, game)
    try:
        events = _DECISIONS[name](CommandArguments(command, state, game, judge))
        for event in events:
            state = step(state, event)
    except TableError:
        raise CommandError(
            "phase", say("This can't be done now: the table has moved on. Please look again.")
        ) from None
    except (RequestError, EventError, BoardError) as error:
        if isinstance(error, RequestError):
            raise CommandError(error.code, error.words) from None
        told = board_words(error) if isinstance(error, BoardError) else verbatim(str(error))
        raise CommandError("arguments", told) from None
    return events


def _known(command: Command, state: TableState, game: AnyGame) -> Name:
    try:
        name = Name(command.name)
    except ValueError:
        raise CommandError(
            "command", say("The referee knows no command {name}.", name=repr(command.name)[:60])
        ) from None
    unknown = sorted(set(command.arguments) - set(ARGUMENTS[name]))
    if unknown:
        raise CommandError("arguments", say("{name} takes no {what}.", name=name.value, what=repr(unknown[0])[:60]))
    if name in _LOOKS and state.ended:
        raise CommandError("ended", say("There are no more pictures to look at."))
    if name is Name.PUT_RIGHT and not judges_again(game.kit):
        raise CommandError("kind", NEWEST_ONLY)
    if name not in actions(state, game) or name not in _DECISIONS:
        if state.phase is Phase.FINISHED:
            raise CommandError("phase", say("The game is over: this came too late and does not count."))
        raise CommandError("phase", say("This can't be done now: the table has moved on. Please look again."))
    return name


def _last_not_ended(arguments: CommandArguments) -> tuple[Event, ...]:
    last = last_not_ended(arguments.state, arguments.game)
    if last is None:
        raise CommandError("phase", say("This can't be done now: the table has moved on. Please look again."))
    return (Undone(arguments.by, last.id), LookTaken(arguments.state.look + 1, by=arguments.by))


def _look_again(arguments: CommandArguments) -> tuple[Event, ...]:
    return (LookTaken(arguments.state.look + 1, arguments.state.phase is Phase.SET_UP, arguments.by),)


def _accept(arguments: CommandArguments) -> tuple[Event, ...]:
    state, turn = arguments.state, arguments.state.open_turn
    if turn is None or turn.ruled is None:
        raise CommandError("phase", say("No turn waits to be accepted."))
    board = (
        arguments.observation("board") if arguments.has("board") else arguments.game.observation(turn.ruled.observed)
    )
    return (TurnAccepted(arguments.by, arguments.game.accepted(state.position, board, state.turn.declared)),)


def _resign(arguments: CommandArguments) -> tuple[Event, ...]:
    player, state = arguments.colour("player"), arguments.state
    if player in state.out:
        raise CommandError("resigned", say("{who} has given up already.", who=player))
    position = arguments.game.resigned(state.position, frozenset({*state.out, player}))
    return (Resigned(arguments.by, player, position),)


def _end(arguments: CommandArguments) -> tuple[Event, ...]:
    return (GameEnded(arguments.by, arguments.one_of("how", End), arguments.colours("winners")),)


def _dispute(arguments: CommandArguments) -> tuple[Event, ...]:
    return (
        Disputed(arguments.by, len(arguments.state.disputes) + 1, arguments.number("entry"), arguments.text("words")),
    )


def _resolve(arguments: CommandArguments) -> tuple[Event, ...]:
    outcome = arguments.one_of("outcome", Resolution)
    return (Resolved(arguments.by, arguments.number("dispute"), outcome, arguments.text("words")),)


def _give_time(arguments: CommandArguments) -> tuple[Event, ...]:
    return (TimeGiven(arguments.by, arguments.colour("player").word, arguments.number("seconds") * 1000),)


_DECISIONS: Mapping[Name, Callable[[CommandArguments], tuple[Event, ...]]] = {
    Name.TURN_ENDED: declaring.turn_ended,
    Name.DECLARE: declaring.declare,
    Name.ENTER: declaring.enter,
    Name.DRAFT: declaring.draft,
    Name.DENY: lambda arguments: (QuestionDenied(arguments.by),),
    Name.TURN_OVER: lambda arguments: (TurnConfirmed(arguments.by),),
    Name.TELL: tell,
    Name.LAST_NOT_ENDED: _last_not_ended,
    Name.LOOK_AGAIN: _look_again,
    Name.NOT_ENDED: lambda arguments: (CalledOff(arguments.by),),
    Name.BEGIN: begin,
    Name.TAKE_SEATS: take_seats,
    Name.PUT_BACK: lambda arguments: (PutBack(arguments.by),),
    Name.ACCEPT: _accept,
    Name.READING_WRONG: lambda arguments: (RulingWithdrawn(arguments.by),),
    Name.RULE_BOARD: rule_board,
    Name.CORRECT: correct,
    Name.PUT_RIGHT: put_right,
    Name.UNDO: lambda arguments: (Undone(arguments.by, arguments.number("entry")),),
    Name.PAUSE: lambda arguments: (Paused(arguments.by),),
    Name.RESUME: lambda arguments: (Resumed(arguments.by),),
    Name.DISPUTE: _dispute,
    Name.RESOLVE: _resolve,
    Name.RESIGN: _resign,
    Name.END_GAME: _end,
    Name.GIVE_TIME: _give_time,
    Name.CLOCK_ASIDE: lambda arguments: (ClockLaidAside(arguments.by),),
}


def button(state: TableState) -> Name | None:
    """Return the command that the one button at the table gives now, ``None`` where it gives none."""
    offered = actions(state)
    return next((name for name in (Name.TURN_ENDED, Name.LOOK_AGAIN, Name.RESUME) if name in offered), None)
