"""What ``referee new`` asks of a kind of observation: a table's sizes, as ``table.json`` has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import click

from calibration.table import TableSetup
from referee.cli.answers import SizeAnswers, Sizes
from referee.kinds import platform
from referee.values.kit import Kit

BOARD = click.Option(["--board"], type=Sizes(2), help="The board's outer width and depth (H x I).")
"""An option of every kind that has a board."""


class TableKind(Protocol):
    """A kind's module ``table``. start: a preset of the kind."""

    OPTIONS: Sequence[click.Option]
    """Options for a table's sizes; options that several kinds have under one name are the same."""

    def is_measured(self, start: Any) -> bool:
        """Return whether such a table has sizes; else it has no cameras either."""

    def measured(self, game: str, start: Any, answers: SizeAnswers) -> dict[str, object]:
        """Return the contents of ``table.json``. Raises CalibrationError for sizes that don't fit each other."""

    def last_step(self, table: TableSetup, folder: Path) -> str:
        """Return what is done with a table whose cameras are calibrated, as Markdown that goes on with the line."""


def table_kind(kit: Kit) -> TableKind:
    """Return the module of a kit's kind that knows its tables."""
    return kind_named(kit.kind)


def bare_data(kit: Kit, start: Any, framed: Mapping[str, object]) -> dict[str, object] | None:
    """Return a preset's ``table.json`` for a board that is its own frame; ``None`` where its kind has none.

    A kind whose boards are found without a frame has ``bare`` in its module ``table``.
    """
    made = getattr(table_kind(kit), "bare", None)
    found: dict[str, object] | None = None if made is None else made(start, framed)
    return found


def box_picture(kit: Kit, start: Any) -> str:
    """Return a small picture of what a preset's box holds, as SVG; empty where its kind draws none.

    A kind that draws one has ``picture`` in its module ``table``.
    """
    made = getattr(table_kind(kit), "picture", None)
    found: str = "" if made is None else made(kit, start)
    return found


def kind_named(kind: str) -> TableKind:
    """Return the module of a kind that knows its tables. Raises KindError."""
    found: Any = platform(kind, "table")
    made: TableKind = found
    return made


def check_step(table: TableSetup, folder: Path) -> str:
    """Return the last step where the set-up is looked at once."""
    name = folder.name or str(folder)
    images = " ".join(f"--image {camera}={camera}.jpg" for camera in table.prepared)
    return (
        "**Check**: set the game up, take one picture with every camera, then\n"
        f"   `referee calibrate check --table {name} {images}`."
    )
