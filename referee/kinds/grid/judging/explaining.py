"""Find all turns that explain a look, from every position that may have stood before it, and weigh them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from referee.games.answers import Effort, Weighed
from referee.games.contract import AnyGame, Game, Position, WeighsTurns
from referee.kinds.grid.judging.boards import weigh_boards
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.displaced import counted_twice, displaced
from referee.kinds.grid.judging.earlier import AccusedTurn, changed_earlier
from referee.kinds.grid.judging.evidence import evidence, misread_before
from referee.kinds.grid.judging.weights import BREACH_NATS, Hypothesis, Posterior
from referee.match.decision import LateDiscovery
from referee.match.standing import board_of
from referee.values.belief import BoardBelief, Standing
from referee.values.board import Board
from referee.values.declaring import Declared

P = TypeVar("P", bound=Position)

EFFORT = Effort(breach_nats=BREACH_NATS, near_nats=10.0, most_tests=300, most_states=120_000)
"""Limits of the search for turns: what is 10 nats below the best is not kept (decision 0061)."""
MOST_DEEPER_NATS = EFFORT.near_nats
"""A search goes so much deeper at most for pieces that may be read one field off, however many there are."""
FEWEST_STATES, FEWEST_BOARDS, FEWEST_TESTS = 10_000, 8, 60
"""States that a search for moves may reach, boards and turns put to the rules, from each position, however many."""
MOST_BOARDS = 256
"""Boards put to the rules from all positions together."""
MOST_BREACHES = 24
"""Breaches of which the changes are tried as earlier ones before one of them is named."""
FRAMES_NATS = 6.0
"""Turns so near the best one are held against the boards seen during the turn."""


def weighed(game: AnyGame, context: Context, seen: TurnEvidence) -> Posterior:
    """Weigh all explanations of a look, from every position that may have stood before the turn."""
    starts: list[tuple[Position, float, LateDiscovery | None, int]] = [
        (position, score, None, number) for number, (position, score) in enumerate(context.hypotheses.positions)
    ]
    starts += [(one.position, one.score, one.late, -1) for one in context.suspicions]
    hypotheses: list[Hypothesis] = []
    overlooked = [-float("inf")]
    states, left = max(FEWEST_STATES, EFFORT.most_states // max(1, len(starts))), EFFORT.most_states
    boards = min(EFFORT.most_boards, max(FEWEST_BOARDS, MOST_BOARDS // max(1, len(starts))))
    for position, score, late, number in starts:
        if position.finished:
            continue
        best = max((hypothesis.score for hypothesis in hypotheses), default=-float("inf"))
        grounds, before = evidence(seen, context, position), board_of(position)
        pieces = displaced(grounds, before, misread_before(seen, context, position), EFFORT.near_nats)
        near = EFFORT.near_nats + min(MOST_DEEPER_NATS, sum(one.twice_nats for one in pieces))
        effort = replace(EFFORT, most_states=min(states, left), most_boards=boards, floor=best - near - score)
        found = weigh(game, position, grounds, replace(effort, near_nats=near), seen.declared)
        left = max(0, left - found.states)
        for one in found.explanations:
            once = replace(one, score=one.score + counted_twice(pieces, before, one.board))
            hypotheses.append(Hypothesis(position, once, once.score + score, late, number, score))
        overlooked.append(found.overlooked + score)
    posterior = _ranked(game, hypotheses, max(overlooked), seen)
    if seen.by_hand is None and posterior.accuses is not None:  # a phone shows what cameras never see
        hypotheses += _from_earlier(game, context, posterior, seen)
        posterior = _ranked(game, hypotheses, posterior.overlooked, seen)
    return posterior


def _ranked(game: AnyGame, hypotheses: Sequence[Hypothesis], overlooked: float, seen: TurnEvidence) -> Posterior:
    ranked = _through(game, sorted(hypotheses, key=lambda hypothesis: -hypothesis.score), seen)
    near = (hypothesis for hypothesis in ranked if hypothesis.score > ranked[0].score - EFFORT.near_nats)
    return Posterior(tuple(near), overlooked)


def _from_earlier(game: AnyGame, context: Context, posterior: Posterior, seen: TurnEvidence) -> list[Hypothesis]:
    """Return legal turns from positions that were dropped, in place of the likeliest breaches."""
    likeliest = posterior.hypotheses[:MOST_BREACHES]
    began = {id(one.position): one.began for one in likeliest}
    turns = [AccusedTurn(one.position, one.explanation.board) for one in likeliest]
    effort = replace(EFFORT, most_states=FEWEST_STATES, most_boards=FEWEST_BOARDS)
    hypotheses: list[Hypothesis] = []
    for earlier in changed_earlier(game, turns, context.reference, seen.declared):
        before = began[id(earlier.turn.start)]
        score = before - earlier.against_nats
        effort = replace(effort, floor=posterior.best.score - EFFORT.near_nats - score)
        found = weigh(game, earlier.position, evidence(seen, context, earlier.position), effort, seen.declared)
        hypotheses += [
            Hypothesis(earlier.position, one, one.score + score, began=before)
            for one in found.explanations
            if not one.rules
        ]
    return hypotheses


def weigh(game: Game[P], position: P, belief: BoardBelief, effort: Effort, declared: Declared) -> Weighed:
    """Weigh the turns from one position that explain a belief, by the game's own search where it has one."""
    if isinstance(game, WeighsTurns):
        return game.weigh(position, belief, effort)
    return weigh_boards(game, position, belief, effort, declared)


def _through(game: AnyGame, hypotheses: list[Hypothesis], seen: TurnEvidence) -> list[Hypothesis]:
    """Weigh the hypotheses anew with the boards seen during the turn, which can show that phases were not kept."""
    if not seen.frames:
        return hypotheses
    checked = []
    for hypothesis in hypotheses:
        if not hypothesis.rules and hypothesis.score > hypotheses[0].score - FRAMES_NATS:
            ruling = game.check(
                hypothesis.position,
                hypothesis.explanation.board,
                frames_consistent_with(hypothesis, seen.frames),
                seen.declared,
            )
            rules = frozenset(violation.rule for violation in ruling.violations)
            score = hypothesis.score - EFFORT.breach_nats * len(rules)
            hypothesis = replace(hypothesis, explanation=replace(hypothesis.explanation, rules=rules), score=score)
        checked.append(hypothesis)
    return sorted(checked, key=lambda hypothesis: -hypothesis.score)


def frames_consistent_with(hypothesis: Hypothesis, frames: Sequence[Standing]) -> list[Board]:
    """Return the boards seen during a turn that a hypothesis can have passed through."""
    return [
        frame.board for frame in frames if frame.fits(board_of(hypothesis.position), hypothesis.explanation.board)
    ]
