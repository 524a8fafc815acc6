"""Where an explained turn breaks which rule: exactly these fields, in the order of the acts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import INDEX, NAMES
from referee.games.terra_turrium.position.position import Side, side_of
from referee.games.terra_turrium.ruleset import RuleSet, rule_set
from referee.games.terra_turrium.search.breaches import Explanation, Scene, breaches, entry_fields
from referee.games.terra_turrium.search.cubes import CubePlan
from referee.games.terra_turrium.search.steps import Move
from tests.games.terra_turrium.positions import position

ANY_COUNT = frozenset({0, 1, 2, 3})
RULES = replace(rule_set("kosmos-1990", 4, frozenset(), "path", "allowed"), take_counts=ANY_COUNT)
BURGENLAND = replace(rule_set("ludibay-fr", 4, frozenset({"burgenland"}), "path", "allowed"), take_counts=ANY_COUNT)
RED = side_of(GAME.position(position()), Colour.RED)
"""Red sits in the north-west: A to E, 6 to 10."""


def masks(red: str, yellow: str) -> tuple[int, ...]:
    own, foreign = (sum(1 << INDEX[name] for name in names.split()) for names in (red, yellow))
    found = [own | foreign, 0, 0, 0, 0]
    found[Colour.RED], found[Colour.YELLOW] = own, foreign
    return tuple(found)


def walk(path: str, captures: str = "", points: int = 1) -> Move:
    """Parse a walk such as ``A1 A2``; with ``>`` in front the flag comes back first."""
    names = path.lstrip(">").split()
    caught = tuple(INDEX[name] for name in captures.split())
    return Move(path.startswith(">"), tuple(INDEX[name] for name in names), caught, points)


def told(
    moves: tuple[Move, ...] | None = (),
    takes: str = "",
    builds: str = "",
    heights: str = "",
    red: tuple[str, str] = ("", ""),
    yellow: tuple[str, str] = ("", ""),
    side: Side = RED,
    rules: RuleSet = RULES,
) -> dict[str, list[str]]:
    """Return the breaches; every field is one high but those in ``heights``, written ``A1=3``."""
    before = [1] * 100
    for word in heights.split():
        name, _, height = word.partition("=")
        before[INDEX[name]] = int(height)
    after = list(before)
    plan = CubePlan(tuple(INDEX[n] for n in takes.split()), tuple(INDEX[n] for n in builds.split()))
    for i in plan.takes:
        after[i] -= 1
    for i in plan.builds:
        after[i] += 1
    flags, flags_after = (masks(red[n], yellow[n]) for n in (0, 1))
    scene = Scene(rules, tuple(before), tuple(after), flags, flags_after)
    found = breaches(scene, Explanation(side, plan, moves))
    return {rule: [NAMES[i] for i in fields] for rule, fields in found.items()}


MOVED = ("C8", "E8")


def test_moves_that_keep_the_rules() -> None:
    assert told((walk("C8 D8 E8", points=2),), red=MOVED) == {}
    assert told((walk("C8 D8 E8", points=2),), red=MOVED, heights="C8=2 D8=3 E8=2") == {}
    assert told(None, red=MOVED) == {}
    # A field left, one that a captured flag left, and one that is passed before somebody comes to stand there.
    assert told((walk("D8 D7"), walk("C8 D8 E8")), red=("C8 D8", "D7 E8")) == {}
    assert told((walk("C7 D7 D8", "D7"), walk("C6 D6 D7 E7")), red=("C7 C6", "D8 E7"), yellow=("D7", "")) == {}
    assert told((walk("C8 D8 E8"), walk("C7 C8 D8")), red=("C8 C7", "E8 D8")) == {}


def test_steps_too_high_or_too_deep() -> None:
    assert told((walk("C8 D8 E8"),), red=MOVED, heights="D8=3") == {"move.step": ["C8", "D8", "E8"]}
    assert told((walk("C8 D8 E8"),), red=MOVED, heights="D8=2 E8=4") == {"move.step": ["D8", "E8"]}
    assert told((walk("C8 D8 E8"),), red=MOVED, heights="C8=3 D8=1") == {"move.step": ["C8", "D8"]}


def test_empty_fields() -> None:
    assert told((walk("C8 D8 E8"),), red=MOVED, heights="D8=0") == {"move.ground": ["D8"]}
    assert told((walk("C8 D8 E8"),), red=MOVED, heights="C8=0") == {}
    assert told((walk(">E6"),), red=("", "E6"), heights="E6=0", side=replace(RED, hand=1)) == {
        "enter.cell": ["E6"],
        "move.ground": ["E6"],
    }


def test_where_captured_flags_come_back() -> None:
    door = NAMES[(RULES.entry_row & RED.own).bit_length() - 1]
    back = replace(RED, hand=1)
    assert told((walk(f">{door}"),), red=("", door), side=back) == {}
    assert told((walk(f">{door}"),), red=("", door), heights=f"{door}=2", side=back) == {"enter.cell": [door]}
    assert told((walk(">J1"),), red=("", "J1"), side=back) == {"enter.cell": ["J1"]}
    one, two = [1] * 100, [2] * 100
    assert entry_fields(RULES, RED, tuple(one)) == RED.own & RULES.entry_row
    assert entry_fields(RULES, RED, tuple(two)) == 0
    exterior = entry_fields(replace(RULES, low_entry=False), RED, tuple(two))
    assert exterior == sum(1 << i for i in range(100) if i // 10 in (0, 9) or i % 10 in (0, 9))


def test_flags_in_the_way() -> None:
    assert told((walk("C8 D8 E8"),), red=("C8 D8", "D8 E8")) == {"move.blocked": ["D8"]}
    assert told((walk("C8 D8 E8"),), red=MOVED, yellow=("D8", "D8")) == {"move.blocked": ["D8"]}
    # In the way is who came to stand there a moment ago, too, and the flag itself where it stood is not.
    assert told((walk("B8 C8 D8"), walk("B7 C7 D7 D8 E8")), red=("B8 B7", "D8 E8")) == {"move.blocked": ["D8"]}
    assert told((walk("C8 D8 C8 C7"),), red=("C8", "C7")) == {}
    assert told((walk("C8 D8 E8", "E8"),), red=MOVED, yellow=("D8 E8", "D8")) == {"move.blocked": ["D8"]}


def test_moves_beyond_the_points_are_named() -> None:
    five = (walk("C8 D8 E8", points=2), walk("A6 B6 C6 D6", points=3))
    red = ("C8 A6", "E8 D6")
    assert told(five, red=red) == {}
    six = (five[0], replace(five[1], points=4))
    assert told(six, red=red) == {"move.points": ["C8", "E8", "A6", "D6"]}


def test_captures_beyond_the_attacks_are_named() -> None:
    home, away = walk("C8 D8", "D8"), walk("E6 F6", "F6")
    fought = {"red": ("C8 E6", "D8 F6"), "yellow": ("D8 F6", "")}
    tired = replace(RED, attacks=5)
    assert told((home, away), **fought) == {}
    assert told((home, away), **fought, side=replace(RED, attacks=4)) == {}
    assert told((home, away), **fought, side=tired) == {"capture.attacks": ["F6"]}
    assert told((home,), red=("C8", "D8"), yellow=("D8", ""), side=tired) == {}
    for captures, is_open, rule in ((2, True, None), (1, True, "capture.quota"), (0, False, "capture.closed")):
        side = replace(RED, captures=captures, captures_open=is_open)
        found = told((home, away), **fought, side=side, rules=BURGENLAND)
        assert found == ({} if rule is None else {rule: ["F6", "D8"]})


def test_flags_moved_by_hand_and_flags_that_don_t_count_up() -> None:
    assert told(yellow=("F6 G6", "F6 H6")) == {"move.own": ["G6", "H6"]}
    assert told((walk("E6 F6", "F6"),), red=("E6", "F6"), yellow=("F6 G6", "")) == {"move.own": ["G6"]}
    assert told(red=("C8 D8", "D8")) == {"flag.count": ["C8"]}
    assert told(red=("C8", "C8 D8")) == {"flag.count": ["D8"]}
    assert told(red=("C8", "C8 D8"), side=replace(RED, hand=1)) == {}
    assert told(red=("C8", "C8 D8 E8"), side=replace(RED, hand=1)) == {"flag.count": ["D8", "E8"]}


@pytest.mark.parametrize(
    ("takes", "builds", "flags", "found"),
    [
        ("A10 B10 C10", "D8 D8 D8", "", {}),
        ("A10", "D8", "", {}),
        ("A10 B10 C10 D10", "D8 D8 D8 D8", "", {"take.count": ["A10", "B10", "C10", "D10"]}),
        ("J10 A1 J1", "D8 D8 D8", "", {}),
        ("J10 J9", "D8 D8", "", {"take.territory": ["J10", "J9"]}),
        ("G4", "D8", "", {"take.interior": ["G4"]}),
        ("C8", "D8", "", {}),
        ("A1 B2", "D8 D8", "", {"take.territory": ["A1", "B2"], "take.interior": ["B2"]}),
        ("A2 B2", "D8 D8", "", {"take.territory": ["A2", "B2"]}),
        ("A10", "D8", "A10", {"take.occupied": ["A10"]}),
        ("A10", "D8", "D8", {"build.occupied": ["D8"]}),
        ("A10", "", "", {"cubes.conserved": ["A10"]}),
        ("A10", "D8 D8", "", {"cubes.conserved": ["D8", "A10"]}),
    ],
)
def test_cubes(takes: str, builds: str, flags: str, found: dict[str, list[str]]) -> None:
    told_of = told(takes=takes, builds=builds, yellow=(flags, flags))
    assert {rule: sorted(fields) for rule, fields in told_of.items()} == {r: sorted(f) for r, f in found.items()}


def test_cubes_from_the_reserve_and_out_of_play() -> None:
    assert told(takes="A10", builds="D8 D8", side=replace(RED, reserve=1)) == {}
    three = replace(RULES, take_counts=frozenset({3}))
    assert told(takes="A10 A10", builds="D8 D8", heights="A10=2", rules=three) == {"take.count": ["A10"]}
    outside = replace(RULES, outside=1 << INDEX["A1"])
    assert told(takes="A10", builds="A1", rules=outside) == {"build.outside": ["A1"]}
