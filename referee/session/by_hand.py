"""Rules on what players say: a board given by hand, and declarations that are impossible. Pure."""

from __future__ import annotations

from referee.games.contract import Position, RequestError
from referee.match.events import AnyGame, TurnRuled, Unsure, WhyUnsure
from referee.values.declaring import Declared
from referee.values.words import Words


def hindrance(game: AnyGame, position: Position, observed: str, declared: Declared) -> Words | None:
    """Return why what was declared can't be, of a turn that led to ``observed``; ``None`` where it can."""
    try:
        game.check(position, game.observation(observed), (), declared)
    except RequestError as error:
        return error.words
    return None


def ruled_by_hand(game: AnyGame, position: Position, text: str, declared: Declared) -> TurnRuled:
    """Rule on a board that the players gave; unsure where what was declared can't be."""
    observed = game.observation(text)
    try:
        ruling = game.check(position, observed, (), declared)
    except RequestError as error:
        return TurnRuled(text, Unsure(WhyUnsure.REFUSED, error.words))
    return TurnRuled.by_rules(text, ruling)
