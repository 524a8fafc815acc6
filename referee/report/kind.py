"""The reports' contract with a kind of observation: drawings, names of places, and figures over a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.games.contract import Act, AnyGame, Position
from referee.kinds import has_platform, platform
from referee.match.events import ReadingMade
from referee.values.declaring import Declared
from referee.values.kit import Kit, PieceKind
from referee.values.words import Words, verbatim
from vision.geometry.view import View

Picture = NDArray[np.uint8]
"""(height, width, 3) BGR."""


@dataclass(frozen=True, slots=True)
class GroundPlan:
    """Rows and columns of a drawing seen from above; ``first`` is the letter of the first column."""

    rows: int
    columns: int
    first: str


class ReportKind(Protocol):
    """A kind's module ``report``. ``like`` is an observation of the same game; texts are as formats write them."""

    SURENESS: Words
    """The sentence on what is drawn on pictures, and what its colours mean."""
    HIGHEST: Words
    """The name of what ``highest`` counts."""
    LEGEND: Words | None
    """The meaning of a number in a drawing; ``None`` where there is none."""

    def drawing(
        self, text: str, like: Any, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]
    ) -> str:
        """Draw an observation as SVG; empty where it is told in words.

        frames: name of a place and how it is framed. shown: the letters shown for those of the text.
        """

    def places(self, text: str, like: Any, kit: Kit) -> Mapping[str, str]:
        """Return the name of each place and what stands there; empty for what has no places."""

    def plan(self, like: Any, kit: Kit) -> GroundPlan | None:
        """Return the plan on which changes are counted; ``None`` where there is none."""

    def pieces(self, texts: Sequence[str], kit: Kit) -> tuple[PieceKind, ...]:
        """Return the pieces of which a legend must tell the letter."""

    def shown(self, text: str, letters: Mapping[str, str]) -> str:
        """Return what stands on one place with the letters shown."""

    def sureness(self, reading: ReadingMade, like: Any) -> Mapping[str, float]:
        """Return how surely each place was read, as far as that is known place by place."""

    def highest(self, before: str, after: str, like: Any, kit: Kit) -> int:
        """Return the highest that a turn built or climbed; 0 where nothing is told."""

    def heights(self, texts: Sequence[str], like: Any) -> tuple[tuple[Words, list[int]], ...]:
        """Return what is drawn of heights over the turns: lines with their names, a value a turn."""

    def near(
        self, game: AnyGame, before: Position, text: str, acts: Sequence[Act], declared: Declared
    ) -> Iterable[str]:
        """Return observations near one that no legal turn explains, which a legal turn may lead to."""

    def drawer(
        self, game: AnyGame, before: Position, reading: ReadingMade, table: TableSetup
    ) -> Callable[[View], Picture] | None:
        """Return what draws a reading on a view; ``None`` for what can't be drawn. Raises ValueError."""


class PlainReport:
    """Reports of a kind in words: nothing is drawn or counted."""

    SURENESS = verbatim("")
    HIGHEST = verbatim("")
    LEGEND: Words | None = None

    def drawing(
        self, text: str, like: Any, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]
    ) -> str:
        """Draw nothing."""
        return ""

    def places(self, text: str, like: Any, kit: Kit) -> Mapping[str, str]:
        """Return no place."""
        return {}

    def plan(self, like: Any, kit: Kit) -> GroundPlan | None:
        """Return no plan."""
        return None

    def pieces(self, texts: Sequence[str], kit: Kit) -> tuple[PieceKind, ...]:
        """Return the kit's pieces."""
        return kit.pieces

    def shown(self, text: str, letters: Mapping[str, str]) -> str:
        """Return the text as it is."""
        return text

    def sureness(self, reading: ReadingMade, like: Any) -> Mapping[str, float]:
        """Return nothing: what is read is told or not."""
        return {}

    def highest(self, before: str, after: str, like: Any, kit: Kit) -> int:
        """Return 0: nothing is built."""
        return 0

    def heights(self, texts: Sequence[str], like: Any) -> tuple[tuple[Words, list[int]], ...]:
        """Return no lines: nothing is built."""
        return ()

    def near(
        self, game: AnyGame, before: Position, text: str, acts: Sequence[Act], declared: Declared
    ) -> Iterable[str]:
        """Return nothing: what is told in words has nothing near it."""
        return ()

    def drawer(self, game: AnyGame, before: Position, reading: ReadingMade, table: TableSetup) -> None:
        """Return nothing: readings are not drawn."""
        return


PLAIN = PlainReport()


def report_kind(kit: Kit) -> ReportKind:
    """Return the module of a kit's kind that serves reports; ``PLAIN`` for a kind that has none."""
    found: Any = platform(kit.kind, "report") if has_platform(kit.kind, "report") else PLAIN
    made: ReportKind = found
    return made
