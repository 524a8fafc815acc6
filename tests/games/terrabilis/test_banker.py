"""The tablet as the game's banker: what may be done now with its amounts, history, reminders."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.terrabilis.banker.options import BankOption, options_now
from referee.games.terrabilis.banker.reminders import reminders, standing
from referee.games.terrabilis.banker.underway import Effect, under_way
from referee.games.terrabilis.declared.reading import act_json
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.ruleset import CATASTROPHE_ALL, PAY_COVER
from tests.games.terrabilis.positions import case, position, roll, the_copy

RED, BLUE, GREEN = Country.RED, Country.BLUE, Country.GREEN


def kinds(options: tuple[BankOption, ...], *, needed: bool) -> list[str]:
    """Return the kinds of options in the order in which they first come."""
    return list(dict.fromkeys(option.kind for option in options if option.needed is needed))


NOW: dict[str, tuple[dict[str, Any], list[dict[str, Any]], list[str], list[str]]] = {
    "before the dice": (position(), [], ["roll"], ["loan"]),
    "a loan to repay": (position({"red": {"loans": [{"lap": 1}]}}), [], ["roll"], ["repay", "loan"]),
    "develop": (position({"red": {"pawn": 8}}), [roll(1, 1)], ["draw"], ["loan"]),
    "a card drawn": (
        position({"red": {"pawn": 8}}),
        [roll(1, 1), {"draw": "social"}],
        ["install", "discard"],
        ["loan"],
    ),
    "a card used": (
        position({"red": {"pawn": 8}}),
        [roll(1, 1), {"draw": "social"}, {"discard": "mill"}],
        [],
        ["loan"],
    ),
    "hazard": (position(), [roll(1, 1)], ["hazard"], ["loan"]),
    "quiz": (position(), [roll(1, 3)], [], ["quiz", "loan"]),
    "alliance": (position(), [roll(1, 2)], [], ["join", "loan"]),
    "alliance and a member": (position({"red": {"member": True}}), [roll(1, 2)], ["roll"], ["loan"]),
    "catastrophe": (position(), [roll(3, 3)], ["choose"], ["loan"]),
    "catastrophe and an overflow": (position(zone={"green": 9}), [roll(3, 3)], ["choose", "order"], ["loan"]),
    "crisis": (position(), [roll(4, 4)], ["choose"], ["loan"]),
    "a lap's end": (
        position({"red": {"pawn": 12}, "blue": {"installed": ["mill"]}}),
        [roll(6, 6)],
        [],
        ["loan", "abandon"],
    ),
    "the end": (
        position({"red": {"money": 30000, "member": True, "installed": ["shop"], "loans": [{"lap": 1}]}}, target=1),
        [{"repay": True}],
        [],
        [],
    ),
    "an act that cannot stand": (position(), [roll(1, 3), {"hazard": "storm"}], [], []),
}


@pytest.mark.parametrize("name", NOW)
def test_what_may_be_done_now(name: str) -> None:
    before, acts, needed, possible = NOW[name]
    options = options_now(case(before, acts))
    assert kinds(options, needed=True) == needed
    assert kinds(options, needed=False) == possible


def option(options: tuple[BankOption, ...], wanted: dict[str, Any]) -> BankOption:
    return next(each for each in options if each.act is not None and act_json(each.act) == wanted)


def test_amounts_are_worked_out() -> None:
    before = position({"red": {"pawn": 8}}, zone={"green": 2})
    options = options_now(case(before, [roll(1, 1), {"draw": "social"}]))
    assert option(options, {"install": "coal"}).effects == (Effect(RED, money=-4000, energy=10, green=-4, yellow=-1),)
    assert option(options, {"install": "park"}).effects == (Effect(RED, money=-3000, green=2),)
    assert option(options, {"discard": "park"}).effects == ()


def test_a_choice_shows_what_it_brings_about() -> None:
    options = options_now(case(position(players="red blue green"), [roll(3, 3), {"choose": "green", "by": "green"}]))
    assert [each.who for each in options if each.kind == "choose"] == [BLUE, BLUE]
    assert option(options, {"choose": "yellow", "by": "blue"}).effects == (Effect(BLUE, yellow=-1),)


def test_what_is_too_dear_says_what_is_missing() -> None:
    before = position({"red": {"pawn": 8, "money": 4000}})
    options = options_now(case(before, [roll(1, 1), {"draw": "social"}]))
    hindrance = option(options, {"install": "mill"}).hindrance
    assert hindrance is not None
    assert (hindrance.rule, dict(hindrance.facts)) == (PAY_COVER, {"money": 1000, "energy": 0})
    assert option(options, {"install": "shop"}).hindrance is None


def test_a_turn_is_ready_when_nothing_is_missing() -> None:
    state = under_way(case(position(), [roll(3, 3)]))
    assert (state.ready, state.turn.awaited) == (False, [(BLUE, CATASTROPHE_ALL)])
    state = under_way(case(position(), [roll(3, 3), {"choose": "green", "by": "blue"}]))
    assert state.ready
    assert state.lines[BLUE].money == 18000
    assert state.zone == (2, 1)
    assert state.title is None
    state = under_way(case(position(), [roll(1, 1)]))
    assert not state.ready
    assert state.missing is not None
    state = under_way(case(position(), [roll(1, 3), {"repay": True}]))
    assert not state.ready
    assert state.stuck is not None
    assert not under_way(case(position(), [])).ready


def test_reminders() -> None:
    lines = {
        "red": {"loans": [{"lap": 1}], "member": True, "installed": ["shop", "shop", "shop"]},
        "blue": {"loans": [{"lap": 2}], "installed": ["shop", "shop"]},
        "green": {"member": True, "installed": ["shop", "shop"]},
    }
    before = position(lines, players="red blue green", lap=2, target=3, zone={"green": 9})
    assert [str(words) for words in reminders(parse_position(before, the_copy()), the_copy())] == [
        "Red must repay 22,000 Terras by the end of this lap, or is out.",
        "Blue must repay 22,000 Terras by the end of the next lap.",
        "The Zone has 1 place left.",
        "Red wins with the loan repaid.",
        "Green wins with 1 infrastructure more.",
    ]
    full = parse_position(position(zone={"green": 10}), the_copy())
    assert [str(words) for words in reminders(full, the_copy())] == [
        "The Zone is full: the next counter poured removes all ten from the game."
    ]
    assert reminders(parse_position(position(), the_copy()), the_copy()) == ()


def test_what_is_missing_for_a_win() -> None:
    before = parse_position(position({"red": {"loans": [{"lap": 1}]}}, target=2), the_copy())
    state = standing(before, RED)
    assert [str(words) for words in state.missing] == [
        "2 infrastructures more",
        "membership of the Alliance",
        "the loan repaid",
    ]
    assert state.loans_left == 1
    one = parse_position(position({"red": {"loans": [{"lap": 1}]}}, options={"loan_open": "one"}), the_copy())
    assert (standing(one, RED).loans_left, standing(one, BLUE).loans_left) == (0, 2)
