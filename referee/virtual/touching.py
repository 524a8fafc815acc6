"""Plans what hands do on a table: from one observation to another, one touch at a time; rules play no part.

A touch is one visit of a hand to a place. Only the kind knows what can be touched, and in which order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from calibration.table import TableSetup
from referee.games.contract import RequestError
from referee.kinds import platform
from referee.values.board import BoardError, Field
from referee.values.kit import Kit

OVER_MM = 16.0
"""Height of fingers above what they touch."""


@dataclass(frozen=True, slots=True)
class Touch:
    """lying: what lies on the table afterwards. x_mm, y_mm, z_mm: where the fingers were, the board not turned."""

    lying: str
    x_mm: float
    y_mm: float
    z_mm: float


class VirtualKind(Protocol):
    """A kind's module ``virtual``. Texts are as formats write them; BoardError and ValueError say what is wrong."""

    PLACES: Mapping[str, tuple[float, float]]
    """Azimuth and elevation from which each camera looks, degrees."""
    TOP_MM: float
    """Usual height of what stands on the table, which pictures must show."""

    def laid(self, game: str, preset: Any, cameras: Sequence[str]) -> dict[str, object]:
        """Return the contents of the ``table.json`` of a virtual table with a preset's sizes."""

    def touches(self, before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
        """Return what hands do between two observations."""

    def acted(self, lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
        """Return what lies there after one act of a person. Raises RequestError where hands can't do it."""

    def toppled(self, lying: str, table: TableSetup, kit: Kit, field: Field) -> str:
        """Return what lies there once what stands on a field is knocked over."""

    def tallest(self, lying: str, table: TableSetup, kit: Kit) -> Field:
        """Return where most stands."""


def virtual_kind(kit: Kit) -> VirtualKind:
    """Return the module of a kit's kind that knows its hands. Raises KindError where there is none."""
    found: Any = platform(kit.kind, "virtual")
    made: VirtualKind = found
    return made


def touches(before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
    """Return what hands do between two observations. Raises RequestError for a text that is none of this table."""
    try:
        return virtual_kind(kit).touches(before, after, table, kit)
    except (BoardError, ValueError) as error:
        raise RequestError("board", str(error)) from error


def acted(lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
    """Return what lies there after one act of a person. Raises RequestError where hands can't do it.

    act: ``do`` and what it needs, as the kind has it.
    """
    try:
        return virtual_kind(kit).acted(lying, act, table, kit)
    except (BoardError, ValueError) as error:
        raise RequestError("act", str(error)) from error
