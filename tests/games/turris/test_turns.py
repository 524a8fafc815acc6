"""Whole turns: declared bars, floating frames, cells not seen, what follows, and what is refused."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from referee.cli.check import answer
from referee.games.contract import RequestError
from referee.games.turris.bars import BarColour
from referee.games.turris.completions import parse_reading
from referee.games.turris.declaring import parse_act
from referee.games.turris.following import following
from referee.games.turris.ruleset import BIT, TURN_ORDER, in_order
from referee.games.turris.verdict import judge
from tests.games.turris.playedturns import PLAYED, STACK
from tests.games.turris.positions import BASE, ask, built, data, position, sets

START = "D a1.1^, L a2.1^, D b3c3.1"


def rules_of(found: dict[str, Any]) -> list[str]:
    return [violation["rule"] for violation in found["violations"]]


def test_a_legal_turn_is_answered_in_full() -> None:
    found = ask(built(START), built("D a1.1^, L a2.1^, L b1b2.1"), turn=7, last={"dark": ["a1.1^"]})
    assert found == {
        "legal": True,
        "violations": [],
        "alternatives": [],
        "turn": {"player": "light", "acts": [{"lay": "b1b2.1"}, {"remove": "b3c3.1"}], "bonus": True},
        "next": data(
            built("D a1.1^, L a2.1^, L b1b2.1"),
            variants=[],
            options={},
            to_move="dark",
            turn=8,
            last={"light": ["b1b2.1"], "dark": ["a1.1^"]},
            barred=["b3.1", "c3.1"],
        ),
        "winners": [],
        "finished": False,
    }


def test_an_illegal_turn_is_answered_in_full() -> None:
    found = ask(built("D a1.1^, L a2.1^"), built("D a1.1^, L a2.1^, L a3b3.1, L b1c1.1"))
    assert found["legal"] is False
    assert found["violations"] == [
        {
            "rule": "bonus.earned",
            "fields": found["violations"][0]["fields"],
            "message": found["violations"][0]["message"],
        }
    ]
    assert found["violations"][0]["fields"] in (["a3.1", "b3.1"], ["b1.1", "c1.1"])
    assert found["alternatives"] == [["bar.one"]]
    assert found["next"] is None
    assert len(found["turn"]["acts"]) == 2
    assert (found["winners"], found["finished"]) == ([], False)


def test_a_pass_leaves_the_opponents_last_bar_and_empties_the_own() -> None:
    found = ask(
        built(START),
        built(START),
        options={"pass": "free"},
        last={"light": ["a2.1^"], "dark": ["a1.1^"]},
        barred=["c1.1"],
    )
    assert found["turn"] == {"player": "light", "acts": [], "bonus": False}
    assert found["next"]["last"] == {"light": [], "dark": ["a1.1^"]}
    assert found["next"]["barred"] == []


def test_the_last_bar_of_a_player_who_passed_may_be_taken_off() -> None:
    after = built("D a1.1^, L a2.1^, L b1b2.1")
    assert ask(built(START), after, last={"dark": []})["legal"] is True
    assert rules_of(ask(built(START), after, last={"dark": ["b3c3.1"]})) == ["bonus.last"]


def test_the_last_bar_ends_the_game() -> None:
    found = ask(built(PLAYED), built(f"{PLAYED}, D {STACK[39]}"), to_move="dark", turn=40)
    assert found["legal"] is True
    assert found["finished"] is True
    after = found["next"]
    assert after["left"] == {"light": 0, "dark": 0}
    assert after["finished"] is True
    assert found["winners"] == after["winners"] != []
    assert set(after["scores"]["light"]) == {"south", "east", "north", "west", "roof", "total"}
    with pytest.raises(RequestError, match="finished") as caught:
        answer({"position": after, "observed": after["tower"]})
    assert caught.value.code == "finished"


def test_the_other_lays_all_that_remain() -> None:
    dark = [f"D {name}" for name in STACK[:20]]
    before = built(", ".join([*dark, "L c1.5^"]))
    found = ask(before, built(", ".join([*dark, "L c1.5^, L b2.5^"])), last={"light": ["c1.5^"], "dark": [STACK[0]]})
    assert found["legal"] is True
    assert found["next"]["to_move"] == "light"
    assert found["next"]["last"]["dark"] == [STACK[0]]
    found = ask(before, built(", ".join([*dark[:19], "L c1.5^, L b2.5^"])))
    assert found["legal"] is True
    assert found["next"]["to_move"] == "dark", "a bar given back brings its owner back in"


@pytest.mark.parametrize("acts", list(permutations(["+b1b2.1", "+c1c2.1"])))
def test_declared_bars_are_judged_in_their_order(acts: tuple[str, ...]) -> None:
    after = built(f"{START}, L b1b2.1, L c1c2.1")
    found = ask(built(START), after, declared=list(acts))
    assert [next(iter(act.values())) for act in found["turn"]["acts"]] == [act[1:] for act in acts]
    if acts[0] == "+b1b2.1":
        assert found["legal"] is True
    else:
        assert rules_of(found) == ["bonus.earned"]
        assert found["alternatives"] == [["bar.one"]]


@pytest.mark.parametrize(
    ("acts", "expected"),
    [
        (["+c1c2.1"], [["bar.fixed"]]),
        (["+c1c2.1", "-b3c3.1"], [["bonus.earned"]]),
        (["-b3c3.1", "+c1c2.1"], [["place.touch", "bonus.earned"]]),
        (["-b3c3.1"], None),
        ([], None),
        (["+c1c2.1", "+a3b3.1"], None),
        (["+c1c2.1", "+c1c2.1"], None),
        (["+c1c2.1", "-c1c2.1"], None),
        (["+b3c3.1", "+c1c2.1"], None),
    ],
)
def test_declared_bars_must_lead_to_what_was_seen(acts: list[str], expected: list[list[str]] | None) -> None:
    after = built("D a1.1^, L a2.1^, L c1c2.1")
    if expected is None:
        with pytest.raises(RequestError, match="declared bars do not lead") as caught:
            ask(built(START), after, declared=acts)
        assert caught.value.code == "declared"
    else:
        found = ask(built(START), after, declared=acts)
        assert [rules_of(found), *found["alternatives"]] == expected


@pytest.mark.parametrize(
    "declared",
    [
        ["+b1b2.1"],
        {"bars": "b1b2.1"},
        {"bars": 5},
        {"bars": ["b1b2.1"]},
        {"bars": [5]},
        {"bars": [], "acts": []},
        None,
    ],
)
def test_declared_bars_of_another_form_are_refused(declared: object) -> None:
    with pytest.raises(RequestError) as caught:
        answer({"position": BASE, "observed": "", "declared": declared})
    assert caught.value.code == "declared"


@pytest.mark.parametrize("declared", [{}, {"bars": ""}])
def test_nothing_declared_is_judged_by_what_was_seen(declared: dict[str, object]) -> None:
    request = {"position": data(built(START)), "observed": built(f"{START}, L b1b2.1"), "declared": declared}
    assert answer(request)["legal"] is True


def test_bars_may_be_declared_in_one_text() -> None:
    after = built(f"{START}, L b1b2.1, L c1c2.1")
    request = {"position": data(built(START)), "observed": after, "declared": {"bars": "+c1c2.1 +b1b2.1"}}
    assert rules_of(answer(request)) == ["bonus.earned"]


def test_a_declared_bar_must_be_one() -> None:
    with pytest.raises(RequestError, match="no bar"):
        ask("", "", declared=["+b1b3.1"])


@pytest.mark.parametrize("text", ["+b1b2.3", "-a1.1^"])
def test_acts_go_round(text: str) -> None:
    assert parse_act(text).text == text


@pytest.mark.parametrize("missing", ["position", "observed"])
def test_a_request_has_position_and_observed(missing: str) -> None:
    with pytest.raises(RequestError, match=f"{missing}'? is missing"):
        answer({key: value for key, value in {"position": BASE, "observed": ""}.items() if key != missing})


FLOATING = {"frame": "floating"}


def test_a_floating_tower_may_be_drawn_elsewhere() -> None:
    found = ask(
        built("L a1b1.1"),
        built("L a2b2.1, D a3.1^"),
        to_move="dark",
        options=FLOATING,
        last={"light": ["a1b1.1"]},
        barred=["a1.1", "c3.1"],
    )
    assert found["legal"] is True
    assert found["next"]["tower"] == built("L a2b2.1, D a3.1^")
    assert found["next"]["last"] == {"light": ["a2b2.1"], "dark": ["a3.1^"]}
    assert rules_of(ask(built("L a1b1.1"), built("L a2b2.1, D a3.1^"), to_move="dark")) != []


def test_until_the_centre_is_known_every_bar_earns_and_none_fills_it() -> None:
    assert sets("", built("L b2b3.1"), options=FLOATING) == [[]]
    two = built("L a1b1.1, L a2b2.1")
    assert sets(built("L a1b1.1"), two, to_move="light", options=FLOATING) == [[]]
    three = built("L a1b1.1, L a2b2.1, L a3b3.1")
    assert sets(built("L a1b1.1"), three, options=FLOATING) == [[]]
    wide = built("D a1b1.1, D c1c2.1, D a3b3.1")
    assert sets(wide, built("D a1b1.1, D c1c2.1, D a3b3.1, L b2.1^"), options=FLOATING) == [["level.centre"]]
    assert sets(wide, built("D a1b1.1, D c1c2.1, D a3b3.1, L a2.1^, L a1.2^"), options=FLOATING) == [
        ["bonus.earned"],
        ["bar.one"],
    ]


def test_with_a_fixed_frame_the_tower_stays_where_it_is() -> None:
    assert sets(built("L a1b1.1"), built("L a2b2.1"), to_move="dark")[0] != []


def test_cells_not_seen_are_filled_in_the_players_favour() -> None:
    before = built("D a1b1.1, L a2a3.1")
    assert sets(before, "SX.NX.ew.") == [[]]  # one lying bar, its seam not seen
    assert sets(before, "SX.NX?ew?") == [[]]


def test_the_smallest_sets_are_those_over_all_fillings() -> None:
    before = built("D a1b1.1, L a2a3.1")
    one = {tuple(found) for found in sets(before, "S..N..ew./......xx.")}
    assert one == {("place.straddle", "bar.colour"), ("place.straddle", "turn.order")}
    open_cell = sets(before, "S..N..ew./......X?.")
    assert open_cell == [["place.straddle"]]
    # the cell above may be filled too: then the bar stands, and touches no side
    either = sets(before, "S..N..ew./......X?./......?..")
    assert either == [["place.straddle"], ["place.standing"]]


def test_what_no_bars_fit_is_refused() -> None:
    with pytest.raises(RequestError, match="no bars fit") as caught:
        sets("", "X........")
    assert caught.value.code == "observed"


def test_a_turn_cut_short_names_what_counting_proves() -> None:
    before, after = position(built(START), to_move="light"), parse_reading(built("L c1c2.1"))
    found = judge(before, after, states=3)
    assert not found.complete
    assert not found.legal
    assert in_order(found.certain) == ("bar.fixed",)
    full = judge(before, after)
    assert full.complete
    assert all(broken & found.certain == found.certain for broken in full.sets)


@pytest.mark.parametrize(
    ("after", "certain"),
    [
        ("D a1.1^, L a2.1^", ("turn.pass",)),  # one bar gone may be a bonus
        ("L a2.1^", ("bar.fixed", "turn.pass")),
        ("D a1.1^, D b3c3.1, D b2.1^, L c1c2.1", ()),  # the other player may have moved
        ("D b3c3.1, L b2.1^", ()),
        ("L b2.1^", ("bar.fixed",)),
        (f"{START}, L b1c1.1, L a3.1^, L a1a2.3", ("bar.one",)),
        (f"{START}, L b1c1.1, L a3.1^", ()),
        (f"{START}, L b1b2.1, L c1c2.1, L a3.1^", ()),
    ],
)
def test_counting_proves_no_more_than_every_explanation_breaks(after: str, certain: tuple[str, ...]) -> None:
    before, seen = position(built(START), options={"pass": "never"}), parse_reading(built(after))
    if not certain:
        with pytest.raises(RequestError, match="too much of the tower changed"):
            judge(before, seen, states=1)
        return
    found = judge(before, seen, states=1)
    assert set(in_order(found.certain)) == set(certain)
    assert all(broken & found.certain == found.certain for broken in judge(before, seen).sets)


def test_too_little_effort_accuses_nobody() -> None:
    reading = parse_reading("/".join(["?" * 9] * 4 + ["XX......."]))
    with pytest.raises(RequestError, match="too many cells") as caught:
        judge(position(built(START)), reading, fillings=30)
    assert caught.value.code == "unseen"
    with pytest.raises(RequestError, match="too much of the tower changed") as caught:
        judge(position(built(START)), parse_reading(built(f"{START}, L b1b2.1, L c1c2.1")), states=1)
    assert caught.value.code == "changes"


def test_a_cut_search_says_so_in_its_answer() -> None:
    many = ", ".join(f"L {name}" for name in STACK[:18])
    found = ask(built("D a1.1^"), built(many))
    assert found["legal"] is False
    assert found["complete"] is False
    assert found["turn"] is None
    assert found["alternatives"] == []
    assert rules_of(found) == ["bar.one"]


def test_following_counts_supplies_of_both() -> None:
    before = position(built(START))
    verdict = judge(before, parse_reading(built("D a1.1^, L a2.1^, L b1b2.1")))
    assert verdict.scene is not None
    acts = (parse_act("+b1b2.1"), parse_act("-b3c3.1"))
    after = following(before, acts, verdict.scene)
    assert after.left == {BarColour.LIGHT: 18, BarColour.DARK: 19}
    assert not BIT[TURN_ORDER] & verdict.sets[0]


def test_the_bar_that_makes_the_centre_known_earns_only_in_it() -> None:
    before = "D a1b1.1, D a2a3.1"
    both = built(f"{before}, L c1.1^, L c2c3.1")
    found = sets(built(before), both, options=FLOATING)
    assert found == [["bonus.earned"], ["bar.one"], ["bar.fixed"]], "or the whole tower was moved after the first bar"
    assert sets(built(before), built(f"{before}, L b2c2.1, L c1.1^"), options=FLOATING) == [[]]
