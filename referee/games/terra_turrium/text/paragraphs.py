"""Name the paragraph of the rule sheet that a rule rests on.

Headings are quoted as the sheets print them, the German one for ``kosmos-1990`` and the French one for
``ludibay-fr``: players look them up there, whatever language they read the referee in.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.terra_turrium import ruleset
from referee.values.words import Words, say

_TAKE, _BUILD, _MOVE, _CAPTURE, _ATTACK, _ENTER, _TURN, _PIECES = range(8)
_SHEETS: Mapping[str, tuple[str, ...]] = {
    "kosmos-1990": (
        "Bausteine nehmen",
        "Türme bauen",
        "Turrianer ziehen",
        "Turrianer schlagen",
        "Turrianer schlagen",
        "Geschlagene Turrianer einsetzen",
        "Spielablauf",
        "Vorbereitung",
    ),
    "ludibay-fr": (
        "Prendre un ou plusieurs cubes",
        "Poser le ou les cubes",
        "Déplacer un drapeau",
        "Capturer un drapeau",
        "Attaquer et défendre",
        "Remettre en jeu un drapeau capturé",
        "Déroulement du jeu",
        "Préparation",
    ),
}
_BURGENLAND = "Variante de Burgenland"
_TEAM = "Teamspiel"
_PARAGRAPHS: Mapping[RuleId, int] = {
    ruleset.TAKE_COUNT: _TAKE,
    ruleset.TAKE_TERRITORY: _TAKE,
    ruleset.TAKE_INTERIOR: _TAKE,
    ruleset.TAKE_OCCUPIED: _TAKE,
    ruleset.BUILD_OCCUPIED: _BUILD,
    ruleset.BUILD_OUTSIDE: _PIECES,
    ruleset.CUBES_CONSERVED: _BUILD,
    ruleset.MOVE_POINTS: _MOVE,
    ruleset.MOVE_STEP: _MOVE,
    ruleset.MOVE_GROUND: _MOVE,
    ruleset.MOVE_BLOCKED: _MOVE,
    ruleset.MOVE_OWN: _MOVE,
    ruleset.ENTER_CELL: _ENTER,
    ruleset.CAPTURE: _CAPTURE,
    ruleset.CAPTURE_ATTACKS: _ATTACK,
    ruleset.FLAG_COUNT: _PIECES,
    ruleset.TURN_ORDER: _TURN,
    ruleset.TURN_PHASE: _TURN,
    ruleset.SETUP_HEIGHT: _PIECES,
    ruleset.SETUP_FLAGS: _PIECES,
}


def paragraph(rule: RuleId, rules: ruleset.RuleSet) -> str:
    """Return the heading of the rule sheet's paragraph a rule rests on; empty for a rule that is in no sheet."""
    if rule in (ruleset.CAPTURE_CLOSED, ruleset.CAPTURE_QUOTA):
        return _BURGENLAND
    if rule in (ruleset.TAKE_TERRITORY, ruleset.MOVE_OWN) and rules.teams:
        return _TEAM  # both are said there anew
    return _SHEETS[rules.edition][_PARAGRAPHS[rule]] if rule in _PARAGRAPHS else ""


def source(rule: RuleId, rules: ruleset.RuleSet) -> Words:
    """Return where a rule is written, as a sentence ends with it: the sheet and its paragraph."""
    heading = paragraph(rule, rules)
    if rules.edition == "kosmos-1990":
        return say("German rule sheet: “{heading}”", heading=heading)
    return say("French rule sheet: “{heading}”", heading=heading)
