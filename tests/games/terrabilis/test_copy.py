"""The data of a copy: read, written, refused, looked over; and values asked for when they are first needed."""

from __future__ import annotations

import copy as copies
from fractions import Fraction
from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.copy.checks import doubts, gaps
from referee.games.terrabilis.copy.data import Amounts, MissingValueError
from referee.games.terrabilis.copy.reading import copy_json, parse_copy
from tests.games.terrabilis.positions import COPY, position, roll


def changed(**changes: Any) -> dict[str, Any]:
    return copies.deepcopy(COPY) | changes


def with_card(ident: str, **changes: Any) -> dict[str, Any]:
    """Return the copy with some values of a card changed, or taken out where they are ``...``."""
    data = changed()
    for card in data["infrastructures"]:
        if card["id"] == ident:
            card.update(changes)
            for name in [name for name, value in changes.items() if value is ...]:
                del card[name]
    return data


def test_a_copy_goes_round() -> None:
    written = copy_json(parse_copy(COPY))
    assert parse_copy(written) == parse_copy(COPY)
    assert copy_json(parse_copy(written)) == written


def test_a_copy_with_gaps_and_amounts_of_its_own_goes_round() -> None:
    data = with_card("mill", price=..., tags=..., copies=...) | {"values": {"join": 6000}, "stock": {}}
    data["countries"] = {"red": {"money": 1}}
    data["hazards"] = [{"id": "rain"}, {"id": "riddle", "free": "Ask your neighbour.", "copies": 2}]
    assert copy_json(parse_copy(data))["hazards"] == [
        {"id": "rain", "name": "rain"},
        {"id": "riddle", "name": "riddle", "free": "Ask your neighbour.", "copies": 2},
    ]
    assert parse_copy(copy_json(parse_copy(data))) == parse_copy(data)
    assert parse_copy(data).amounts == Amounts(join=6000)
    assert copy_json(parse_copy(data))["values"] == {"join": 6000}


def test_factors_are_exact_and_multiply() -> None:
    modifiers = [{"space": "co2", "factor": 0.1}, {"space": "co2", "factor": 3}, {"space": "crisis", "factor": 0}]
    found = parse_copy(changed(alliance={"modifiers": modifiers}))
    assert found.factors == {"co2": Fraction(3, 10), "crisis": Fraction(0)}
    assert [found.member_pays("co2", 10, member=member) for member in (True, False)] == [3, 10]
    assert found.member_pays("catastrophe", 10, member=True) == 10


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no name": (changed(copy=None), "copy: copy"),
    "no track": (changed(track=None), "track is missing"),
    "a strange space": (changed(track=["start", "casino"]), "'casino'"),
    "no start": (changed(track=["develop", "start"]), "begins with start"),
    "two starts": (changed(track=["start", "start"]), "once"),
    "a strange colour": (changed(countries={"pink": {}}), "'pink'"),
    "negative money": (changed(countries={"red": {"money": -1}}), "whole number"),
    "a strange kind": (with_card("mill", kind="luxury"), "mill kind"),
    "a strange key": (with_card("mill", colour="red"), "'colour'"),
    "a strange tag": (with_card("mill", tags=["ugly"]), "mill tags"),
    "a price in words": (with_card("mill", price="much"), "mill price"),
    "a negative price": (with_card("mill", price=-5), "mill price"),
    "counters by thousands": (with_card("mill", green=-1001), "mill green"),
    "an id twice": (with_card("mill", id="farm"), "'farm' twice"),
    "no id": (with_card("mill", id=""), "id"),
    "a name of numbers": (with_card("mill", name=5), "mill name"),
    "a strange hazard": (changed(hazards=[{"id": "x", "entries": [{"who": "me"}]}]), "who"),
    "a hazard of strange freedom": (changed(hazards=[{"id": "x", "free": 3}]), "free"),
    "a strange factor": (changed(alliance={"modifiers": [{"space": "co2", "factor": "half"}]}), "factor"),
    "a factor of another space": (changed(alliance={"modifiers": [{"space": "quiz", "factor": 1}]}), "space"),
    "an alliance without words": (changed(alliance={"text": 4}), "text"),
    "a strange amount": (changed(values={"bribe": 1}), "'bribe'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_copy_that_cannot_be_read(name: str) -> None:
    data, words = REFUSED[name]
    with pytest.raises(RequestError, match=r"^copy") as caught:
        parse_copy(data)
    assert words in str(caught.value)
    assert caught.value.code == "copy"


def test_what_is_not_a_copy_at_all() -> None:
    with pytest.raises(RequestError, match="not a list"):
        parse_copy([])


NEEDED: dict[str, tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]], tuple[str, ...], str]] = {
    "a price": (
        with_card("mill", price=...),
        position({"red": {"pawn": 8}}),
        [roll(1, 1), {"draw": "social"}, {"install": "mill"}],
        ("infrastructures", "mill", "price"),
        "Mill, Price in Terras: this is missing, enter it.",
    ),
    "a tax": (
        with_card("mill", co2=None),
        position({"red": {"member": True, "installed": ["mill"]}}),
        [roll(2, 3)],
        ("infrastructures", "mill", "co2"),
        "Mill, CO₂ tax in Terras: this is missing, enter it.",
    ),
    "a country": (
        changed(countries={"red": COPY["countries"]["red"]}),
        position(),
        [roll(1, 3)],
        ("countries", "blue", "money"),
        "Country card of Blue, Terras: this is missing, enter it.",
    ),
    "a hazard": (
        changed(hazards=[{"id": "rain"}]),
        position(),
        [roll(1, 1), {"hazard": "rain"}],
        ("hazards", "rain", "entries"),
        "rain, What the card does: this is missing, enter it.",
    ),
    "tags for the title": (
        with_card("mill", tags=...),
        position({"red": {"member": True, "installed": ["mill"]}}, target=1),
        [{"count": {}}],
        ("infrastructures", "mill", "tags"),
        "Mill, What it counts as: this is missing, enter it.",
    ),
}


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_value_is_asked_for_when_it_is_needed(name: str) -> None:
    data, before, acts, place, words = NEEDED[name]
    with pytest.raises(MissingValueError) as caught:
        answer({"position": before, "copy": data, "declared": acts})
    assert (caught.value.place, caught.value.code) == (place, "copy")
    assert str(caught.value) == words


def test_unneeded_values_are_not_asked_for() -> None:
    assert answer({"position": position(), "copy": with_card("mill", price=...), "declared": [roll(1, 3)]})["legal"]


def test_a_full_copy_has_no_gaps_and_raises_no_doubts() -> None:
    assert gaps(parse_copy(COPY)) == ()
    assert doubts(parse_copy(COPY)) == ()


def test_gaps_are_named_by_their_place() -> None:
    data = with_card("mill", price=None, tags=None)
    data["countries"]["red"]["green"] = None
    del data["countries"]["blue"]
    data["hazards"].append({"id": "rain"})
    found = gaps(parse_copy(data))
    assert ("infrastructures", "mill", "price") in found
    assert ("infrastructures", "mill", "tags") in found
    assert ("countries", "red", "green") in found
    assert ("countries", "blue", "money") in found
    assert ("hazards", "rain", "entries") in found
    assert len(found) == 8
    assert gaps(parse_copy(changed(infrastructures=[], hazards=[]))) == (("infrastructures",), ("hazards",))


DOUBTFUL: dict[str, tuple[dict[str, Any], str]] = {
    "no crisis": (changed(track=["start", *["develop"] * 20]), "no such space: Hazard, Alliance, Quiz"),
    "a short track": (changed(track=COPY["track"][:10]), "10 spaces only"),
    "no counters": (changed(countries={"red": {"green": 0}}), "without counters"),
    "a fortune": (changed(countries={"red": {"money": 2_000_000}}), "very much money"),
    "a gift": (with_card("mill", price=0), "Mill costs nothing"),
    "a price with zeros too many": (with_card("mill", price=50_000_000), "very large amount"),
    "counters in hundreds": (with_card("mill", green=-100), "very many counters"),
    "energy from nowhere": (with_card("mill", energy_income=2), "which only renewables bring"),
    "everything at once": (with_card("coal", tags=["fossil", "renewable"]), "both fossil and renewable"),
    "energy for energy": (with_card("coal", energy_cost=2), "costs energy"),
    "a hazard of nothing": (changed(hazards=[{"id": "x", "entries": [{"who": "self"}]}]), "changes nothing"),
    "a hazard of everything": (
        changed(hazards=[{"id": "x", "entries": [{"who": "self", "green": -50}]}]),
        "very large amount",
    ),
    "one card": (changed(infrastructures=COPY["infrastructures"][:1]), "of the kind social"),
    "too few cards": (
        with_card("mill", copies=0) | {"infrastructures": COPY["infrastructures"][:2]},
        "too few to win",
    ),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubtful_values_are_named(name: str) -> None:
    data, words = DOUBTFUL[name]
    assert any(words in str(doubt) for doubt in doubts(parse_copy(data))), [*map(str, doubts(parse_copy(data)))]
