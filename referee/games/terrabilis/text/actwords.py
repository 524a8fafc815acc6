"""Name acts, spaces and rules for people: what stands on the buttons of the tablet."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.terrabilis import ruleset as r
from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Choose,
    Count,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    Repay,
    Roll,
)
from referee.games.terrabilis.text.copywords import ACCOUNT_NAMES
from referee.values.words import Words, say

SPACES: Mapping[str, Words] = {
    "start": say("Start"),
    "develop": say("Development"),
    "hazard": say("Hazard"),
    "alliance": say("Alliance"),
    "quiz": say("Quiz"),
    "co2": say("CO₂ tax"),
    "catastrophe": say("Natural catastrophe"),
    "conflict": say("Armed conflict"),
    "crisis": say("Energy crisis"),
    "blank": say("Quiet space"),
}
PILES: Mapping[str, Words] = {
    "economic": say("economic"),
    "social": say("social and ecological"),
    "energy": say("energy"),
}
_CHOICES: Mapping[str, Words] = {
    "green": say("Pour a green counter"),
    "yellow": say("Pour a yellow counter"),
    "energy": say("Pay in energy"),
    "money": say("Pay in Terras"),
}
_PRIZES: Mapping[tuple[str, str | None], Words] = {
    ("normal", "energy"): say("Normal question, energy"),
    ("normal", "money"): say("Normal question, Terras"),
    ("expert", "energy"): say("Expert question, energy"),
    ("expert", "money"): say("Expert question, Terras"),
}
_LETTERS: Mapping[str, Words] = {"g": say("green"), "y": say("yellow")}


def act_words(act: Declared, copy: GameCopy) -> Words:
    """Return an act as a button names it."""
    match act:
        case Roll():
            return say("Dice {a} and {b}", a=act.dice[0], b=act.dice[1])
        case Draw():
            return say("Draw: {pile}", pile=PILES[act.pile])
        case Install():
            return say("Install {card}", card=card_name(copy, copy.cards[act.card].name))
        case Discard():
            return say("Throw away {card}", card=card_name(copy, copy.cards[act.card].name))
        case HazardDrawn():
            return card_name(copy, copy.hazard_cards[act.hazard].name)
        case Choose():
            return _CHOICES[act.what]
        case PourOrder():
            return say("Pour in this order: {order}", order=tuple(_LETTERS[letter] for letter in act.counters))
    return _more_words(act, copy)


def _more_words(act: Declared, copy: GameCopy) -> Words:
    match act:
        case Join():
            return say("Join the Alliance") if act.joins else say("Stay outside the Alliance")
        case Quiz():
            return _PRIZES[act.level, act.prize] if act.right else say("Wrong answer")
        case Repay():
            return say("Repay the loan")
        case Abandon():
            return say("Give up {cards}", cards=tuple(card_name(copy, copy.cards[card].name) for card in act.cards))
        case Count():
            return say("Count: {accounts}", accounts=tuple(ACCOUNT_NAMES[name] for name, _ in act.values) or "–")
    return say("Take a loan")


RULES: Mapping[RuleId, Words] = {
    r.LAP_BIRTHS: say("Births"),
    r.LAP_INCOME: say("Income"),
    r.DEVELOP_IMPACT: say("Impact of an infrastructure"),
    r.DEVELOP_PAY: say("Price of an infrastructure"),
    r.HAZARD_CARD: say("Hazard"),
    r.QUIZ_PRIZE: say("Prize"),
    r.CRISIS_PAY: say("Energy crisis"),
    r.CO2_TAX: say("CO₂ tax"),
    r.CATASTROPHE_ALL: say("Natural catastrophe"),
    r.CONFLICT_WAR: say("Armed conflict"),
    r.ALLIANCE_JOIN: say("Membership"),
    r.LOAN_REPAY: say("Loan repaid"),
    r.LOAN_TAKE: say("Loan"),
}
"""What an entry is for."""
