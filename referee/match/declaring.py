"""Turn what players declare of the turn under way, and what they are filling in, into events.

An answer to the game's form counts as soon as it is filled in, so the turn is ruled on with it whoever ends it.
What an option asks counts only once it is declared; until then it is a draft, asked about when the turn ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from referee.games.contract import DoubtsFirst
from referee.match.arguments import CommandArguments, CommandError
from referee.match.events import AnswersDrafted, Event, LookTaken, TurnDeclared
from referee.match.turnkind import turn_kind
from referee.values.declaring import DeclarationError, Declared, checked
from referee.values.gameerror import GameError
from referee.values.words import say

MOST_DRAFTS = 16
MOST_DRAFTED = 40
"""Answers of one draft."""


def turn_ended(arguments: CommandArguments) -> tuple[Event, ...]:
    """End the turn, with what was declared of it."""
    state = arguments.state
    if arguments.has("player") and arguments.colour("player") is not state.position.to_move:
        raise CommandError("turn", say("It is {who}’s turn.", who=state.position.to_move))
    look = LookTaken(state.look + 1, by=arguments.by)
    declared = (
        (TurnDeclared(arguments.by, _fitting(arguments, arguments.mapping("declared"))),)
        if arguments.has("declared")
        else ()
    )
    kind = turn_kind(arguments.game.kit)
    if not kind.NEEDS_PICTURES:  # refuse at once what can't be judged
        what = declared[0].declared if declared else state.turn.declared
        with suppress(GameError):  # the ruling tells that the game failed
            arguments.game.check(state.position, arguments.game.observation(kind.NOTHING_SEEN), (), what)
    return (*declared, look)


def declare(arguments: CommandArguments) -> tuple[Event, ...]:
    """Put a declaration in the place of the one before; a turn that waits is ruled on again with it."""
    declared = _fitting(
        arguments, arguments.mapping("declared") if arguments.has("declared") else arguments.state.turn.declared
    )
    done = arguments.text("option") in arguments.state.turn.drafts
    drafts = (AnswersDrafted(arguments.by, arguments.text("option"), None),) if done else ()
    return (*drafts, TurnDeclared(arguments.by, declared))


def enter(arguments: CommandArguments) -> tuple[Event, ...]:
    """Take one answer of the form; no event where it is as it was."""
    _require_turn(arguments)
    before = arguments.state.turn.declared
    declared = _fitting(arguments, {**before, arguments.text("field"): arguments.value("value")})
    return () if declared == before else (TurnDeclared(arguments.by, declared, rule=False),)


def draft(arguments: CommandArguments) -> tuple[Event, ...]:
    """Keep what somebody has filled in of what an option asks, or drop it."""
    _require_turn(arguments)
    option, drafts = arguments.text("option"), arguments.state.turn.drafts
    if not arguments.has("values"):
        return (AnswersDrafted(arguments.by, option, None),) if option in drafts else ()
    values = arguments.mapping("values")
    try:
        json.dumps(values, allow_nan=False)
    except ValueError:  # the journal can't keep it
        raise CommandError(
            "arguments", say("{key} holds a number that can’t be written down.", key="values")
        ) from None
    if len(values) > MOST_DRAFTED or len({*drafts, option}) > MOST_DRAFTS:
        raise CommandError("arguments", say("Too much is filled in and not declared: declare it, or leave it out."))
    return (AnswersDrafted(arguments.by, option, values),)


def _require_turn(arguments: CommandArguments) -> None:
    """Raise CommandError for what was filled in while another turn was under way."""
    if arguments.number("turn") != arguments.state.position.turn:
        words = say("That turn is over. Undo it if this belongs to it.")
        raise CommandError("turn-over", words)


def _fitting(arguments: CommandArguments, given: Mapping[str, object]) -> Declared:
    """Return a declaration that fits the form, and can be read."""
    try:
        declared = checked(arguments.game.form(arguments.state.position), given) if given else {}
    except DeclarationError as error:
        raise CommandError("arguments", error.words) from None
    if declared and isinstance(arguments.game, DoubtsFirst):  # unreadable answers would spoil the turn
        with suppress(GameError):
            arguments.game.lacking(arguments.state.position, declared)
    return declared
