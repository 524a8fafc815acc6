"""Rule on a turn given as acts: whether they are possible in the order of the phases, and each keeps the rules.

A turn given as a board is legal when some acts explain it; here the acts are known, so these and no others must obey.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from referee.games.contract import Act, RuleId, Ruling, Violation
from referee.games.terra_turrium.colours import SIZE, Colour, board_of
from referee.games.terra_turrium.geometry import FIELDS, INDEX, NEIGHBOURS
from referee.games.terra_turrium.outcome import following
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, side_of
from referee.games.terra_turrium.ruleset import (
    CAPTURE,
    CUBES_CONSERVED,
    FLAG_COUNT,
    MOVE_BLOCKED,
    MOVE_OWN,
    MOVE_STEP,
    TAKE_COUNT,
    TURN_ORDER,
    TURN_PHASE,
)
from referee.games.terra_turrium.search.breaches import Explanation, Scene, breaches
from referee.games.terra_turrium.search.cubes import CubePlan
from referee.games.terra_turrium.search.steps import Move, capture_extra
from referee.games.terra_turrium.text import act_messages, messages
from referee.games.terra_turrium.text.report import turn_json
from referee.games.terra_turrium.verdict import violations_of
from referee.values.board import MAX_HEIGHT, Board
from referee.values.words import Words

PHASES = ("take", "build", "move")


class _ImpossibleError(Exception):
    """An act that can't have happened on the board as it stood."""

    def __init__(self, rule: RuleId, field: int, words: Words) -> None:
        super().__init__(words.text())
        self.words = words
        self.rule = rule
        self.field = field


def rule_on_acts(position: TerraPosition, player: Colour, acts: tuple[Act, ...]) -> Ruling:
    """Rule on a turn in which the player did just these acts."""
    if position.finished:
        return _refusal(position, acts, (Violation(TURN_ORDER, (), messages.GAME_OVER),))
    late = _out_of_phase(position, acts)
    if late is not None:
        return _refusal(position, acts, (late,))
    table = _Table(position, player)
    try:
        for act in acts:
            table.do(act)
    except _ImpossibleError as error:
        return _refusal(position, acts, (Violation(error.rule, (FIELDS[error.field],), error.words),))
    return table.ruling(acts)


def _refusal(position: TerraPosition, acts: tuple[Act, ...], violations: tuple[Violation, ...]) -> Ruling:
    return Ruling(
        legal=False,
        violations=violations,
        alternatives=(),
        acts=acts,
        turn=None,
        next=None,
        winners=position.winners,
        finished=position.finished,
    )


def _phase(act: Act) -> int:
    return PHASES.index(act.kind) if act.kind in PHASES else PHASES.index("move")


def _out_of_phase(position: TerraPosition, acts: tuple[Act, ...]) -> Violation | None:
    for early, late in pairwise(acts):
        if _phase(late) < _phase(early):
            words = messages.act_out_of_phase(late.text, early.text, position.rules)
            return Violation(TURN_PHASE, late.fields[:1], words)
    return None


class _Table:
    """The board while the acts happen on it."""

    def __init__(self, position: TerraPosition, player: Colour) -> None:
        self._position = position
        self._player = player
        self._rules = position.rules
        heights, flags = position.grids
        self._heights = list(heights)
        self._flags = list(flags)
        self._hand = position.in_hand[player]
        self._takes: list[int] = []
        self._builds: list[int] = []
        self._moves: list[Move] = []

    def do(self, act: Act) -> None:
        """Do one act. Raises _ImpossibleError when it can't be done at all."""
        fields = tuple(INDEX[field.name] for field in act.fields)
        if act.kind == "take":
            self._take(fields[0])
        elif act.kind == "build":
            self._build(fields[0])
        else:
            self._walk(act.kind == "enter", fields, {INDEX[field.name] for field in act.captures})

    def _take(self, field: int) -> None:
        if not self._heights[field]:
            raise _ImpossibleError(CUBES_CONSERVED, field, act_messages.no_cube(field, self._rules))
        self._heights[field] -= 1
        self._takes.append(field)

    def _build(self, field: int) -> None:
        if self._heights[field] == MAX_HEIGHT:
            raise _ImpossibleError(CUBES_CONSERVED, field, act_messages.too_tall(field, MAX_HEIGHT))
        self._heights[field] += 1
        self._builds.append(field)

    def _walk(self, enters: bool, path: tuple[int, ...], captures: set[int]) -> None:
        start, end = path[0], path[-1]
        if enters:
            self._enter(start)
        elif self._flags[start] != self._player:
            raise _ImpossibleError(
                MOVE_OWN if self._flags[start] else FLAG_COUNT,
                start,
                act_messages.no_flag(start, self._player, self._rules),
            )
        else:
            self._flags[start] = 0
        points = int(enters)
        caught = []
        for here, there in pairwise(path):
            if there not in NEIGHBOURS[here]:
                raise _ImpossibleError(MOVE_STEP, there, act_messages.no_step(here, there, self._rules))
            points += 1
            if there in captures and there not in caught:
                self._capture(there)
                caught.append(there)
                points += capture_extra(self._heights, here, there)
        if self._flags[end]:
            raise _ImpossibleError(MOVE_BLOCKED, end, act_messages.shared_field(end, self._rules))
        self._flags[end] = self._player
        self._moves.append(Move(enters, path, tuple(caught), points))

    def _enter(self, field: int) -> None:
        if not self._hand:
            raise _ImpossibleError(FLAG_COUNT, field, act_messages.empty_hand(field, self._player, self._rules))
        if self._flags[field]:
            raise _ImpossibleError(MOVE_BLOCKED, field, act_messages.shared_field(field, self._rules))
        self._hand -= 1

    def _capture(self, field: int) -> None:
        flag = self._flags[field]
        if not flag or flag == self._player:
            raise _ImpossibleError(CAPTURE, field, act_messages.nothing_to_capture(field, self._rules))
        if flag in self._position.mates(self._player):
            raise _ImpossibleError(MOVE_OWN, field, act_messages.captured_mate(field, self._rules))
        self._flags[field] = 0

    def ruling(self, acts: tuple[Act, ...]) -> Ruling:
        """Rule on the acts done."""
        position, player = self._position, self._player
        heights, flags = tuple(self._heights), tuple(self._flags)
        scene = Scene(position.rules, position.grids[0], heights, position.flag_masks, flag_masks(flags))
        moves = tuple(self._moves)
        explanation = Explanation(side_of(position, player), CubePlan(tuple(self._takes), tuple(self._builds)), moves)
        broken = frozenset(breaches(scene, explanation))
        returned = [] if position.rules.returned_cubes else sorted(set(self._takes) & set(self._builds))
        if player != position.to_move:
            broken |= {TURN_ORDER}
        violations = violations_of(position, scene, explanation, broken)
        if returned and TAKE_COUNT not in broken:
            fields = tuple(FIELDS[i] for i in returned)
            violations = (Violation(TAKE_COUNT, fields, act_messages.returned_cube(returned)), *violations)
        after = following(position, scene, explanation, _board(heights, flags)) if not violations else None
        return Ruling(
            legal=after is not None,
            violations=violations,
            alternatives=(),
            acts=acts,
            turn=turn_json(explanation, player),
            next=after,
            winners=after.winners if after else position.winners,
            finished=bool(after and after.finished),
        )


def _board(heights: tuple[int, ...], flags: tuple[int, ...]) -> Board:
    return board_of(np.array(heights, np.int8).reshape(SIZE, SIZE), np.array(flags, np.int8).reshape(SIZE, SIZE))
