"""Show a game in which everything is declared, its package's playthrough, at a pace a person can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.daemon import CommandQueue
from referee.demo.show import PRESSES
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.games.record import RecordError, parse_record
from referee.match.commands import Name
from referee.match.phases import Phase
from referee.match.state import TableState

Pause = Callable[[float], bool]
"""Waits so many seconds, and answers whether to stop."""
DECLARED_SHARE = 0.5
"""Part of a turn's pace for which the page shows what was declared, before the turn is ended."""


@dataclass(frozen=True, slots=True)
class DeclaredGame:
    """position: where it begins. turns: what was declared of each turn, in order."""

    position: Position
    turns: tuple[Mapping[str, object], ...]

    @classmethod
    def of(cls, package: GamePackage) -> DeclaredGame:
        """Read the package's playthrough. Raises RecordError where it has none."""
        if package.playthrough is None:
            raise RecordError(f"no recorded game of {package.game.title} comes along")
        record = parse_record(package.playthrough.read_text(encoding="utf-8"))
        turns = tuple(dict(package.records.declared(entry)) for entry in record.turns)
        return cls(package.records.start(record), turns)


class Declarer:
    """Declares and ends the turns of a recorded game in the players' place; players may press buttons as well."""

    def __init__(
        self,
        desk: CommandQueue,
        game: DeclaredGame,
        state: Callable[[], TableState],
        pace_s: float,
        tell: Callable[[str], None],
    ) -> None:
        self._desk, self._game, self._state, self._pace_s, self._tell = desk, game, state, pace_s, tell

    def play(self, pause: Pause) -> bool:
        """Play until the record has ended; return whether it did. pause: waits and answers whether to stop."""
        if self._state().phase is Phase.SET_UP and not self._pressed(Name.BEGIN, pause):
            return False
        while (turn := self._state().look) < len(self._game.turns) and self._state().phase is not Phase.FINISHED:
            declared = {"declared": self._game.turns[turn]}
            if not self._pressed(Name.DECLARE, pause, declared) or pause(self._pace_s * DECLARED_SHARE):
                return False
            if not self._pressed(Name.TURN_ENDED, pause) or not self._ruled(turn, pause):
                return False
            self._tell(f"turn {turn + 1}: {self._state().phase.value}")
            if pause(self._pace_s * (1 - DECLARED_SHARE)):
                return False
        return True

    def _pressed(self, name: Name, pause: Pause, arguments: Mapping[str, Any] | None = None) -> bool:
        """Press until the table takes it; return whether it did before all was to stop."""
        while not self._desk.command(name, arguments or {}, PRESSES).accepted:
            if pause(0.2):
                return False
        return True

    def _ruled(self, turn: int, pause: Pause) -> bool:
        while self._state().look <= turn or self._state().phase in (Phase.READING, Phase.RULING):
            if pause(0.02):
                return False
        return True
