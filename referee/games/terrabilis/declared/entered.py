"""Read and write values of the copy told when first needed: ``enter infrastructures/mill price=5000+energy_cost=2``.

They stand before the acts of the turn in which they were told, and belong to the copy's data from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.data import NUMBERS, WHO, GameCopy
from referee.games.terrabilis.copy.editing import LONGEST_NAME
from referee.games.terrabilis.copy.reading import copy_json, parse_copy
from referee.games.terrabilis.ruleset import ACCOUNTS
from referee.values.words import say

VERB = "enter"
SECTIONS = ("countries", "infrastructures", "hazards")
_PLAIN = ("name", "kind")


@dataclass(frozen=True, slots=True)
class Entered:
    """Values told of one card. section: of the copy's data; ident: the card's id, or a country's colour."""

    section: str
    ident: str
    values: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Return it as the turn's notation writes it."""
        pairs = "+".join(f"{name}={quote(value, safe='-,')}" for name, value in self.values)
        return f"{VERB} {self.section}/{quote(self.ident, safe='')} {pairs}"


@dataclass(frozen=True, slots=True)
class EnteredAgain:
    """A value of the copy told again, and otherwise. name: of the value; before, told: what it says.

    card: the card's name, or the country's colour.
    """

    section: str
    card: str
    name: str
    before: object
    told: object


def parse_entered(text: str) -> Entered:
    """Parse what ``Entered.text`` wrote. Raises RequestError with what to do."""
    words = text.split()
    section, _, ident = words[1].partition("/") if len(words) == 3 else ("", "", "")
    pairs = [pair.partition("=") for pair in (words[2].split("+") if len(words) == 3 else ())]
    if section not in SECTIONS or not ident or not all(mark and name for name, mark, _ in pairs):
        example = "enter infrastructures/mill price=5000+energy_cost=2"
        raise RequestError("declared", f"declared: {text[:40]!r} can't be read: write such as {example!r}")
    return Entered(section, unquote(ident), tuple((name, unquote(value)) for name, _, value in pairs))


def with_entered(copy: GameCopy, told: tuple[Entered, ...]) -> GameCopy:
    """Return the copy with the values told. Raises RequestError, naming the key, for what the copy can't hold."""
    if not told:
        return copy
    data = copy_json(copy)
    for one in told:
        _SECTIONS[one.section](data, one)
    return parse_copy(data)


def entered_again(before: GameCopy, after: GameCopy, told: tuple[Entered, ...]) -> tuple[EnteredAgain, ...]:
    """Return which values told differ from the copy's. after: the copy with the values told."""
    return tuple(
        EnteredAgain(section, str(was.get("name", ident)), name, value, now.get(name))
        for section, ident in dict.fromkeys((one.section, one.ident) for one in told)
        for was, now in [(_as_kept(before, section, ident), _as_kept(after, section, ident))]
        for name, value in was.items()
        if now.get(name) != value
    )


def _as_kept(copy: GameCopy, section: str, ident: str) -> Mapping[str, object]:
    """Return a card as a copy's data keep it; nothing where it was not entered yet."""
    cards = copy_json(copy)[section]
    if isinstance(cards, Mapping):
        found: object = cards.get(ident)
    else:
        found = next((card for card in cards if card["id"] == ident), None) if isinstance(cards, list) else None
    return found if isinstance(found, Mapping) else {}


def _number(one: Entered, name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        key = f"{one.section} {one.ident} {name}"
        raise RequestError("copy", f"copy: {key} is {value[:40]!r}: give a whole number") from None


def _country(data: dict[str, object], one: Entered) -> None:
    countries = data["countries"]
    assert isinstance(countries, dict)
    card = countries.setdefault(one.ident, {})
    card.update({name: _number(one, name, value) for name, value in one.values})


def _infrastructure(data: dict[str, object], one: Entered) -> None:
    card = _card(data, one)
    for name, value in one.values:
        if name == "tags":
            card[name] = [tag for tag in value.split(",") if tag]
        else:
            card[name] = value if name in _PLAIN else _number(one, name, value)


def _hazard(data: dict[str, object], one: Entered) -> None:
    card = _card(data, one)
    entries: dict[str, dict[str, object]] = {}
    for name, value in one.values:
        who, dot, account = name.partition(".")
        if dot:
            entries.setdefault(who, {"who": who})[account] = _number(one, name, value)
        else:
            card[name] = value == "1" if name == "free" else value
    card["entries"] = list(entries.values())


def _card(data: dict[str, object], one: Entered) -> dict[str, object]:
    cards = data[one.section]
    assert isinstance(cards, list)
    found: dict[str, object] | None = next((card for card in cards if card["id"] == one.ident), None)
    if found is None:
        if not dict(one.values).get("name", "").strip():
            raise RequestError("copy", say("Give the card its name, of at most {n} characters.", n=LONGEST_NAME))
        found = {"id": one.ident}
        cards.append(found)
    return found


_SECTIONS = {"countries": _country, "infrastructures": _infrastructure, "hazards": _hazard}


def lacking(copy: GameCopy, section: str, ident: str) -> tuple[str, ...]:
    """Return the names of the values of a card or a country that were not entered yet."""
    if section == "countries":
        found = next((card for colour, card in copy.countries.items() if colour.word == ident), None)
        return tuple(name for name in ACCOUNTS if found is None or getattr(found, name) is None)
    if section == "infrastructures":
        card = copy.cards[ident]
        return (*(name for name in NUMBERS if name not in card.values), *(("tags",) if card.tags is None else ()))
    return (*(f"{who}.{name}" for who in WHO for name in ACCOUNTS), "free")


def pairs_of(text: str) -> Mapping[str, str]:
    """Parse pairs such as ``zone.green=4+red.pawn=8``. Raises RequestError with what to do."""
    pairs = [pair.partition("=") for pair in text.split("+") if pair.strip()]
    if not all(mark and name and value for name, mark, value in pairs):
        raise RequestError("declared", f"declared: {text[:40]!r} can't be read: write such as 'zone.green=4'")
    return {name.strip(): value.strip() for name, _, value in pairs}
