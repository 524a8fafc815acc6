"""Discover late that a turn stood on something nobody saw, and was not what it was taken for.

When a ruling takes something for granted, the likeliest breach that it would have been otherwise is kept in mind as a
suspicion: the position that stood then, reconciled with the board. From then on every turn is judged from there as
well. Only when the pictures explain the table far better so than in any other way, the turn is told of; no person is
accused, and the game goes on from what stands.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.weights import ACQUIT_NATS, Posterior
from referee.match.decision import LateDiscovery
from referee.match.hypotheses import Suspicion
from referee.values.scores import total
from referee.values.words import player_name, say

MOST_SUSPICIONS = 2
"""Suspicions kept at most; each is another position to judge from."""
KEPT_NATS = 12.0
"""A suspicion this much less likely than what is believed is dropped: it may have begun 8 nats behind."""


def discovered(posterior: Posterior) -> LateDiscovery | None:
    """Return the earlier turn that must have broken a rule, once nothing else explains the pictures.

    Nobody is accused by it, so the margin is that of a turn that stands without a look.
    """
    best = posterior.best.late
    if best is None:
        return None
    by_it = total(hypothesis.score for hypothesis in posterior.hypotheses if hypothesis.late == best)
    otherwise = total(
        [posterior.overlooked, *(hypothesis.score for hypothesis in posterior.hypotheses if hypothesis.late != best)]
    )
    return best if by_it - otherwise >= ACQUIT_NATS else None


def suspected(game: AnyGame, posterior: Posterior) -> Suspicion | None:
    """Return what would stand if the turn just ruled legal broke a rule after all.

    ``None`` where no breach comes near.
    """
    broken = next(
        (hypothesis for hypothesis in posterior.hypotheses if hypothesis.rules and hypothesis.late is None), None
    )
    if broken is None:
        return None
    try:
        after: Position = game.accepted(broken.position, broken.explanation.board)
    except RequestError:
        return None
    turn, player = broken.position.turn, broken.position.to_move
    words = say(
        "What can be seen now was hidden before: turn {turn} of {who} can’t have been what it was taken for. "
        "Please decide together what follows.",
        turn=turn,
        who=player_name(player),
    )
    return Suspicion(after, broken.score - posterior.best.score, LateDiscovery(turn, player, broken.rules, words))


def kept(suspicions: Iterable[Suspicion]) -> tuple[Suspicion, ...]:
    """Keep the likeliest few."""
    ranked = sorted(suspicions, key=lambda one: -one.score)
    return tuple(one for one in ranked if one.score > -KEPT_NATS)[:MOST_SUSPICIONS]
