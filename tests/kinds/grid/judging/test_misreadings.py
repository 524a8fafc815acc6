"""What cameras get wrong of a field counts once, as long as the field stands as it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.games.contract import Ruling
from referee.kinds.grid.judging.context import Context, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.evidence import evidence
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.misreadings import MOST_LOOKS, PLAIN_NATS, misreadings
from referee.match.events import CameraNote, GameStarted, LeftOpen, Legal, ReadingMade, TurnRuled
from referee.match.hypotheses import Links
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.match.transitions import begin
from referee.match.turn import next_turn
from referee.values.belief import BoardBelief, ReferenceLook, misreadings_of, packed
from referee.values.board import Board, Field
from tests.kinds.grid.judging.seeing import GAME, START, Spot, seen

A1 = Field.from_name("A1")


def wrongly(text: str, place: Field, value: int, nats: float) -> BoardBelief:
    """Return a look that shows a board, but for a height that is another by so many nats."""
    return seen(text, doubts={place.name: {int(seen(text).heights[place].argmax()): 0.0, value: nats}})


def spot(text: str, turn: int) -> Spot:
    return Spot(Board.parse(text, 2, 3, "rygb"), turn=turn)


def entry(
    number: int, look: BoardBelief, ends: Sequence[str], links: Sequence[Links] = (), name: str = "cam0"
) -> Entry:
    """Return a legal turn that may have ended at several boards, the first of them on record."""
    track = tuple((spot(text, number + 1), 0.0) for text in ends)
    left = LeftOpen(track if len(ends) > 1 else (), links=tuple(links))
    reading = ReadingMade(ends[0], (), (), True, (), (CameraNote(name, 8, 0.3),), 1.0, (), packed(look))
    ruled = TurnRuled(ends[0], Legal(Ruling(True, (), (), (), None, track[0][0])), left)
    begun, ended = spot("111/211r", number), track[0][0]
    one = Entry(number, What.TURN, number, GAME.player("red"), begun, ended, EntryStatus.STANDS, "", ruled, reading)
    return replace(one, since=number - 1 if links else 0)


def before(*history: Entry) -> tuple[NDArray[np.float64], ...]:
    """Return how much each of the positions left open has misread of A1, height by height."""
    ruled, after = history[-1].ruled, history[-1].after
    assert ruled is not None
    assert after is not None
    state: TableState = replace(begin(GameStarted(START)), history=history)
    state = replace(state, turn=next_turn(after, ruled.left_open, history[-1].id if ruled.left_open.track else 0))
    positions = [position for position, _ in ruled.left_open.track] or [after]
    return tuple(one.heights[A1] for one in misreadings(state, positions))


@pytest.mark.parametrize(("earlier", "now", "counts"), [(0, 6, 6), (6, 6, 0), (4, 6, 2), (6, 4, -2)])
def test_a_mistake_made_before_the_last_look_counts_once(earlier: float, now: float, counts: float) -> None:
    wrong = misreadings_of(wrongly("111/211r", A1, 1, earlier), START.board)
    context = replace(Context.at(START), reference=ReferenceLook(seen("111/211r"), START.board), misread=(wrong,))
    look = TurnEvidence(wrongly("111/211r", A1, 1, now))
    heights = evidence(look, context, START).heights[A1]
    assert heights[1] - heights[2] == pytest.approx(counts, abs=0.01)
    by_hand = replace(look, by_hand=SeenByHand(np.zeros((2, 3), np.int64)))
    heights = evidence(by_hand, context, START).heights[A1]
    assert heights[1] - heights[2] == pytest.approx(now, abs=0.01), "a phone stands elsewhere each time"


def test_what_is_known_after_an_unsure_look_can_be_judged_from() -> None:
    """Both the positions before it and those after it may stand then."""
    wrong = misreadings_of(wrongly("111/211r", A1, 1, 6.0), START.board)
    doubtful = TurnEvidence(seen("112/111r", doubts={"A1": {1: 2.0, 2: 2.0}, "C2": {1: 2.0, 2: 2.0}}))
    ruled, after = judge(GAME, replace(Context.at(START), misread=(wrong,)), doubtful)
    assert ruled.kind == "unsure"
    assert judge(GAME, after, TurnEvidence(seen("112/111r")))[0].kind == "legal"


def test_of_a_position_that_was_dropped_the_mistakes_count_where_it_is_like_the_likeliest() -> None:
    wrong = misreadings_of(wrongly("111/211r", A1, 1, 6.0), START.board)
    context = replace(Context.at(START), reference=ReferenceLook(seen("111/211r"), START.board), misread=(wrong,))
    look = TurnEvidence(wrongly("111/211r", A1, 1, 6.0))
    for text, counts in (("112/211r", 0.0), ("111/311r", 6.0)):
        heights = evidence(look, context, spot(text, 2)).heights[A1]
        assert heights[1] - heights[2] == pytest.approx(counts, abs=0.01)


def test_each_position_is_followed_back_on_its_own_way() -> None:
    """A1 was 1 or 2 high after the first turn; nothing changed there since, in both."""
    first = entry(1, wrongly("111/111r", A1, 3, 4.0), ["121/111r", "111/211r"])
    second = entry(2, seen("111/111r", 7.0), ["211/111r", "201/211r"], [((0, 1.0),), ((1, 0.9), (0, 0.1))])
    one, two = before(first, second)
    assert one.tolist() == pytest.approx([0, 0, 0, 4, 0, 0], abs=0.01)
    assert two.tolist() == pytest.approx([0, 7, 0, 4, 0, 0], abs=0.01)
    (other_way,) = before(first, entry(2, seen("111/111r", 7.0), ["201/211r"], [((1, 0.9), (0, 0.1))]))
    assert other_way.tolist() == two.tolist()


@pytest.mark.parametrize("name", ["cam0", "phone#1"])
def test_pictures_from_the_hand_tell_of_no_mistakes_of_cameras(name: str) -> None:
    found = before(entry(1, wrongly("111/211r", A1, 3, 4.0), ["111/211r"], name=name))
    assert [one.tolist() for one in found] == ([[0, 0, 0, 4, 0, 0]] if name == "cam0" else [])


@pytest.mark.parametrize(("plain", "counts"), [(PLAIN_NATS + 0.5, 0.0), (PLAIN_NATS - 0.5, 10.5)])
def test_a_field_that_was_seen_plainly_in_between_is_misread_anew(plain: float, counts: float) -> None:
    """A piece that came, went and came again in plain sight was taken for three mistakes of which one counted."""
    wrong, right = wrongly("111/211r", A1, 1, 10.5), seen("111/211r", plain)
    (found,) = before(entry(1, wrong, ["111/211r"]), entry(2, right, ["111/211r"]))
    assert found[1] == pytest.approx(counts, abs=0.05)


@given(st.lists(st.tuples(st.lists(st.integers(0, 2), min_size=6, max_size=6), st.integers(0, 2**32)), min_size=1))
def test_the_worst_look_counts_since_a_field_stands_as_it_does_or_was_seen_plainly(
    turns: list[tuple[list[int], int]],
) -> None:
    texts = ["{}{}{}/{}{}{}r".format(*heights) for heights, _ in turns]
    looks = [
        replace(seen(text, PLAIN_NATS + 1), heights=np.random.default_rng(seed).normal(0, 8, (2, 3, 6)))
        for text, (_, seed) in zip(texts, turns, strict=True)
    ]
    history = [entry(number, look, [text]) for number, (look, text) in enumerate(zip(looks, texts, strict=True), 1)]
    (found,) = before(*history)
    stood = [heights[3] for heights, _ in turns]
    worst = np.zeros(6)
    for look, height in islice(zip(reversed(looks), reversed(stood), strict=True), MOST_LOOKS):
        if height != stood[-1]:
            break
        worst = np.maximum(worst, look.heights[A1] - look.heights[A1][height])
        if look.heights[A1][height] - np.delete(look.heights[A1], height).max() >= PLAIN_NATS:
            break
    assert found.tolist() == pytest.approx(worst.tolist(), abs=0.01)
