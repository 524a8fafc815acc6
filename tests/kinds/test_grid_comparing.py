"""A look compared with a board: nothing is called wrong in doubt, and a frame is kept only when nothing is."""

from __future__ import annotations

import base64
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.comparing import FieldStatus, all_done, compare, tasks
from referee.values.belief import BoardBelief, ReferenceLook, packed, unpacked
from referee.values.board import Board, Field

EXPECTED = Board.parse("11r/1y1", 2, 2, LETTERS)


def belief(text: str, nats: float = 9.0, hidden: tuple[Field, ...] = ()) -> BoardBelief:
    """Return a look that prefers a board by so many nats; nothing is known of hidden fields."""
    board = Board.parse(text, 2, 2, LETTERS)
    heights = np.where(np.arange(6) == board.heights[..., None], 0.0, -nats)
    flags = np.where(np.arange(5) == board.flags[..., None], 0.0, -nats)
    for place in hidden:
        heights[place], flags[place] = 0.0, 0.0
    return BoardBelief(heights, flags, "rygb")


@pytest.mark.parametrize(
    ("nats", "sight"), [(0.5, FieldStatus.UNKNOWN), (2.9, FieldStatus.UNKNOWN), (3.1, FieldStatus.WRONG)]
)
def test_a_field_is_wrong_only_when_something_else_is_far_likelier(nats: float, sight: FieldStatus) -> None:
    assert compare(belief("11r/1y2", nats), EXPECTED).at(Field(0, 1)) is sight


@pytest.mark.parametrize(("nats", "sight"), [(0.5, FieldStatus.UNKNOWN), (1.1, FieldStatus.RIGHT)])
def test_a_field_is_right_only_when_it_leads(nats: float, sight: FieldStatus) -> None:
    assert compare(belief("11r/1y1", nats), EXPECTED).at(Field(0, 1)) is sight


def test_what_is_hidden_is_neither_right_nor_wrong() -> None:
    look = compare(belief("11r/1y2", hidden=(Field(0, 1),)), EXPECTED)
    assert look.at(Field(0, 1)) is FieldStatus.UNKNOWN
    assert look.wrong == ()
    assert look.standing is not None
    assert look.standing.board == EXPECTED
    assert look.standing.unknown[0, 1]
    other = Board.parse("11r/1y2", 2, 2, LETTERS)
    assert not look.standing.fits(EXPECTED, other)  # what changed there was not seen: it says nothing of that turn
    assert look.standing.fits(EXPECTED, Board.parse("21r/1y1", 2, 2, LETTERS))


def test_what_the_reading_does_not_tell_is_neither_right_nor_wrong() -> None:
    """Behind a tower little is seen of a stack: it speaks for another one, and tells nothing."""
    untold = np.array([[False, True], [False, False]])
    look = compare(belief("11r/1y2"), EXPECTED, untold=untold)
    assert (look.wrong, look.at(Field(0, 1))) == ((), FieldStatus.UNKNOWN)
    (task,) = tasks(Board.parse("11r/1y3", 2, 2, LETTERS), EXPECTED, look)
    assert (task.done, task.unseen) == (False, True)
    assert not all_done((task,), look), "somebody has to look there"
    assert compare(belief("11r/1y1"), EXPECTED, untold=untold).at(Field(0, 1)) is FieldStatus.RIGHT


def test_in_doubt_no_frame_is_kept() -> None:
    assert compare(belief("11r/1y2", 4.0), EXPECTED).standing is None
    standing = compare(belief("11r/1y2", 6.0), EXPECTED).standing
    assert standing is not None
    assert standing.board.text == "11r/1y2"


def test_what_the_eyes_always_get_wrong_is_no_change() -> None:
    mistaken = belief("11r/1y2")
    reference = ReferenceLook(mistaken, EXPECTED)
    assert compare(mistaken, EXPECTED).wrong == (Field(0, 1),)
    assert compare(mistaken, EXPECTED, reference).wrong == ()


def test_tasks_are_ticked_off_as_they_are_seen() -> None:
    observed = Board.parse("31r/1y2", 2, 2, LETTERS)
    assert [(t.field.name, t.seen, t.done) for t in tasks(observed, EXPECTED)] == [
        ("B1", "2", False),
        ("A2", "3", False),
    ]
    half = compare(belief("11r/1y2"), EXPECTED)
    found = tasks(observed, EXPECTED, half)
    assert [(t.field.name, t.seen, t.done) for t in found] == [("B1", "2", False), ("A2", "1", True)]
    assert not all_done(found, half)
    back = compare(belief("11r/1y1"), EXPECTED)
    assert all_done(tasks(observed, EXPECTED, back), back)
    hidden = compare(belief("11r/1y1", hidden=(Field(0, 1),)), EXPECTED)
    assert not all_done(tasks(observed, EXPECTED, hidden), hidden)  # nobody saw it put back


@pytest.mark.parametrize(("nats", "back"), [(1.5, False), (3.1, True)])
def test_what_was_found_to_differ_is_put_back_only_when_that_is_seen_as_surely(nats: float, back: bool) -> None:
    """A phone's first look after a breach counted fields as put back that nobody had touched."""
    (task,) = tasks(Board.parse("11r/1y2", 2, 2, LETTERS), EXPECTED, compare(belief("11r/1y1", nats), EXPECTED))
    assert (task.done, task.unseen) == (back, not back)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-200, 50), min_size=44, max_size=44))
def test_beliefs_survive_the_journal_but_for_rounding(numbers: list[float]) -> None:
    scores = np.array(numbers)
    made = BoardBelief(scores[:24].reshape(2, 2, 6), scores[24:].reshape(2, 2, 5), "rygb")
    back = unpacked(packed(made), "rygb")
    for name in ("heights", "flags"):
        one, other = getattr(made, name), getattr(back, name)
        lead = np.clip(one - one.max(axis=2, keepdims=True), -100, 0)
        assert np.allclose(lead, other, atol=0.05)
    assert packed(back) == packed(unpacked(packed(back), "rygb"))


@pytest.mark.parametrize("text", ["", "2x2", "2x2x6:!!", "2x2x6:aGFsbG8=", "axbxc:"])
def test_what_is_no_belief_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no belief"):
        unpacked(text, "rygb")


@pytest.mark.parametrize("shape", ["2x2x6", "30000x30000x6", "-2x-2x6", "0x2x6"])
def test_a_belief_unpacks_to_no_more_than_its_board_has(shape: str) -> None:
    bomb = base64.b64encode(zlib.compress(bytes(10_000_000), 9)).decode()
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="is no belief"):
            unpacked(f"{shape}:{bomb}", "rygb")
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
