"""Priors move a belief, clear pictures overrule them, and boards are listed from the likeliest on."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.terra_turrium.colours import LETTERS, Colour, board_of
from referee.kinds.grid.judging.boards import likeliest_boards
from referee.values import belief
from referee.values.belief import BoardBelief, Prior, conserving, log_probabilities, posterior
from referee.values.board import Board, Field
from vision.heights.decode import decode, single
from vision.heights.pieces import Pieces

FOUR = frozenset(Colour)


def belief_of(board: Board, nats: float = 8.0, levels: int = 6) -> BoardBelief:
    """Return a belief that holds the board to be ``nats`` likelier, field by field, than anything else."""
    heights = np.zeros((*board.heights.shape, levels))
    flags = np.zeros((*board.flags.shape, 5))
    np.put_along_axis(heights, board.heights[..., None].astype(int), nats, 2)
    np.put_along_axis(flags, board.flags[..., None].astype(int), nats, 2)
    return BoardBelief(heights, flags, "rygb")


def changed(belief: BoardBelief, field: str, heights: list[float]) -> BoardBelief:
    place = Field.from_name(field)
    grid = belief.heights.copy()
    grid[place.row, place.col] = heights
    return BoardBelief(grid, belief.flags, "rygb")


def test_a_clear_picture_overrules_history() -> None:
    before, now = Board.parse("11/11", 2, 2, LETTERS), Board.parse("11/41", 2, 2, LETTERS)
    seen = posterior(belief_of(now, 9.0), Prior(FOUR, 6, previous=before))
    assert board_of(seen.heights.argmax(2), seen.flags.argmax(2)) == now


def test_where_nothing_is_seen_history_stands() -> None:
    before = Board.parse("11r/12", 2, 2, LETTERS)
    flat = BoardBelief(np.zeros((2, 2, 6)), np.zeros((2, 2, 5)), "rygb")
    seen = posterior(flat, Prior(FOUR, 6, previous=before))
    assert board_of(seen.heights.argmax(2), seen.flags.argmax(2)) == before


def test_colours_that_do_not_play_are_not_read() -> None:
    seen = posterior(belief_of(Board.parse("1r1", 1, 2, LETTERS), 3.0), Prior(frozenset({Colour.BLUE}), 6))
    assert seen.flags[0, 0].argmax() != Colour.RED


def test_a_belief_must_be_finite_and_fit() -> None:
    with pytest.raises(ValueError, match="finite"):
        BoardBelief(np.full((2, 2, 3), np.nan), np.zeros((2, 2, 5)), "rygb")
    with pytest.raises(ValueError, match="don't fit"):
        BoardBelief(np.zeros((2, 2, 3)), np.zeros((3, 2, 5)), "rygb")


@pytest.mark.long
@given(st.lists(st.floats(-6, 0), min_size=12, max_size=12), st.lists(st.floats(-6, 0), min_size=10, max_size=10))
def test_boards_come_once_each_and_by_falling_likelihood(heights: list[float], flags: list[float]) -> None:
    belief = BoardBelief(np.reshape(heights, (1, 2, 6)), np.reshape(flags, (1, 2, 5)), "rygb")
    h, f = log_probabilities(belief.heights)[0], log_probabilities(belief.flags)[0]
    every = sorted(
        (
            h[0, a] + h[1, b] + f[0, c] + f[1, d]
            for a, b, c, d in itertools.product(range(6), range(6), range(5), range(5))
        ),
        reverse=True,
    )
    listed = list(itertools.islice(likeliest_boards(belief, 100.0), 60))
    assert len({board for _, board in listed}) == len(listed)
    for (score, board), expected in zip(listed, every, strict=False):
        direct = sum(h[k, board.heights[0, k]] + f[k, board.flags[0, k]] for k in range(2))
        assert score == pytest.approx(direct, abs=1e-9)
        assert score == pytest.approx(expected, abs=1e-9)


DECODED = {
    "all clear": ("1r20/01b1", {}, "1r20/01b1"),
    "a field in the middle": ("120/011", {"B2": [0.0] * 6}, "1?0/011"),
    "a field at the start": ("120/011", {"A1": [0.0] * 6}, "120/?11"),
    "flag known, height not, after a flag": ("1r2b0/011", {"B2": [0.0] * 6}, "1r?b0/011"),
    "flag known, height not, after a bare field": ("12b0/011", {"B2": [0.0] * 6}, "1?b0/011"),
    "two in a row": ("120/011", {"A2": [0.0] * 6, "B2": [0.0] * 6}, "??0/011"),
}


@pytest.mark.parametrize(("board", "unknown", "text"), DECODED.values(), ids=DECODED)
def test_what_cannot_be_told_is_a_question_mark(board: str, unknown: dict[str, list[float]], text: str) -> None:
    belief = belief_of(Board.parse(board, 2, 3, LETTERS))
    for field, heights in unknown.items():
        belief = changed(belief, field, heights)
    said, confidence = decode(belief, None)
    assert said.text == text
    assert confidence.shape == (2, 3)
    assert (confidence > 0.9).all()


KNIGHTS = Pieces("onk", (0, 5, 8, 9), (2, 2, 1), frozenset({1, 2, 3}))
"""Orange and black knights, two of each, and a king."""


def test_pieces_of_a_kit_are_written_with_its_letters_and_rationed_by_its_limits() -> None:
    heights, pieces = np.zeros((1, 4, 6)), np.zeros((1, 4, 4))
    heights[0, range(4), [0, 1, 2, 3]] = 9.0
    pieces[0, range(4), [1, 2, 3, 0]] = 9.0
    assert decode(BoardBelief(heights, pieces, "onk"), None, KNIGHTS)[0].text == "0o1n2k3"
    pieces[0, 3] = [7.0, 0.0, 0.0, 9.0]
    two_kings = BoardBelief(heights, pieces, "onk")
    assert decode(two_kings, Prior(frozenset({1, 2, 3}), 6), KNIGHTS)[0].text == "0o1n2k3"


def test_a_knight_may_stand_on_the_ground_where_a_flag_is_doubted() -> None:
    heights, pieces = np.zeros((1, 2, 6)), np.zeros((1, 2, 4))
    heights[0, :, 0] = 9.0
    pieces[0, 0] = [0.0, 2.5, -9.0, -9.0]
    pieces[0, 1, 0] = 9.0
    belief = BoardBelief(heights, pieces, "onk")
    assert decode(belief, None, KNIGHTS)[0].text == "0o0"
    assert decode(belief, None)[0].text == "0~0"


def test_a_seventh_flag_is_given_up_where_it_is_least_sure() -> None:
    board = Board.parse("1r1r1r1r1r1r1r", 1, 7, LETTERS)
    belief = belief_of(board, 6.0)
    flags = belief.flags.copy()
    flags[0, 3, [0, Colour.RED]] = 6.0, 6.5
    said, _ = decode(BoardBelief(belief.heights, flags, "rygb"), Prior(FOUR, 6))
    assert said.text == "1r1r1r11r1r1r"


@pytest.mark.long
@given(st.integers(0, 2**32 - 1), st.integers(0, 12))
def test_the_number_of_cubes_weighs_every_field_as_counting_all_boards_does(seed: int, total: int) -> None:
    """Against a count over all 4^4 boards of four fields."""
    scores = np.random.default_rng(seed).normal(size=(2, 2, 4)) * 2
    found = np.exp(log_probabilities(conserving(scores, frozenset({total}))))
    chances = np.exp(log_probabilities(scores)).reshape(4, 4)
    chances = (1 - belief._MISTAKEN_SHARE) * chances + belief._MISTAKEN_SHARE / 4
    rest = np.zeros((4, 4))
    for board in itertools.product(range(4), repeat=4):
        away = abs(sum(board) - total)
        weight = (belief._NEARLY_AS_MANY * 0.5**away if away else belief._AS_MANY) + 1e-6
        for field, height in enumerate(board):
            others = (chances[k, h] for k, h in enumerate(board) if k != field)
            rest[field, height] += weight * np.prod(list(others))
    wanted = np.exp(scores).reshape(4, 4) * rest
    assert found.reshape(4, 4) == pytest.approx(wanted / wanted.sum(axis=1, keepdims=True), abs=1e-9)


def test_one_hidden_stack_follows_from_the_others() -> None:
    board = Board.parse("3111/1111/1111/1111", 4, 4, LETTERS)
    open_ = changed(belief_of(board), "A4", [0.0] * 6)
    by_count = np.exp(log_probabilities(conserving(open_.heights, frozenset({18}))))
    assert by_count[3, 0, 3] > 0.9
    # That a cube is missing is likelier than the errors allowed where no board was known before.
    seats = Prior(FOUR, 6, cubes=frozenset({18}))
    assert decode(open_, None)[0].text.startswith("?")
    assert decode(open_, seats)[0].text.startswith("?")
    known = replace(seats, previous=board)
    told, confidence = decode(open_, known)
    assert told.text == board.text
    assert confidence[3, 0] > 0.9


@pytest.mark.parametrize(("lead", "alone", "later"), [(3.0, "?", "1"), (3.5, "?", "1"), (5.0, "1", "1")])
def test_more_is_needed_to_tell_a_height_where_no_board_stood_before(lead: float, alone: str, later: str) -> None:
    """Errors of fields that look alike go together, so nothing is told that is less than 98 % likely."""
    board = Board.parse("1111/1111/1111/1111", 4, 4, LETTERS)
    doubtful = changed(belief_of(board), "A4", [0.0, lead, 0.0, -9.0, -9.0, -9.0])
    assert decode(doubtful, None)[0].text[0] == alone
    assert decode(doubtful, Prior(FOUR, 6, previous=board))[0].text[0] == later


def test_an_empty_field_of_which_no_picture_is_sure_by_itself_stays_open_unless_it_was_empty_before() -> None:
    board = Board.parse("1111/1111/1111/1111", 4, 4, LETTERS)
    half = changed(belief_of(board), "A4", [3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    joint, each = changed(belief_of(board), "A4", [9.0, 0.0, 0.0, 0.0, 0.0, 0.0]), {"cam0": half, "cam1": half}
    assert decode(joint, None)[0].text[0] == "0"
    assert decode(joint, None, each=each)[0].text == "?" + board.text[1:]
    assert decode(joint, None, each=each | {"cam2": joint})[0].text[0] == "0"
    for stood, told in (("0", "0"), ("1", "?")):
        known = Prior(FOUR, 6, previous=Board.parse(stood + board.text[1:], 4, 4, LETTERS))
        assert decode(joint, known, each=each)[0].text[0] == told


def test_a_lost_cube_is_not_put_back_by_counting() -> None:
    board = Board.parse("0111/1111/1111/1111", 4, 4, LETTERS)
    assert decode(belief_of(board), Prior(FOUR, 6, cubes=frozenset({16})))[0].text == board.text


SINGLE = {
    "the likeliest of two": ([[0, 0, 0, 1.0], [0, 0, 0, 3.0]], 1),
    "sure on his own field, though another looks a little like him": ([[0, 9.0, 0, 8.0], [0, 0, 0, 9.0]], 1),
    "taken for a knight, but nobody else is likelier to be him": ([[0, 3.0, 0, 1.0], [9.0, 0, 0, 0.0]], 0),
}


@pytest.mark.parametrize(("scores", "king"), SINGLE.values(), ids=SINGLE)
def test_of_a_single_piece_the_fields_are_weighed_against_each_other(scores: list[list[float]], king: int) -> None:
    weighed = np.exp(single(np.array([scores]), KNIGHTS))
    assert weighed.sum(axis=2) == pytest.approx(1.0)
    kings = weighed[0, :, 3]
    assert kings.argmax() == king
    assert kings.sum() < 1.0
    before = np.exp(log_probabilities(np.array(scores)))
    for field in range(2):  # what the others are is weighed as before
        assert weighed[0, field, 1] / weighed[0, field, 2] == pytest.approx(before[field, 1] / before[field, 2])


def test_a_king_who_is_not_set_up_yet_is_on_no_field() -> None:
    scores = np.zeros((4, 4, 4))
    scores[..., 0] = 12.0
    assert np.exp(single(scores, KNIGHTS))[..., 3].sum() < 0.01
