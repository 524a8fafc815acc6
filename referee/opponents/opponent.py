"""Plays one seat: asked for a turn, it answers with one that the game's engine has ruled legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.games.answers import Strength
from referee.games.contract import Act, Observation, Plays, Position, Ruling
from referee.games.package import GamePackage
from referee.games.record import RecordEntry, RecordError
from referee.values.words import Words, say


class OpponentError(Exception):
    """A seat that can't be played; ``words`` say why."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.text())
        self.words = words


@dataclass(frozen=True, slots=True)
class OpponentTurn:
    """A legal turn. entry: as the record keeps it; ruling: the engine's; declared: what is declared of it."""

    entry: RecordEntry
    ruling: Ruling
    declared: Mapping[str, object]

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return the acts in their order."""
        return self.ruling.acts

    @property
    def text(self) -> str:
        """Return the acts in the notation of records."""
        return self.entry.acts

    @property
    def observed(self) -> Observation:
        """Return the observation of the table after the turn."""
        assert self.ruling.next is not None, "a turn that was chosen is legal"
        observed: Observation = self.ruling.next.observed
        return observed


class Opponent:
    """Plays a seat with some strength.

    The same seed gives the same turn in the same position, whatever was asked before.
    """

    def __init__(self, package: GamePackage, strength: Strength, seed: int = 0) -> None:
        """Take a game and how well to play it. Raises OpponentError for a game that brings no opponents."""
        if package.plays is None:
            raise OpponentError(say("{game} brings no opponents: all seats are people’s.", game=package.game.title))
        self._package, self._strength, self._seed = package, strength, seed
        self._plays: Plays[Any, Observation] = package.plays

    def set_up(self, position: Position) -> Observation:
        """Return the observation of the table once the set-up of a new game is done."""
        laid: Observation = self._plays.set_up(position, self._chance("set-up", position))
        return laid

    def turn(self, position: Position) -> OpponentTurn:
        """Return a turn for the player to move. Raises OpponentError where the game is over or no turn is found."""
        if position.finished:
            raise OpponentError(say("The game is over."))
        records = self._package.records
        for acts in self._plays.turns(position, self._strength, self._chance(self._strength.value, position)):
            entry = RecordEntry(position.turn, position.to_move.word, acts)
            try:
                ruling = records.play(position, entry)
            except RecordError:
                continue
            if ruling.legal and ruling.next is not None:
                return OpponentTurn(entry, ruling, records.declared(entry))
        raise OpponentError(say("{who} finds no legal turn.", who=position.to_move))

    def _chance(self, purpose: str, position: Position) -> Random:
        """Return a random generator that depends on the seed and the turn alone.

        It is seeded with a text, which seeds alike on every machine.
        """
        return Random(f"{self._seed} {purpose} {position.turn} {position.to_move.word}")
