"""Name the heading of the rule sheet a rule rests on; the sheet prints no letters that could be told apart.

Headings are quoted as the French sheet prints them: players look them up there, whatever language they read in.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.turris import ruleset
from referee.values.words import Words, say

SHEET = "Turris (français)"
_PIECES, _SETUP, _TURN = "Matériel", "Préparation du jeu", "Déroulement du jeu"
_BUILDING, _BONUS = "Consignes générales de construction", "Bonus"

_PARAGRAPHS: Mapping[RuleId, str] = {
    ruleset.LEVEL_CENTRE: _BUILDING,
    ruleset.BONUS_REFILL: _BONUS,
    ruleset.BONUS_LAST: _BONUS,
    ruleset.BONUS_LEVELS: _BONUS,
    ruleset.BONUS_LAY: _BONUS,
    ruleset.PLACE_STRADDLE: _BUILDING,
    ruleset.PLACE_STANDING: _BUILDING,
    ruleset.PLACE_TOUCH: _BUILDING,
    ruleset.LEVEL_OPEN: _BUILDING,
    ruleset.REST_FULL: _BUILDING,
    ruleset.BONUS_SUPPORT: _BONUS,
    ruleset.BONUS_REMOVE: _BONUS,
    ruleset.BONUS_EARNED: _BONUS,
    ruleset.BAR_ONE: _TURN,
    ruleset.BAR_COLOUR: _TURN,
    ruleset.BAR_SUPPLY: _PIECES,
    ruleset.PLAN_FOOTPRINT: _TURN,
    ruleset.BAR_FIXED: _BONUS,
    ruleset.TURN_PASS: _TURN,
    ruleset.TURN_ORDER: _TURN,
    ruleset.SETUP_EMPTY: _SETUP,
}


def paragraph(rule: RuleId) -> str:
    """Return the heading a rule stands under; empty for a rule that is in no sheet."""
    return _PARAGRAPHS.get(rule, "")


def source(rule: RuleId) -> Words:
    """Return where a rule is written, as a sentence ends with it."""
    return say("French rule sheet: “{heading}”", heading=paragraph(rule))
