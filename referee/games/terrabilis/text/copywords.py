"""What the values of a copy are called on the page."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Words, say

VALUE_NAMES: Mapping[str, Words] = {
    "name": say("Name on the card"),
    "kind": say("Pile"),
    "copies": say("How many of this card"),
    "price": say("Price in Terras"),
    "energy_cost": say("Energy it costs"),
    "green": say("Green counters (−: poured, +: taken)"),
    "yellow": say("Yellow counters (−: poured, +: taken)"),
    "income": say("Terras each lap"),
    "energy_income": say("Energy each lap"),
    "co2": say("CO₂ tax in Terras"),
    "tags": say("What it counts as"),
    "entries": say("What the card does"),
}
TAG_NAMES: Mapping[str, Words] = {
    "intensive-agriculture": say("intensive agriculture"),
    "intensive-fishing": say("intensive fishing"),
    "fossil": say("fossil energy"),
    "renewable": say("renewable energy"),
}
PARTICIPANTS: Mapping[str, Words] = {
    "self": say("Who drew it"),
    "others": say("All others"),
    "all": say("Everybody"),
}
