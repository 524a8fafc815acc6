"""What hands do at the virtual table: they turn cups over, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.table import TableSetup
from cups.observation import DOWN, UP, Row, number_of
from cups.presets import RowPreset
from cups.table import table_data
from referee.games.contract import RequestError
from referee.values.board import Field
from referee.values.kit import Kit
from referee.virtual.touching import Touch

PLACES = {"left": (-110.0, 62.0), "right": (-70.0, 58.0)}
"""Azimuth and elevation from which each camera looks, degrees: high, to see into the cups."""
TOP_MM = 90.0


def laid(game: str, preset: RowPreset, cameras: Sequence[str]) -> dict[str, object]:
    """Return the contents of a virtual table's ``table.json``."""
    return table_data(game, preset.cup_mm, preset.pitch_mm, cameras)


def touches(before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
    """Return the cups that are turned over, from left to right. Raises ValueError for what is no row."""
    now, wanted, found = list(Row.parse(before, kit.columns).text), Row.parse(after, kit.columns).text, []
    for number, sign in enumerate(wanted):
        if now[number] != sign:
            now[number] = sign
            found.append(Touch("".join(now), *table.centre_mm(0, number), table.cube_mm[2]))
    return found


def acted(lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
    """Return the row once the cup on ``field`` is turned over. Raises RequestError, ValueError."""
    number = number_of(act.get("field"), kit.columns)
    if act.get("do") != "turn over":
        raise RequestError("act", "hands turn a cup over: {'do': 'turn over', 'field': 'C1'}")
    return lying[:number] + (DOWN if lying[number] == UP else UP) + lying[number + 1 :]


def toppled(lying: str, table: TableSetup, kit: Kit, field: Field) -> str:
    """Return the row once a cup was knocked over and put up again mouth down."""
    return lying[: field.col] + DOWN + lying[field.col + 1 :]


def tallest(lying: str, table: TableSetup, kit: Kit) -> Field:
    """Return the first cup that stands mouth up, which falls most easily."""
    return Field(0, max(lying.find(UP), 0))
