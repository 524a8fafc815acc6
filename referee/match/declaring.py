"""Turn what players declare of the turn under way, and what they are filling in, into events.

An answer to the game's form counts as soon as it is filled in, so the turn is ruled on with it whoever ends it.
What an option asks counts only once it is declared; until then it is a draft, asked about when the turn ends.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import DoubtsFirst
from referee.match.arguments import CommandError, Said
from referee.match.events import AnswersDrafted, Event, LookTaken, TurnDeclared
from referee.match.turnkind import turn_kind
from referee.values.declaring import DeclarationError, Declared, checked
from referee.values.words import say

MOST_DRAFTS = 16
MOST_DRAFTED = 40
"""Answers of one draft."""


def turn_ended(said: Said) -> tuple[Event, ...]:
    """End the turn, with what was declared of it."""
    state = said.state
    if said.has("player") and said.colour("player") is not state.position.to_move:
        raise CommandError("turn", say("It is {who}’s turn.", who=state.position.to_move))
    look = LookTaken(state.look + 1, by=said.by)
    declared = (TurnDeclared(said.by, _fitting(said, said.mapping("declared"))),) if said.has("declared") else ()
    kind = turn_kind(said.game.kit)
    if not kind.NEEDS_PICTURES:  # what can't be judged is told at once
        what = declared[0].declared if declared else state.declared
        said.game.check(state.position, said.game.observation(kind.NOTHING_SEEN), (), what)
    return (*declared, look)


def declare(said: Said) -> tuple[Event, ...]:
    """Put a declaration in the place of the one before; a turn that waits is ruled on again with it."""
    declared = _fitting(said, said.mapping("declared") if said.has("declared") else said.state.declared)
    done = said.text("option") in said.state.drafts
    drafts = (AnswersDrafted(said.by, said.text("option"), None),) if done else ()
    return (*drafts, TurnDeclared(said.by, declared))


def enter(said: Said) -> tuple[Event, ...]:
    """Take one answer of the form; no event where it is as it was."""
    _require_turn(said)
    declared = _fitting(said, {**said.state.declared, said.text("field"): said.value("value")})
    return () if declared == said.state.declared else (TurnDeclared(said.by, declared, rule=False),)


def draft(said: Said) -> tuple[Event, ...]:
    """Keep what somebody has filled in of what an option asks, or drop it."""
    _require_turn(said)
    option, drafts = said.text("option"), said.state.drafts
    if not said.has("values"):
        return (AnswersDrafted(said.by, option, None),) if option in drafts else ()
    values = said.mapping("values")
    if len(values) > MOST_DRAFTED or len({*drafts, option}) > MOST_DRAFTS:
        raise CommandError("arguments", say("Too much is filled in and not declared: declare it, or leave it out."))
    return (AnswersDrafted(said.by, option, values),)


def _require_turn(said: Said) -> None:
    """Raise CommandError for what was filled in while another turn was under way."""
    if said.number("turn") != said.state.position.turn:
        words = say("That turn is over. Undo it if this belongs to it.")
        raise CommandError("turn-over", words)


def _fitting(said: Said, given: Mapping[str, object]) -> Declared:
    """Return a declaration that fits the form, and can be read."""
    try:
        declared = checked(said.game.form(said.state.position), given)
    except DeclarationError as error:
        raise CommandError("arguments", error.words) from None
    if declared and isinstance(said.game, DoubtsFirst):  # what can't be read would lie on all acts of the turn
        said.game.lacking(said.state.position, declared)
    return declared
