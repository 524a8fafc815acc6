"""Rulings by pictures from the hand wait for what another side would show, and accuse nobody by one picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from referee.demo.recording import BUNDLED
from referee.games import game_named
from referee.games.answers import Reconstruction
from referee.kinds.grid.judging.certainty import certain
from referee.kinds.grid.judging.context import Context, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.contradicting import GAINSAID_NATS, LOOK_AGAIN_NATS, contradicted
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.weights import Hypothesis
from referee.match.decision import Assumption, LateDiscovery
from referee.match.standing import board_of
from referee.values.belief import BoardBelief
from referee.values.board import Field
from referee.values.words import say
from tests.scene import Scene
from tests.vision.beliefs import belief

GAME = game_named("terra-turrium")
POSITION = GAME.position(json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))["position"])
C10, C2, E2 = (Field.from_name(name) for name in ("C10", "C2", "E2"))
BELIEF: BoardBelief = belief(Scene())


def shown(times: int, **fields: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return how many pictures show each field: so many, but for those named."""
    counts = np.full(board_of(POSITION).heights.shape, times, np.int64)
    for name, count in fields.items():
        place = Field.from_name(name)
        counts[place.row, place.col] = count
    return counts


def by_hand(counts: np.ndarray[Any, np.dtype[np.int64]] | None, goes_on: bool = True, **known: str) -> TurnEvidence:
    told = {Field.from_name(name): (1, 0) for name in known}
    return TurnEvidence(BELIEF, known=told, by_hand=None if counts is None else SeenByHand(counts, goes_on))


def legal(*assumed: Field) -> Judgement:
    text = board_of(POSITION).text
    return Judgement("legal", text, None, assumed=tuple(Assumption(at, say("Taken for granted.")) for at in assumed))


@cache
def illegal(*places: Field) -> Judgement:
    """Return the accusation of a turn that put stones out of nothing, on C2 where no fields are given."""
    board = board_of(POSITION)
    heights = board.heights.copy()
    for place in places or (C2,):
        heights[place.row, place.col] += 1
    after = replace(board, heights=heights)
    return Judgement("illegal", after.text, GAME.check(POSITION, after), before=POSITION)


@cache
def illegal_with_open() -> Judgement:
    """Return the accusation of a turn that may have built a second stone as well."""
    return replace(illegal(), open=frozenset({E2}))


@cache
def missing() -> Judgement:
    """Return the accusation of a turn after which a flag is gone from the board."""
    board = board_of(POSITION)
    flags = board.flags.copy()
    flags[tuple(np.argwhere(flags > 0)[0])] = 0
    after = replace(board, flags=flags)
    return Judgement("illegal", after.text, GAME.check(POSITION, after), before=POSITION)


@pytest.mark.parametrize(
    ("made", "seen", "doubts"),
    [
        (partial(legal, C10), by_hand(None), None),
        (partial(legal, C10), by_hand(shown(3, C10=0)), (C10,)),
        (partial(legal, C10), by_hand(shown(9), goes_on=False), None),
        (partial(legal, C10), by_hand(shown(3), C10="1"), None),
        (legal, by_hand(shown(1)), None),
        (illegal, by_hand(None), None),
        (illegal, by_hand(shown(1)), (C2,)),
        (illegal, by_hand(shown(2)), None),
        (illegal, by_hand(shown(5, C2=1)), (C2,)),
        (illegal, by_hand(shown(5, C2=1), goes_on=False), (C2,)),
        (illegal, by_hand(shown(1), C2="3"), None),
        (illegal, by_hand(shown(2, C10=0)), None),
        (illegal_with_open, by_hand(shown(2)), (E2,)),
        (illegal_with_open, by_hand(shown(2), E2="1"), None),
        (illegal_with_open, by_hand(shown(3, E2=1)), None),
        (illegal_with_open, by_hand(shown(2), goes_on=False), None),
        (missing, by_hand(shown(2)), None),
        (missing, by_hand(shown(2, C10=0)), (C10,)),
        (missing, by_hand(shown(2, C10=1)), None),
    ],
)
def test_what_is_not_certain_yet_is_unsure(
    made: Callable[[], Judgement], seen: TurnEvidence, doubts: tuple[Field, ...] | None
) -> None:
    decision = made()
    said = certain(decision, GAME, seen)
    if doubts is None:
        assert said is decision
    else:
        assert (said.kind, said.ruling, said.doubts, said.assumed) == ("unsure", None, doubts, ())
        assert seen.by_hand is not None
        assert (said.ask is None) == seen.by_hand.goes_on, "where no side would show more, somebody is asked"


@pytest.mark.parametrize(
    ("nats", "least", "found"),
    [
        (4.0, LOOK_AGAIN_NATS, False),
        (6.0, LOOK_AGAIN_NATS, True),
        (6.0, GAINSAID_NATS, False),
        (9.0, GAINSAID_NATS, True),
    ],
)
def test_a_field_that_looks_otherwise_is_shown_once_more_while_that_is_cheap(
    nats: float, least: float, found: bool
) -> None:
    board = board_of(POSITION)
    heights = np.full((*board.heights.shape, 11), -12.0)
    np.put_along_axis(heights, board.heights.astype(np.intp)[..., None], 0.0, axis=2)
    heights[C2.row, C2.col, board.heights[C2.row, C2.col] + 2] = nats
    flags = np.full((*board.flags.shape, BELIEF.flags.shape[2]), -12.0)
    np.put_along_axis(flags, board.flags.astype(np.intp)[..., None], 0.0, axis=2)
    legal_turn = Hypothesis(POSITION, Reconstruction(board, frozenset(), 0.0), 0.0)
    says = BoardBelief(heights, flags, BELIEF.letters)
    assert contradicted(legal_turn, says, least) == ((C2,) if found else ())


@pytest.mark.parametrize(("times", "told"), [(1, False), (2, True)])
def test_what_comes_out_late_is_told_by_two_sides_only(times: int, told: bool) -> None:
    late = LateDiscovery(1, POSITION.to_move, frozenset({"cubes.conserved"}), say("It was not so."))
    said = certain(replace(legal(), late=late), GAME, by_hand(shown(times)))
    assert (said.late is late) == told


def test_turns_are_weighed_once_for_a_look_and_anew_after_another_turn() -> None:
    """That no other picture is waited for changes no explanation."""
    weighed: list[str] = []
    seen, context = by_hand(shown(1)), Context.at(POSITION)

    def weigh(name: str) -> int:
        weighed.append(name)
        return len(weighed)

    last = seen.without_more()
    assert seen.once(GAME, context, partial(weigh, "first")) == 1
    assert seen.without_more().once(GAME, context, partial(weigh, "again")) == 1
    assert last.once(GAME, context, partial(weigh, "before it was known")) == 2
    assert seen.once(GAME, Context.at(POSITION), partial(weigh, "another")) == 3
    assert weighed == ["first", "before it was known", "another"]
    assert last.by_hand is not None
    assert not last.by_hand.goes_on


def test_one_camera_that_stands_still_asks_before_it_accuses() -> None:
    said = certain(illegal(), GAME, TurnEvidence(BELIEF, one_camera=True))
    assert (said.kind, said.ruling, said.doubts) == ("unsure", None, (C2,))
    assert said.ask is not None
    assert said.ask.field == C2
    told = certain(illegal(), GAME, TurnEvidence(BELIEF, known={C2: (2, 0)}, one_camera=True))
    assert told is illegal()


def test_one_camera_accuses_once_each_field_of_the_ground_is_told() -> None:
    breach = illegal(C2, E2)
    one = certain(breach, GAME, TurnEvidence(BELIEF, known={C2: (2, 0)}, one_camera=True))
    assert (one.kind, one.doubts) == ("unsure", (E2,))
    assert certain(breach, GAME, TurnEvidence(BELIEF, known={C2: (2, 0), E2: (1, 0)}, one_camera=True)) is breach
