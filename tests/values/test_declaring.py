"""What a button declares that steps through the answers of a form."""

from __future__ import annotations

from referee.values.declaring import Answer, Declared, Form, FormField, next_said
from referee.values.words import verbatim

CARDS = FormField(
    "card", "choice", verbatim("Card"), (Answer("door", verbatim("Door")), Answer("king", verbatim("King")))
)
BOUGHT = FormField("bought", "count", verbatim("Bought"), most=2)
FORM = Form((BOUGHT, CARDS, FormField("stack", "choice", verbatim("Stack"), (Answer("3", verbatim("3")),))))


def test_every_answer_comes_round_and_then_none() -> None:
    said: Declared = {"bought": 1}
    found = []
    for _ in range(4):
        step = next_said(FORM, said, 1)
        assert step is not None
        found.append(step)
        said = {**said, step[0]: step[1]}
    assert found == [("card", "door"), ("card", "king"), ("card", None), ("card", "door")]


def test_an_answer_that_is_offered_no_more_begins_anew() -> None:
    assert next_said(FORM, {"card": "moat"}, 1) == ("card", "door")


def test_nothing_is_said_where_nothing_can_be_chosen() -> None:
    assert next_said(None, {}) is None
    assert next_said(Form((FormField("said", "text", verbatim("Said"), most=9),)), {}) is None
    assert next_said(FORM, {}, 3) is None
    assert next_said(Form((FormField("card", "choice", verbatim("Card")),)), {}) is None


def test_numbers_come_round_from_one_to_the_most() -> None:
    assert [next_said(FORM, said) for said in ({"card": "king"}, {"bought": 1}, {"bought": 2})] == [
        ("bought", 1),
        ("bought", 2),
        ("bought", None),
    ]
