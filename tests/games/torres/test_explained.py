"""What an explanation tells: acts that hold one after the other, and the fields where rules are broken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from referee.games.contract import RequestError, Ruling
from referee.games.torres.engine import GAME
from referee.games.torres.position.parsing import parse_declared
from tests.games.torres.fields import BESIDE, FIELDS, Heights, Pieces, flat, read
from tests.games.torres.play import case
from tests.games.torres.reference import Board, Slow
from tests.games.torres.tables import BEFORE, check, finish_phase, position_data, sets_of, text_of

Cells = dict[str, str]


def ruled(request: Mapping[str, Any]) -> Ruling:
    return GAME.check(
        GAME.position(request["position"]), GAME.observation(request["observed"]), (), request["declared"]
    )


def done(slow: Slow, heights: Heights, pieces: Pieces, act: Mapping[str, str]) -> tuple[Heights, Pieces]:
    """Return the board after one act as it is told, whether allowed or not."""
    a, b = act.get("from", act.get("move", act.get("door"))), act.get("to")
    if "build" in act:
        return {**heights, act["build"]: heights[act["build"]] + 1}, pieces
    if "place" in act:
        return heights, {**pieces, act["place"]: slow.me}
    assert a is not None
    assert b is not None
    if act.get("card") == "shift":
        return {**heights, a: heights[a] - 1, b: heights[b] + 1}, pieces
    assert pieces[a] == slow.me
    if "move" in act:
        assert b in BESIDE[a]
    if "door" in act:
        assert b in slow.exits(heights, pieces, a, False, False)
    return heights, {f: piece for f, piece in pieces.items() if f != a} | {b: slow.me}


def replayed(request: Mapping[str, Any], turn: Mapping[str, Any]) -> int:
    """Do a legal turn's acts one by one with the slow referee, who must allow each; the cost at their end."""
    player, declared = request["position"]["to_move"], request["declared"].get("card")
    slow = Slow(request, player, frozenset(), (declared,) if declared else ())
    heights: Heights
    pieces: Pieces
    heights, pieces = read(request["position"]["board"])
    state = Board(flat(heights), frozenset(pieces.items()))
    for act in turn["acts"]:
        heights, pieces = done(slow, dict(zip(FIELDS, state.heights, strict=True)), dict(state.pieces), act)
        wanted = (flat(heights), frozenset(pieces.items()))
        card = frozenset({act["card"]}) if "card" in act else frozenset()
        allowed = [
            then
            for then in slow.steps(state)
            if (then.heights, then.pieces) == wanted and then.cards == state.cards | card
        ]
        assert allowed, act
        state = min(allowed, key=lambda then: then.cost)
    assert (state.heights, state.pieces) == (flat(slow.after), frozenset(slow.stand.items()))
    return state.cost


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30))
def test_the_acts_told_of_a_legal_turn_hold_one_after_the_other(seed: int) -> None:
    request = case(seed, most=5 if seed % 2 else 3)
    ruling = ruled(request)
    if ruling.legal:
        assert ruling.turn is not None
        assert replayed(request, ruling.turn) == ruling.turn["cost"]


STAIRS = {"A1": "1b", "B1": "2", "C1": "1", "E5": "1o", "H8": "1k", "H5": "1", "A8": "1", "D8": "1", "E1": "1"}
"""Blue stands before a castle of three fields, whose middle is higher."""

TOLD: list[tuple[str, Cells, Cells, dict[str, Any], list[dict[str, str]]]] = [
    ("a step", BEFORE, {"A1": "1", "A2": "1b"}, {}, [{"move": "A1", "to": "A2"}]),
    ("a door", STAIRS, {"A1": "1", "C1": "1b"}, {}, [{"door": "A1", "to": "C1"}]),
    ("a knight is placed", BEFORE, {"A2": "1b"}, {}, [{"place": "A2"}]),
    ("a block", BEFORE, {"B2": "1"}, {}, [{"build": "B2"}]),
    (
        "over a knight to the lowest row",
        {**BEFORE, "A1": "1", "C3": "0b", "C2": "0o"},
        {"C3": "0", "C1": "0b"},
        {"held": 1, "declared": {"card": "jump", "points": 5}},
        [{"card": "jump", "from": "C3", "to": "C1"}],
    ),
    (
        "over a knight to the left column",
        {**BEFORE, "A1": "1", "C3": "0b", "B3": "0o"},
        {"C3": "0", "A3": "0b"},
        {"held": 1, "declared": {"card": "jump", "points": 5}},
        [{"card": "jump", "from": "C3", "to": "A3"}],
    ),
]


@pytest.mark.parametrize(
    ("before", "change", "keys", "acts"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD]
)
def test_acts_are_told_as_what_they_are(
    before: Cells, change: Cells, keys: dict[str, Any], acts: list[dict[str, str]]
) -> None:
    ruling = check(change, before, **keys)
    assert ruling.turn is not None
    assert ruling.turn["acts"] == acts


PLAYED_OUT = {"blue": {"held": 1, "played": []}, "orange": {"held": 0, "played": ["under", "leap"] * 4}}
BROKEN: list[tuple[str, Cells, Cells, dict[str, Any], dict[str, list[str]]]] = [
    ("the king by hand", BEFORE, {"H8": "1", "F8": "1k"}, {}, {"king.still": ["F8", "H8"]}),
    ("a foreign knight gone", BEFORE, {"D4": "1"}, {}, {"knight.own": ["D4"]}),
    (
        "a foreign knight elsewhere while an own one steps",
        BEFORE,
        {"D4": "1", "H1": "1o", "A1": "1", "A2": "1b"},
        {},
        {"knight.own": ["D4", "H1"]},
    ),
    ("an own knight gone", {**BEFORE, "C3": "0b"}, {"C3": "0"}, {}, {"knight.supply": ["C3"]}),
    ("blocks gone", BEFORE, {"E4": "0"}, {"declared": {"points": 5}}, {"blocks.fixed": ["E4"]}),
    (
        "a block on a foreign knight's field, and one where an own knight stood",
        BEFORE,
        {"A1": "2", "A2": "1b", "D4": "2o"},
        {},
        {"build.occupied": ["D4"]},
    ),
    ("a knight far from others", BEFORE, {"C8": "0b"}, {"declared": {"points": 3}}, {"knight.place": ["C8"]}),
    (
        "a step too high",
        {**BEFORE, "A2": "3"},
        {"A1": "1", "A2": "3b"},
        {"declared": {"points": 4}},
        {"knight.climb": ["A1", "A2"]},
    ),
    (
        "a card's block on an own knight's field",
        {**BEFORE, "A2": "2"},
        {"A1": "1", "A2": "3b"},
        {"declared": {"card": "extra", "points": 4}, "cards": PLAYED_OUT},
        {"build.occupied": ["A2"]},
    ),
    (
        "a card's act, where nothing is left to pay for others",
        BEFORE,
        {"A1": "1", "H1": "1b"},
        {"held": 1, "declared": {"card": "leap", "points": 5}},
        {"card.leap": ["A1", "H1"]},
    ),
]


@pytest.mark.parametrize(
    ("before", "change", "keys", "fields"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_the_fields_where_a_rule_is_broken_are_named(
    before: Cells, change: Cells, keys: dict[str, Any], fields: dict[str, list[str]]
) -> None:
    ruling = check(change, before, **keys)
    found = {str(one.rule): sorted(field.name for field in one.fields) for one in ruling.violations}
    assert found == fields, sets_of(ruling)


def test_a_choice_may_name_the_game() -> None:
    choice = {"edition": "fr-1999", "players": ["blue", "orange"]}
    assert GAME.new_game(choice | {"game": "torres"}) == GAME.new_game(choice)


def test_a_declaration_of_another_kind_is_named() -> None:
    position = GAME.position(position_data())
    with pytest.raises(RequestError, match=r"^declared is an object") as refused:
        parse_declared(["leap"], position)
    assert refused.value.code == "declared"


@pytest.mark.parametrize("board", ["0" * 64, "/".join(["00000000"] * 7)])
def test_a_board_that_is_none_is_refused_by_that_name(board: str) -> None:
    with pytest.raises(RequestError) as refused:
        GAME.observation(board)
    assert refused.value.code == "board"


def test_the_account_of_a_phase_ranks_the_players() -> None:
    position = GAME.position(finish_phase(1, BEFORE))
    ruling = GAME.check(position, GAME.observation(text_of(BEFORE)), (), {"points": 2})
    account = GAME.account(position, ruling)
    assert account is not None
    assert [share.place for share in account.shares] == [1, 2]
    assert account.shares[0].score[1] > account.shares[1].score[1]
    assert GAME.account(position, check({"B2": "1"})) is None
