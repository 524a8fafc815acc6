"""Turns of Terra Turrium judged by what is seen of them: what is certain, asked, taken for granted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ceiling import graded
from referee.games.answers import UNNAMED
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.search.walk import Budget
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import EFFORT, judge
from referee.values.board import Board, Field
from tests.kinds.grid.judging.starting import start


def after(changes: dict[str, int]) -> Board:
    """Return the start with other heights on some fields."""
    board = start().observed
    heights = board.heights.copy()
    for name, height in changes.items():
        place = Field.from_name(name)
        heights[place.row, place.col] = height
    return Board(heights, board.flags, board.letters)


def judged(board: Board, hidden: tuple[str, ...] = (), nats: float = 14.0, known: str = "") -> Judgement:
    said = {}
    if known:
        place = Field.from_name(known)
        said[place] = int(board.heights[place.row, place.col]), int(board.flags[place.row, place.col])
    seen = TurnEvidence(graded(board, {"stacks": hidden}, nats), known=said)
    return judge(GAME, Context.at(start()), seen)[0]


CASES: dict[str, tuple[dict[str, int], str, list[str]]] = {
    "three taken at home, a tower built": ({"D10": 0, "E10": 0, "D8": 0, "D9": 4}, "legal", []),
    "nothing changed: three were put back": ({}, "legal", []),
    "a cube too many": ({"D10": 0, "E10": 0, "D8": 0, "D9": 5}, "illegal", ["cubes.conserved"]),
    "built on a flag": ({"D10": 0, "E10": 0, "D8": 0, "A10": 2, "D9": 3}, "illegal", ["build.occupied"]),
    "two from one foreign territory": ({"F10": 0, "G10": 0, "D8": 0, "D9": 4}, "illegal", ["take.territory"]),
}


@pytest.mark.parametrize(("changes", "kind", "rules"), CASES.values(), ids=CASES)
def test_what_is_seen_is_ruled(changes: dict[str, int], kind: str, rules: list[str]) -> None:
    judgement = judged(after(changes))
    assert judgement.kind == kind
    assert judgement.ruling is not None
    assert [violation.rule for violation in judgement.ruling.violations] == rules


def test_one_look_settles_where_a_cube_may_lie_unseen() -> None:
    """Two cubes are built in plain sight; the third lies on a stack nobody sees, or was kept."""
    kept = after({"D10": 0, "E10": 0, "D8": 0, "D9": 3})
    judgement = judged(kept, hidden=("E6",))
    assert judgement.kind != "illegal"
    told = judged(kept, hidden=("E6",), known="E6")
    assert told.ruling is not None
    assert [violation.rule for violation in told.ruling.violations] == ["cubes.conserved"]


def test_a_cube_too_many_is_told_when_no_hand_came_near_the_stacks_nobody_sees() -> None:
    """Without that, the cube may have been taken from a hidden stack."""
    board = after({"D10": 0, "D8": 0, "D9": 4})
    belief = graded(board, {"stacks": ("E10",)}, 14.0)
    assert judge(GAME, Context.at(start()), TurnEvidence(belief))[0].kind == "legal"
    alone = np.zeros(board.heights.shape, np.bool_)
    alone[9, 4] = True
    told = judge(GAME, Context.at(start()), TurnEvidence(belief, untouched=alone))[0]
    assert told.kind != "legal"
    assert Field.from_name("E10") not in {one.field for one in told.assumed}


def test_a_cube_too_many_is_ruled_on_after_few_questions_though_no_field_alone_tells() -> None:
    """However often they are seen, fields are misread now and then; any of the four built on may be the one."""
    built = {"B8", "C8", "D9", "E9"}
    board = after({"D10": 0, "E10": 0, "D8": 0} | dict.fromkeys(built, 2))
    belief = graded(board, {}, 20.0)
    heights = belief.heights.copy()
    for place in map(Field.from_name, built):
        heights[place.row, place.col] *= 15.3 / 20.0
    seen, known = TurnEvidence(replace(belief, heights=heights)), dict[Field, tuple[int, int]]()
    while (judgement := judge(GAME, Context.at(start()), replace(seen, known=known))[0]).kind == "unsure":
        assert judgement.ask is not None
        assert {field.name for field in judgement.doubts} <= built
        known[judgement.ask.field] = 2, 0
    assert judgement.kind == "illegal"
    assert len(known) <= 3


def test_a_hand_that_was_missed_does_not_outweigh_what_is_plain_to_see() -> None:
    board = after({"D10": 0, "E10": 0, "D8": 0, "D9": 4})
    everywhere = np.ones(board.heights.shape, np.bool_)
    seen = TurnEvidence(graded(board, {}, 14.0), untouched=everywhere)
    assert judge(GAME, Context.at(start()), seen)[0].kind == "legal"


def test_what_no_camera_sees_is_said_to_be_taken_for_granted() -> None:
    built = after({"D10": 0, "E10": 0, "D8": 0, "D9": 3, "E6": 3})
    judgement = judged(built, hidden=("E6",))
    if judgement.kind == "legal":
        assert [one.field.name for one in judgement.assumed] == ["E6"]
    else:
        assert judgement.ask is not None
        assert judgement.ask.field.name == "E6"
    assert not judged(built).assumed


@pytest.mark.long
def test_nobody_is_accused_when_the_pictures_say_nothing() -> None:
    board = start().observed
    flat = graded(board, {}, 0.0)
    assert not np.any(flat.heights)
    assert judge(GAME, Context.at(start()), TurnEvidence(flat))[0].kind != "illegal"


def test_a_board_that_no_search_is_left_for_may_be_a_breach() -> None:
    """A flag walked farther than its points go: without a state to look at it is neither left out nor legal."""
    board = start().observed
    flags = board.flags.copy()
    flags[tuple(np.argwhere(flags == Colour.RED)[0])], flags[5, 5] = 0, Colour.RED
    walked = Board(board.heights, flags, board.letters)
    found = GAME.weigh(start(), graded(walked, {}, 14.0), replace(EFFORT, most_states=0)).explanations
    assert [(one.board.text, one.rules, one.complete) for one in found] == [(walked.text, {UNNAMED}, False)]


def test_asking_whose_turn_it_was_reaches_no_more_states_than_the_look_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that breaks two rules is thought of as each player's: those searches are the look's, too."""
    board, reached = start().observed, 0
    spend = Budget.spend

    def counted(budget: Budget) -> None:
        nonlocal reached
        reached += 1
        spend(budget)

    monkeypatch.setattr(Budget, "spend", counted)
    flags = board.flags.copy()
    for place, other in (((8, 2), (7, 0)), ((9, 1), (9, 3)), ((1, 2), (0, 4))):
        flags[other], flags[place] = flags[place], 0
    walked = graded(Board(board.heights, flags, board.letters), {}, 14.0)
    GAME.weigh(start(), walked, replace(EFFORT, most_states=20))
    assert 0 < reached <= 40  # so many for legal turns and as many for breaches
