"""Pages, rulings and forms say word for word what they said when somebody last read them (golden.py, golden.json)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.games.terrabilis import golden

KEPT: dict[str, dict[str, Any]] = json.loads(golden.PATH.read_text(encoding="utf-8"))


def same(told: Any) -> Any:
    return json.loads(json.dumps(told))


@pytest.mark.parametrize("name", golden.TURNS)
def test_a_turn_is_told_as_before(name: str) -> None:
    assert same(golden.turn_told(name)) == KEPT["turns"][name]


@pytest.mark.parametrize("name", golden.CHANGES)
def test_a_change_of_a_copy_is_told_as_before(name: str) -> None:
    assert same(golden.change_told(name)) == KEPT["changes"][name]


def test_the_form_of_a_copy_is_shown_as_before() -> None:
    assert same(golden.GAME.copy_view(golden.COPY)) == KEPT["form"]["all"]
