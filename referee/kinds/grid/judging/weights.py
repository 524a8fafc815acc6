"""Decide from weighed explanations: legal, illegal with its rules, or neither.

All that explain the pictures in the same way are counted together, so what is certain is whether a rule was broken
and which, not how the board stands on every field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.answers import Reconstruction
from referee.games.contract import Position, RuleId
from referee.match.decision import LateDiscovery
from referee.values.scores import total

ACCUSE_NATS = 5.0
"""A breach must be e^5 = 150 times likelier than every legal turn together before anybody is accused: a wrong
accusation does as much harm as 150 looks."""
ACQUIT_NATS = 3.0
"""A legal turn must be e^3 = 20 times likelier than any breach before it stands without a look: a breach that is
missed does as much harm as 20 looks."""
ACQUITS_WITHIN_NATS = 8.0
"""A legal turn further behind the best explanation acquits by its share alone, not wherever it began: pictures never
took a field for something else by more (``contradicting.GAINSAID_NATS``)."""
NAME_NATS = 2.0
"""The rules named must be e^2 = 7 times likelier than all breaches of others."""
BREACH_NATS = 4.6
"""Cost of each broken rule: one turn in ten breaks one, out of about ten that can be broken at a time."""

Rules = frozenset[RuleId]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An explanation from one of the positions that may have stood.

    score: with that of the position. began: the position's own, 0 for the likeliest. late: the earlier turn that must
    have broken a rule if this position stood. start: number of the position among those that may have stood; -1 for
    one that only a breach can have led to.
    """

    position: Position
    explanation: Reconstruction
    score: float
    late: LateDiscovery | None = None
    start: int = -1
    began: float = 0.0

    @property
    def rules(self) -> Rules:
        """Return the rules it breaks."""
        return self.explanation.rules


@dataclass(frozen=True, slots=True)
class Posterior:
    """All hypotheses, best first, and what was overlooked (a score, minus infinity for nothing)."""

    hypotheses: tuple[Hypothesis, ...]
    overlooked: float = -float("inf")

    @property
    def best(self) -> Hypothesis:
        """Return the likeliest hypothesis."""
        return self.hypotheses[0]

    @property
    def legal(self) -> float:
        """Return how much speaks for a turn that keeps the rules, in nats."""
        return total(hypothesis.score for hypothesis in self.hypotheses if not hypothesis.rules)

    @property
    def illegal(self) -> float:
        """Return how much speaks for one that does not, in nats."""
        return total(hypothesis.score for hypothesis in self.hypotheses if hypothesis.rules)

    @property
    def acquits(self) -> bool:
        """Return whether the turn stands without a look."""
        return not self.best.rules and self.legal - self.illegal >= ACQUIT_NATS

    @property
    def accuses(self) -> Hypothesis | None:
        """Return the hypothesis to accuse on, with the rules to name; ``None`` where nobody or no rule is sure."""
        if self.illegal - float(np.logaddexp(self.legal, self.overlooked)) < ACCUSE_NATS:
            return None
        # Which position stood is known less surely than its share says: any that comes near may acquit.
        near = [one for one in self.hypotheses if not one.rules and one.score > self.best.score - ACQUITS_WITHIN_NATS]
        wherever = total(one.score - one.began for one in near)
        if self.illegal - wherever < ACCUSE_NATS:
            return None
        by_rules = self._by_rules()
        likeliest = max(by_rules, key=lambda rules: by_rules[rules])
        lesser = [r for r in by_rules if r <= likeliest and by_rules[likeliest] - by_rules[r] < ACCUSE_NATS]
        named = min(lesser, key=lambda rules: (len(rules), -by_rules[rules]))
        if self._support(named) < NAME_NATS:  # then what most break, whatever else each of them does
            named = frozenset(rule for rule in likeliest if self._support(frozenset({rule})) >= NAME_NATS)
        if not named or self._support(named) < NAME_NATS:
            return None
        said = min(
            (one for one in self.hypotheses if named <= one.rules), key=lambda one: (len(one.rules), -one.score)
        )
        if not said.explanation.complete or self._support(named, elsewhere=said.position) < ACCUSE_NATS:
            return None
        return said if said.rules == named else replace(said, explanation=replace(said.explanation, rules=named))

    def _support(self, named: Rules, elsewhere: Position | None = None) -> float:
        """Return how much likelier breaches of these rules, whatever else they break, are than those of others.

        elsewhere: only others from another position than this one count. Where the turn began is in doubt only after
        one that nobody settled. A name that hangs on it is as grave as the accusation: whoever reads it would look
        for a breach of another turn.
        """
        broken = [one for one in self.hypotheses if one.rules]
        others = [one for one in broken if not named <= one.rules and one.position is not elsewhere]
        return total(one.score for one in broken if named <= one.rules) - total(one.score for one in others)

    def _by_rules(self) -> dict[Rules, float]:
        found: dict[Rules, list[float]] = {}
        for hypothesis in self.hypotheses:
            if hypothesis.rules:
                found.setdefault(hypothesis.rules, []).append(hypothesis.score)
        return {rules: total(scores) for rules, scores in found.items()}


def shares(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """Return how likely each hypothesis is, if it is one of them."""
    top = max(hypothesis.score for hypothesis in hypotheses)
    weights = [float(np.exp(hypothesis.score - top)) for hypothesis in hypotheses]
    return [weight / sum(weights) for weight in weights]
