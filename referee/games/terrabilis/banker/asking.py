"""Ask on the banker's page what takes more than a touch: a count, what lies on the table, a value of the copy.

A question is ``{"fields": [...]}`` as the page draws forms; what is answered takes the place of ``{answers}`` in what
is declared, as ``name=value`` pairs joined by ``+``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.copy.sheet import row_fields
from referee.games.terrabilis.declared.entered import VERB, lacking
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS, ZONE_PLACES
from referee.games.terrabilis.text.copywords import ACCOUNT_NAMES
from referee.values.players import Names, Player
from referee.values.words import Words, player_name, say

View = dict[str, object]
ANSWERS = "{answers}"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who reads the page: the language, and by their words the names that players gave."""

    language: str
    names: Names

    def told(self, words: Words) -> str:
        """Return a sentence as it is read."""
        return words.called(self.names).text(self.language)

    def name(self, player: Player) -> str:
        """Return what a player is called."""
        return self.names.get(player.word) or player_name(player).text(self.language)


def number_field(ident: str, name: Words, audience: Audience, *, least: int = 0, most: int | None = None) -> View:
    """Return a field in which a number is typed."""
    return {"id": ident, "kind": "number", "name": audience.told(name), "answers": [], "least": least, "most": most}


def count_form(audience: Audience) -> View:
    """Return the form for the accounts a player counted."""
    return {"fields": [number_field(name, ACCOUNT_NAMES[name], audience) for name in ACCOUNTS]}


def table_form(players: Iterable[Country], spaces: int, audience: Audience) -> View:
    """Return the form for what lies on the table: the Zone, pawns and cards laid out."""
    fields = [number_field(f"zone.{name}", _IN_ZONE[name], audience, most=ZONE_PLACES) for name in COUNTERS]
    for who in players:
        fields.append(
            number_field(
                f"{who.word}.pawn", say("{who}: space of the pawn, Start is 0", who=who), audience, most=spaces - 1
            )
        )
        fields.append(number_field(f"{who.word}.cards", say("{who}: cards laid out", who=who), audience))
    return {"fields": fields}


_IN_ZONE = {"green": say("green counters in the Zone"), "yellow": say("yellow counters in the Zone")}


def value_question(copy: GameCopy, place: tuple[str, ...]) -> Words:
    """Return the question where a value of the copy is needed. place: its keys in the copy's data."""
    section, ident = place[0], place[1]
    if section == "infrastructures":
        return say("What does the card {card} say?", card=card_name(copy, copy.cards[ident].name))
    if section == "hazards":
        return say("What does the card {card} say?", card=card_name(copy, copy.hazard_cards[ident].name))
    return say("What does the country card say?")


def value_form(copy: GameCopy, place: tuple[str, ...], audience: Audience) -> View:
    """Return the form for the values a card still lacks."""
    lacks = lacking(copy, place[0], place[1])
    return {"fields": [one for one in row_fields(place[0], audience.language) if one["id"] in lacks]}


def new_card(copy: GameCopy, section: str) -> str:
    """Return an id for a card that nobody entered yet."""
    taken = copy.hazard_cards.keys() if section == "hazards" else copy.cards.keys()
    return next(ident for n in count(1) if (ident := f"{section}-{n}") not in taken)


def card_form(section: str, audience: Audience) -> View:
    """Return the form for all that stands on a card that nobody entered yet."""
    return {"fields": [one for one in row_fields(section, audience.language) if one["id"] != "copies"]}


def value_text(place: tuple[str, ...]) -> str:
    """Return what is declared with the answers."""
    return f"{VERB} {place[0]}/{place[1]} {ANSWERS}"
