"""Name the values of a copy as the page calls them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Words, say

ACCOUNT_NAMES: Mapping[str, Words] = {
    "money": say("Terras"),
    "energy": say("energy units"),
    "green": say("green counters"),
    "yellow": say("yellow counters"),
}
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
    "free": say("It says something else: the table carries it out by itself"),
    "spaces": say("The spaces in order, Start first"),
    "text": say("Advantages and duties as printed"),
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
PARTS: Mapping[str, tuple[Words, Words]] = {
    "track": (say("Track"), say("Walk along the board once and tap each space.")),
    "countries": (say("Country cards"), say("What each colour begins with.")),
    "infrastructures": (say("Infrastructures"), say("Each different card once, however many there are of it.")),
    "hazards": (say("Hazards"), say("Amounts with the player’s sign: −2000 is paid, −1 counter is poured.")),
    "alliance": (say("The Alliance card"), say("What it says, and where members pay less.")),
    "stock": (say("Counters in the box"), say("Optional: nobody counts them during play.")),
    "values": (say("Amounts of the rule sheet"), say("Only where your copy prints another amount.")),
}
"""The parts of a copy's data: name, and how to enter it."""
AMOUNTS: Mapping[str, Words] = {
    "join": say("Joining when one lands there"),
    "join_others": say("Joining from elsewhere"),
    "quiz_normal_energy": say("Normal question: energy"),
    "quiz_normal_money": say("Normal question: Terras"),
    "quiz_expert_energy": say("Expert question: energy"),
    "quiz_expert_money": say("Expert question: Terras"),
    "catastrophe": say("Catastrophe: who landed pays"),
    "catastrophe_others": say("Catastrophe: the others pay"),
    "conflict": say("Conflict: who landed pays"),
    "crisis_energy": say("Crisis: in energy"),
    "crisis_money": say("Crisis: in Terras"),
    "loan": say("A loan"),
    "loan_repay": say("Repaying a loan"),
    "energy_brought": say("Energy an energy infrastructure brings"),
    "births": say("Births at the end of a lap"),
}
