"""Go through an explained turn act by act and note where each rule is broken.

It knows acts and rules only, and nothing of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.games.contract import RuleId
from referee.games.torres import ruleset
from referee.games.torres.geometry import BESIDE, bits
from referee.games.torres.search.building import blocks_of, build_faults
from referee.games.torres.search.doors import exits
from referee.games.torres.search.task import HAND, Act, Plan, TurnTask
from referee.games.torres.terrain import changed

_ONE_FIELD = ("build", "place", "card.extra", "card.under")


def breaches(task: TurnTask, plan: Plan) -> Mapping[RuleId, tuple[int, ...]]:
    """Return the fields where the acts of a plan, and what hands did, break rules."""
    walk = _Walk(task)
    for act in plan.acts:
        walk.do(act)
    walk.whole_turn(plan)
    walk.by_hand()
    return {rule: tuple(fields) for rule, fields in walk.found.items()}


@dataclass
class _Walk:
    """The board while the acts are gone through."""

    task: TurnTask
    found: dict[RuleId, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.heights = self.task.scene.before.heights
        self.own = self.task.knights[0]
        self.others = self.task.foreign.still
        self.built: list[int] = []

    def note(self, rule: RuleId, fields: Iterable[int]) -> None:
        """Note fields where a rule was broken."""
        noted = self.found.setdefault(rule, [])
        noted += [i for i in dict.fromkeys(fields) if i not in noted]

    def do(self, act: Act) -> None:
        """Do one act and note what it breaks."""
        kind, a, b = act
        if kind == HAND:
            self._lay(a, -1 if self.heights[a] > self.task.scene.after.heights[a] else 1)
        elif kind.startswith("card."):
            self._card(RuleId(kind), a, b)
        elif kind == "build":
            self._build(a)
            self.built.append(a)
        elif kind == "place":
            self._place(a)
        else:
            self._walk(kind, a, b)

    def _lay(self, at: int, by: int) -> None:
        self.heights = changed(self.heights, at, by)

    def _build(self, at: int) -> None:
        for rule in build_faults(self.heights, blocks_of(self.heights), at, False):
            self.note(rule, (at,))
        if (self.own | self.others) >> at & 1:
            self.note(ruleset.BUILD_OCCUPIED, (at,))
        self._lay(at, 1)

    def _place(self, at: int) -> None:
        beside = BESIDE[at] & self.own
        if all(self.heights[i] < self.heights[at] for i in bits(beside)):
            self.note(ruleset.KNIGHT_PLACE, (at,))
        self.own |= 1 << at

    def _move(self, a: int, b: int) -> None:
        self.own = self.own & ~(1 << a) | 1 << b

    def _walk(self, kind: str, a: int, b: int) -> None:
        if kind == "door":
            walls = (self.own | self.others) & ~(1 << a)
            if not exits(self.heights, a, self.task.scene.rules.doors, walls, False) >> b & 1:
                self.note(ruleset.KNIGHT_DOOR, (a, b))
            self._move(a, b)
            return
        if not BESIDE[a] >> b & 1:
            self.note(ruleset.KNIGHT_STEP, (a, b))
        if self.heights[b] > self.heights[a] + 1:
            self.note(ruleset.KNIGHT_CLIMB, (a, b))
        if (self.own | self.others) >> b & 1:
            self.note(ruleset.KNIGHT_BLOCKED, (b,))
        self._move(a, b)

    def _card(self, rule: RuleId, a: int, b: int) -> None:
        kind = rule.removeprefix("card.")
        if kind != self.task.declared:
            self.note(ruleset.CARD_DECLARED, (a, b))
            self.note(ruleset.CARD_ONE, (a, b))
        if self.task.free(kind):
            self.note(rule, (a, b))
        if kind == "extra":
            self._build(a)
        elif kind == "under":
            for broken in build_faults(self.heights, blocks_of(self.heights), a, True):
                self.note(broken, (a,))
            self._lay(a, 1)
        elif kind == "shift":
            self._lay(a, -1)
            self._lay(b, 1)
        else:
            if kind == "diagonal" and self.heights[b] > self.heights[a] + 1:
                self.note(ruleset.KNIGHT_CLIMB, (a, b))
            self._move(a, b)

    def whole_turn(self, plan: Plan) -> None:
        """Note what a turn as a whole can break."""
        touched = [i for kind, a, b in plan.acts if kind != HAND for i in ((a,) if kind in _ONE_FIELD else (a, b))]
        self.note(ruleset.AP_BUDGET, touched)
        self.note(ruleset.BUILD_SUPPLY, self.built)
        self.note(ruleset.TURN_ORDER, touched)
        if ruleset.CARD_DECLARED not in self.found:  # a card that only gives action points
            self.note(ruleset.CARD_DECLARED, touched)
            self.note(ruleset.CARD_ONE, touched)

    def by_hand(self) -> None:
        """Note what only hands can have done."""
        task = self.task
        before, after = task.knights
        foreign = task.foreign
        self.note(ruleset.KNIGHT_SUPPLY, bits(before ^ after))
        self.note(ruleset.KNIGHT_OWN, bits(foreign.knights.gone | foreign.knights.come))
        self.note(ruleset.KING_STILL, bits(foreign.king.gone | foreign.king.come))
        self.note(ruleset.BLOCKS_FIXED, task.scene.falls)
