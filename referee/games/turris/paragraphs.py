"""Name the heading of the rule sheet a rule rests on; the sheet prints no letters that could be told apart.

Headings are quoted as the French sheet prints them: players look them up there, whatever language they read in.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.turris.ruleset import (
    BAR_COLOUR,
    BAR_FIXED,
    BAR_ONE,
    BAR_SUPPLY,
    BONUS_EARNED,
    BONUS_LAST,
    BONUS_LAY,
    BONUS_LEVELS,
    BONUS_REFILL,
    BONUS_REMOVE,
    BONUS_SUPPORT,
    LEVEL_CENTRE,
    LEVEL_OPEN,
    PLACE_STANDING,
    PLACE_STRADDLE,
    PLACE_TOUCH,
    PLAN_FOOTPRINT,
    REST_FULL,
    SETUP_EMPTY,
    TURN_ORDER,
    TURN_PASS,
)
from referee.values.words import Words, say

SHEET = "Turris (français)"
_PIECES, _SETUP, _TURN = "Matériel", "Préparation du jeu", "Déroulement du jeu"
_BUILDING, _BONUS = "Consignes générales de construction", "Bonus"

_PARAGRAPHS: Mapping[RuleId, str] = {
    LEVEL_CENTRE: _BUILDING,
    BONUS_REFILL: _BONUS,
    BONUS_LAST: _BONUS,
    BONUS_LEVELS: _BONUS,
    BONUS_LAY: _BONUS,
    PLACE_STRADDLE: _BUILDING,
    PLACE_STANDING: _BUILDING,
    PLACE_TOUCH: _BUILDING,
    LEVEL_OPEN: _BUILDING,
    REST_FULL: _BUILDING,
    BONUS_SUPPORT: _BONUS,
    BONUS_REMOVE: _BONUS,
    BONUS_EARNED: _BONUS,
    BAR_ONE: _TURN,
    BAR_COLOUR: _TURN,
    BAR_SUPPLY: _PIECES,
    PLAN_FOOTPRINT: _TURN,
    BAR_FIXED: _BONUS,
    TURN_PASS: _TURN,
    TURN_ORDER: _TURN,
    SETUP_EMPTY: _SETUP,
}


def paragraph(rule: RuleId) -> str:
    """Return the heading a rule stands under; empty for a rule that is in no sheet."""
    return _PARAGRAPHS.get(rule, "")


def source(rule: RuleId) -> Words:
    """Return where a rule is written, as a sentence ends with it."""
    return say("French rule sheet: “{heading}”", heading=paragraph(rule))
