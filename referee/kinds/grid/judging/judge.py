"""Judge a turn: from what is known before it and a look at its end to a ruling, and to what is known after it.

Every position that may stand before the turn is asked which turns explain the look; all of them are weighed together
(``weights``). What is unsure is asked for (``asking``), what is taken for granted is said, and a turn that was ruled
legal on something nobody saw and can't have been is told of later (``discovery``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.games.answers import Effort, Weighed
from referee.games.contract import AnyGame, Game, Position, RequestError, Ruling, WeighsTurns
from referee.kinds.grid.judging import asking
from referee.kinds.grid.judging.assuming import assumptions, seem_gone, taken_to_stand
from referee.kinds.grid.judging.boards import weigh_boards
from referee.kinds.grid.judging.candidates import candidates
from referee.kinds.grid.judging.certainty import certain
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.contradicting import (
    ASK_NATS,
    GAINSAID_NATS,
    LOOK_AGAIN_NATS,
    as_seen,
    contradicted,
    look_at,
)
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.discovery import discovered, kept, suspected
from referee.kinds.grid.judging.displaced import counted_twice, displaced
from referee.kinds.grid.judging.earlier import AccusedTurn, changed_earlier
from referee.kinds.grid.judging.evidence import evidence, misread_before
from referee.kinds.grid.judging.resting import rests_on
from referee.kinds.grid.judging.smoothing import alike, open_fields
from referee.kinds.grid.judging.swept import is_swept
from referee.kinds.grid.judging.toppling import fall_asked
from referee.kinds.grid.judging.weights import ACCUSE_NATS, BREACH_NATS, Hypothesis, Posterior
from referee.match.decision import MOST_DOUBTS, Ask, LateDiscovery
from referee.match.hypotheses import Hypotheses, Lead, Suspicion, links_of
from referee.match.standing import board_of
from referee.values.belief import BoardBelief, ReferenceLook, Standing
from referee.values.board import Board, Field, differing_fields
from referee.values.declaring import Declared
from referee.values.scores import total

P = TypeVar("P", bound=Position)

MOST_UNSEEN = 0.3
"""With a larger share of fields out of sight nobody is accused: too much may have happened there."""
EFFORT = Effort(breach_nats=BREACH_NATS, near_nats=10.0, most_tests=300, most_states=120_000)
"""Limits of the search for turns: what is 10 nats below the best is not kept (decision 0061)."""
MOST_DEEPER_NATS = EFFORT.near_nats
"""A search goes so much deeper at most for pieces that may be read one field off, however many there are."""
MOST_AHEAD = 96
"""Turns whose following positions are worked out at most."""
AHEAD_SHARE = 1e-5
"""Turns less likely than this share lead nowhere that could matter."""
FEWEST_STATES, FEWEST_BOARDS, FEWEST_TESTS = 10_000, 8, 60
"""States that a search for moves may reach, boards and turns put to the rules, from each position, however many."""
CLOSE_NATS = 2.0
"""Where only legal turns of some weight are asked for, others so far behind it add nothing."""
MOST_BOARDS = 256
"""Boards put to the rules from all positions together."""
SELDOM = 0.01
"""A chance below this is of something that turns hardly ever do."""
MOST_BREACHES = 24
"""Breaches of which the changes are tried as earlier ones before one of them is named."""
FRAMES_NATS = 6.0
"""Turns so near the best one are held against the boards seen during the turn."""


def judge(game: AnyGame, context: Context, seen: TurnEvidence) -> tuple[Judgement, Context]:
    """Rule on the turn that began in a context and ended in what was seen; return the context of the next turn."""
    posterior = seen.once(game, context, lambda: weighed(game, context, seen))
    decision = _decided(game, context, posterior, seen)
    if not decision.swept:  # what lies there after a fall says nothing of earlier turns either
        decision = replace(decision, late=discovered(posterior))
    if decision.kind == "legal":
        best, grounds = posterior.best, evidence(seen, context, posterior.best.position)
        assumed, standing = assumptions(best, grounds, game.kit), taken_to_stand(best, grounds)
        decision = replace(decision, assumed=assumed, standing=standing, gone=seem_gone(best, grounds))
    decision = certain(decision, game, seen)
    return decision, _after(game, context, seen, posterior, decision)


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
                _frames_consistent_with(hypothesis, seen.frames),
                seen.declared,
            )
            rules = frozenset(violation.rule for violation in ruling.violations)
            score = hypothesis.score - EFFORT.breach_nats * len(rules)
            hypothesis = replace(hypothesis, explanation=replace(hypothesis.explanation, rules=rules), score=score)
        checked.append(hypothesis)
    return sorted(checked, key=lambda hypothesis: -hypothesis.score)


def _frames_consistent_with(hypothesis: Hypothesis, frames: Sequence[Standing]) -> list[Board]:
    return [
        frame.board for frame in frames if frame.fits(board_of(hypothesis.position), hypothesis.explanation.board)
    ]


def _decided(game: AnyGame, context: Context, posterior: Posterior, seen: TurnEvidence) -> Judgement:
    ranked = asking.informative(posterior.hypotheses)
    said = posterior.best if posterior.acquits else _for_the_player(posterior, ranked)
    if said is None and float(unseen_fields(seen).mean()) <= MOST_UNSEEN:
        said = posterior.accuses
    ruling = None if said is None else _ruling(game, said, seen)
    best = said or posterior.best
    accused = said is not None and (ruling is None or not ruling.legal)
    before = board_of(best.position)
    grounds = evidence(seen, context, best.position)
    # While a legal turn is likely, a question may show that nothing fell.
    if accused or posterior.legal - posterior.illegal <= -ACCUSE_NATS:
        lies, dark, stay = best.explanation.board, unseen_fields(seen), stones_stay(game, best.position)
        # A search for turns leaves a tower standing of which it knows no act that takes it away.
        told = differing_fields(before, lies) <= seen.known.keys()  # nothing fell where people say what stands
        if not told and any(is_swept(before, after, dark, stay) for after in (lies, as_seen(best, grounds))):
            return Judgement("unsure", lies.text, None, before=best.position, swept=True)
        explained = _ExplainedAnew(game, posterior, best.position, seen.declared)
        if ask := fall_asked(game, best.position, lies, seen, grounds, explained, stay):
            at = (ask.field,)
            return Judgement("unsure", lies.text, None, at, ask, before=best.position, swept=True)
    against = contradicted(said, grounds, _least_against(seen)) if said is not None and not said.rules else ()
    acquit = _may_acquit(game, context, said, grounds, seen) if said is not None and accused else {}
    if said is not None and ruling is not None and not against and not acquit:
        board = said.explanation.board
        kind: Literal["legal", "illegal"] = "legal" if ruling.legal else "illegal"
        if ruling.legal:
            open_ = _left_open(context, posterior, said, grounds, seen)
        else:
            open_ = asking.unsettled(posterior.hypotheses, board)
        return Judgement(kind, board.text, ruling, before=said.position, open=open_)
    doubts = against or tuple(acquit) or asking.doubts(posterior.hypotheses, ranked) or least_seen(seen.belief)
    if acquit:
        asked: Ask | None = asking.hangs_on(doubts[0], acquit[doubts[0]])
    else:
        asked = look_at(against[0], best, grounds) if against else asking.question(posterior, ranked)
    return Judgement(
        "unsure",
        posterior.best.explanation.board.text,
        None,
        doubts=doubts,
        ask=asked or asking.about_any(posterior.hypotheses, (*doubts, *least_seen(seen.belief)), seen.known),
        before=posterior.best.position,
        candidates=() if against or acquit else candidates(posterior.hypotheses),
    )


@dataclass(slots=True)
class _ExplainedAnew:
    """How well legal turns from a position explain another look than the one taken. left: states to be looked at.

    Where none are left nobody knows, so they may explain it.
    """

    game: AnyGame
    posterior: Posterior
    position: Position
    declared: Declared
    left: int = EFFORT.most_states

    def __call__(self, belief: BoardBelief) -> float:
        """Return by how many nats legal turns explain another look better than breaches the one taken.

        A tower falls in one turn of 150, as seldom as a ruling that names somebody may be wrong.
        """
        if self.left <= 0:
            return float("inf")
        from_here = [one for one in self.posterior.hypotheses if one.position is self.position]
        least = self.posterior.illegal - max(one.score - one.explanation.score for one in from_here)
        near = replace(EFFORT, floor=least - CLOSE_NATS, near_nats=CLOSE_NATS)
        effort = replace(near, most_tests=FEWEST_TESTS, most_states=FEWEST_STATES, most_boards=FEWEST_BOARDS)
        found = weigh(self.game, self.position, belief, effort, self.declared)
        self.left -= found.states
        keeping = [one for one in found.explanations if not one.rules]
        return total(
            one.score - least for one in keeping if not contradicted(replace(from_here[0], explanation=one), belief)
        )


def _may_acquit(
    game: AnyGame, context: Context, said: Hypothesis, grounds: BoardBelief, seen: TurnEvidence
) -> dict[Field, tuple[asking.Stand, ...]]:
    """Return where something that was dropped may stand and make a breach legal, with what may stand there."""
    board = said.explanation.board
    changed = sorted(differing_fields(board_of(said.position), board) & context.lost)
    found: dict[Field, tuple[asking.Stand, ...]] = {
        place: (asking.stand(board, place), asking.stand(grounds.likeliest, place)) for place in changed
    }
    if not found and context.reference is not None:
        turn = AccusedTurn(said.position, board)
        untold = context.lost - seen.known.keys()
        found = rests_on(game, turn, untold, (context.reference.belief, grounds), seen.declared)
    return dict(list(found.items())[:MOST_DOUBTS])


def _least_against(seen: TurnEvidence) -> float:
    """Return by how many nats a field must speak against a legal turn before it is looked at once more."""
    if seen.by_hand is not None:
        return LOOK_AGAIN_NATS if seen.by_hand.goes_on else GAINSAID_NATS
    if seen.people is None:
        return GAINSAID_NATS
    return ASK_NATS if seen.people.rested else LOOK_AGAIN_NATS


def _for_the_player(posterior: Posterior, ranked: Sequence[tuple[float, Field]]) -> Hypothesis | None:
    """Return the likeliest legal turn where nothing that stands on the board would settle the ruling.

    The doubt is then about where the turn began: as long as a legal turn is no less likely than a breach, it stands.
    """
    if posterior.legal < posterior.illegal or any(nats >= asking.LEAST_NATS for nats, _ in ranked):
        return None
    return next(one for one in posterior.hypotheses if not one.rules)


def _ruling(game: AnyGame, said: Hypothesis, seen: TurnEvidence) -> Ruling | None:
    """Return the engine's ruling on a hypothesis; ``None`` where it is no ground to accuse anybody.

    A search cut short may name only some of the rules, or none. A hypothesis that breaks no rule accuses nobody, even
    where frames it was not weighed with make the engine call its turn illegal.
    """
    board = said.explanation.board
    try:
        ruling = game.check(said.position, board, _frames_consistent_with(said, seen.frames), seen.declared)
    except RequestError:
        return None
    if ruling.legal:
        return ruling
    broken = frozenset(violation.rule for violation in ruling.violations)
    if not (ruling.complete and broken and said.rules):
        return None
    return ruling.naming(said.rules if said.rules < broken else broken)


def _after(game: AnyGame, context: Context, seen: TurnEvidence, posterior: Posterior, decision: Judgement) -> Context:
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


def _left_open(
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
            _frames_consistent_with(hypothesis, seen.frames),
            seen.declared,
        ).next
        if after is not None:
            found.append(_Next(after, hypothesis.score, hypothesis.late, hypothesis.start))
    return found


def stones_stay(game: AnyGame, position: Position) -> bool:
    """Return whether stacks hardly ever get lower in this game."""
    habits = game.prior_after(position).habits
    return habits is not None and habits.falls < SELDOM


def unseen_fields(seen: TurnEvidence) -> NDArray[np.bool_]:
    """Return the fields (rows, columns) of which neither pictures nor words say anything.

    No height there leads the next by a nat.
    """
    ranked = np.sort(seen.belief.heights, axis=2)
    dark = ranked[..., -1] - ranked[..., -2] < 1.0
    for place in seen.known:
        dark[place.row, place.col] = False
    return np.asarray(dark, np.bool_)


def least_seen(belief: BoardBelief) -> tuple[Field, ...]:
    """Return the few fields of which the pictures say least: what to show when no single field decides."""
    ranked = np.sort(belief.heights, axis=2)
    lead = ranked[..., -1] - ranked[..., -2]
    order = np.argsort(lead, axis=None)[:MOST_DOUBTS]
    return tuple(sorted(Field(*(int(k) for k in np.unravel_index(place, lead.shape))) for place in order))
