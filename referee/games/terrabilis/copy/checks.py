"""Look a copy's data over for values not entered yet, and for values that are hardly right."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.terrabilis.copy.data import KINDS, NUMBERS, SPACES, GameCopy, Hazard, Infrastructure
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import ACCOUNTS, TARGET
from referee.games.terrabilis.text.actwords import PILES
from referee.games.terrabilis.text.actwords import SPACES as SPACE_NAMES
from referee.values.words import Words, say

FEWEST_OF_A_KIND = 2
"""So few different cards of a kind are no pile."""
MOST_TERRAS = 1_000_000
MOST_COUNTERS = 20
"""Amounts beyond these are taken for slips of the finger."""


def gaps(copy: GameCopy) -> tuple[tuple[str, ...], ...]:
    """Return the places of the copy's data that are still empty, as their keys."""
    found: list[tuple[str, ...]] = [("track", "all")] if len(copy.track) < 2 else []
    for colour in Country:
        country = copy.countries.get(colour)
        found += [
            ("countries", colour.word, name) for name in ACCOUNTS if country is None or getattr(country, name) is None
        ]
    for card in copy.infrastructures:
        found += [("infrastructures", card.id, name) for name in NUMBERS if name not in card.values]
        if card.tags is None:
            found.append(("infrastructures", card.id, "tags"))
    found += [
        ("hazards", hazard.id, "entries") for hazard in copy.hazards if hazard.entries is None and not hazard.free
    ]
    if not copy.infrastructures:
        found.append(("infrastructures",))
    if not copy.hazards:
        found.append(("hazards",))
    return tuple(found)


def doubts(copy: GameCopy) -> tuple[Words, ...]:
    """Say what is hardly right in the data entered; a game can be played with it all the same."""
    found = [*_track(copy), *_countries(copy)]
    for card in copy.infrastructures:
        found += _card(card)
    for hazard in copy.hazards:
        found += _hazard(hazard)
    found += _piles(copy)
    return tuple(found)


def _track(copy: GameCopy) -> Iterator[Words]:
    if len(copy.track) < 2:
        return
    missing = [space for space in SPACES if space not in (*copy.track, "blank")]
    if missing:
        kinds = tuple(SPACE_NAMES[space] for space in missing)
        yield say("The track has no such space: {spaces}. Look at the board again.", spaces=kinds)
    if len(copy.track) <= 12:
        yield say(
            "The track has {n} spaces only, so that one roll can lead all the way round.", n=str(len(copy.track))
        )


def _countries(copy: GameCopy) -> Iterator[Words]:
    for colour, country in copy.countries.items():
        for name in ("green", "yellow"):
            if getattr(country, name) == 0:
                yield say("The country of {who} begins without counters of one colour and would be out.", who=colour)
        if (country.money or 0) > MOST_TERRAS:
            yield say(
                "The country of {who} begins with very much money: {n} Terras.", who=colour, n=country.money or 0
            )


def _card(card: Infrastructure) -> Iterator[Words]:
    values = card.values
    if values.get("price") == 0:
        yield say("{card} costs nothing.", card=card.name)
    if max(values.get("price", 0), abs(values.get("income", 0)), values.get("co2", 0)) > MOST_TERRAS:
        yield say("{card} names a very large amount of money.", card=card.name)
    if max(abs(values.get("green", 0)), abs(values.get("yellow", 0))) > MOST_COUNTERS:
        yield say("{card} moves very many counters.", card=card.name)
    if values.get("energy_income") and card.tags is not None and "renewable" not in card.tags:
        yield say("{card} names energy each lap, which only renewables bring.", card=card.name)
    if card.tags is not None and {"fossil", "renewable"} <= card.tags:
        yield say("{card} is both fossil and renewable.", card=card.name)
    if values.get("energy_cost") and card.kind == "energy":
        yield say("{card} is an energy infrastructure that costs energy.", card=card.name)


def _hazard(hazard: Hazard) -> Iterator[Words]:
    for entry in hazard.entries or ():
        if not any((entry.money, entry.energy, entry.green, entry.yellow)):
            yield say("An entry of the hazard {card} changes nothing.", card=hazard.name)
        if max(abs(entry.green), abs(entry.yellow)) > MOST_COUNTERS or abs(entry.money) > MOST_TERRAS:
            yield say("An entry of the hazard {card} names a very large amount.", card=hazard.name)


def _piles(copy: GameCopy) -> Iterator[Words]:
    for kind in KINDS:
        if copy.infrastructures and sum(card.kind == kind for card in copy.infrastructures) < FEWEST_OF_A_KIND:
            yield say("Hardly any infrastructures of the kind {kind} are entered.", kind=PILES[kind])
    known = [card.copies for card in copy.infrastructures if card.copies is not None]
    if known and len(known) == len(copy.infrastructures) and sum(known) < TARGET:
        yield say("All infrastructures together are {n} cards, too few to win with.", n=str(sum(known)))
