"""Read and write the data of a copy as a file keeps it and a request carries it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import TypeVar

from referee.games.contract import RequestError
from referee.games.jsonvalues import MOST, a_list, a_number, a_text, an_object, one_of, show
from referee.games.terrabilis.copy.data import (
    AMOUNT_NAMES,
    KINDS,
    MODIFIED,
    NUMBERS,
    SPACES,
    TAGS,
    WHO,
    Amounts,
    CountryCard,
    GameCopy,
    Hazard,
    HazardEntry,
    Infrastructure,
)
from referee.games.terrabilis.jsonvalues import MOST_COUNTERS, a_colour
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS

KEYS = ("copy", "track", "countries", "infrastructures", "hazards", "alliance", "stock", "values")
_CARD_KEYS = ("id", "name", "kind", "copies", *NUMBERS, "tags")
_HAZARD_KEYS = ("id", "name", "copies", "entries", "free")
_MODIFIER_KEYS = ("space", "factor")
_Card = TypeVar("_Card", Infrastructure, Hazard)
_SIGNED = ("green", "yellow", "energy_income", "income")


def parse_copy(data: object) -> GameCopy:
    """Read the data of a copy; what is absent or null was not entered yet. Raises RequestError, naming the key."""
    given = an_object(data, "copy", KEYS)
    text, factors = _alliance(given.get("alliance"))
    return GameCopy(
        name=a_text(given.get("copy"), "copy: copy"),
        track=_track(given.get("track")),
        countries=_countries(given.get("countries")),
        infrastructures=_distinct(_cards(given.get("infrastructures")), "infrastructures"),
        hazards=_distinct(_hazards(given.get("hazards")), "hazards"),
        alliance_text=text,
        factors=factors,
        stock=_numbers(given.get("stock"), "copy: stock", COUNTERS),
        amounts=Amounts(**_numbers(given.get("values"), "copy: values", AMOUNT_NAMES)),
    )


def copy_json(copy: GameCopy) -> dict[str, object]:
    """Return the copy as ``parse_copy`` reads it."""
    standard = _numbers_of(Amounts())
    changed = {name: n for name, n in _numbers_of(copy.amounts).items() if n != standard[name]}
    data: dict[str, object] = {
        "copy": copy.name,
        "track": list(copy.track),
        "countries": {
            colour.word: {name: n for name, n in _numbers_of(country).items() if n is not None}
            for colour, country in copy.countries.items()
        },
        "infrastructures": [_card_json(card) for card in copy.infrastructures],
        "hazards": [_hazard_json(hazard) for hazard in copy.hazards],
        "alliance": {
            "text": copy.alliance_text,
            "modifiers": [{"space": space, "factor": float(factor)} for space, factor in copy.factors.items()],
        },
        "stock": dict(copy.stock),
    }
    return data | {"values": changed} if changed else data


def _numbers_of(flat: Amounts | CountryCard | HazardEntry) -> dict[str, object]:
    """Return what a flat record holds, by name; ``asdict`` would copy each value, which took a third of a ruling."""
    return {one.name: getattr(flat, one.name) for one in fields(flat)}


def _track(value: object) -> tuple[str, ...]:
    if value is None:
        raise RequestError("copy", "copy: track is missing: give the spaces in order from Start")
    track = tuple(one_of(space, SPACES, "copy: track") for space in a_list(value, "copy: track"))
    if track[:1] != ("start",) or track.count("start") != 1:
        raise RequestError("copy", "copy: track begins with start, and has it once")
    return track


def _countries(value: object) -> Mapping[Country, CountryCard]:
    found = {}
    for word, card in an_object(value or {}, "copy: countries").items():
        colour = a_colour(word, "copy: countries")
        found[colour] = CountryCard(**_numbers(card, f"copy: countries {word}", ACCOUNTS))
    return found


def _numbers(value: object, key: str, names: tuple[str, ...]) -> dict[str, int]:
    """Return the numbers of an object that were entered."""
    if value is None:
        return {}
    return {
        name: a_number(n, f"{key} {name}", 0, MOST_COUNTERS if name == "births" else MOST)
        for name, n in an_object(value, key, names).items()
        if n is not None
    }


def _cards(value: object) -> list[Infrastructure]:
    return [_card(card, n) for n, card in enumerate(a_list(value or [], "copy: infrastructures"), 1)]


def _card(value: object, number: int) -> Infrastructure:
    given = an_object(value, f"copy: infrastructures, card {number}", _CARD_KEYS)
    ident = a_text(given.get("id"), f"copy: infrastructures, card {number}, id")
    key = f"copy: infrastructures {ident}"
    numbers = {
        name: _signed(given[name], name, key) if name in _SIGNED else a_number(given[name], f"{key} {name}")
        for name in NUMBERS
        if given.get(name) is not None
    }
    tags = given.get("tags")
    return Infrastructure(
        id=ident,
        name=_name(given, ident, key),
        kind=one_of(given.get("kind"), KINDS, f"{key} kind"),
        values=numbers,
        copies=_optional(given.get("copies"), f"{key} copies"),
        tags=None if tags is None else frozenset(one_of(tag, TAGS, f"{key} tags") for tag in a_list(tags, key)),
    )


def _hazards(value: object) -> list[Hazard]:
    return [_hazard(card, n) for n, card in enumerate(a_list(value or [], "copy: hazards"), 1)]


def _hazard(value: object, number: int) -> Hazard:
    given = an_object(value, f"copy: hazards, card {number}", _HAZARD_KEYS)
    ident = a_text(given.get("id"), f"copy: hazards, card {number}, id")
    key = f"copy: hazards {ident}"
    entries = given.get("entries")
    free = given.get("free", False)
    if not isinstance(free, bool | str):
        raise RequestError("copy", f"{key} free is {show(free)}: give true, or what the card says")
    parsed = None if entries is None else tuple(_hazard_entry(entry, key) for entry in a_list(entries, key))
    copies = _optional(given.get("copies"), f"{key} copies")
    return Hazard(ident, _name(given, ident, key), parsed, free, copies)


def _hazard_entry(value: object, key: str) -> HazardEntry:
    given = an_object(value, f"{key} entries", ("who", *ACCOUNTS))
    who = one_of(given.get("who"), WHO, f"{key} entries who")
    rest = {name: n for name, n in given.items() if name != "who"}
    an_object(rest, f"{key} entries", ACCOUNTS)
    return HazardEntry(who, **{name: _signed(n, name, f"{key} entries") for name, n in rest.items() if n is not None})


def _signed(value: object, name: str, key: str) -> int:
    """Return an amount with its sign; nobody moves thousands of counters."""
    most = MOST_COUNTERS if name in COUNTERS else MOST
    return a_number(value, f"{key} {name}", -most, most)


def _alliance(value: object) -> tuple[str, Mapping[str, Fraction]]:
    given = an_object(value or {}, "copy: alliance", ("text", "modifiers"))
    text = given.get("text") or ""
    if not isinstance(text, str):
        raise RequestError("copy", f"copy: alliance text is {show(text)}: give a text")
    factors: dict[str, Fraction] = {}
    for entry in a_list(given.get("modifiers") or [], "copy: alliance modifiers"):
        modifier = an_object(entry, "copy: alliance modifiers", _MODIFIER_KEYS)
        space = one_of(modifier.get("space"), MODIFIED, "copy: alliance modifiers space")
        factors[space] = factors.get(space, Fraction(1)) * _factor(modifier.get("factor"))
    return text, factors


def _factor(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
        raise RequestError("copy", f"copy: alliance modifiers factor is {show(value)}: give a number such as 0.5")
    return Fraction(str(value))  # as written: 0.1 is a tenth


def _name(given: Mapping[str, object], ident: str, key: str) -> str:
    name = given.get("name")
    return ident if name is None else a_text(name, f"{key} name")


def _optional(value: object, key: str) -> int | None:
    return None if value is None else a_number(value, key)


def _distinct(cards: list[_Card], key: str) -> tuple[_Card, ...]:
    seen: set[str] = set()
    for card in cards:
        if card.id in seen:
            raise RequestError(
                "copy", f"copy: {key} has the id {show(card.id)} twice: give each card an id of its own"
            )
        seen.add(card.id)
    return tuple(cards)


def _card_json(card: Infrastructure) -> dict[str, object]:
    data: dict[str, object] = {"id": card.id, "name": card.name, "kind": card.kind}
    if card.copies is not None:
        data["copies"] = card.copies
    data |= card.values
    return data if card.tags is None else data | {"tags": sorted(card.tags)}


def _hazard_json(hazard: Hazard) -> dict[str, object]:
    data: dict[str, object] = {"id": hazard.id, "name": hazard.name}
    if hazard.copies is not None:
        data["copies"] = hazard.copies
    if hazard.entries is not None:
        data["entries"] = [
            {name: n for name, n in _numbers_of(entry).items() if n or name == "who"} for entry in hazard.entries
        ]
    return data | {"free": hazard.free} if hazard.free else data
