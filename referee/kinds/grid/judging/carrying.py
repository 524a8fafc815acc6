"""Hand on what is known after a turn: where it may have led, what stays open, and what was dropped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.contract import AnyGame, Position
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.discovery import kept, suspected
from referee.kinds.grid.judging.evidence import evidence, unseen_fields
from referee.kinds.grid.judging.explaining import frames_consistent_with
from referee.kinds.grid.judging.smoothing import alike, open_fields
from referee.kinds.grid.judging.weights import ACCUSE_NATS, Hypothesis, Posterior
from referee.match.decision import LateDiscovery
from referee.match.hypotheses import Hypotheses, Lead, Suspicion, links_of
from referee.match.standing import board_of
from referee.values.belief import BoardBelief, ReferenceLook
from referee.values.board import Board, Field
from referee.values.scores import total

MOST_AHEAD = 96
"""Turns whose following positions are worked out at most."""
AHEAD_SHARE = 1e-5
"""Turns less likely than this share lead nowhere that could matter."""


def context_after(
    game: AnyGame, context: Context, seen: TurnEvidence, posterior: Posterior, decision: Judgement
) -> Context:
    """Return what is known once a turn is ruled on.

    After a legal turn the positions it may have led to, the one that was ruled first; after an illegal one, which is
    taken back, where it began; after one that could not be ruled on, both.
    """
    ahead = [] if decision.kind == "illegal" else _next_positions(game, posterior, seen)
    sure = [Lead(one.position, one.score, one.start) for one in ahead if one.late in (None, decision.late)]
    if decision.ruling is not None and decision.ruling.next is not None:
        # That of the ruling comes first.
        said = [lead for lead in sure if alike(lead.position, decision.ruling.next)]
        rest = [lead for lead in sure if lead not in said]
        hypotheses = Hypotheses.kept(
            [*(said or [Lead(decision.ruling.next, posterior.best.score, posterior.best.start)]), *rest]
        )
    elif decision.kind == "illegal":
        # The same pictures may be weighed again with somebody's word: what they say of where the turn began stays
        # out of what is known before it.
        hypotheses = context.hypotheses
    else:
        return replace(context, hypotheses=_either(context, sure), misread=())
    suspicions, lost, dropped = context.suspicions, context.lost, context.dropped
    if decision.kind == "legal":
        board = game.observation(decision.observed)
        gone = _gone(sure, hypotheses)
        grounds = evidence(seen, context, decision.before or posterior.best.position)
        lost = _lost(still_lost(context, board, grounds) | _otherwise(gone, board), seen)
        dropped = links_of(gone)
        fresh = suspected(game, posterior) if decision.assumed else None
        older = [one for one in ahead if one.late is not None and one.late != decision.late]
        held = [Suspicion(one.position, one.score - posterior.best.score, one.late) for one in older if one.late]
        suspicions = kept([*held, *([fresh] if fresh is not None else [])])
    return Context(
        hypotheses,
        reference=ReferenceLook(
            seen.belief,
            game.observation(decision.observed),
            open=frozenset() if decision.kind == "legal" else decision.open,
        ),
        suspicions=suspicions,
        lost=lost,
        dropped=dropped,
    )


def _gone(leads: Sequence[Lead], kept: Hypotheses) -> list[Lead]:
    """Return the leads whose boards were not kept, each with the log of its share of all."""
    boards = {board_of(position).text for position, _ in kept.positions}
    whole = total(lead.score for lead in leads) if leads else 0.0
    return [replace(one, score=one.score - whole) for one in leads if board_of(one.position).text not in boards]


def _otherwise(gone: Sequence[Lead], board: Board) -> frozenset[Field]:
    """Return the fields on which positions that were not kept differ from a board, if those weigh anything."""
    ways = [(float(np.exp(one.score)), board, board_of(one.position)) for one in gone]
    return open_fields([*ways, (1.0 - sum(share for share, *_ in ways), board, board)], (board, board))


def _lost(told: frozenset[Field], seen: TurnEvidence) -> frozenset[Field]:
    """Return the fields on which something dropped may stand, and while there are any, all that nobody sees.

    What was dropped may have led on to something else there, of which no position that was kept knows.
    """
    if not told:
        return told
    return told | {Field(int(row), int(col)) for row, col in np.argwhere(unseen_fields(seen))}


def _either(context: Context, ahead: Sequence[Lead]) -> Hypotheses:
    """Return the positions before a turn that could not be ruled on, and those after it, with equal weight in all."""
    before = context.hypotheses.positions
    top = max(score for _, score in before)
    whole = total(lead.score for lead in ahead) if ahead else 0.0
    after = Hypotheses.kept(ahead).positions if ahead else ()
    shift = (max(lead.score for lead in ahead) - whole) if ahead else 0.0
    return Hypotheses((*before, *((position, top + score + shift) for position, score in after)))


def left_open(
    context: Context, posterior: Posterior, said: Hypothesis, grounds: BoardBelief, seen: TurnEvidence
) -> frozenset[Field]:
    """Return the fields on which the turn ruled legal may differ from the hypothesis."""
    top = posterior.best.score
    ways = [
        (float(np.exp(one.score - top)), board_of(one.position), one.explanation.board)
        for one in posterior.hypotheses
        if not one.rules and one.late in (None, said.late)
    ]
    told = open_fields(ways, (board_of(said.position), said.explanation.board))
    return told | _lost(still_lost(context, said.explanation.board, grounds), seen)


def still_lost(context: Context, board: Board, grounds: BoardBelief) -> frozenset[Field]:
    """Return the fields on which something dropped earlier may stand, as far as none is seen to be as on a board."""
    return frozenset(place for place in context.lost if not _is_seen(place, board, grounds))


def _is_seen(place: Field, board: Board, grounds: BoardBelief) -> bool:
    """Return whether the evidence shows plainly that a field is as on a board."""
    for scores, value in ((grounds.heights[place], board.heights[place]), (grounds.flags[place], board.flags[place])):
        shown = min(int(value), len(scores) - 1)
        if float(scores[shown] - np.delete(scores, shown).max()) < ACCUSE_NATS:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Next:
    """A position after a turn that may have been played."""

    position: Position
    score: float
    late: LateDiscovery | None
    start: int


def _next_positions(game: AnyGame, posterior: Posterior, seen: TurnEvidence) -> list[_Next]:
    found: list[_Next] = []
    least = posterior.best.score + math.log(AHEAD_SHARE)
    keeping = [one for one in posterior.hypotheses if not one.rules and one.score > least]
    for hypothesis in keeping[:MOST_AHEAD]:
        after = game.check(
            hypothesis.position,
            hypothesis.explanation.board,
            frames_consistent_with(hypothesis, seen.frames),
            seen.declared,
        ).next
        if after is not None:
            found.append(_Next(after, hypothesis.score, hypothesis.late, hypothesis.start))
    return found
