"""Each rule by hand: a tower, the tower after the turn, and the smallest sets of rules it broke."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.turris.positions import ask, built, sets

LEGAL: list[list[str]] = [[]]

# Level 1 full but for its centre; level 2 begun at a2 and a3.
OPEN_AT_B2 = "D a1b1.1, L c1c2.1, D b3c3.1, L a2.1^, D a3.1^"
# The same with a standing bar in the centre.
FULL = f"{OPEN_AT_B2}, L b2.1^"


def turn(before: str, after: str, **changes: Any) -> list[list[str]]:
    """Judge the turn that added the bars of ``after`` (``-`` ahead of one takes it off) to a tower."""
    bars = [bar.strip() for bar in before.split(",") if bar.strip()]
    for bar in (each.strip() for each in after.split(",") if each.strip()):
        if bar.startswith("-"):
            bars.remove(bar[1:].strip())
        else:
            bars.append(bar)
    return sets(built(", ".join(bars_of(before))), built(", ".join(bars)), **changes)


def bars_of(text: str) -> list[str]:
    return [bar.strip() for bar in text.split(",") if bar.strip()]


LAYING: dict[str, tuple[str, str, dict[str, str], list[list[str]]]] = {
    # name: (before, the bars laid by light, options, the smallest sets)
    "the first bar may not fill the centre": ("", "L b2b3.1", {}, [["level.centre"]]),
    "the first bar at the edge": ("", "L a1b1.1", {}, LEGAL),
    "the first bar stands": ("", "L a1.1^", {}, LEGAL),
    "each player's first bar is free": ("D a1.1^", "L b3c3.1", {}, LEGAL),
    "only the first bar is free": ("D a1.1^", "L b3c3.1", {"first_bars": "first"}, [["place.touch"]]),
    "a second player's standing bar must touch": ("D a1.1^", "L c3.1^", {}, [["place.standing"]]),
    "a later bar must touch": ("D a1.1^, L a2.1^", "L c2c3.1", {}, [["place.touch"]]),
    "it may touch beside": ("D a1.1^, L a2.1^", "L a3b3.1", {}, LEGAL),
    "it may touch below": ("L a1b1.1, D a2a3.1", "L a1a2.2", {}, LEGAL),
    "standing apart breaks both": ("D a1.1^, L a2.1^", "L c3.1^", {}, [["place.standing", "place.touch"]]),
    "standing on top without a side": ("D a1b1.1, L a2a3.1", "L b1.2^", {}, [["place.standing"]]),
    "standing on top beside another": ("D a1b1.1, L a2.1^", "L a1.2^", {}, LEGAL),
    "lying on one lying bar": ("D a1b1.1, L a2a3.1", "L a1b1.2", {}, [["place.straddle"]]),
    "lying on one bar's half and another": ("D a1b1.1, L a2a3.1", "L a1a2.2", {}, LEGAL),
    "lying on two standing bars": ("D a1.1^, L a2.1^", "L a1a2.3", {}, LEGAL),
    "lying on the base is no straddling": ("D a1.1^, L a2.1^", "L b1c1.1", {}, LEGAL),
    "lying over a gap": ("D a1b1.1, L a2a3.1", "L b1c1.2", {}, [["rest.full"]]),
    "lying over two gaps": ("D a1.1^, L a2.1^", "L b1c1.2", {}, [["rest.full"]]),
    "standing in the air": ("D a1.1^, L a2.1^", "L b1.2^", {}, [["rest.full"]]),
    "the third level may be begun": ("D a1.1^, L a2.1^", "L a1a2.3", {}, LEGAL),
    "a fourth may not": ("D a1.1^, L a2.1^, D a3.1^, L a2a3.3", "L a1.3^", {}, [["level.open"]]),
    "a bar that closes a level opens the next": (f"{OPEN_AT_B2}, L a2.3^", "L b2.1^", {}, LEGAL),
    "the fourth level over a full first": (f"{FULL}, L a2.3^", "L a3.3^", {}, LEGAL),
    "the centre after an outer cell": ("D a1.1^, L a2.1^", "L b2c2.1", {}, LEGAL),
    "the centre of an empty level": ("D a1b1.1, L a2b2.1", "L b2.2^", {}, [["level.centre", "place.standing"]]),
    "a standing bar counts on both levels": ("D a1b1.1, L a2a3.1", "L b2.1^", {}, [["level.centre"]]),
    "or on the lower one": ("D a1b1.1, L a2a3.1", "L b2.1^", {"centre_levels": "base"}, LEGAL),
    "a corner may be asked for": ("D b1.1^, L b3.1^", "L a2b2.1", {"centre_edge": "corner"}, [["level.centre"]]),
    "and is enough": ("D a1.1^, L b3.1^", "L a2b2.1", {"centre_edge": "corner"}, LEGAL),
    "the other colour": ("D a1.1^, L a2.1^", "D a3b3.1", {}, [["bar.colour"], ["turn.order"]]),
    "two bars": ("D a1.1^, L a2.1^", "L a3b3.1, L b1c1.1", {}, [["bonus.earned"], ["bar.one"]]),
    "three bars": ("D a1.1^, L a2.1^", "L a3b3.1, L b1c1.1, L c2c3.1", {}, [["bar.one"]]),
    "nothing": ("D a1.1^, L a2.1^", "", {}, [["turn.pass"]]),
    "nothing, freely": ("D a1.1^, L a2.1^", "", {"pass": "free"}, LEGAL),
    "nothing, where every turn lays": ("D a1.1^, L a2.1^", "", {"pass": "never"}, [["turn.pass"]]),
}


@pytest.mark.parametrize("name", LAYING)
def test_laid_bars_break_the_expected_rules(name: str) -> None:
    before, laid, options, expected = LAYING[name]
    assert turn(before, laid, options=options) == expected


FEW = "D a1.1^, L a2.1^, D b3c3.1"
CARRYING = "D a1b1.1, L a2a3.1, L a1a2.2"
MOVED = [["bar.fixed"]]

BONUS: dict[str, tuple[str, str, dict[str, Any], list[list[str]]]] = {
    # name: (before, what light did, keys of the position, the smallest sets)
    "a standing bar in the centre earns": (OPEN_AT_B2, "L b2.1^, L b1.2^", {}, LEGAL),
    "a lying half earns": ("D a1.1^, L a2.1^", "L b1b2.1, L a3b3.1", {}, LEGAL),
    "the bonus may be declined": ("D a1.1^, L a2.1^", "L b1b2.1", {}, LEGAL),
    "a bonus earns one bar, not two": (FEW, "L b1b2.1, L c1c2.1, L a3.1^", {}, [["bonus.earned"], ["bar.one"]]),
    "a removal": (FEW, "L b1b2.1, -D b3c3.1", {}, LEGAL),
    "an own bar": ("D a1.1^, L a2.1^, L b3c3.1", "L b1b2.1, -L b3c3.1", {}, [["bonus.remove"], *MOVED]),
    "the last bar": (FEW, "L b1b2.1, -D b3c3.1", {"last": {"dark": ["b3c3.1"]}}, [["bonus.last"], *MOVED]),
    "a bar before the last": (FEW, "L b1b2.1, -D b3c3.1", {"last": {"dark": ["b3c3.1", "a1.1^"]}}, LEGAL),
    "a bar of the last turn": (
        FEW,
        "L b1b2.1, -D b3c3.1",
        {"last": {"dark": ["b3c3.1", "a1.1^"]}, "options": {"last_bars": "turn"}},
        [["bonus.last"], *MOVED],
    ),
    "a bar that carries another": (CARRYING, "L b2b3.1, -D a1b1.1", {}, [["bonus.support"], *MOVED]),
    "a bar whose level then lies open": (
        f"{FULL}, D a2.3^, D a3.3^",
        "L b2.3^, -D b3c3.1",
        {},
        [["bonus.levels"], *MOVED],
    ),
    "a removal not earned": (FEW, "L b1c1.1, -D b3c3.1", {}, [["bonus.earned"], *MOVED]),
    "a removal and nothing laid": (
        FEW,
        "-D b3c3.1",
        {},
        [["bonus.earned", "turn.pass"], ["bar.fixed", "turn.pass"]],
    ),
    "a bar moved": (FEW, "L b1c1.1, -D b3c3.1, D c2c3.1", {}, MOVED),
    "a barred square": ("D a1.1^, L a2.1^", "L a3b3.1", {"barred": ["b3.1", "c3.1"]}, [["bonus.refill"]]),
    "one of two barred squares": (
        "D a1.1^, L a2.1^",
        "L a3b3.1",
        {"barred": ["b3.1", "c3.1"], "options": {"refill": "same"}},
        LEGAL,
    ),
    "both barred squares": (
        "D a1.1^, L a2.1^",
        "L a3b3.1",
        {"barred": ["a3.1", "b3.1"], "options": {"refill": "same"}},
        [["bonus.refill"]],
    ),
}


@pytest.mark.parametrize("name", BONUS)
def test_bonuses(name: str) -> None:
    before, done, changes, expected = BONUS[name]
    assert turn(before, done, **changes) == expected


def test_a_chain_of_bonus_bars_is_a_reading() -> None:
    before, laid = "D a1.1^, L a2.1^, L a1a2.3, D c1.1^, D b1.1^", "L b2.1^, L b1b2.3, L a3b3.1"
    assert turn(before, laid) == LEGAL
    assert turn(before, laid, options={"bonus_chain": "no"}) == [["bonus.lay"], ["bonus.earned"], ["bar.one"]]


def test_supplies_run_out() -> None:
    tall = ", ".join(f"L a1.{z}^" for z in range(1, 41, 2))
    found = turn(f"{tall}, D b1b2.1", "L c1c2.1")
    assert "bar.supply" in found[0]
    assert (
        "bar.supply"
        in ask(built(f"{tall}, D b1b2.1"), built(f"{tall}, D b1b2.1, L c1c2.1"))["violations"][-1]["rule"]
    )


def test_a_turn_in_which_every_place_is_closed_may_be_passed() -> None:
    before = "D a1.1^, L a2.1^"
    every = [f"{column}{row}.{level}" for column in "abc" for row in "123" for level in range(1, 6)]
    free = [cell for cell in every if cell not in ("a1.1", "a1.2", "a2.1", "a2.2")]
    assert turn(before, "", barred=free) == LEGAL
    assert turn(before, "", barred=[cell for cell in free if cell not in ("a3.1", "b3.1")]) == [["turn.pass"]]


def test_each_bar_of_a_turn_comes_from_the_supply() -> None:
    """The nineteenth is laid, the last as its bonus; one more is not there, and a bar taken off brings no own one."""
    tower = ", ".join([f"L a1.{z}^" for z in range(1, 37, 2)] + ["D a2.1^", "D a3.1^", "D b1.1^"])
    options = {"first_bars": "each", "bonus_chain": "yes"}
    two = turn(tower, "L b2.1^, L b2.3^", options=options)
    assert not any("bar.supply" in rules for rules in two)
    three = turn(tower, "L b2.1^, L b2.3^, L b2.5^", options=options)
    assert all("bar.supply" in rules for rules in three)
    again = turn(f"{tower}, L c1c2.1", "L b2.1^, -D b1.1^, L b2.3^", options=options)
    assert all("bar.supply" in rules for rules in again)


def test_a_turn_that_cannot_lay_may_be_passed() -> None:
    tall = ", ".join(f"L a1.{z}^" for z in range(1, 41, 2))
    assert turn(f"{tall}, D b1b2.1", "") == LEGAL
    assert turn(f"{tall}, D b1b2.1", "", options={"pass": "never"}) == [["turn.pass"]]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("D a1.1^, L a2.1^", "L c3.1^", ["c3.1", "c3.2"]),
        ("D a1b1.1, L a2a3.1", "L b1c1.2", ["c1.2"]),
        ("D a1b1.1, L a2a3.1", "L b2.1^", ["b2.1", "b2.2"]),
        ("D a1.1^, L a2.1^", "", []),
        ("D a1.1^, L a2.1^, D a3.1^, L a2a3.3", "L a1.3^", ["a1.4"]),
    ],
)
def test_a_violation_names_the_cells_that_show_it(before: str, after: str, expected: list[str]) -> None:
    bars = ", ".join(bars_of(before) + bars_of(after))
    assert ask(built(before), built(bars))["violations"][0]["fields"] == expected


def test_the_other_players_turn_is_judged_by_that_players_means() -> None:
    """Barred cells bind only the player to move; the right to pass is that of the player who is judged."""
    assert turn("D a1.1^, L a2.1^", "D a3b3.1", barred=["a3.1"]) == [["turn.order"]]
