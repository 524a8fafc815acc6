"""The judge: from what is known before a turn and a look at its end to a word, and to what is known after it.

Every position that may stand before the turn is asked which turns explain the look; all of them are weighed together
(``weights``). What is unsure is asked for (``asking``), what is taken for granted is said, and a turn that was ruled
legal on something nobody saw and can't have been is told of later (``discovery``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Game, Position, RequestError, Ruling
from referee.games.weighing import Effort, Weighed, WeighsTurns
from referee.judging import asking
from referee.judging.assuming import assumptions, still_open
from referee.judging.boards import weigh_boards
from referee.judging.context import Context, Hypotheses, Suspicion, TurnSeen
from referee.judging.decision import Judgement, LateDiscovery
from referee.judging.discovery import discovered, kept, suspected
from referee.judging.evidence import evidence
from referee.judging.gainsaying import gainsaid, look_at
from referee.judging.swept import is_swept
from referee.judging.weights import ACCUSE_NATS, BREACH_NATS, Case, Scales, total
from referee.values.belief import BoardBelief, Memory, Standing
from referee.values.board import Board, Field
from referee.values.declaring import Declared

P = TypeVar("P", bound=Position)

MOST_UNSEEN = 0.3
"""With a larger share of fields out of sight nobody is accused: too much may have happened there."""
EFFORT = Effort(breach_nats=BREACH_NATS, near_nats=8.0, most_tests=300, most_states=12_000)
"""How far turns are searched: what is 8 nats below the best changes no ruling."""
MOST_AHEAD = 32
"""Turns whose following positions are worked out at most."""
SELDOM = 0.01
"""A chance below this is of something that turns hardly ever do."""
FRAMES_NATS = 6.0
"""Turns so near the best one are held against the boards seen during the turn."""


def judge(game: Game[Any], context: Context, seen: TurnSeen) -> tuple[Judgement, Context]:
    """Rule on the turn that began in a context and ended in what was seen; return the context of the next turn."""
    scales = weighed(game, context, seen)
    decision = _decided(game, context, scales, seen)
    if not decision.swept:  # what lies there after a fall says nothing of earlier turns either
        decision = replace(decision, late=discovered(scales))
    if decision.kind == "legal":
        grounds = evidence(seen, context, scales.best.position.observed)
        decision = replace(decision, assumed=assumptions(scales.best, grounds, game.kit))
    return decision, _after(game, context, seen, scales, decision)


def weighed(game: Game[Any], context: Context, seen: TurnSeen) -> Scales:
    """All explanations of a look, from every position that may have stood before the turn."""
    starts: list[tuple[Position, float, LateDiscovery | None]] = [
        (position, score, None) for position, score in context.hypotheses.positions
    ]
    starts += [(one.position, one.score, one.late) for one in context.suspicions]
    cases: list[Case] = []
    overlooked = [-float("inf")]
    states = EFFORT.most_states // max(1, len(starts))
    for position, score, late in starts:
        if position.finished:
            continue
        best = max((case.score for case in cases), default=-float("inf"))
        effort = replace(EFFORT, most_states=states, floor=best - EFFORT.near_nats - score)
        found = weigh(game, position, evidence(seen, context, position.observed), effort, seen.declared)
        cases += [Case(position, one, one.score + score, late) for one in found.explanations]
        overlooked.append(found.overlooked + score)
    cases = _through(game, sorted(cases, key=lambda case: -case.score), seen)
    return Scales(tuple(case for case in cases if case.score > cases[0].score - EFFORT.near_nats), max(overlooked))


def weigh(game: Game[P], position: P, belief: BoardBelief, effort: Effort, declared: Declared) -> Weighed:
    """The turns from one position that explain a belief, searched by the game where it can, else board by board."""
    if isinstance(game, WeighsTurns):
        return game.weigh(position, belief, effort)
    return weigh_boards(game, position, belief, effort, declared)


def _through(game: Game[Any], cases: list[Case], seen: TurnSeen) -> list[Case]:
    """The cases once the boards seen during the turn are counted: they can show that phases were not kept."""
    if not seen.frames:
        return cases
    checked = []
    for case in cases:
        if not case.rules and case.score > cases[0].score - FRAMES_NATS:
            ruling = game.check(case.position, case.explanation.board, _passed(case, seen.frames), seen.declared)
            rules = frozenset(violation.rule for violation in ruling.violations)
            score = case.score - EFFORT.breach_nats * len(rules)
            case = replace(case, explanation=replace(case.explanation, rules=rules), score=score)
        checked.append(case)
    return sorted(checked, key=lambda case: -case.score)


def _passed(case: Case, frames: Sequence[Standing]) -> list[Board]:
    return [frame.board for frame in frames if frame.fits(case.position.observed, case.explanation.board)]


def _decided(game: Game[Any], context: Context, scales: Scales, seen: TurnSeen) -> Judgement:
    odds = float(np.clip(scales.legal - scales.illegal, -99.0, 99.0))
    said = scales.best if scales.acquits else None
    if said is None and float(unseen_fields(seen).mean()) <= MOST_UNSEEN:
        said = scales.accuses
    ruling = None if said is None else _ruling(game, said, seen)
    best = said or scales.best
    accused = said is not None and (ruling is None or not ruling.legal)
    # While a legal turn is likely, a question may show that nothing fell.
    if (accused or odds <= -ACCUSE_NATS) and is_swept(
        best.position.observed, best.explanation.board, unseen_fields(seen), stones_stay(game, best.position)
    ):
        text = best.explanation.board.text
        return Judgement("unsure", text, None, odds=odds, before=best.position, swept=True)
    grounds = evidence(seen, context, (said or scales.best).position.observed)
    against = gainsaid(said, grounds) if said is not None and not said.rules else ()
    if said is not None and ruling is not None and not against:
        board = said.explanation.board
        kind: Literal["legal", "illegal"] = "legal" if ruling.legal else "illegal"
        open_ = frozenset() if ruling.legal else asking.unsettled(scales.cases, board)
        return Judgement(kind, board.text, ruling, odds=odds, before=said.position, open=open_)
    ranked = asking.informative(scales.cases)
    return Judgement(
        "unsure",
        scales.best.explanation.board.text,
        None,
        doubts=against or asking.doubts(scales.cases, ranked) or least_seen(seen.belief),
        ask=look_at(against[0], said or scales.best, grounds) if against else asking.question(scales, ranked),
        odds=odds,
        before=scales.best.position,
    )


def _ruling(game: Game[Any], said: Case, seen: TurnSeen) -> Ruling | None:
    """The engine's ruling on a case; ``None`` where it is no ground to accuse anybody.

    A search cut short may name only some of the rules, or none.
    """
    board = said.explanation.board
    try:
        ruling = game.check(said.position, board, _passed(said, seen.frames), seen.declared)
    except RequestError:
        return None
    if ruling.legal:
        return ruling
    return ruling if ruling.complete and ruling.violations else None


def _after(game: Game[Any], context: Context, seen: TurnSeen, scales: Scales, decision: Judgement) -> Context:
    """What is known once a turn is ruled on.

    After a legal turn the positions it may have led to, the one that was ruled first; after an illegal one, which is
    taken back, where it began; after one that could not be ruled on, both.
    """
    ahead = _ahead(game, scales, seen)
    sure = [(one.position, one.score) for one in ahead if one.late is None or one.late == decision.late]
    if decision.ruling is not None and decision.ruling.next is not None:
        top = max([scales.best.score, *(score for _, score in sure)])
        hypotheses = Hypotheses.kept([(decision.ruling.next, top), *sure])
    elif decision.kind == "illegal":
        hypotheses = Hypotheses.kept(_behind(context, scales))
    else:
        return replace(context, hypotheses=Hypotheses.kept([*_behind(context, scales), *sure]))
    suspicions = context.suspicions
    if decision.kind == "legal":
        fresh = suspected(game, scales) if decision.assumed else None
        older = [one for one in ahead if one.late is not None and one.late != decision.late]
        held = [Suspicion(one.position, one.score - scales.best.score, one.late) for one in older if one.late]
        suspicions = kept([*held, *([fresh] if fresh is not None else [])])
    return Context(
        hypotheses,
        memory=Memory(seen.belief, game.observation(decision.observed), open=decision.open),
        look=seen.look,
        assumed=(*still_open(context.assumed, seen.belief), *decision.assumed),
        suspicions=suspicions,
    )


@dataclass(frozen=True, slots=True)
class _Next:
    """A position after a turn that may have been played."""

    position: Position
    score: float
    late: LateDiscovery | None


def _ahead(game: Game[Any], scales: Scales, seen: TurnSeen) -> list[_Next]:
    found: list[_Next] = []
    for case in [case for case in scales.cases if not case.rules][:MOST_AHEAD]:
        after = game.check(case.position, case.explanation.board, _passed(case, seen.frames), seen.declared).next
        if after is not None:
            found.append(_Next(after, case.score, case.late))
    return found


def _behind(context: Context, scales: Scales) -> list[tuple[Position, float]]:
    """The positions in which an illegal turn may have begun; without any illegal one, as they were."""
    found = []
    for position, _ in context.hypotheses.positions:
        broken = [case.score for case in scales.cases if case.rules and case.position is position]
        if broken:
            found.append((position, total(broken)))
    return found or list(context.hypotheses.positions)


def stones_stay(game: Game[Any], position: Position) -> bool:
    """Return whether stacks hardly ever get lower in this game."""
    habits = game.sighting(position).habits
    return habits is not None and habits.falls < SELDOM


def unseen_fields(seen: TurnSeen) -> NDArray[np.bool_]:
    """Return the fields (rows, columns) of which neither pictures nor words say anything.

    No height there leads the next by a nat.
    """
    ranked = np.sort(seen.belief.heights, axis=2)
    dark = ranked[..., -1] - ranked[..., -2] < 1.0
    for place in seen.known:
        dark[place.row, place.col] = False
    return np.asarray(dark, np.bool_)


def least_seen(belief: BoardBelief) -> tuple[Field, ...]:
    """The few fields of which the pictures say least: what to show when no single field decides."""
    ranked = np.sort(belief.heights, axis=2)
    lead = ranked[..., -1] - ranked[..., -2]
    order = np.argsort(lead, axis=None)[: asking.MOST_DOUBTS]
    return tuple(sorted(Field(*(int(k) for k in np.unravel_index(place, lead.shape))) for place in order))
