"""Energy at a lap's end is what renewables bring, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.copy.data import MissingValueError
from tests.games.terrabilis.positions import COPY, card, position, request, roll


def judged(before: dict[str, Any], acts: list[dict[str, Any]], more: dict[str, Any]) -> dict[str, Any]:
    """Rule on a turn with a copy that has one card more."""
    cards = {"infrastructures": [*COPY["infrastructures"], more]}
    return answer(request(before, acts) | {"copy": COPY | cards})


def test_energy_each_lap_is_the_renewables_own() -> None:
    plant = card("plant", "energy", 5000, 0, -1, 0, energy_income=4, tags=["fossil"])
    before = position({"red": {"pawn": 12, "installed": ["plant", "wind", "plant"]}})
    told = judged(before, [roll(6, 6), {"count": {"energy": 13}}], plant)
    assert told["legal"] is True
    assert told["next"]["ledger"]["red"]["energy"] == 13


def test_whether_a_card_is_renewable_is_asked_where_it_names_energy() -> None:
    plant = card("plant", "energy", 5000, 0, 0, 0, energy_income=4)
    del plant["tags"]
    before = position({"red": {"pawn": 12, "installed": ["plant"]}})
    with pytest.raises(MissingValueError) as missing:
        judged(before, [roll(6, 6)], plant)
    assert missing.value.place == ("infrastructures", "plant", "tags")
    assert judged(before, [roll(6, 6)], plant | {"energy_income": 0})["legal"] is True
