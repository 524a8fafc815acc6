"""A quiz has one question: whoever lands there answers once, right or wrong."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.terrabilis.banker.options import options_now
from tests.games.terrabilis.positions import case, position, roll, ruled, sets_of

PRIZE = {"quiz": "normal", "right": True, "prize": "money"}
WRONG = {"quiz": "normal", "right": False}
EXPERT_WRONG = {"quiz": "expert", "right": False}
TO_QUIZ = roll(1, 3)

Acts = list[dict[str, Any]]

ONCE: dict[str, Acts] = {
    "no answer declared": [TO_QUIZ],
    "wrong": [TO_QUIZ, WRONG],
    "right": [TO_QUIZ, PRIZE],
    "a loan between roll and answer": [TO_QUIZ, {"loan": True}, EXPERT_WRONG],
}


@pytest.mark.parametrize("name", ONCE)
def test_at_most_one_quiz_answer_is_legal(name: str) -> None:
    answer = ruled(position(), ONCE[name])
    assert answer["legal"] is True
    won = [entry for entry in answer["turn"]["entries"] if entry["rule"] == "quiz.prize"]
    assert bool(won) == (PRIZE in ONCE[name])


TOO_MANY: dict[str, Acts] = {
    "two wrong": [TO_QUIZ, WRONG, WRONG],
    "ten wrong": [TO_QUIZ, *[WRONG, EXPERT_WRONG] * 5],
    "wrong, then right with the prize": [TO_QUIZ, WRONG, PRIZE],
    "right, then wrong": [TO_QUIZ, PRIZE, WRONG],
    "right, wrong, right": [TO_QUIZ, PRIZE, WRONG, PRIZE],
    "wrong, a loan, wrong": [TO_QUIZ, WRONG, {"loan": True}, WRONG],
    "wrong, and an answer of somebody else": [TO_QUIZ, WRONG, WRONG | {"by": "blue"}],
    "wrong by somebody else alone": [TO_QUIZ, WRONG | {"by": "blue"}],
    "wrong before the roll": [WRONG, TO_QUIZ],
    "wrong where nobody asks": [roll(4, 5), WRONG],
}


@pytest.mark.parametrize("name", TOO_MANY)
def test_an_answer_too_many_or_elsewhere_is_a_breach(name: str) -> None:
    answer = ruled(position(), TOO_MANY[name])
    assert answer["legal"] is False
    assert sets_of(answer) == [["quiz.prize"]]


def test_what_is_too_much_stands_once_the_rule_is_lifted() -> None:
    """Lifted, a second answer is booked: the count after it agrees with both prizes."""
    answer = ruled(position(), [TO_QUIZ, PRIZE, WRONG, PRIZE, {"count": {"money": 26000}}])
    assert sets_of(answer) == [["quiz.prize"]]


def test_each_landing_has_its_question() -> None:
    """After a roll again the next quiz space asks anew."""
    before = position({"red": {"pawn": 3}})  # space 5 asks for another roll, space 11 is a quiz
    assert ruled(before, [roll(1, 1), roll(3, 3), WRONG])["legal"] is True
    assert sets_of(ruled(before, [roll(1, 1), WRONG, roll(3, 3), WRONG])) == [["quiz.prize"]]


def test_no_answer_can_be_given_after_a_lap_end() -> None:
    before = position({"red": {"pawn": 12}})
    answer = ruled(before, [roll(3, 4), WRONG], pawns={"red": 4})
    assert sets_of(answer) == [["lap.stop"]]


def test_the_banker_offers_no_second_answer() -> None:
    before = position()
    assert any(option.kind == "quiz" for option in options_now(case(before, [TO_QUIZ])))
    assert not any(option.kind == "quiz" for option in options_now(case(before, [TO_QUIZ, WRONG])))
