"""Name the paragraph of the rule sheet that a rule rests on, its heading as the French sheet prints it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.torres import ruleset
from referee.values.words import Words, say

_BUILD = "Poser un bloc de construction"
_WALK = "Déplacer un chevalier"
_PLACE = "Ajouter un chevalier"
_BUY = 'Acheter une carte "Aktion"'
_CARDS = 'LES CARTES "AKTION"'
_TURN = "Tour d'un joueur"
_GAME = "DEROULEMENT DE LA PARTIE"
_SETUP = "PREPARATION"
_BLOCKS = "Distribution des blocs."
_SCORE = "Evaluation"

_PARAGRAPHS: Mapping[RuleId, str] = {
    ruleset.CARD_DECLARED: _CARDS,
    ruleset.BUILD_SUPPLY: _BLOCKS,
    ruleset.CARD_HELD: _CARDS,
    ruleset.CARD_FRESH: _BUY,
    ruleset.CARD_BUY: _BUY,
    ruleset.CARD_ONE: _CARDS,
    ruleset.BUILD_HEIGHT: _BUILD,
    ruleset.BUILD_NEW: _BUILD,
    ruleset.BUILD_JOIN: _BUILD,
    ruleset.BUILD_OCCUPIED: _BUILD,
    ruleset.KNIGHT_CLIMB: _WALK,
    ruleset.KNIGHT_DOOR: _WALK,
    ruleset.KNIGHT_BLOCKED: _WALK,
    ruleset.AP_BUDGET: _TURN,
    ruleset.KNIGHT_STEP: _WALK,
    ruleset.KNIGHT_PLACE: _PLACE,
    ruleset.KNIGHT_SUPPLY: _PLACE,
    **dict.fromkeys(ruleset.CARD_RULE.values(), _CARDS),
    ruleset.KING_STILL: _SCORE,
    ruleset.BLOCKS_FIXED: _BUILD,
    ruleset.TURN_ORDER: _GAME,
    ruleset.KNIGHT_OWN: _WALK,
    ruleset.SETUP_CASTLES: _SETUP,
    ruleset.SETUP_KNIGHT: _SETUP,
    ruleset.SETUP_KING: _SETUP,
    ruleset.KING_MOVE: _SCORE,
}


def paragraph(rule: RuleId) -> str:
    """Return the heading of the rule sheet's paragraph a rule rests on; empty for a rule that is in no sheet."""
    return _PARAGRAPHS.get(rule, "")


def source(rule: RuleId) -> Words:
    """Return where a rule is written, as a sentence ends with it: the sheet and its paragraph."""
    return say("French rule sheet: “{heading}”", heading=paragraph(rule))
