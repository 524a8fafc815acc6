"""Rules on what players say: a board given by hand, and declarations that are impossible. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import Position, RequestError
from referee.match.events import AnyGame, LeftOpen, TurnRuled, Unsure, WhyUnsure
from referee.match.hypotheses import Hypotheses, Lead
from referee.match.state import TableState
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


def ruled_by_players(game: AnyGame, state: TableState, text: str) -> TurnRuled:
    """Rule on a board that the players gave: legal where it is from any position that may have stood before.

    Where it is from none, it is ruled on from the position on record.
    """
    track = ((state.position, 0.0), *state.turn.left_open.track[1:])
    legal: list[tuple[Lead, TurnRuled]] = []
    for number, (position, score) in enumerate(track):
        if position.turn == state.position.turn and not position.finished:
            ruled = ruled_by_hand(game, position, text, state.turn.declared)
            if ruled.after is not None:
                legal.append((Lead(ruled.after, score, number), ruled))
    if not legal:
        return ruled_by_hand(game, state.position, text, state.turn.declared)
    legal.sort(key=lambda one: -one[0].score)
    if len(track) == 1:
        return legal[0][1]
    kept = Hypotheses.kept([lead for lead, _ in legal])
    track = kept.positions if len(kept.positions) > 1 else ()
    return replace(legal[0][1], left_open=LeftOpen(track, links=kept.links))
