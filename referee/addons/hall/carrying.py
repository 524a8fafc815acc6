"""What an arbiter's order does at the table: the events of the journal that carry it out. Pure.

Nothing is done here that players can't do by a command, but taking time and noting; an arbiter may do it from
elsewhere, and the journal says who it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from referee.addons.hall.orders import (
    Act,
    AskEvents,
    AskReport,
    ChangePosition,
    MakeNote,
    Order,
    PauseGame,
    ResumeGame,
    SayBoard,
    SetAside,
    SignedOrder,
    TimePenalty,
    Uphold,
)
from referee.addons.hall.signing import base64_of
from referee.match.commands import Command, CommandError, Name, decide
from referee.match.events import AnyGame, ArbiterOrdered, Event, Resolution, TimeTaken
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import TableError, step
from referee.values.words import say

_GONE_ON = say("This can't be done now: the table has moved on. Please look again.")


def carried(order: Order, sent: SignedOrder, key: bytes, state: TableState, game: AnyGame) -> tuple[Event, ...]:
    """Return the events of an order that was checked; the first says whose it is. Raises CommandError.

    sent, key: the order as it came, and the public key of the desk.
    """
    does = order.does
    words, entry = getattr(does, "words", ""), getattr(does, "entry", 0)
    proof = {"body": sent.body, "signature": sent.signature, "key": base64_of(key)}
    first = ArbiterOrdered(order.by, order.desk, order.number, does.act, words, entry, proof)
    if order.number <= state.orders.newest.get(order.desk, 0):
        raise CommandError("repeated", say("This order was carried out already, or a newer one was."))
    if isinstance(does, MakeNote) and entry and state.entry(entry) is None:
        raise CommandError("arguments", say("The record has no entry {n}.", n=entry))
    timed = state.clock.left_ms if state.clock is not None and not state.clock.aside else ()
    if isinstance(does, TimePenalty) and does.player not in timed:
        raise CommandError("arguments", say("No clock counts the time of this player."))
    events: list[Event] = [first]
    try:
        for command in (*_woken(does, state), *_commands(does, state)):
            now = reduce(step, events, state)
            events += decide(Command(command[0], command[1], order.by), now, game)
        if isinstance(does, TimePenalty):
            events.append(TimeTaken(order.by, does.player, does.seconds * 1000))
        reduce(step, events, state)
    except TableError:
        raise CommandError("phase", _GONE_ON) from None
    return tuple(events)


def _woken(does: Act, state: TableState) -> list[tuple[Name, Mapping[str, object]]]:
    """Return what ends a pause in which an arbiter rules: the game goes on from what was ruled."""
    rules = isinstance(does, SetAside | SayBoard | ChangePosition)
    return [(Name.RESUME, {})] if rules and state.phase is Phase.PAUSED else []


def _commands(does: Act, state: TableState) -> list[tuple[Name, Mapping[str, object]]]:
    """Return the players' commands that do the same, in order."""
    match does:
        case Uphold(dispute=dispute):
            return [_settling(dispute, Resolution.STANDS, does.words)]
        case SetAside(entry=entry, dispute=dispute):
            found = state.entry(entry)
            counts = found is not None and found.counts
            aside = (Name.UNDO, {"entry": entry}) if counts else (Name.READING_WRONG, {})
            if not counts and (found is None or found is not state.open_turn):
                raise CommandError("arguments", say("Entry {n} of the record does not count any more.", n=entry))
            return [aside, *_settled(dispute, does.words)]
        case SayBoard(board=board, dispute=dispute):
            return [(Name.RULE_BOARD, {"board": board}), *_settled(dispute, does.words)]
        case ChangePosition(changes=changes, dispute=dispute):
            return [(Name.CORRECT, {"changes": changes}), *_settled(dispute, does.words)]
        case PauseGame():
            return [(Name.PAUSE, {})]
        case ResumeGame():
            return [(Name.RESUME, {})]
        case TimePenalty() | MakeNote() | AskReport() | AskEvents():
            return []


def _settled(dispute: int, words: str) -> list[tuple[Name, Mapping[str, object]]]:
    return [_settling(dispute, Resolution.CHANGED, words)] if dispute else []


def _settling(dispute: int, outcome: Resolution, words: str) -> tuple[Name, Mapping[str, object]]:
    return Name.RESOLVE, {"dispute": dispute, "outcome": outcome.value, "words": words}
