"""The words on the printed sheets, given by whoever prints them, in one language."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.table import TableSetup


@dataclass(frozen=True, slots=True)
class SheetTexts:
    """Texts of the printed sheets, in the order of the attributes.

    They are: title and steps of the instruction page; what stands beside the ruler; heads of the frame's and the
    target's pages; on a piece's tab, before the next piece's number; on a piece, at the place of the board's corner;
    under the drawing of the frame; below the target.
    """

    title: str
    steps: tuple[tuple[str, str], ...]
    ruler: str
    frame_head: str
    target_head: str
    tab: str
    corner: str
    drawing: str
    board: str
    target_note: str


def needs_target(table: TableSetup) -> bool:
    """Return whether lenses are solved from the printed target: phones in a hand find theirs by themselves."""
    return set(table.cameras) != set(table.held)
