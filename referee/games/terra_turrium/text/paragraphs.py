"""Name the paragraph of the rule sheet that a rule rests on.

Headings are quoted as the sheets print them, the German one for ``kosmos-1990`` and the French one for
``ludibay-fr``: players look them up there, whatever language they read the referee in.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RuleId
from referee.games.terra_turrium.ruleset import (
    BUILD_OCCUPIED,
    BUILD_OUTSIDE,
    CAPTURE,
    CAPTURE_ATTACKS,
    CAPTURE_CLOSED,
    CAPTURE_QUOTA,
    CUBES_CONSERVED,
    ENTER_CELL,
    FLAG_COUNT,
    MOVE_BLOCKED,
    MOVE_GROUND,
    MOVE_OWN,
    MOVE_POINTS,
    MOVE_STEP,
    SETUP_FLAGS,
    SETUP_HEIGHT,
    TAKE_COUNT,
    TAKE_INTERIOR,
    TAKE_OCCUPIED,
    TAKE_TERRITORY,
    TURN_ORDER,
    TURN_PHASE,
    RuleSet,
)
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
    TAKE_COUNT: _TAKE,
    TAKE_TERRITORY: _TAKE,
    TAKE_INTERIOR: _TAKE,
    TAKE_OCCUPIED: _TAKE,
    BUILD_OCCUPIED: _BUILD,
    BUILD_OUTSIDE: _PIECES,
    CUBES_CONSERVED: _BUILD,
    MOVE_POINTS: _MOVE,
    MOVE_STEP: _MOVE,
    MOVE_GROUND: _MOVE,
    MOVE_BLOCKED: _MOVE,
    MOVE_OWN: _MOVE,
    ENTER_CELL: _ENTER,
    CAPTURE: _CAPTURE,
    CAPTURE_ATTACKS: _ATTACK,
    FLAG_COUNT: _PIECES,
    TURN_ORDER: _TURN,
    TURN_PHASE: _TURN,
    SETUP_HEIGHT: _PIECES,
    SETUP_FLAGS: _PIECES,
}


def paragraph(rule: RuleId, rules: RuleSet) -> str:
    """Return the heading of the rule sheet's paragraph a rule rests on; empty for a rule that is in no sheet."""
    if rule in (CAPTURE_CLOSED, CAPTURE_QUOTA):
        return _BURGENLAND
    if rule in (TAKE_TERRITORY, MOVE_OWN) and rules.teams:
        return _TEAM  # both are said there anew
    return _SHEETS[rules.edition][_PARAGRAPHS[rule]] if rule in _PARAGRAPHS else ""


def source(rule: RuleId, rules: RuleSet) -> Words:
    """Return where a rule is written, as a sentence ends with it: the sheet and its paragraph."""
    heading = paragraph(rule, rules)
    if rules.edition == "kosmos-1990":
        return say("German rule sheet: “{heading}”", heading=heading)
    return say("French rule sheet: “{heading}”", heading=heading)
