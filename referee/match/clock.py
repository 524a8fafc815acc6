"""A game clock as frozen values: how much time each player has left. Its owner tells it how much time has passed.

Both usual bonuses are known: the *increment* is added after every turn (Fischer), *Bronstein's delay* gives back what
a turn took, at most so much, so that nobody ever gains time. A turn may have a limit of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

MOST_S = 24 * 3600
"""The longest time that can be set."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control, whole seconds; 0: no such limit, no such bonus.

    total_s: for all turns of a player together. turn_s: for one turn. increment_s: added after every turn. delay_s:
    given back of what a turn took, at most. Raises ValueError for an invalid clock.
    """

    total_s: int = 0
    turn_s: int = 0
    increment_s: int = 0
    delay_s: int = 0

    def __post_init__(self) -> None:
        if any(type(value) is not int or not 0 <= value <= MOST_S for value in self.to_json().values()):
            raise ValueError(f"times of a clock are whole seconds from 0 to {MOST_S}")
        if not (self.total_s or self.turn_s):
            raise ValueError("a clock needs total_s or turn_s")
        if (self.increment_s or self.delay_s) and not self.total_s:
            raise ValueError("increment_s and delay_s need total_s")
        if self.increment_s and self.delay_s:
            raise ValueError("a clock has increment_s or delay_s, not both")

    def to_json(self) -> dict[str, int]:
        """Return the time control as the journal keeps it."""
        return {
            "total_s": self.total_s,
            "turn_s": self.turn_s,
            "increment_s": self.increment_s,
            "delay_s": self.delay_s,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Read what ``to_json`` wrote, or somebody asked for. Raises ValueError, naming what is wrong."""
        known = ("total_s", "turn_s", "increment_s", "delay_s")
        unknown = sorted(set(data) - set(known))
        if unknown:
            raise ValueError(f"a clock has no {unknown[0][:40]}")
        values = {name: data.get(name, 0) for name in known}
        return cls(**{name: value if type(value) is int else -1 for name, value in values.items()})


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at one moment.

    left_ms: by player, what is left of ``total_s``; empty without one. turn, player: whose turn it measures; used_ms:
    what that turn took so far. running: whether time passes. fallen: whose flag fell, empty for nobody's. aside: laid
    aside, nothing counts any more.
    """

    control: TimeControl
    left_ms: Mapping[str, int] = field(default_factory=dict)
    turn: int = 0
    player: str = ""
    used_ms: int = 0
    running: bool = False
    fallen: str = ""
    aside: bool = False

    @classmethod
    def starting(cls, control: TimeControl, players: Sequence[str]) -> Self:
        """Return a clock on which no time has passed."""
        return cls(control, dict.fromkeys(players, control.total_s * 1000) if control.total_s else {})

    @property
    def falls_in_ms(self) -> int | None:
        """Return how long the player to move may go on, ms; ``None`` while no turn is measured."""
        limits = []
        if self.player in self.left_ms:
            limits.append(self.left_ms[self.player])
        if self.control.turn_s and self.player:
            limits.append(max(0, self.control.turn_s * 1000 - self.used_ms))
        return min(limits, default=None)

    def passed(self, ms: int) -> Clock:
        """Return the clock after so much time, unchanged where it stands. The flag falls when no time is left."""
        if not self.running or ms <= 0:
            return self
        limit = self.falls_in_ms
        gone = ms if limit is None else min(ms, limit)
        left = {who: own - gone if who == self.player else own for who, own in self.left_ms.items()}
        moved = replace(self, left_ms=left, used_ms=self.used_ms + gone)
        return replace(moved, running=False, fallen=self.player) if limit is not None and ms >= limit else moved

    def turned(self, turn: int, player: str) -> Clock:
        """Return the clock as it measures another turn.

        A finished turn earns its bonus, a turn that was undone earns none.
        """
        if (turn, player) == (self.turn, self.player):
            return self
        left = dict(self.left_ms)
        if self.player in left and turn > self.turn and not self.fallen and not self.aside:
            left[self.player] += self.control.increment_s * 1000 + min(self.used_ms, self.control.delay_s * 1000)
        return replace(self, left_ms=left, turn=turn, player=player, used_ms=0)

    def going(self, on: bool) -> Clock:
        """Start or stop the clock. A clock laid aside, or with a fallen flag, stays stopped."""
        running = on and not self.aside and not self.fallen and bool(self.player)
        return self if running == self.running else replace(self, running=running)

    def given(self, player: str, ms: int) -> Clock:
        """Return the clock after a player got extra time.

        A fallen flag stands again, and a turn that has taken too long begins anew.
        """
        left = {who: own + ms if who == player else own for who, own in self.left_ms.items()}
        if player != self.fallen:
            return replace(self, left_ms=left)
        over = self.control.turn_s and self.used_ms >= self.control.turn_s * 1000
        used = max(0, self.used_ms - ms) if over else self.used_ms
        return replace(self, left_ms=left, fallen="", used_ms=used)

    def taken(self, player: str, ms: int) -> Clock:
        """Return the clock after time was taken from a player; without any left the flag of who is to move falls."""
        left = {who: max(0, own - ms) if who == player else own for who, own in self.left_ms.items()}
        fell = player == self.player and not self.fallen and not left.get(player, 1)
        return replace(self, left_ms=left, running=self.running and not fell, fallen=player if fell else self.fallen)

    def laid_aside(self) -> Clock:
        """Play goes on without it."""
        return replace(self, aside=True, running=False, fallen="")

    def to_json(self) -> dict[str, object]:
        """Return the clock as the journal keeps it."""
        said: dict[str, object] = {"control": self.control.to_json(), "turn": self.turn, "player": self.player}
        said["used_ms"] = self.used_ms
        more = {"left_ms": dict(self.left_ms), "running": self.running, "fallen": self.fallen, "aside": self.aside}
        return said | {key: value for key, value in more.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Read what ``to_json`` wrote. Raises ValueError."""
        control, left = data["control"], data.get("left_ms", {})
        if not isinstance(control, Mapping):
            raise ValueError("control holds the clock's times")
        if not isinstance(left, Mapping) or not all(type(own) is int for own in left.values()):
            raise ValueError("left_ms holds milliseconds by player")
        turn, used = data["turn"], data["used_ms"]
        if type(turn) is not int or type(used) is not int:
            raise ValueError("turn and used_ms are whole numbers")
        return cls(
            TimeControl.from_json(control), dict(left), turn, str(data["player"]), used, data.get("running") is True,
            str(data.get("fallen", "")), data.get("aside") is True,
        )  # fmt: skip
