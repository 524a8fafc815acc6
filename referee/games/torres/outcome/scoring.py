"""Score a phase: castles, the king's castle and the master card, and the markers on the track."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import NAMES, bits
from referee.games.torres.outcome.master import master_points
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import KING_POINTS
from referee.games.torres.terrain import terrain


@dataclass(frozen=True, slots=True)
class CastleScore:
    """What a castle brings a player: its fields, and the level of the player's highest knight there."""

    fields: tuple[int, ...]
    level: int

    @property
    def area(self) -> int:
        """Return the castle's number of fields."""
        return len(self.fields)

    @property
    def points(self) -> int:
        """Return the points of the castle."""
        return self.area * self.level

    def to_json(self) -> dict[str, object]:
        """Return the castle as formats.md writes it."""
        names = [NAMES[i] for i in self.fields]
        return {"fields": names, "area": self.area, "level": self.level, "points": self.points}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CastleScore:
        """Read what ``to_json`` wrote."""
        return cls(tuple(NAMES.index(name) for name in data["fields"]), int(data["level"]))


@dataclass(frozen=True, slots=True)
class PhaseScore:
    """What a player gets at the end of a phase."""

    castles: tuple[CastleScore, ...]
    king: int
    master: int

    @property
    def total(self) -> int:
        """Return all points together."""
        return sum(castle.points for castle in self.castles) + self.king + self.master

    def to_json(self) -> dict[str, object]:
        """Return the points as formats.md writes them."""
        castles = [castle.to_json() for castle in self.castles]
        return {"castles": castles, "king": self.king, "master": self.master, "total": self.total}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PhaseScore:
        """Read what ``to_json`` wrote."""
        return cls(tuple(map(CastleScore.from_json, data["castles"])), int(data["king"]), int(data["master"]))


def phase_scores(position: TorresPosition, board: TorresBoard) -> dict[KnightColour, PhaseScore]:
    """Return what every player gets at the end of the position's phase, with a board as it then stands."""
    heights = board.heights
    castles = terrain(heights).castles
    homes = [castle for castle in castles if castle & board.king]
    home = homes[0] if homes else 0
    found = {}
    for player in position.players:
        knights = board.knights(player)
        scored = []
        for castle in castles:
            if castle & knights:
                level = max(heights[i] for i in bits(castle & knights))
                scored.append(CastleScore(tuple(bits(castle)), level))
        royal = any(heights[i] == position.phase for i in bits(home & knights))
        king = KING_POINTS * position.phase if royal else 0
        found[player] = PhaseScore(tuple(scored), king, master_points(position, board, player))
    return found


def moved(score: Mapping[KnightColour, int], player: KnightColour, points: int) -> dict[KnightColour, int]:
    """Return the score after a player's marker moves on; from an occupied field it goes on to the next free one."""
    if not points:
        return dict(score)
    taken = {place for other, place in score.items() if other != player}
    place = score[player] + points
    while place in taken:
        place += 1
    return {**score, player: place}


def advanced(score: Mapping[KnightColour, int], player: KnightColour, points: int) -> dict[KnightColour, int]:
    """Return the score after AP were spent on the track, each a move of its own."""
    found = dict(score)
    for _ in range(points):
        found = moved(found, player, 1)
    return found


def scored(
    score: Mapping[KnightColour, int], order: Iterable[KnightColour], gained: Mapping[KnightColour, PhaseScore]
) -> dict[KnightColour, int]:
    """Return the score after a phase: castles, then king, then master card, each in the same order of players."""
    players = tuple(order)
    found = dict(score)
    for player in players:
        found = moved(found, player, sum(castle.points for castle in gained[player].castles))
    for player in players:
        found = moved(found, player, gained[player].king)
    for player in players:
        found = moved(found, player, gained[player].master)
    return found
