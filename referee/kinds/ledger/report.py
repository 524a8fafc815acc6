"""Ledgers in reports: told in words, nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calibration.table import TableSetup
from referee.games.contract import Act, Game, Observation, Position
from referee.match.events import ReadingMade
from referee.report.kind import GroundPlan
from referee.values.declaring import Declared
from referee.values.kit import Kit, PieceKind
from referee.values.words import Words, verbatim

SURENESS = verbatim("")
HIGHEST = verbatim("")
LEGEND: Words | None = None


def drawing(
    text: str, like: Observation, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]
) -> str:
    """Draw nothing."""
    return ""


def places(text: str, like: Observation, kit: Kit) -> Mapping[str, str]:
    """Return no place: a ledger has none."""
    return {}


def plan(like: Observation, kit: Kit) -> GroundPlan | None:
    """Return no plan."""
    return None


def pieces(texts: Sequence[str], kit: Kit) -> tuple[PieceKind, ...]:
    """Return the kit's pieces."""
    return kit.pieces


def shown(text: str, letters: Mapping[str, str]) -> str:
    """Return the text as it is."""
    return text


def sureness(reading: ReadingMade, like: Observation) -> Mapping[str, float]:
    """Return nothing: what is on a mat is told or not."""
    return {}


def highest(before: str, after: str, like: Observation, kit: Kit) -> int:
    """Return 0: nothing is built."""
    return 0


def heights(texts: Sequence[str], like: Observation) -> tuple[tuple[Words, list[int]], ...]:
    """Return no lines: nothing is built."""
    return ()


def near(game: Game[Any], before: Position, text: str, acts: Sequence[Act], declared: Declared) -> Iterable[str]:
    """Return nothing: a ledger's turns have no nearest."""
    return ()


def drawer(game: Game[Any], before: Position, reading: ReadingMade, table: TableSetup) -> None:
    """Return nothing: a mat's readings are not drawn."""
    return
