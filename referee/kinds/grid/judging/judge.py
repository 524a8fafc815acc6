"""Judge a turn: from what is known before it and a look at its end to a ruling, and to what is known after it.

Every position that may stand before the turn is asked which turns explain the look (``explaining``), and all of them
are weighed together (``weights``). What is unsure is asked for (``asking``), what is taken for granted is said, and
what the turn leaves open is handed on (``carrying``). A turn that was ruled legal on something nobody saw and can't
have been is told of later (``discovery``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from referee.games.contract import AnyGame, Position, RequestError, Ruling
from referee.kinds.grid.judging import asking
from referee.kinds.grid.judging.assuming import assumptions, seem_gone, taken_to_stand
from referee.kinds.grid.judging.candidates import candidates
from referee.kinds.grid.judging.carrying import context_after, left_open
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
from referee.kinds.grid.judging.discovery import discovered
from referee.kinds.grid.judging.earlier import AccusedTurn
from referee.kinds.grid.judging.evidence import evidence, unseen_fields
from referee.kinds.grid.judging.explaining import (
    EFFORT,
    FEWEST_BOARDS,
    FEWEST_STATES,
    FEWEST_TESTS,
    frames_consistent_with,
    weigh,
    weighed,
)
from referee.kinds.grid.judging.resting import rests_on
from referee.kinds.grid.judging.swept import is_swept, stones_stay
from referee.kinds.grid.judging.toppling import fall_asked
from referee.kinds.grid.judging.weights import ACCUSE_NATS, Hypothesis, Posterior
from referee.match.decision import MOST_DOUBTS
from referee.match.standing import board_of
from referee.values.belief import BoardBelief
from referee.values.board import Field, differing_fields
from referee.values.declaring import Declared
from referee.values.scores import total

MOST_UNSEEN = 0.3
"""With a larger share of fields out of sight nobody is accused: too much may have happened there."""
CLOSE_NATS = 2.0
"""Where only legal turns of some weight are asked for, others so far behind it add nothing."""


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
    return decision, context_after(game, context, seen, posterior, decision)


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
            open_ = left_open(context, posterior, said, grounds, seen)
        else:
            open_ = asking.unsettled(posterior.hypotheses, board)
        return Judgement(kind, board.text, ruling, before=said.position, open=open_)
    doubts = against or tuple(acquit) or asking.doubts(posterior.hypotheses, ranked) or least_seen(seen.belief)
    if acquit:
        untold = next((place for place in acquit if place not in seen.known), None)
        asked = None if untold is None else asking.hangs_on(untold, acquit[untold])
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
        ruling = game.check(said.position, board, frames_consistent_with(said, seen.frames), seen.declared)
    except RequestError:
        return None
    if ruling.legal:
        return ruling
    broken = frozenset(violation.rule for violation in ruling.violations)
    if not (ruling.complete and broken and said.rules):
        return None
    return ruling.naming(said.rules if said.rules < broken else broken)


def least_seen(belief: BoardBelief) -> tuple[Field, ...]:
    """Return the few fields of which the pictures say least: what to show when no single field decides."""
    ranked = np.sort(belief.heights, axis=2)
    lead = ranked[..., -1] - ranked[..., -2]
    order = np.argsort(lead, axis=None)[:MOST_DOUBTS]
    return tuple(sorted(Field(*(int(k) for k in np.unravel_index(place, lead.shape))) for place in order))
