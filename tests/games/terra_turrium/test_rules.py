"""Each rule on a board made for it: what is legal, what breaks it, and where the referee points."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cli.check import answer
from tests.games.terra_turrium.positions import after, position, start_stacks


def flags_of(*red: str, **others: tuple[str, ...]) -> dict[str, str]:
    """Return red flags and some of the others' on given fields; every colour's other flags stay in the hand."""
    return dict.fromkeys(red, "red") | {f: c for c, fields in others.items() for f in fields}


def hands(flags: dict[str, str], players: int = 4) -> dict[str, int]:
    colours = {c for c in position(players=players)["seats"].values() if c}
    return {c: 6 - list(flags.values()).count(c) for c in colours}


def at(flags: dict[str, str], **changes: Any) -> dict[str, Any]:
    """Return a position with just these flags on the board."""
    players = changes.get("players", 4)
    return position(flags=flags, in_hand=hands(flags, players), **changes)


def rule(game: dict[str, Any], *acts: str) -> dict[str, Any]:
    ruling: dict[str, Any] = answer({"position": game, "observed": after(game["board"], *acts)})
    return ruling


def sets(ruling: dict[str, Any]) -> list[list[str]]:
    named = [violation["rule"] for violation in ruling["violations"]]
    return [named, *ruling["alternatives"]] if named else []


RED = flags_of("B7")
NEAR = flags_of("B7", yellow=("B8",))
GONE = flags_of("F5", yellow=("F6",))

CASES: dict[str, tuple[dict[str, Any], tuple[str, ...], list[list[str]]]] = {
    "three cubes from three foreign territories": (at(RED), ("-J10", "-J1", "-A1", "+D4", "+D4", "+D4"), []),
    "three from the own territory, interior ones too": (at(RED), ("-C8", "-D8", "-B9", *["+A1"] * 3), []),
    "nothing changes": (at(RED), (), []),
    "one cube moves": (at(RED), ("-J10", "+J9"), []),
    "two from one foreign territory": (
        at(RED),
        ("-J10", "-J9", "+A1", "+A1"),
        [["take.territory"], ["turn.order"]],  # both may come from yellow's own
    ),
    "four cubes": (at(RED), ("-A10", "-A9", "-A8", "-A7", *["+A1"] * 4), [["take.count"]]),
    "an interior stack, three from the edge": (at(RED), ("-G4", "+A1"), [["take.interior"], ["turn.order"]]),
    "an interior stack, two from the edge": (
        at(RED),
        ("-G3", "+A1"),
        [["take.territory"], ["take.interior"], ["turn.order"]],  # G1 and G2 may have been taken first and returned
    ),
    "from under a flag": (at(NEAR), ("-B8", "+A1"), [["take.occupied"]]),
    "onto a flag": (at(RED), ("-J10", "+B7"), [["build.occupied"]]),
    "a cube is lost": (at(RED), ("-J10",), [["cubes.conserved"]]),
    "a cube too many": (at(RED), ("+J10",), [["cubes.conserved"]]),
    "five steps": (at(RED), ("B7>B2",), []),
    "six steps": (at(RED), ("B7>B1",), [["move.points"]]),
    "a capture": (at(NEAR), ("B8>", "B7>B8"), []),
    "an attack, the fifth": (at(GONE, attacks={"red": 4}), ("F6>", "F5>F6"), []),
    "an attack beyond the fifth": (
        at(GONE, attacks={"red": 5}),
        ("F6>", "F5>F6"),
        [["capture.attacks"], ["move.own"]],
    ),
    "a defence costs no attack": (at(NEAR, attacks={"red": 5}), ("B8>", "B7>B8"), []),
    "a foreign flag moved far": (at(NEAR), ("B8>J1",), [["move.own"]]),
    "a foreign flag moved as its player could": (at(NEAR), ("B8>B9",), [["move.own"], ["turn.order"]]),
    "re-entry on the edge": (at(RED), ("red>A8",), []),
    "re-entry and four steps": (at(RED), ("red>E6",), []),
    "re-entry in a foreign territory": (at(RED), ("red>J1",), [["move.points"], ["enter.cell"]]),
    "a seventh flag": (position(), ("red>E5",), [["flag.count"]]),
    "a flag is gone": (at(RED), ("B7>",), [["flag.count"]]),
}


@pytest.mark.parametrize("case", CASES)
def test_rule(case: str) -> None:
    game, acts, expected = CASES[case]
    assert sets(rule(game, *acts)) == expected


def stacked(**stacks: int) -> dict[str, int]:
    """Return the set-up with some stacks changed; the cubes are made up for on A1."""
    board = start_stacks("kosmos-1990", 4)
    change = sum(height - board[field] for field, height in stacks.items())
    board |= stacks
    board["A1"] -= change
    spare = -min(0, board["A1"])
    board["A1"] += spare
    for field in ("B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2"):
        if spare and field not in stacks:
            spare -= board[field]
            board[field] = 0
    assert spare <= 0
    board["A1"] -= spare
    return board


def test_a_step_of_two_levels() -> None:
    game = at(RED, stacks=stacked(B8=3))
    assert sets(rule(game, "B7>B8")) == [["move.step"]]
    assert sets(rule(at(RED, stacks=stacked(B8=2)), "B7>B8")) == []


def test_a_capture_up_costs_three_and_down_one() -> None:
    up = at(NEAR, stacks=stacked(B8=2))
    assert rule(up, "B8>", "B7>B8")["turn"]["points"] == 3
    down = at(NEAR, stacks=stacked(B7=2))
    assert rule(down, "B8>", "B7>B8")["turn"]["points"] == 1


def test_flags_are_not_passed_over() -> None:
    stacks = stacked(A10=1, A9=0, B9=0)
    flags = flags_of("A10", yellow=("B10",))
    # The way from A10 leads over B10 alone; C10 can be reached by passing over yellow's flag, or with it lifted away.
    game = at(flags, stacks=stacks, to_move="red")
    assert sets(rule(game, "A10>C10")) == [["move.ground"], ["move.blocked"], ["move.own"]]


def test_an_empty_field_is_not_entered() -> None:
    game = at(RED, stacks=stacked(B8=0))
    assert sets(rule(game, "B7>B8")) == [["move.ground"]]
    assert rule(game, "B7>B8")["violations"][0]["fields"] == ["B8"]


def test_out_of_play_is_not_built_on() -> None:
    game = at(flags_of("C8"), players=3)
    assert sets(rule(game, "-D8", "+A1")) == [["build.outside"]]


def test_an_opening_by_returned_cubes() -> None:
    """I5 is interior, but red owns I6 and J6: taken away they open it, and they come back unseen."""
    seats = {"nw": "yellow", "ne": "red", "se": "green", "sw": "blue"}
    ruling = rule(at(flags_of("B7"), seats=seats), "-I5", "+A1")
    assert sets(ruling) == []
    assert sorted(ruling["turn"]["take"][:2]) == ["I6", "J6"]
    # With a flag on J6 the way is shut: J6 can't be taken, and J5 lies in the same foreign territory as I5.
    shut = rule(at(flags_of("B7", "J6"), seats=seats), "-I5", "+A1")
    assert sets(shut)[:2] == [["take.territory"], ["take.interior"]]


def test_returned_cubes_forbidden() -> None:
    game = at(RED, options={"returned_cubes": "forbidden"})
    assert sets(rule(game)) == [["take.count"]]
    assert sets(rule(game, "-J10", "-J1", "-A1", "+D4", "+D4", "+D4")) == []


def test_exterior_round_a_corner() -> None:
    """H2, I2 and J2 are empty: H3 looks onto that lane, but no straight line leads from it to an edge."""
    stacks = stacked(J2=0, I2=0, H2=0)
    game = at(RED, stacks=stacks)
    assert sets(rule(game, "-H3", "+A5")) == []
    by_line = rule(at(RED, stacks=stacks, options={"exterior": "line"}), "-H3", "+A5")
    assert ["take.interior"] in sets(by_line)


def test_french_takes() -> None:
    french = {"edition": "ludibay-fr"}
    game = at(RED, **french)
    assert sets(rule(game, "-J10", "+A1")) == []
    assert len(rule(game, "-J10", "+A1")["turn"]["take"]) == 1
    assert sets(rule(game, "-J10", "-J1", "+A5", "+A5")) == [["take.territory"], ["turn.order"]]
    assert sets(rule(game, "-C8", "-J1", "+A1", "+A1")) == []


def test_french_re_entry_on_any_exterior_stack() -> None:
    game = at(RED, edition="ludibay-fr")
    assert sets(rule(game, "red>J1")) == []
    assert rule(game, "red>H3")["turn"]["points"] == 3


def test_burgenland_captures() -> None:
    closed = at(NEAR, edition="ludibay-fr", variants=["burgenland"])
    assert sets(rule(closed, "B8>", "B7>B8")) == [["capture.closed"], ["move.own"]]
    opened = closed | {"captures_open": True, "captures_left": {"red": 1}}
    assert rule(opened, "B8>", "B7>B8")["next"]["captures_left"]["red"] == 0
    spent = closed | {"captures_open": True, "captures_left": {"red": 0}}
    assert sets(rule(spent, "B8>", "B7>B8")) == [["capture.quota"], ["move.own"]]


def test_team() -> None:
    teams = {"variants": ["team"], "teams": [["red", "yellow"], ["green", "blue"]]}
    flags = flags_of("B7", yellow=("B8",), green=("C7",))
    game = at(flags, **teams)
    assert sets(rule(game, "-J1", "-J2", "-J3", "+A8", "+A8", "+A8")) == []
    assert sets(rule(game, "-A10", "+A8"))[0] == ["take.territory"]
    assert sets(rule(game, "B8>", "B7>B8")) == [["move.own"]]
    assert sets(rule(game, "C7>", "B7>C7")) == []
    assert rule(game, "C7>", "B7>C7")["turn"]["attack"] is False


def test_handicap_reserve() -> None:
    stacks = start_stacks("kosmos-1990", 4) | {"J10": 0, "J9": 0}
    game = at(RED, variants=["handicap"], reserve={"red": 2}, stacks=stacks)
    ruling = rule(game, "-J1", "+A8", "+A8", "+A8")
    assert sets(ruling) == []
    assert ruling["next"]["reserve"]["red"] == 0
    assert sets(rule(game, "-J1", *["+A8"] * 4)) == [["cubes.conserved"]]


def test_out_of_turn() -> None:
    """Three cubes of yellow's own territory and a step of yellow's flag: yellow's turn, but red is to move."""
    ruling = rule(at(flags_of("B7", yellow=("I8",))), "I8>H8", "-H9", "-G9", "-I7", *["+A5"] * 3)
    assert sets(ruling) == [["turn.order"]]
    assert ruling["turn"]["player"] == "yellow"


def test_messages_name_fields_colours_and_the_sheet() -> None:
    ruling = rule(at(NEAR), "-B8", "+A1")
    (violation,) = ruling["violations"]
    assert violation["fields"] == ["B8"]
    assert violation["message"] == (
        "Red took a cube from B8, where a flag stands: a stack under a flag gives no cube "
        "(German rule sheet: “Bausteine nehmen”)."
    )


def test_who_played_out_of_turn_is_named_before_hands_are() -> None:
    (violation,) = rule(at(NEAR), "B8>B9")["violations"]
    assert violation["rule"] == "move.own"  # by the order of preference
    assert violation["message"].startswith("Yellow seems to have played, but it is Red’s turn. If not, a flag")
    (violation,) = rule(at(NEAR), "B8>J1")["violations"]
    assert violation["message"].startswith("A flag that is not Red’s was moved")
