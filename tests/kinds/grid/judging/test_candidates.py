"""The boards offered where a reading is doubted."""

from __future__ import annotations

from referee.games.answers import Reconstruction
from referee.games.contract import RuleId
from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.judging.candidates import candidates
from referee.kinds.grid.judging.weights import Hypothesis
from referee.match.events import FieldTold
from referee.values.board import Board, Field
from tests.kinds.grid.judging.seeing import GAME, START


def hypothesis(text: str, score: float, *rules: str) -> Hypothesis:
    board = Board.parse(text, 2, 3, LETTERS)
    return Hypothesis(START, Reconstruction(board, frozenset(map(RuleId, rules)), score, True), score)


def test_the_three_likeliest_boards_are_offered_by_what_differs() -> None:
    found = candidates(
        [
            hypothesis("121/111r", 0.0),
            hypothesis("111/111r", -0.5),
            hypothesis("112/111r", -0.6, "one"),
            hypothesis("112/111r", -0.6, "other"),  # together likelier than any other board
            hypothesis("211/111r", -1.5),
            hypothesis("311/111r", -9.0),
        ]
    )
    at, beside = Field.from_name("B2"), Field.from_name("C2")
    assert [dict(one) for one in found] == [
        {at: (1, 0), beside: (2, 0)},
        {at: (2, 0), beside: (1, 0)},
        {at: (1, 0), beside: (1, 0)},
    ]


def test_the_board_that_the_page_shows_is_offered_though_others_are_likelier() -> None:
    """The pictures are drawn from it: what none of them tells must stand as it shows."""
    found = candidates(
        [
            hypothesis("121/111r", 0.0),
            *(hypothesis(text, -0.1, *name) for text in ("111/112r", "111/113r", "111/114r") for name in ("a", "b")),
        ]
    )
    at = Field.from_name("B2")
    assert len(found) == 3
    assert (2, 0) in [dict(one)[at] for one in found]


def test_no_choice_is_offered_where_there_is_none_or_nobody_could_compare() -> None:
    assert candidates([hypothesis("121/111r", 0.0), hypothesis("111/111r", -9.0)]) == ()
    assert candidates([hypothesis("121/111r", 0.0), hypothesis("121/111r", -0.1, "one")]) == ()
    two = candidates([hypothesis("121/111r", 0.0), hypothesis("111/111r", -0.1), hypothesis("222/222r", -9.0)])
    assert len(two) == 2


def test_what_was_told_of_one_field_is_read_as_it_was_and_of_several_in_one_event() -> None:
    one, more = FieldTold("Anna", "A1", "2"), FieldTold("Anna", "A1", "2", (("B2", "1r"),))
    assert one.to_json() == {"by": "Anna", "field": "A1", "stands": "2"}
    assert FieldTold.from_json(one.to_json(), GAME) == one
    assert FieldTold.from_json(more.to_json(), GAME) == more
    assert more.told == {"A1": "2", "B2": "1r"}
