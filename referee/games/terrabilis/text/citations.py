"""Name the paragraph of the rule sheet that a rule rests on, its heading as the French sheet prints it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import Citation, RuleId
from referee.games.terrabilis import ruleset as r
from referee.values.words import Words, say

SHEET = "Terrabilis, règles du jeu"

_ZONE = "La Zone Impact"
_DEVELOP = "Aménagement"
_LAP = "Fin du tour de plateau"
_LOAN = "Emprunt bancaire"
_SET_UP = "Préparation du matériel"
_COURSE = "Le parcours de jeu"

_PARAGRAPHS: Mapping[RuleId, str] = {
    r.ZONE_SEEN: _ZONE,
    r.ZONE_ORDER: _ZONE,
    r.ZONE_TAKE: _ZONE,
    r.ZONE_POUR: _ZONE,
    r.ZONE_OVERFLOW: _ZONE,
    r.HAND_THREE: _DEVELOP,
    r.LAP_BIRTHS: _LAP,
    r.LAP_INCOME: _LAP,
    r.LAP_PAWNS: _LAP,
    r.LAP_STOP: _LAP,
    r.LAP_ABANDON: "Abandon d’une infrastructure",
    r.DEVELOP_IMPACT: _DEVELOP,
    r.DEVELOP_PAY: _DEVELOP,
    r.DEVELOP_ONE: _DEVELOP,
    r.HAZARD_CARD: "Aléa",
    r.QUIZ_PRIZE: "Quiz",
    r.CRISIS_PAY: "Crise énergétique",
    r.CO2_TAX: "Taxe CO₂",
    r.CATASTROPHE_ALL: "Catastrophe naturelle",
    r.CONFLICT_WAR: "Conflit armé",
    r.ALLIANCE_JOIN: "Alliance",
    r.ROLL_AGAIN: _COURSE,
    r.ROLL_MOVE: _SET_UP,
    r.LOAN_REPAY: _LOAN,
    r.LOAN_TAKE: _LOAN,
    r.PAY_COVER: _DEVELOP,
    r.TURN_ORDER: _SET_UP,
    r.SETUP_COUNTRY: _SET_UP,
    r.SETUP_HAND: _SET_UP,
}


def citation(rule: RuleId) -> Citation:
    """Return where a rule is written; an empty paragraph for what only the referee's ledger asks for."""
    return Citation(SHEET, _PARAGRAPHS.get(rule, ""))


def source(rule: RuleId) -> Words | None:
    """Return where a rule is written, as a sentence ends with it; ``None`` where it is in no paragraph."""
    heading = _PARAGRAPHS.get(rule)
    return None if heading is None else say("French rule sheet: “{heading}”", heading=heading)
