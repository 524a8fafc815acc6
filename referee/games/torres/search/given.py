"""Rule on a turn given as acts: which rules they break, one after the other, and the board they lead to."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.games.contract import RuleId
from referee.games.torres import ruleset
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import BESIDE
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.search.building import blocks_of, build_faults, may_shift
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.knights import Moves
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import Act, TorresScene
from referee.games.torres.terrain import changed, connected
from referee.values.board import MAX_HEIGHT


class ImpossibleError(Exception):
    """An act that can't have happened on the board as it stood; it breaks a rule at a field."""

    def __init__(self, rule: RuleId, at: int) -> None:
        super().__init__(rule)
        self.rule = rule
        self.at = at


@dataclass
class GivenTurn:
    """A player's turn while its acts happen. broken: rules broken so far and where. cost: of the acts."""

    position: TorresPosition
    player: KnightColour
    declared: Declared
    broken: dict[RuleId, list[int]] = field(default_factory=dict)
    cost: int = 0

    def __post_init__(self) -> None:
        position = self.position
        scene = TorresScene(position.rules, position.board, position.board, position.reserve)
        suspect = Suspect(position, scene, self.player, self.declared, SearchEffort(0))
        (self._task,) = suspect.tasks(frozenset())
        for rule in suspect.forced:
            self.broken[rule] = []
        self._moves = Moves(self._task)
        self._heights = position.board.heights
        self._own = position.board.knights(self.player)
        self._others = self._task.foreign.still
        self._built: list[int] = []
        self._under: list[int] = []
        self._cards: list[str] = []

    def do(self, act: Act) -> None:
        """Do one act. Raises ImpossibleError when it can't be done at all."""
        kind, a, b = act
        if kind.startswith("card."):
            self._card(kind.removeprefix("card."), a, b)
        elif kind == "build":
            self._build(a)
            self._built.append(a)
            self.cost += 1
        elif kind == "place":
            self._place(a)
            self.cost += 2
        elif kind in ("move", "door"):
            self._walk(kind, a, b)
            self.cost += 1
        else:
            raise ImpossibleError(RuleId("king.still") if kind == "king" else ruleset.BLOCKS_FIXED, a)

    def end(self) -> None:
        """Note what only the whole turn can break."""
        if self.cost > self._task.room:
            self._note(ruleset.AP_BUDGET)
        built, under = len(self._built), len(self._under)
        if built > self._task.limit or built + under > self._task.total:
            self._note(ruleset.BUILD_SUPPLY, *self._built, *self._under)

    def board(self) -> TorresBoard:
        """Return the board as it then stands."""
        before = self.position.board
        letter = self.player.letter
        pieces = tuple(
            letter if self._own >> i & 1 else "" if piece == letter else piece
            for i, piece in enumerate(before.pieces)
        )
        return TorresBoard(self._heights, pieces)

    def _note(self, rule: RuleId, *fields: int) -> None:
        noted = self.broken.setdefault(rule, [])
        noted += [i for i in dict.fromkeys(fields) if i not in noted]

    @property
    def _occupied(self) -> int:
        return self._own | self._others

    def _lay(self, at: int, by: int) -> None:
        if not 0 <= self._heights[at] + by <= MAX_HEIGHT:
            raise ImpossibleError(ruleset.BLOCKS_FIXED, at)
        self._heights = changed(self._heights, at, by)

    def _build(self, at: int) -> None:
        for rule in build_faults(self._heights, blocks_of(self._heights), at, False):
            self._note(rule, at)
        if self._occupied >> at & 1:
            self._note(ruleset.BUILD_OCCUPIED, at)
        self._lay(at, 1)

    def _place(self, at: int) -> None:
        if self._occupied >> at & 1:
            raise ImpossibleError(ruleset.KNIGHT_PLACE, at)
        if self._own.bit_count() >= ruleset.KNIGHTS_EACH:
            self._note(ruleset.KNIGHT_SUPPLY, at)
        if not self._moves.places(self._heights, self._own) >> at & 1:
            self._note(ruleset.KNIGHT_PLACE, at)
        self._own |= 1 << at

    def _move(self, a: int, b: int) -> None:
        if not self._own >> a & 1:
            raise ImpossibleError(ruleset.KNIGHT_OWN, a)
        if self._occupied >> b & 1:
            raise ImpossibleError(ruleset.KNIGHT_BLOCKED, b)
        self._own = self._own & ~(1 << a) | 1 << b

    def _walk(self, kind: str, a: int, b: int) -> None:
        _, doors = self._moves.walks(self._heights, a, self._occupied)
        self._move(a, b)
        if kind == "door":
            if not doors >> b & 1:
                self._note(ruleset.KNIGHT_DOOR, a, b)
            return
        if not BESIDE[a] >> b & 1:
            self._note(ruleset.KNIGHT_STEP, a, b)
        if self._heights[b] > self._heights[a] + 1:
            self._note(ruleset.KNIGHT_CLIMB, a, b)

    def _card(self, kind: str, a: int, b: int) -> None:
        if self._cards:
            self._note(ruleset.CARD_ONE, a, b)
        self._cards.append(kind)
        self.cost += self._task.price(kind)
        if kind == "shift":
            self._shift(a, b)
        elif kind == "extra":
            if not self.position.reserve:
                self._note(ruleset.CARD_RULE[kind], a)
            self._build(a)
        elif kind == "under":
            self._slip_under(a)
        else:
            allowed = self._moves.by_card(kind, self._heights, a, self._own, 0) if self._own >> a & 1 else []
            self._move(a, b)
            if b not in [to for to, _ in allowed]:
                self._note(ruleset.CARD_RULE[kind], a, b)

    def _slip_under(self, at: int) -> None:
        for rule in build_faults(self._heights, blocks_of(self._heights), at, True):
            self._note(rule, at)
        if not self._own >> at & 1:
            self._note(ruleset.CARD_RULE["under"], at)
        self._under.append(at)
        self._lay(at, 1)

    def _shift(self, a: int, b: int) -> None:
        if not self._heights[a]:
            raise ImpossibleError(ruleset.CARD_RULE["shift"], a)
        blocks = blocks_of(self._heights)
        sound = a != b and may_shift(self._heights, blocks, len(connected(blocks)), a, b)
        if not sound or self._occupied & (1 << a | 1 << b):
            self._note(ruleset.CARD_RULE["shift"], a, b)
        self._lay(a, -1)
        self._lay(b, 1)
