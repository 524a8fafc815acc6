"""What stands on the table, drawn by its kind: stacks on a grid or a tower of bars. A ledger is told in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.contract import Observation
from referee.report.blocks import Figure, Translator
from referee.report.boarddrawing import board_svg
from referee.report.pieceletters import piece_letters
from referee.report.towerdrawing import levels_of, tower_svg
from referee.values.board import Board
from referee.values.kit import Kit
from referee.values.partial import PartialBoard
from referee.values.words import Words

EMPTY = "."
"""A cell of a tower in which nothing lies."""


def drawing_of(text: str, like: Observation, kit: Kit, frames: Mapping[str, str], title: str, t: Translator) -> str:
    """An observation as SVG, empty for a kind that is told in words.

    like: an observation of the same game. frames: name of a field or cell and how it is framed. title: what the
    drawing shows, for those who hear it. t: of the language whose letters the pieces have.
    Raises BoardError for a text of another size.
    """
    if isinstance(like, Board):
        return board_svg(text, like, kit, frames, title, piece_letters(kit, t))
    return tower_svg(text, kit, frames, title, piece_letters(kit, t)) if kit.kind == "tower" else ""


def figure_of(text: str, like: Observation, kit: Kit, frames: Mapping[str, str], caption: Words) -> Figure:
    """An observation as a figure: drawn, or told in lines where its kind is. Arguments as for ``drawing_of``."""
    if not isinstance(like, Board) and kit.kind != "tower":
        return Figure((caption,), text=told_text(text))
    return Figure((caption,), drawing=lambda t: drawing_of(text, like, kit, frames, t(caption), t))


def told_text(text: str) -> str:
    """An observation that is not drawn, in lines."""
    return "\n".join(part.strip() for part in text.split("|"))


def changed_places(before: str, after: str, like: Observation, kit: Kit) -> tuple[tuple[str, str, str], ...]:
    """Name of each field or cell that differs, and what stood and stands there; nothing for a ledger."""
    if isinstance(like, Board):
        return tuple(_differing(_fields(before, like), _fields(after, like)))
    if kit.kind == "tower":
        return tuple(_differing(cells_of(before, kit), cells_of(after, kit)))
    return ()


def _differing(was: Mapping[str, str], now: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    for name in dict.fromkeys((*was, *now)):
        old, new = was.get(name, EMPTY), now.get(name, EMPTY)
        if old != new:
            yield name, old, new


def _fields(text: str, like: Board) -> dict[str, str]:
    rows, columns = like.heights.shape
    return {
        place.name: ("?" if height is None else str(height)) + ("?" if letter is None else letter)
        for place, height, letter in PartialBoard.parse(text, rows, columns, like.letters).fields()
    }


def cells_of(text: str, kit: Kit) -> dict[str, str]:
    """Name of each cell of a tower text and its sign."""
    return {
        f"{chr(ord('a') + number % kit.columns)}{kit.rows - number // kit.columns}.{level}": sign
        for level, cells in enumerate(levels_of(text), 1)
        for number, sign in enumerate(cells)
    }


def tower_text(cells: Mapping[str, str], kit: Kit) -> str:
    """The tower text with these cells; what is not named is empty."""
    tallest = max((int(name.split(".")[1]) for name, sign in cells.items() if sign != EMPTY), default=0)
    return "/".join(
        "".join(
            cells.get(f"{chr(ord('a') + column)}{row}.{level}", EMPTY)
            for row in range(kit.rows, 0, -1)
            for column in range(kit.columns)
        )
        for level in range(1, tallest + 1)
    )
