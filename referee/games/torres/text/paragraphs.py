"""Name the paragraph of the rule sheet that a rule rests on, its heading as the French sheet prints it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.torres.ruleset import (
    AP_BUDGET,
    BLOCKS_FIXED,
    BUILD_HEIGHT,
    BUILD_JOIN,
    BUILD_NEW,
    BUILD_OCCUPIED,
    BUILD_SUPPLY,
    CARD_BUY,
    CARD_DECLARED,
    CARD_FRESH,
    CARD_HELD,
    CARD_ONE,
    CARD_RULE,
    KING_MOVE,
    KING_STILL,
    KNIGHT_BLOCKED,
    KNIGHT_CLIMB,
    KNIGHT_DOOR,
    KNIGHT_OWN,
    KNIGHT_PLACE,
    KNIGHT_STEP,
    KNIGHT_SUPPLY,
    SETUP_CASTLES,
    SETUP_KING,
    SETUP_KNIGHT,
    TURN_ORDER,
)
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
    CARD_DECLARED: _CARDS,
    BUILD_SUPPLY: _BLOCKS,
    CARD_HELD: _CARDS,
    CARD_FRESH: _BUY,
    CARD_BUY: _BUY,
    CARD_ONE: _CARDS,
    BUILD_HEIGHT: _BUILD,
    BUILD_NEW: _BUILD,
    BUILD_JOIN: _BUILD,
    BUILD_OCCUPIED: _BUILD,
    KNIGHT_CLIMB: _WALK,
    KNIGHT_DOOR: _WALK,
    KNIGHT_BLOCKED: _WALK,
    AP_BUDGET: _TURN,
    KNIGHT_STEP: _WALK,
    KNIGHT_PLACE: _PLACE,
    KNIGHT_SUPPLY: _PLACE,
    **dict.fromkeys(CARD_RULE.values(), _CARDS),
    KING_STILL: _SCORE,
    BLOCKS_FIXED: _BUILD,
    TURN_ORDER: _GAME,
    KNIGHT_OWN: _WALK,
    SETUP_CASTLES: _SETUP,
    SETUP_KNIGHT: _SETUP,
    SETUP_KING: _SETUP,
    KING_MOVE: _SCORE,
}


def paragraph(rule: RuleId) -> str:
    """Return the heading of the rule sheet's paragraph a rule rests on; empty for a rule that is in no sheet."""
    return _PARAGRAPHS.get(rule, "")


def source(rule: RuleId) -> Words:
    """Return where a rule is written, as a sentence ends with it: the sheet and its paragraph."""
    return say("French rule sheet: “{heading}”", heading=paragraph(rule))
