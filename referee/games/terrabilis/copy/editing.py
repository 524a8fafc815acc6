"""Enter a copy's data part by part: each card is one row of values, and every change is checked.

Rows are flat: ``price``, ``tags`` (a list), ``self.money`` of a hazard, ``co2`` of the Alliance (in per cent).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.data import AMOUNT_NAMES, MODIFIED, NUMBERS, WHO, GameCopy
from referee.games.terrabilis.copy.reading import copy_json, parse_copy
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS
from referee.values.words import say

Data = dict[str, object]
Values = Mapping[str, object]
LONGEST_NAME = 60
PER_CENT = 100


def blank(name: str) -> Data:
    """Return a copy of which nothing but the name and Start is entered."""
    return {"copy": name, "track": ["start"], "countries": {}, "infrastructures": [], "hazards": []}


def row(data: Data, section: str, ident: str) -> dict[str, object]:
    """Return the values of one row."""
    if section == "track":
        return {"spaces": list(_list(data, "track"))}
    if section == "alliance":
        return _alliance_row(data)
    if section in ("stock", "values"):
        return dict(_object(data, section))
    if section == "countries":
        return dict(_object(_object(data, section), ident))
    card = dict(next((card for card in _list(data, section) if card.get("id") == ident), {}))
    card.pop("id", None)
    if section == "hazards":
        card |= _flat(_list({"entries": card.pop("entries", None)}, "entries"))
    return card


def with_row(data: Data, section: str, ident: str, values: Values | None) -> tuple[Data, str]:
    """Return the data with one row replaced, ``None``: taken out; and the row's id.

    An empty id makes a new card. Raises RequestError, saying what to do.
    """
    changed: Data = json.loads(json.dumps(data))
    if section in ("infrastructures", "hazards"):
        ident = _put_card(changed, section, ident, values)
    elif section == "track":
        changed["track"] = list(_of_list((values or {}).get("spaces")))
    elif section == "alliance":
        changed["alliance"] = _alliance(changed, values or {})
    elif section == "countries":
        countries = dict(_object(changed, section))
        countries[ident] = _given(values or {}, ACCOUNTS)
        changed[section] = countries
    elif section in ("stock", "values"):
        changed[section] = _given(values or {}, COUNTERS if section == "stock" else AMOUNT_NAMES)
    else:
        raise RequestError("copy", say("The copy has no part {name}.", name=section[:40]))
    return copy_json(parse_copy(changed)), ident


def _flat(entries: list[dict[str, object]]) -> dict[str, object]:
    """Return the sums of a hazard's entries, ``self.money``."""
    sums: dict[str, object] = {}
    for entry in entries:
        for name in ACCOUNTS:
            if entry.get(name):
                key = f"{entry['who']}.{name}"
                sums[key] = int(str(sums.get(key, 0))) + int(str(entry[name]))
    return sums


def _put_card(data: Data, section: str, ident: str, values: Values | None) -> str:
    cards = list(_list(data, section))
    at = next((n for n, card in enumerate(cards) if card.get("id") == ident), None)
    if values is None:
        if at is not None:
            del cards[at]
    else:
        name = values.get("name")
        if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME:
            raise RequestError("copy", say("Give the card its name, of at most {n} characters.", n=LONGEST_NAME))
        ident = ident if at is not None else _fresh_id(name, {str(card.get("id")) for card in cards})
        before = {} if at is None else cards[at]
        made = _infrastructure(values) if section == "infrastructures" else _hazard(values, before)
        card = {"id": ident, "name": name.strip()} | made
        cards = [*cards, card] if at is None else [*cards[:at], card, *cards[at + 1 :]]
    data[section] = cards
    return ident


def _infrastructure(values: Values) -> Data:
    card = _given(values, ("kind", "copies", *NUMBERS))
    if isinstance(values.get("tags"), list):
        card["tags"] = values["tags"]
    return card


def _hazard(values: Values, before: Data) -> Data:
    """Return a hazard as told; its entries keep their order, and stay where their sums did not change."""
    kept = _list(before, "entries")
    told = {f"{who}.{name}": values.get(f"{who}.{name}") for who in WHO for name in ACCOUNTS}
    if kept and {key: n for key, n in told.items() if n} == _flat(kept):
        return _given(values, ("copies", "free")) | {"entries": kept}
    entries = []
    for who in dict.fromkeys((*(str(entry["who"]) for entry in kept), *WHO)):
        amounts = {name: values[f"{who}.{name}"] for name in ACCOUNTS if values.get(f"{who}.{name}")}
        if amounts:
            entries.append({"who": who, **amounts})
    card = _given(values, ("copies", "free"))
    return card | ({"entries": entries} if entries else {})


def _alliance_row(data: Data) -> dict[str, object]:
    alliance = _object(data, "alliance")
    factors = {space: round(factor * PER_CENT) for space, factor in _factors(data).items()}
    return {"text": alliance.get("text", ""), **factors}


def _factors(data: Data) -> dict[str, float]:
    """Return what members pay of a space's money, by the space."""
    modifiers = _list(_object(data, "alliance"), "modifiers")
    return {str(one["space"]): float(str(one["factor"])) for one in modifiers}


def _alliance(data: Data, values: Values) -> Data:
    """Return the Alliance as told.

    A factor that is no whole number of per cent stays where its number was not changed.
    """
    before = _factors(data)
    modifiers = []
    for space in MODIFIED:
        told = values.get(space)
        if told is None:
            continue
        if type(told) is not int or not 0 <= told <= PER_CENT**2:
            raise RequestError("copy", say("{name} is a whole number of per cent.", name=space))
        kept = before.get(space, -1.0)
        factor = kept if round(kept * PER_CENT) == told else told / PER_CENT
        modifiers.append({"space": space, "factor": factor})
    return {"text": str(values.get("text") or ""), "modifiers": modifiers}


def _given(values: Values, names: tuple[str, ...]) -> Data:
    return {name: values[name] for name in names if values.get(name) is not None and values[name] != ""}


def _fresh_id(name: str, taken: set[str]) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "card"
    return next(word for n in range(1, 1002) if (word := stem if n == 1 else f"{stem}-{n}") not in taken)


def _list(data: Data, key: str) -> list[dict[str, object]]:
    found = data.get(key)
    return found if isinstance(found, list) else []


def _of_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _object(data: Mapping[str, object], key: str) -> dict[str, object]:
    found = data.get(key)
    return dict(found) if isinstance(found, Mapping) else {}


def normal(data: object) -> tuple[Data, GameCopy]:
    """Return the data of a copy as a file keeps it, checked. Raises RequestError, naming the key."""
    copy = parse_copy(data)
    return copy_json(copy), copy
