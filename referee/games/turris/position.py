"""Hold a position of the game between two turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.games.turris.bars import BARS_EACH, COLOURS, STRIDE, Bar, BarColour, BarPlace, place_at
from referee.games.turris.cells import WIDTH, cell_name, cells_in, column_of, footprint, row_of
from referee.games.turris.ruleset import EDITION, TurrisRules
from referee.games.turris.scoring import areas_json, scores_json, scores_of
from referee.games.turris.tower import NO_TOWER, Tower, tower_of

GAME_NAME = "turris"


@dataclass(frozen=True, slots=True)
class ScoredTower:
    """The tower at the end of a game. recessed: squares behind the outer row count."""

    tower: Tower
    recessed: bool

    @property
    def text(self) -> str:
        """Return the tower as formats write it."""
        return self.tower.text

    def view(self, language: str) -> dict[str, object]:
        """Return the tower as the page draws it, with the areas that count; the same in every language."""
        text = self.tower.text
        return {
            "key": "tower",
            "columns": WIDTH,
            "rows": WIDTH,
            "levels": [list(level) for level in text.split("/")] if text else [],
            "areas": areas_json(self.tower, self.recessed),
        }


@dataclass(frozen=True)
class TurrisPosition:
    """A state of the game; every key of formats.md filled in.

    seats: side of the table to player. left: bars beside the board. last: the places of the bars of each player's
    latest turn, in order. barred: cells the player to move may not fill.
    """

    rules: TurrisRules
    seats: Mapping[str, BarColour]
    first: BarColour
    to_move: BarColour
    turn: int = 1
    tower: Tower = NO_TOWER
    left: Mapping[BarColour, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, BARS_EACH))
    last: Mapping[BarColour, tuple[BarPlace, ...]] = field(default_factory=lambda: dict.fromkeys(COLOURS, ()))
    barred: tuple[int, ...] = ()
    winners: tuple[BarColour, ...] = ()
    finished: bool = False

    @property
    def observed(self) -> Tower | ScoredTower:
        """Return what stands on the table; at the end with what it gives, square by square."""
        return ScoredTower(self.tower, self.rules.recessed) if self.finished else self.tower

    @cached_property
    def barred_mask(self) -> int:
        """Return the barred cells as a mask."""
        return sum(1 << cell for cell in set(self.barred))

    def kept(self, player: BarColour) -> tuple[BarPlace, ...]:
        """Return the bars the player may not take off as the opponent's last."""
        last = self.last[player.other]
        return last if self.rules.last_turn else last[-1:]

    @cached_property
    def frames(self) -> tuple[TurrisPosition, ...]:
        """Return the position as it may be drawn: as given, then shifted within the 3 x 3 where the frame floats."""
        if not self.rules.floating or not self.tower.filled:
            return (self,)
        columns = {column_of(cell) for cell in cells_in(footprint(self.tower.filled))}
        rows = {row_of(cell) for cell in cells_in(footprint(self.tower.filled))}
        moves = [
            (dx, dy)
            for dx in range(-min(columns), 3 - max(columns))
            for dy in range(-min(rows), 3 - max(rows))
            if (dx, dy) != (0, 0)
        ]
        return (self, *(self._shifted(dx, dy) for dx, dy in moves))

    def _shifted(self, dx: int, dy: int) -> TurrisPosition:
        """Return the position drawn further east and north; what would lie outside is dropped."""
        last = {
            colour: tuple(moved for place in places if (moved := _moved(place, dx, dy)) is not None)
            for colour, places in self.last.items()
        }
        bars = (Bar(colour, _moved(place, dx, dy) or place) for colour, place in self.tower.bars)
        barred = tuple(cell + dx + 3 * dy for cell in self.barred if _inside(cell, dx, dy))
        return replace(self, tower=tower_of(bars), last=last, barred=barred)

    def to_json(self) -> dict[str, object]:
        """Return the position as formats.md writes it."""
        data: dict[str, object] = {
            "game": GAME_NAME,
            "edition": EDITION,
            "variants": [],
            "options": dict(self.rules.options),
            "seats": {side: colour.word for side, colour in self.seats.items()},
            "first": self.first.word,
            "to_move": self.to_move.word,
            "turn": self.turn,
            "tower": self.tower.text,
            "left": {colour.word: count for colour, count in self.left.items()},
            "last": {colour.word: [place.name for place in places] for colour, places in self.last.items()},
            "barred": [cell_name(cell) for cell in self.barred],
        }
        if self.finished:
            data |= {
                "finished": True,
                "scores": scores_json(scores_of(self.tower, self.rules.recessed)),
                "winners": [colour.word for colour in self.winners],
            }
        return data


def _inside(cell: int, dx: int, dy: int) -> bool:
    return 0 <= column_of(cell) + dx < STRIDE[1] and 0 <= row_of(cell) + dy < STRIDE[1]


def _moved(place: BarPlace, dx: int, dy: int) -> BarPlace | None:
    if not all(_inside(cell, dx, dy) for cell in place.cells):
        return None
    return place_at(place.cell + dx + 3 * dy, place.direction)
