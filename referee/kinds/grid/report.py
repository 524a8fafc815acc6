"""Boards of stacks in reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.games.answers import Effort
from referee.games.contract import Act, AnyGame, Position
from referee.kinds.grid.drawing import board_svg
from referee.kinds.grid.judging.explaining import weigh
from referee.match.events import ReadingMade
from referee.match.standing import board_of
from referee.report.kind import GroundPlan
from referee.values.belief import BoardBelief, posterior
from referee.values.board import Board, Field
from referee.values.declaring import Declared
from referee.values.kit import Kit, PieceKind
from referee.values.partial import PartialBoard
from referee.values.words import Words, say
from vision.explain import overlay
from vision.geometry.view import View
from vision.reading import CameraView, Reading

SURENESS = say(
    "Drawn on the pictures is what was read then: on each stack its height, and the letter of its piece. Blue is at "
    "least 99 % sure, orange 90 %, magenta is left open and names the two likeliest heights, grey is out of this "
    "camera’s sight."
)
HIGHEST = say("highest stack")
LEGEND: Words | None = say("The number on a field is the height of its stack.")
MOST_LETTERS = 2
TOWER = 2
"""Stones from which on a stack is a tower."""
_LEVEL_NATS, _PIECE_NATS = 1.2, 2.0
"""A level more or less, and another piece, on one field: so that a turn some fields away is still found."""
_LEVELS = 10
"""Heights that are distinguished at least; a higher stack has as many more."""
_EFFORT = Effort(breach_nats=5.0, near_nats=16.0, most_tests=200, most_states=120_000)


def drawing(text: str, like: Board, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]) -> str:
    """Draw a board as SVG. Raises BoardError for a text of another size."""
    return board_svg(text, like, kit, frames, title, shown)


def places(text: str, like: Board, kit: Kit) -> Mapping[str, str]:
    """Return each field's height and piece."""
    rows, columns = like.heights.shape
    return _places(text, rows, columns, like.letters)


@lru_cache(maxsize=16)
def _places(text: str, rows: int, columns: int, letters: str) -> Mapping[str, str]:
    """Return each field's height and piece; of a whole game each board is asked for as a turn's end and beginning."""
    return {
        place.name: ("?" if height is None else str(height)) + ("?" if letter is None else letter)
        for place, height, letter in PartialBoard.parse(text, rows, columns, letters).fields()
    }


def plan(like: Board, kit: Kit) -> GroundPlan | None:
    """Return the board's plan."""
    rows, columns = like.heights.shape
    return GroundPlan(rows, columns, "A")


def pieces(texts: Sequence[str], kit: Kit) -> tuple[PieceKind, ...]:
    """Return the pieces that stand on the boards."""
    standing = set().union(*texts)
    return tuple(one for one in kit.pieces if one.letter in standing)


def shown(text: str, letters: Mapping[str, str]) -> str:
    """Return a field's text, ``2g`` in a board text, with the letters shown."""
    letter = text[-1:]
    if len(text) < MOST_LETTERS or not letter.isalpha():
        return text
    return text[:-1] + letters.get(letter, letter)


def sureness(reading: ReadingMade, like: Board) -> Mapping[str, float]:
    """Return how surely each field was read."""
    rows, columns = like.heights.shape
    return {
        Field(rows - 1 - row, col).name: p
        for row, line in enumerate(reading.confidence[:rows])
        for col, p in enumerate(line[:columns])
    }


def highest(before: str, after: str, like: Board, kit: Kit) -> int:
    """Return the highest stack that a turn built or climbed."""
    was, now = places(before, like, kit), places(after, like, kit)
    changed = [text for name, text in now.items() if text != was[name] and "?" not in text]
    return max((int(text.rstrip(like.letters)) for text in changed), default=0)


def heights(texts: Sequence[str], like: Board) -> tuple[tuple[Words, list[int]], ...]:
    """Return the tallest stack and the number of towers after each turn; nothing where a board is not told."""
    boards = [like.like(text).heights for text in texts if not set(text) & set("?~")]
    if len(boards) != len(texts):
        return ()
    return (
        (say("tallest stack"), [int(board.max()) for board in boards]),
        (say("stacks of two or more"), [int((board >= TOWER).sum()) for board in boards]),
    )


def near(game: AnyGame, before: Position, text: str, acts: Sequence[Act], declared: Declared) -> Iterable[str]:
    """Return the boards of legal turns that explain best a very sharp picture of this board."""
    weighed = weigh(game, before, _sharp(board_of(before).like(text)), _EFFORT, declared)
    return [one.board.text for one in weighed.explanations if not one.rules]


def _sharp(board: Board) -> BoardBelief:
    """Return the belief of somebody who sees a board and takes every other for less likely, field by field."""
    rows, columns = board.heights.shape
    levels = np.arange(max(_LEVELS, int(board.heights.max()) + 3))
    stacks = -_LEVEL_NATS * np.abs(levels[None, None, :] - board.heights[..., None])
    flags = np.where(np.arange(len(board.letters) + 1)[None, None, :] == board.flags[..., None], 0.0, -_PIECE_NATS)
    return BoardBelief(stacks.reshape(rows, columns, -1), flags, board.letters)


def drawer(
    game: AnyGame, before: Position, reading: ReadingMade, table: TableSetup
) -> Callable[[View], NDArray[np.uint8]]:
    """Return what draws heights, pieces and their sureness on a view."""
    belief = posterior(reading.unpacked_belief(board_of(before).letters), game.prior_after(before))
    read = _as_read(reading, belief)
    return lambda view: overlay(view, table, read, belief)


def _as_read(made: ReadingMade, belief: BoardBelief) -> Reading:
    """Return the reading of a journal as the reader gave it."""
    cameras = {note.name: CameraView(note.markers, note.reprojection_px, note.problem) for note in made.cameras}
    confidence = np.array(made.confidence, np.float64)[::-1] if made.confidence else np.zeros((0, 0))
    stones = dict(made.tracks)
    return Reading(belief, made.text, confidence, stones, made.clear, made.blocked, cameras, made.duration_ms)
