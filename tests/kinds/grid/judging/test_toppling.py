"""Low towers that fall before, during and after a turn accuse nobody; hands that do the same are asked once."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import package_named
from referee.games.contract import Position
from referee.games.record import entry_of
from referee.games.terra_turrium.engine import TerraTurrium
from referee.games.terra_turrium.position.position import TerraPosition
from referee.kinds.grid.judging import legality
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import Context, People, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.judging.toppling import MOST_GROWN, MOST_TRIED
from referee.opponents import Opponent, OpponentTurn, Strength
from referee.opponents.wholegame import new_position
from referee.values.belief import BoardBelief
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared
from tests.games.torres import play as torres
from tests.kinds.grid.judging.seeing import GAME, Costly, Spot, seen
from tests.virtual.falls import tipped, towers
from tests.virtual.made import breach

FALLS = int(os.environ.get("FALLS", "16"))
"""Falls drawn of each game."""
QUESTIONS = 4
"""Questions answered truthfully before a fall must have been asked about."""
START = {
    "game": "terra-turrium",
    "edition": "kosmos-1990",
    "seats": {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"},
    "first": "red",
}
LATE = {"terra-turrium": 8, "torres": 24}
"""Turns of the game that falls are drawn from, of which the second half counts."""
BEFORE = Spot(Board.parse("113/211r", 2, 3, "rygb"))
FELL = "212/121r"
"""A cube went from C2 to B1, and what stood on A1 fell onto A2; or two cubes were moved."""


def tiny(text: str, **known: int) -> Judgement:
    """Judge a look at a tiny board. known: what stands on fields by somebody who was asked whether something fell."""
    told = {Field.from_name(name): (height, 0) for name, height in known.items()}
    return judge(GAME, Context.at(BEFORE), TurnEvidence(seen(text, 30.0), known=told, stood=told.keys()))[0]


def test_a_fall_that_a_legal_turn_explains_is_asked_about() -> None:
    found = tiny(FELL)
    assert (found.kind, found.swept, found.ruling) == ("unsure", True, None)
    assert found.ask is not None
    assert (found.ask.field, found.ask.answers) == (Field.from_name("A1"), ((1, 0),))


def test_once_somebody_says_that_nothing_fell_the_turn_is_ruled_as_seen() -> None:
    assert tiny(FELL, A1=1).kind == "illegal"


def test_what_no_fall_explains_is_ruled_at_once() -> None:
    assert tiny("133/011r").kind == "illegal"


@pytest.mark.parametrize(("states", "ruled", "most"), [(0, ("illegal", False), 20), (150_000, ("unsure", True), 2)])
def test_what_the_rules_have_no_states_left_for_may_be_a_fall(
    states: int, ruled: tuple[str, bool], most: int
) -> None:
    game = Costly(states)
    found, _ = judge(game, Context.at(BEFORE), TurnEvidence(seen("222/121r", 30.0)))
    assert (found.kind, found.swept) == ruled
    assert game.asked <= most


def test_a_stone_gone_with_nothing_near_it_is_ruled() -> None:
    assert tiny("112/211r").kind == "illegal"


@pytest.mark.parametrize(("sees_the_piece", "ruled"), [(True, "illegal"), (False, "unsure")])
def test_no_stone_falls_under_a_piece_that_is_seen_to_stand_where_it_stood(sees_the_piece: bool, ruled: str) -> None:
    belief = seen("012/213r", 30.0)
    if not sees_the_piece:
        flags = belief.flags.copy()
        flags[Field.from_name("C1")] = 0.0
        belief = replace(belief, flags=flags)
    assert judge(GAME, Context.at(BEFORE), TurnEvidence(belief))[0].kind == ruled


def test_a_stand_that_was_told_before_a_fall_was_asked_about_is_no_answer() -> None:
    told = {Field.from_name("A1"): (1, 0)}
    asked = judge(GAME, Context.at(BEFORE), TurnEvidence(seen(FELL, 30.0), known=told))[0]
    assert (asked.kind, asked.swept) == ("unsure", True)


@pytest.mark.long
@pytest.mark.parametrize("game", LATE)
def test_falls_drawn_by_chance_accuse_nobody(game: str) -> None:
    chance = Random(7)
    for number in range(FALLS):
        position, after, declared = fallen(game, chance)
        found, _ = judge(package_named(game).game, Context.at(position), sure(after, declared))
        told = [violation.rule for violation in found.ruling.violations] if found.ruling is not None else []
        assert found.kind != "illegal", (number, position.observed.text, after.text, told)
        assert found.late is None


@pytest.mark.long
@pytest.mark.parametrize("game", LATE)
@settings(max_examples=FALLS, deadline=None)
@given(seed=st.integers(0, 2**32), hidden=st.sampled_from((0.0, 0.03, 0.1, 0.2)))
def test_falls_of_which_fields_are_hidden_accuse_nobody(game: str, seed: int, hidden: float) -> None:
    chance = Random(seed)
    position, after, declared = fallen(game, chance)
    belief = partly_seen(after, np.random.default_rng(seed), hidden)
    known = dict[Field, tuple[int, int]]()
    for _ in range(QUESTIONS):
        look = TurnEvidence(belief, known=dict(known), declared=declared)
        found, _ = judge(package_named(game).game, Context.at(position), look)
        told = [violation.rule for violation in found.ruling.violations] if found.ruling is not None else []
        assert found.kind != "illegal", (position.observed.text, after.text, told, known)
        assert found.late is None
        if found.swept or found.ask is None:
            break
        known[found.ask.field] = stand(after, found.ask.field)


@pytest.mark.parametrize(
    ("number", "after"),
    [
        (
            0,
            "21r11012001/0211111111/1r10111y1111/011r2r12y2y110/2r0222b22y1y11/0113232110/1121221112/11131g11g121/"
            "111111g1g12g1/2211011g101",
        ),
        (
            3,
            "21r10002011/0210111111/1r10111y1101/011r2r2232y10/2r032222111y/0012r23y1110/11232g11112/0113111g121/"
            "11212g11g12g1/2212011g100",
        ),
    ],
)
def test_a_stone_that_buried_what_moved_there_in_this_turn_may_have_fallen(number: int, after: str) -> None:
    position, _ = played("terra-turrium")[number]
    before: Any = position.observed
    board = before.like(after)
    found, _ = judge(package_named("terra-turrium").game, Context.at(position), sure(board, NOTHING_DECLARED))
    assert (found.kind, found.swept) == ("unsure", True)


def test_a_tower_that_grew_in_the_same_turn_may_have_fallen() -> None:
    chance = Random(11)
    position, after, declared = [fallen("torres", chance) for _ in range(28)][-1]
    asked = replace(sure(after, declared), people=People())
    found, _ = judge(package_named("torres").game, Context.at(position), asked)
    assert (found.kind, found.swept) == ("unsure", True)


@pytest.mark.parametrize(
    ("state", "fell"),
    [
        pytest.param(
            {
                "board": (
                    "020001y0100/2r1r2r111y0000/01r20312212y/1r223y322y3y00/2r200024111g/012b2212g11g0/1b111323g11g1/"
                    "01b01232100/011213112g1/1b02b1000122"
                ),
                "in_hand": {"blue": 1},
                "attacks": {"red": 1, "yellow": 3, "green": 1, "blue": 1},
            },
            (
                "020001y0101/2r1r2r111y0001/01r20312212y/1r223y3223y10/2r200021111g/002b221221g0/1b111323y11g1/"
                "01b01232001/011213112g1/1b02b1000122"
            ),
            id="hands took a stone of the tower, then two more fell off",
        ),
        pytest.param(
            {
                "board": (
                    "0000100000/0003101y200/001r00121y20/012r3r4r5r31y1y0/00146y6r4101y/1114220100/0005b05g5g001/"
                    "003b4b004301/1b12b2b001g21g0/100101g11g00"
                ),
                "winners": ["red"],
                "final_round": True,
            },
            (
                "0000100000/0003001200/001r00021y10/012r3r4r5r11y1y0/00146y64201y/1114220100/0005b05g5g002y/"
                "003b4b005311/1b12b2b001g21g0/100101g21g00"
            ),
            id="a piece that moved onto the tower fell with it",
        ),
        pytest.param(
            {
                "board": (
                    "011r1111y1y1y1/111r1r11111y1/1112r1121y11/001r3r24g4111/0113232y011/01122g22g1g11/111222g2g110/"
                    "1b111111111/1b1b11111110/1b1b1b1101111"
                ),
                "to_move": "blue",
                "turn": 4,
            },
            (
                "011r1111y1y1y1/111r1r11111y1/1112r1121y11/001r3r24g4111/0113232y011/01102g22g1g11/1112232g110/"
                "1b2b11111111/1b112111110/1b1b1b1100111"
            ),
            id="the turn made the tower two higher, and what fell buried a piece",
        ),
        pytest.param(
            {
                "board": (
                    "0000101y001/0011012001/001r1011000/01r234r43y1y01/1r1r3r6b562y100/0025b46y3g000/0014324g210/"
                    "001b1b2b03g2g1g1/10111b02g100/1101000010"
                ),
                "in_hand": {"yellow": 1},
                "attacks": {"yellow": 2, "blue": 1},
                "to_move": "red",
                "turn": 17,
            },
            (
                "0000101y001/0011012001/0030011000/012r3r4r63y1y00/11r3r6b362y100/0025b46y3g000/0014314g210/"
                "001b1b2b03g2g1g1/10111b02g100/1101000011"
            ),
            id="two stones rolled onto one field and buried a piece that had just moved there",
        ),
    ],
)
def test_a_tower_that_hands_touched_in_the_same_turn_may_have_fallen(state: dict[str, object], fell: str) -> None:
    game = package_named("terra-turrium").game
    position = game.position({**START, "to_move": "yellow", "turn": 18, **state})
    look = replace(sure(game.observation(fell), NOTHING_DECLARED), people=People())
    found, _ = judge(game, Context.at(position), look)
    assert (found.kind, found.swept) == ("unsure", True)


def test_a_seen_tower_of_whose_stones_one_is_hidden_may_have_fallen() -> None:
    text = "0101y1000/02300201/00100101/0000101k1/10002010/011r03g1g00/11100311/00011b011"
    hands = {player: {"held": 0, "played": []} for player in torres.SIDES[4]}
    game = package_named("torres").game
    position = game.position(torres.request_of(torres.SIDES[4], text, {}, cards=hands)["position"])
    lies: Any = game.observation(text.replace("0101y", "1101y", 1).replace("11100311", "11110111"))
    look = sure(lies, NOTHING_DECLARED)
    heights = look.belief.heights.copy()
    heights[Field.from_name("E2")] = np.array([0.0, -4.7, -6.0, *[-13.0] * 8])
    look = replace(look, belief=replace(look.belief, heights=heights), people=People(rested=True))
    found, _ = judge(game, Context.at(position), look)
    assert (found.kind, found.swept) == ("unsure", True)
    assert found.ask is not None
    assert found.ask.field == Field.from_name("F2")


@pytest.mark.parametrize("lies", ["113/211", "113/121"])
def test_a_piece_that_is_off_the_board_may_have_been_knocked_over(lies: str) -> None:
    told = {Field.from_name("C1"): (1, 0)}
    look = TurnEvidence(seen(lies, 30.0), known=told, people=People())
    asked = judge(GAME, Context.at(BEFORE), look)[0]
    assert (asked.kind, asked.swept) == ("unsure", True)
    assert asked.ask is not None
    assert (asked.ask.field, asked.ask.answers) == (Field.from_name("C1"), ((1, 0),))
    assert judge(GAME, Context.at(BEFORE), replace(look, stood=told.keys()))[0].kind == "illegal"


def test_a_piece_that_stands_elsewhere_was_carried_there() -> None:
    look = TurnEvidence(seen("113/21r1", 30.0), people=People())
    assert judge(GAME, Context.at(BEFORE), look)[0].kind == "illegal"


@pytest.mark.long
def test_boards_are_put_to_the_rules_once_and_only_for_legality(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, package = Random(3), package_named("terra-turrium")
    for _ in range(FALLS):
        position, turn = chance.choice(played("terra-turrium"))
        spoilt = breach(chance, package, position, entry_of(position, turn.ruling))
        after = tipped(turn.observed, chance.choice(towers(turn.observed)), chance)
        if spoilt is not None and package.laid is not None and chance.random() < 0.7:
            after = package.game.observation(package.laid(position, spoilt[0]))
        look = replace(sure(after, NOTHING_DECLARED), people=People())
        game = Counted()
        found, _ = judge(game, Context.at(position), look)
        assert len(game.asked) == len(set(game.asked)) <= MOST_TRIED * (MOST_GROWN + 1)
        with monkeypatch.context() as patched:
            patched.setattr(legality, "TellsLegal", type("Nobody", (), {}))
            whole, _ = judge(game, Context.at(position), look)
        assert (whole.kind, whole.swept, whole.ask) == (found.kind, found.swept, found.ask)


class Counted(TerraTurrium):
    """The game, which counts the boards put to it for legality."""

    def __init__(self) -> None:
        self.asked: list[Board] = []

    def is_legal(self, position: TerraPosition, observed: Board, declared: Declared) -> bool:
        self.asked.append(observed)
        return super().is_legal(position, observed, declared)


@cache
def played(name: str) -> tuple[tuple[Position, OpponentTurn], ...]:
    """Return the later turns of a game, each with where it began."""
    package = package_named(name)
    mind = Opponent(package, Strength.WEAK, 3)
    position: Any = new_position(package, 4)
    position, turns = package.game.start_from_setup(position, mind.set_up(position)), []
    for _ in range(LATE[name]):
        turn = mind.turn(position)
        turns.append((position, turn))
        position = turn.ruling.next
    return tuple(turns[len(turns) // 2 :])


def fallen(name: str, chance: Random) -> tuple[Position, Board, Declared]:
    """Return where a turn began, what lies there once a tower fell, and what was declared."""
    position, turn = chance.choice(played(name))
    when, declared = chance.choice(("before", "during", "after")), NOTHING_DECLARED
    lying: Any = position.observed
    if when == "during":
        lying, declared = turn.observed, turn.declared
    elif when == "after" and turn.ruling.next is not None:
        position, lying = turn.ruling.next, turn.observed
    return position, tipped(lying, chance.choice(towers(lying)), chance), declared


def sure(board: Board, declared: Declared) -> TurnEvidence:
    """Return a look that shows a board, every field of it surely."""
    rows, columns = board.heights.shape
    heights = np.full((rows, columns, 11), -13.0)
    flags = np.full((rows, columns, len(board.letters) + 1), -13.0)
    row, col = np.indices((rows, columns))
    heights[row, col, board.heights] = flags[row, col, board.flags] = 0.0
    return TurnEvidence(BoardBelief(heights, flags, board.letters), declared=declared)


def partly_seen(board: Board, rng: np.random.Generator, hidden: float) -> BoardBelief:
    """Return what a look says of a board of which a share of the fields is hidden, and half as many hardly seen."""
    draw = rng.random(board.heights.shape)
    lead = np.where(draw < hidden, 0.0, np.where(draw < 1.5 * hidden, 1.5, 5.0))[..., None]
    scores = []
    for true, values in ((board.heights, 11), (board.flags, 1 + len(board.letters))):
        means = lead * (np.arange(values) == true[..., None])
        scores.append(lead * (rng.standard_normal((*true.shape, values)) + means))
    return BoardBelief(scores[0], scores[1], board.letters)
