"""A copy's data kept as a file, and the invented copy that comes along."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.checks import doubts, gaps
from referee.games.terrabilis.copy.files import MOST_BYTES, example, load_copy
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.declared.acts import HazardDrawn, Install
from referee.games.terrabilis.text.actwords import act_words
from tests.games.terrabilis.positions import the_copy


def test_the_example_is_whole() -> None:
    assert gaps(example()) == ()
    assert doubts(example()) == ()


def test_invented_cards_are_named_in_the_language_that_is_read() -> None:
    copy = example()
    acts = [*map(Install, copy.cards), *map(HazardDrawn, copy.hazard_cards)]
    for act, card in zip(acts, (*copy.cards.values(), *copy.hazard_cards.values()), strict=True):
        words = act_words(act, copy)
        assert card.name not in words.text("en")
        assert card.name in words.text("fr")
        assert card.name in act_words(act, replace(copy, name="Club 1")).text("en")  # so it is printed there


def test_a_copy_goes_to_a_file_and_back(tmp_path: Path) -> None:
    path = tmp_path / "club.json"
    for copy in (the_copy(), example()):
        path.write_text(json.dumps(copy_json(copy), ensure_ascii=False), encoding="utf-8")
        assert load_copy(path) == copy


def test_a_file_that_is_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "club.json"
    for text, words in (("{", "no JSON"), ("[]", "not a list"), ("x" * (MOST_BYTES + 1), "longer than")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RequestError, match=words) as refused:
            load_copy(path)
        assert "club.json" in str(refused.value)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RequestError, match="no JSON"):
        load_copy(path)
    with pytest.raises(RequestError, match="can't be read"):
        load_copy(tmp_path / "nowhere.json")
