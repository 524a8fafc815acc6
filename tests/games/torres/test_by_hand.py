"""Turns written by hand, a few for every rule: the cheapest cost of a legal one, or all smallest sets."""

from __future__ import annotations

import pytest

from referee.games.torres.outcome.details import TorresDetails
from referee.values.words import LANGUAGES
from tests.games.torres.handcases import CASES
from tests.games.torres.tables import BEFORE, check, sets_of


@pytest.mark.parametrize("name", CASES)
def test_a_turn_is_ruled_on_as_the_rules_say(name: str) -> None:
    turn, expected = CASES[name]
    ruling = check(**turn)
    if isinstance(expected, int):
        assert ruling.legal, sets_of(ruling)
        assert ruling.turn is not None
        assert ruling.turn["cost"] == expected
    else:
        assert sets_of(ruling) == expected
    for violation in ruling.violations:
        assert violation.fields or violation.rule in ("card.held", "card.fresh", "card.buy")
        for language in LANGUAGES:
            assert violation.words.text(language)


def test_the_kinds_that_alone_explain_a_turn_are_asked_for_in_the_order_of_the_table() -> None:
    high = BEFORE | {"A2": "3"}
    assert check({"A1": "1", "A2": "3b"}, high, held=1).details == TorresDetails(("leap",))
    assert check({"A2": "2"}, declared={"points": 5}, held=1).details == TorresDetails(("extra", "ap6", "ap7"))


def test_nothing_is_asked_where_another_rule_is_broken_too() -> None:
    high = BEFORE | {"A2": "3"}
    assert check({"A1": "1", "A2": "3b", "H8": "1", "F8": "1k"}, high, held=1).details is None


def test_an_undeclared_card_that_cannot_be_held_is_no_way_out() -> None:
    high = BEFORE | {"A2": "3", "A1": "1b"}
    hands = {"blue": {"held": 1, "played": ["leap"] * 4}}
    assert sets_of(check({"A1": "1", "A2": "3b"}, high, cards=hands))[0] == ["knight.climb"]


def test_a_card_declared_and_one_undeclared_break_two_rules() -> None:
    """One knight leaps two levels, another one goes diagonally out of a corner that is closed: no AP is left."""
    before = BEFORE | {"A2": "3", "H1": "1b", "G1": "0o", "H2": "0o"}
    turn = {"A1": "1", "A2": "3b", "H1": "1", "G2": "0b"}
    found = sets_of(check(turn, before, held=2, declared={"card": "leap", "points": 5}))
    assert found == [["card.declared", "card.one"], ["knight.blocked", "ap.budget"], ["ap.budget", "knight.step"]]
    found = sets_of(check(turn, before, held=1, declared={"card": "leap", "points": 5}))
    assert found == [["knight.blocked", "ap.budget"], ["ap.budget", "knight.step"]]


def test_too_much_for_any_small_set_is_told_all_the_same() -> None:
    everywhere = {f"{column}7": "3" for column in "ABCDEFGH"}
    ruling = check(everywhere)
    assert [violation.rule for violation in ruling.violations] == ["ap.budget"]
    assert "more than Blue can do" in ruling.violations[0].message
