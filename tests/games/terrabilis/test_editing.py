"""The data of a copy entered part by part: every row goes round, every change is checked."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.files import example
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.engine import GAME
from referee.values.words import LANGUAGES

WHOLE = copy_json(example())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_the_form_goes_round(language: str) -> None:
    view: Any = GAME.copy_view(WHOLE, language)
    data = WHOLE
    for part in view["parts"]:
        assert part["name"]
        assert part["explains"]
        for row in part["rows"]:
            known = {field["id"] for field in part["fields"]}
            assert set(row["values"]) <= known
            data, ident = GAME.changed_copy(data, part["id"], row["id"], row["values"])
            assert ident == row["id"]
    assert GAME.checked_copy(data) == GAME.checked_copy(WHOLE)
    assert view["gaps"] == 0


def test_a_copy_is_entered_from_nothing() -> None:
    data = GAME.new_copy("Club 1")
    view: Any = GAME.copy_view(data)
    assert view["gaps"] > 16
    (track,) = [part for part in view["parts"] if part["id"] == "track"]
    assert (track["rows"][0]["values"], track["lacks"]) == ({"spaces": ["start"]}, 1)
    assert view["doubts"] == []  # nothing was entered that might be wrong
    with pytest.raises(RequestError, match="no space but Start"):
        GAME.new_game({"seats": {"first": "red", "second": "blue"}, "copy": data})
    data, _ = GAME.changed_copy(data, "track", "all", {"spaces": ["start", "develop", "crisis"]})
    data, mill = GAME.changed_copy(
        data, "infrastructures", "", {"name": "Le Moulin", "kind": "economic", "price": 5000}
    )
    data, other = GAME.changed_copy(data, "infrastructures", "", {"name": "Le moulin", "kind": "social", "tags": []})
    assert (mill, other) == ("le-moulin", "le-moulin-2")
    data, storm = GAME.changed_copy(data, "hazards", "", {"name": "Storm", "self.money": -2000, "all.green": -1})
    data, _ = GAME.changed_copy(data, "countries", "red", {"money": 30000})
    data, _ = GAME.changed_copy(data, "values", "all", {"loan": 25000})
    data, _ = GAME.changed_copy(data, "stock", "all", {"green": 60})
    data, _ = GAME.changed_copy(data, "alliance", "all", {"text": "Together", "co2": 50})
    assert data["alliance"] == {"text": "Together", "modifiers": [{"space": "co2", "factor": 0.5}]}
    assert data["values"] == {"loan": 25000}
    (card,) = [card for card in data["hazards"] if card["id"] == storm]
    assert card["entries"] == [{"who": "self", "money": -2000}, {"who": "all", "green": -1}]
    data, _ = GAME.changed_copy(data, "infrastructures", mill, None)
    assert [card["id"] for card in data["infrastructures"]] == [other]
    assert GAME.checked_copy(data)[0] == "Club 1"


def test_a_factor_that_is_no_whole_per_cent_stays() -> None:
    data = {**WHOLE, "alliance": {"text": "", "modifiers": [{"space": "co2", "factor": 0.333}]}}
    changed, _ = GAME.changed_copy(data, "alliance", "all", {"text": "new", "co2": 33})
    assert changed["alliance"] == {"text": "new", "modifiers": [{"space": "co2", "factor": 0.333}]}


WRONG: list[tuple[str, str, dict[str, Any], str]] = [
    ("infrastructures", "", {"name": " ", "kind": "economic"}, "name"),
    ("infrastructures", "", {"name": "Mill", "kind": "wooden"}, "kind"),
    ("infrastructures", "", {"name": "Mill", "kind": "social", "price": -1}, "price"),
    ("track", "all", {"spaces": ["develop"]}, "begins with start"),
    ("alliance", "all", {"co2": "half"}, "per cent"),
    ("countries", "pink", {"money": 1}, "colour"),
    ("roads", "all", {}, "no part"),
]


@pytest.mark.parametrize(("part", "row", "values", "why"), WRONG)
def test_nonsense_is_refused_with_a_reason(part: str, row: str, values: dict[str, Any], why: str) -> None:
    with pytest.raises(RequestError, match=why):
        GAME.changed_copy(WHOLE, part, row, values)
