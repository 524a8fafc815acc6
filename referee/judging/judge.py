"""The judge: from what is known before a turn and a look at its end to a word, and to what is known after it.

Every position that may stand before the turn is asked which turns explain the look; all of them are weighed together
(``weights``). What is unsure is asked for (``asking``), what is taken for granted is said, and a turn that was ruled
legal on something nobody saw and can't have been is told of later (``discovery``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from referee.games.contract import Game, Position
from referee.games.weighing import Effort, Weighed, WeighsTurns
from referee.judging import asking
from referee.judging.assuming import assumptions, still_open
from referee.judging.boards import weigh_boards
from referee.judging.context import Context, Hypotheses, Seen
from referee.judging.decision import Decision
from referee.judging.discovery import discovered, suspicions
from referee.judging.evidence import evidence
from referee.judging.weights import BREACH_NATS, Case, Scales, total
from referee.values.belief import BoardBelief, Memory, Standing
from referee.values.board import Board

P = TypeVar("P", bound=Position)

MOST_UNSEEN = 0.3
"""With a larger share of fields out of sight nobody is accused: too much may have happened there."""
EFFORT = Effort(breach_nats=BREACH_NATS, near_nats=8.0, most_tests=300)
"""How far turns are searched: what is 8 nats below the best changes no ruling."""
FRAMES_NATS = 6.0
"""Turns so near the best one are held against the boards seen during the turn."""


def judge(game: Game[Any], context: Context, seen: Seen) -> tuple[Decision, Context]:
    """Rule on the turn that began in a context and ended in what was seen; return the context of the next turn."""
    scales = weighed(game, context, seen)
    decision = _decided(game, scales, seen)
    late = discovered(game, context, seen, scales)
    if late is not None:
        decision = replace(decision, late=late)
    if decision.kind == "legal":
        decision = replace(decision, assumed=assumptions(scales.best, evidence(seen, context, scales.best.position.board)))
    return decision, _after(game, context, seen, scales, decision)


def weighed(game: Game[Any], context: Context, seen: Seen) -> Scales:
    """All explanations of a look, from every position that may have stood before the turn."""
    cases: list[Case] = []
    overlooked = [-float("inf")]
    for position, score in context.hypotheses.positions:
        if position.finished and len(context.hypotheses.positions) > 1:
            continue
        found = weigh(game, position, evidence(seen, context, position.board))
        cases += [Case(position, one, one.score + score) for one in found.explanations]
        overlooked.append(found.overlooked + score)
    cases.sort(key=lambda case: -case.score)
    cases = _through(game, cases, seen.frames)
    return Scales(tuple(case for case in cases if case.score > cases[0].score - EFFORT.near_nats), max(overlooked))


def weigh(game: Game[P], position: P, belief: BoardBelief) -> Weighed:
    """The turns from one position that explain a belief, searched by the game where it can, else board by board."""
    if isinstance(game, WeighsTurns):
        return game.weigh(position, belief, EFFORT)
    return weigh_boards(game, position, belief, EFFORT)


def _through(game: Game[Any], cases: list[Case], frames: Sequence[Standing]) -> list[Case]:
    """The cases once the boards seen during the turn are counted: they can show that phases were not kept."""
    if not frames:
        return cases
    checked = []
    for case in cases:
        if not case.rules and case.score > cases[0].score - FRAMES_NATS:
            ruling = game.check(case.position, case.explanation.board, _passed(case, frames))
            rules = frozenset(violation.rule for violation in ruling.violations)
            score = case.score - EFFORT.breach_nats * len(rules)
            case = Case(case.position, replace(case.explanation, rules=rules), score)
        checked.append(case)
    return sorted(checked, key=lambda case: -case.score)


def _passed(case: Case, frames: Sequence[Standing]) -> list[Board]:
    return [frame.board for frame in frames if frame.fits(case.position.board, case.explanation.board)]


def _decided(game: Game[Any], scales: Scales, seen: Seen) -> Decision:
    odds = float(np.clip(scales.legal - scales.illegal, -99.0, 99.0))
    said = scales.best if scales.acquits else None
    if said is None and unseen_share(seen) <= MOST_UNSEEN:
        said = scales.accuses
    if said is not None:
        board = said.explanation.board
        ruling = game.check(said.position, board, _passed(said, seen.frames))
        kind = "illegal" if said.rules else "legal"
        assert ruling.legal != bool(said.rules)
        return Decision("illegal" if said.rules else "legal", board.text, ruling, odds=odds, before=said.position)
    ranked = asking.informative(scales.cases)
    return Decision(
        "unsure",
        scales.best.explanation.board.text,
        None,
        doubts=asking.doubts(scales.cases, ranked) or least_seen(seen.belief),
        ask=asking.question(scales.cases, ranked),
        odds=odds,
        before=scales.best.position,
    )


def _after(game: Game[Any], context: Context, seen: Seen, scales: Scales, decision: Decision) -> Context:
    """What is known once a turn is ruled on.

    After a legal turn the positions it may have led to, the one that was ruled first; after an illegal one, which is
    taken back, where it began; after one that could not be ruled on, both.
    """
    ahead = _ahead(game, scales, seen)
    back = [(position, score) for position, score in _behind(context, scales)]
    if decision.ruling is not None and decision.ruling.next is not None:
        ruled = (decision.ruling.next, max([scales.best.score, *(score for _, score in ahead)]))
        kept = Hypotheses.kept([ruled, *ahead])
    elif decision.kind == "illegal":
        kept = Hypotheses.kept(back)
    else:
        kept = Hypotheses.kept([*back, *ahead])
    if decision.kind == "unsure":
        return replace(context, hypotheses=kept)
    board = Board.parse(decision.observed, *seen.belief.heights.shape[:2])
    return Context(
        hypotheses=kept,
        memory=Memory(seen.belief, board),
        look=seen.look,
        assumed=(*still_open(context.assumed, seen.belief), *decision.assumed),
        suspicions=suspicions(game, context, seen, scales, decision),
    )


def _ahead(game: Game[Any], scales: Scales, seen: Seen) -> list[tuple[Position, float]]:
    """The positions after the turns that may have been played."""
    found: list[tuple[Position, float]] = []
    for case in [case for case in scales.cases if not case.rules][: MOST_AHEAD]:
        after = game.check(case.position, case.explanation.board, _passed(case, seen.frames)).next
        if after is not None:
            found.append((after, case.score))
    return found


MOST_AHEAD = 12
"""Turns whose following positions are worked out at most."""


def _behind(context: Context, scales: Scales) -> list[tuple[Position, float]]:
    """The positions in which an illegal turn may have begun; without any illegal one, as they were."""
    found = []
    for position, _ in context.hypotheses.positions:
        broken = [case.score for case in scales.cases if case.rules and case.position is position]
        if broken:
            found.append((position, total(broken)))
    return found or list(context.hypotheses.positions)


def unseen_share(seen: Seen) -> float:
    """Share of the fields of which nothing is said, in pictures or words: no height leads the next by a nat."""
    ranked = np.sort(seen.belief.heights, axis=2)
    dark = ranked[..., -1] - ranked[..., -2] < 1.0
    for place in seen.known:
        dark[place.row, place.col] = False
    return float(dark.mean())


def least_seen(belief: BoardBelief) -> tuple[Any, ...]:
    """The few fields of which the pictures say least: what to show when no single field decides."""
    raise NotImplementedError
