"""When weighed explanations are enough to name a rule."""

from __future__ import annotations

import pytest

from referee.games.answers import Reconstruction
from referee.games.contract import RuleId
from referee.kinds.grid.judging.weights import Hypothesis, Posterior
from tests.kinds.grid.judging.starting import start

HERE, THERE = start(), start()
"""Two positions that may have stood before the turn."""


def case(rules_named: str, score: float, elsewhere: bool = False, began: float = 0.0) -> Hypothesis:
    position = THERE if elsewhere else HERE
    rules = frozenset(map(RuleId, rules_named.split()))
    return Hypothesis(position, Reconstruction(position.observed, rules, score), score, began=began)


CASES = {
    "one breach explains all": ([case("move.ground", 0.0)], True),
    "a breach of another rule is three nats behind": ([case("move.ground", 0.0), case("move.own", -3.0)], True),
    "one is one nat behind": ([case("move.ground", 0.0), case("move.own", -1.0)], False),
    "one from another position is four nats behind": (
        [case("move.ground", 0.0), case("move.own", -4.0, elsewhere=True)],
        False,
    ),
    "one from another position is six nats behind": (
        [case("move.ground", 0.0), case("move.own", -6.0, elsewhere=True)],
        True,
    ),
    "the same rule from another position": (
        [case("move.ground", 0.0), case("move.ground", -1.0, elsewhere=True)],
        True,
    ),
    "another rule is broken too, and it is in doubt which": (
        [case("move.ground move.own", 0.0), case("move.ground move.count", -0.5)],
        True,
    ),
    "one of two breaches of two rules each shares none with the other": (
        [case("move.ground move.own", 0.0), case("move.count move.two", -0.5)],
        False,
    ),
    "what both break began elsewhere for one": (
        [case("move.ground move.own", 0.0), case("move.ground move.count", -0.5, elsewhere=True)],
        True,
    ),
    "a legal turn is six nats behind": ([case("move.ground", 0.0), case("", -6.0)], True),
    "so is one from a position that was hardly believed": (
        [case("move.ground", 0.0), case("", -6.0, elsewhere=True, began=-7.0)],
        False,
    ),
    "one from another position is far behind for what is seen now": (
        [case("move.ground", 0.0), case("", -7.5, elsewhere=True, began=-2.0)],
        True,
    ),
    "a legal turn is four nats behind": ([case("move.ground", 0.0), case("", -4.0)], False),
}


@pytest.mark.parametrize(("cases", "accuses"), CASES.values(), ids=CASES)
def test_a_rule_is_named_only_where_no_other_may_have_been_broken(cases: list[Hypothesis], accuses: bool) -> None:
    said = Posterior(tuple(cases)).accuses
    assert (said is not None) == accuses
    if said is not None:
        assert said.rules == {"move.ground"}
