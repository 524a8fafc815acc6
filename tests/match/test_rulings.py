"""What a ruling asks, offers and tells beside the contract stays as it was once a journal has kept it."""

from __future__ import annotations

import json

import pytest

from referee.games.contract import AnyGame, Ruling
from referee.games.terrabilis.engine import GAME as LEDGER
from referee.games.torres.engine import GAME as CASTLES
from referee.match.events import TurnRuled, Unsure, event_from_json
from tests.games.terrabilis.positions import COPY, position
from tests.games.torres.tables import BEFORE, check


def kept(ruling: Ruling, game: AnyGame) -> Ruling:
    """Return a ruling as a journal gives it back."""
    event = TurnRuled("", Unsure(ruling=ruling))
    again = event_from_json(event.kind, json.loads(json.dumps(event.to_json())), game)
    assert isinstance(again, TurnRuled)
    assert again.ruling is not None
    return again.ruling


def declared(acts: str, seen: str = "", **changes: object) -> Ruling:
    start = LEDGER.position(position(**changes) | {"copy": COPY})
    return LEDGER.check(start, LEDGER.observation("nothing"), (), {"acts": acts, "seen": seen})


def test_questions_and_offers_are_kept() -> None:
    ruling = declared("roll 3+3; blue pours green", "zone.green=1+zone.yellow=2")
    assert ruling.offers
    again = kept(ruling, LEDGER)
    assert (again.questions, again.offers, again.undecided) == (ruling.questions, ruling.offers, True)


@pytest.mark.parametrize("title", ["Grand Terrarchitecte", None])
def test_a_title_is_kept(title: str | None) -> None:
    line = {"money": 30000, "member": True, "installed": ["wind"], "loans": [{"lap": 1}], "poured": 0}
    ruling = declared("repay", lines={"red": line if title else line | {"green": 1, "yellow": 1}}, target=1, lap=1)
    assert ruling.to_json()["title"] == title
    assert kept(ruling, LEDGER).details == ruling.details


def test_cards_that_are_asked_for_are_kept() -> None:
    ruling = check({"A1": "1", "A2": "3b"}, BEFORE | {"A2": "3"}, held=1)
    assert ruling.to_json()["ask"] == ["leap"]
    assert kept(ruling, CASTLES).details == ruling.details


def test_the_points_of_a_phase_are_kept() -> None:
    ruling = check({}, BEFORE, turn=8, round=4, to_move="orange")
    assert ruling.to_json()["scores"]
    assert kept(ruling, CASTLES).details == ruling.details
