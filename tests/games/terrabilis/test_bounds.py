"""What is bounded: long searches say that they are not complete, and then name only what is certain."""

from __future__ import annotations

import pytest

from referee.games.terrabilis import verdict as verdict_module
from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.replay import offers as offers_module
from referee.games.terrabilis.replay import whole
from referee.games.terrabilis.ruleset import HAZARD_CARD, LOAN_REPAY
from tests.games.terrabilis.positions import COPY, card, position, request, roll, ruled, sets_of

TWO_BREACHES = [{"repay": True}, roll(1, 1), {"hazard": "storm"}, {"hazard": "storm"}]


def test_a_search_cut_short_names_what_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sets_of(ruled(position({"red": {"money": 30000}}), TWO_BREACHES)) == [[HAZARD_CARD, LOAN_REPAY]]
    monkeypatch.setattr(verdict_module, "MOST_REPLAYS", 1)
    found = ruled(position({"red": {"money": 30000}}), TWO_BREACHES)
    assert found["complete"] is False
    assert found["legal"] is False
    assert sets_of(found) == [[HAZARD_CARD, LOAN_REPAY]]
    found = ruled(position(), [roll(1, 3)], zone={"green": 3}, pawns={"red": 2})
    assert found["complete"] is False
    assert sets_of(found) == [[]]  # the pawn may be seen wrong, or have gone another way


def test_offers_cut_short_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    acts = [roll(1, 1), {"hazard": "plague"}]
    monkeypatch.setattr(offers_module, "MOST_TRIED", 1)
    found = ruled(position(), acts, zone={"green": 2, "yellow": 0})
    assert (found["legal"], found["complete"], len(found["offers"])) == (None, False, 1)


def test_orders_cut_short_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "MOST_ORDERS", 0)
    acts = [roll(3, 3), {"choose": "green", "by": "blue"}]
    found = ruled(position(zone={"green": 9}), acts, zone={"green": 9, "yellow": 9})
    assert found["complete"] is False
    assert found["violations"] == []


def test_a_card_of_a_thousand_counters_is_judged_in_time() -> None:
    data = request(
        position({"red": {"pawn": 8, "green": 900, "yellow": 900}}, zone={"green": 9}),
        [roll(1, 1), {"draw": "social"}, {"install": "bog"}, {"count": {"money": 1}}],
        zone={"green": 10, "yellow": 1},
    )
    bog = card("bog", "social", 1, 0, -700, -701)
    found = answer(data | {"copy": COPY | {"infrastructures": [*COPY["infrastructures"], bog]}})
    assert sets_of(found)[0] == ["entry.exact"]


def test_many_breaches_are_judged_in_time() -> None:
    """Twenty acts that cannot be made, each of another rule, are no reason to search for long."""
    acts = [
        *({"draw": "social"}, {"hazard": "storm"}, {"join": True}, {"repay": True}, {"abandon": ["mill"]}) * 3,
        roll(1, 3),
        *({"choose": "green"}, {"order": "gy"}, roll(2, 2), {"count": {"money": 1}}),
    ]
    found = ruled(position(), acts, zone={"green": 7, "yellow": 1}, pawns={"red": 3, "blue": 9}, dice=[6, 6])
    assert found["legal"] is False
    assert len(sets_of(found)[0]) >= 6
