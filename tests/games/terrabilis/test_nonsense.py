"""Requests with something strange somewhere in them are answered or refused, and nothing else happens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.engine import GAME
from tests.games.terrabilis.positions import position, request, roll

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 40) | st.floats(allow_nan=False) | st.text(max_size=4)
    | st.sampled_from(["red", "blue", "mill", "develop", "storm", "green", "fr"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
WHOLE = request(
    position(
        {"red": {"pawn": 8, "installed": ["mill"], "loans": [{"lap": 1, "repaid": None}], "member": True}},
        zone={"green": 9, "yellow": 0},
        options={"cannot_pay": "out"},
        discard=["farm"],
    ),
    [roll(1, 1), {"draw": "social"}, {"install": "coal"}, {"order": "gyggg"}, {"count": {"money": 3}, "by": "blue"}],
    dice=[1, 1],
    pawns={"red": 10, "blue": 0},
    zone={"green": 4, "yellow": 1},
    installed={"red": ["mill", "coal"], "blue": 0},
)


def spoilt(value: Any, draw: st.DataObject) -> Any:
    """Exchange, drop or double one part of a value, somewhere."""
    if isinstance(value, dict) and value and draw.draw(st.integers(0, 4)):
        key = draw.draw(st.sampled_from(sorted(value)))
        return {**value, key: spoilt(value[key], draw)}
    if isinstance(value, list) and value and draw.draw(st.integers(0, 4)):
        at = draw.draw(st.integers(0, len(value) - 1))
        return [*value[:at], spoilt(value[at], draw), *value[at + 1 :]]
    if isinstance(value, dict) and value and draw.draw(st.booleans()):
        gone = draw.draw(st.sampled_from(sorted(value)))
        return {key: item for key, item in value.items() if key != gone}
    return draw.draw(JUNK)


@pytest.mark.long
@settings(max_examples=2 * settings().max_examples)
@given(st.data())
def test_a_spoilt_request_is_answered_or_refused(data: st.DataObject) -> None:
    asked = spoilt(WHOLE, data)
    if not isinstance(asked, dict):
        return
    refused = None
    try:
        json.dumps(answer(asked))
    except RequestError as error:
        refused = error
    assert refused is None or (refused.code and refused.words.text("de"))


@settings(max_examples=settings().max_examples)
@given(st.text(alphabet="roldawincshe 123+;=%gyubp{}.|@", max_size=60))
def test_any_notation_is_read_or_refused(acts: str) -> None:
    start = GAME.new_game({"players": ["red", "blue"]})
    refused = None
    try:
        GAME.check(start, GAME.observation("nothing"), (), {"acts": acts})
    except RequestError as error:
        refused = error
    assert refused is None or refused.code == "declared"
