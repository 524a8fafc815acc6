"""Find which cells a broken rule concerns, and what the players are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.contract import RuleId, Violation
from referee.games.turris.cells import LAYER, cells_in, field_of, level_of, lowest_open
from referee.games.turris.messages import BrokenRule, violation_words
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import (
    BIT,
    BONUS_REFILL,
    LEVEL_CENTRE,
    LEVEL_OPEN,
    REST_FULL,
    TURN_ORDER,
    TURN_PASS,
    in_order,
)
from referee.games.turris.scene import TowerTurn
from referee.games.turris.search import State, Step
from referee.games.turris.verdict import TurnVerdict


def violations_of(position: TurrisPosition, verdict: TurnVerdict) -> tuple[Violation, ...]:
    """Return what the players are told about a turn that is not legal, rule by rule."""
    named = verdict.sets[0] if verdict.sets else verdict.certain
    return tuple(_violation(position, verdict, rule) for rule in in_order(named))


def _violation(position: TurrisPosition, verdict: TurnVerdict, rule: RuleId) -> Violation:
    scene, state = verdict.scene, verdict.state
    cells = cells_of(scene, state, rule) if scene is not None and state is not None else ()
    player = scene.player if scene is not None else position.to_move
    words = violation_words(BrokenRule(rule, position.rules, player, position.to_move, cells))
    return Violation(rule, tuple(map(field_of, cells)), words)


def cells_of(scene: TowerTurn, state: State, rule: RuleId) -> tuple[int, ...]:
    """Return the cells a broken rule concerns: of each bar that broke it, those that show how."""
    if rule == TURN_PASS:
        return ()
    mask = 0
    for step in state.steps:
        if step.broken & BIT[rule] or (rule == TURN_ORDER and not step.by_hand):
            mask |= _concerned(scene, step, rule)
    return tuple(cells_in(mask))


def _concerned(scene: TowerTurn, step: Step, rule: RuleId) -> int:
    mask = 0
    for index in cells_in(step.changes):
        mask |= scene.changes[index].bar.place.mask
    narrow = _NARROW.get(rule)
    return narrow(scene, step, mask) if narrow is not None else mask


def _in_centre(_scene: TowerTurn, _step: Step, mask: int) -> int:
    return sum(1 << cell for cell in cells_in(mask) if cell % LAYER == LAYER // 2)


def _too_high(scene: TowerTurn, step: Step, mask: int) -> int:
    lo = lowest_open(scene.tower(step.made).filled | mask)
    return sum(1 << cell for cell in cells_in(mask) if level_of(cell) > lo + 2)


def _hanging(scene: TowerTurn, step: Step, mask: int) -> int:
    carried = (scene.tower(step.made).filled | mask) << LAYER | (1 << LAYER) - 1
    return mask & ~carried


def _barred(scene: TowerTurn, _step: Step, mask: int) -> int:
    return mask & scene.mover.barred


_NARROW: Mapping[RuleId, Callable[[TowerTurn, Step, int], int]] = {
    LEVEL_CENTRE: _in_centre,
    LEVEL_OPEN: _too_high,
    REST_FULL: _hanging,
    BONUS_REFILL: _barred,
}
