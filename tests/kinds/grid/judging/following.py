"""Following a game through turns that were not plain to see.

A stack behind a tower may have changed unseen, and a turn that could not be ruled on may have stood or been taken
back. So several positions may stand before a turn, each with a score, and a turn is judged from all of them together.
Later pictures weed them out.

Source of the idea: D. B. Reid, An algorithm for tracking multiple targets, IEEE Transactions on Automatic Control
24 (1979), which keeps several hypotheses for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.games.contract import Game
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import judge
from referee.match.hypotheses import Hypotheses
from referee.values.belief import BoardBelief, ReferenceLook, Standing
from referee.values.declaring import NOTHING_DECLARED, Declared

__all__ = ["Hypotheses", "follow"]


def follow(
    game: Game[Any],
    track: Hypotheses,
    belief: BoardBelief,
    reference: ReferenceLook | None,
    frames: Sequence[Standing] = (),
    declared: Declared = NOTHING_DECLARED,
) -> tuple[Judgement, Hypotheses]:
    """Rule on a turn and return the decision and the positions after it: ``judge`` for those who keep the rest."""
    unchanged = None if reference is None else reference.unchanged
    known = None if reference is None else replace(reference, unchanged=None)
    decision, after = judge(
        game, Context(track, known), TurnEvidence(belief, unchanged, tuple(frames), declared=declared)
    )
    return decision, after.hypotheses
