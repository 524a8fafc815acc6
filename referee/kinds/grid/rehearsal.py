"""Rehearse a table with a board of stacks: tasks from its geometry and game, and what each look tells of them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.addons.rehearsals.rehearser import LookTold
from referee.addons.rehearsals.tally import LIMITS_PX, Composition, Counts, Ease, Eyes, LookTally
from referee.addons.rehearsals.tasks import RehearsalTask
from referee.games.contract import AnyGame
from referee.kinds.grid.tasks import Ground, as_it_stands, next_task
from referee.match.standing import board_of
from referee.session.capture import Pictures
from referee.values.belief import Prior
from referee.values.board import Board, Field
from referee.values.partial import UNKNOWN, PartialBoard
from vision.assessment.legibility import LEAST_PX, Eye, Legibility, best_seen_px, legibility, played_boards
from vision.geometry.view import View, camera_of, roams
from vision.posefinder import PoseFinder
from vision.reader import TableReader


class GridRehearser:
    """Rehearse one table. One thread calls."""

    def __init__(self, game: AnyGame, reader: TableReader, said: Mapping[str, object]) -> None:
        """Take a game and what reads its table. said: what is known of the game, as ``initial_prior`` takes it.

        Raises RequestError where that contradicts itself.
        """
        self._game, self._reader = game, reader
        choices = game.choices()
        seats = {place.id: colour.word for place, colour in zip(choices.places, choices.colours, strict=False)}
        start = board_of(game.new_game({"edition": choices.editions[0].choice.id, "seats": seats}))
        self._start = Board(start.heights, np.zeros_like(start.flags), start.letters)
        shape = reader.table.rows, reader.table.columns
        self._expect: Prior | None = game.initial_prior(said, shape) if said else None
        self._ground: Ground | None = None
        self._usual: dict[Eyes, tuple[Composition, ...]] = {}

    @property
    def usual(self) -> Mapping[Eyes, tuple[Composition, ...]]:
        """Return how well the eyes of the looks so far see the fields of boards such as play makes."""
        return self._usual

    def first(self) -> RehearsalTask:
        """Return the first task."""
        return as_it_stands(self._ground or self._ground_of(()))

    def following(self, asked: str, number: int, seed: int) -> RehearsalTask:
        """Return the task with that number, which changes what was asked before."""
        ground = self._ground or self._ground_of(())
        return next_task(ground, self._board(asked), number, seed)

    def told(self, pictures: Pictures, asked: str, since: str | None) -> LookTold:
        """Return what a look at the board that was asked for tells, by the eyes that may have seen it.

        since: the board of the look before; fields that are as they were there, with all around them, don't count.
        """
        board = self._board(asked)
        fresh = np.ones(board.heights.shape, np.bool_) if since is None else changed_around(self._board(since), board)
        reading = self._reader.read(pictures, self._expect)
        views, _ = self._reader.views(pictures)
        if self._ground is None and views:
            self._ground = self._ground_of(views)
        tallies = {}
        for key, names in _eyes(pictures):
            some = reading if len(names) == len(pictures) else self._reader.read(_only(pictures, names), self._expect)
            if not some.lost:
                seen = [view for view in views if view.camera in names]
                tallies[key] = self._tally(board, some.text, seen, fresh)
                if key not in self._usual:
                    self._usual[key] = self._compositions(seen)
        return LookTold(tallies, reading.clear and not reading.lost, tuple(views))

    def _board(self, text: str) -> Board:
        rows, cols = self._start.heights.shape
        return Board.parse(text, rows, cols, self._start.letters)

    def _tally(self, board: Board, text: str, views: Sequence[View], fresh: NDArray[np.bool_]) -> LookTally:
        rows, cols = board.heights.shape
        told = PartialBoard.parse(text, rows, cols, board.letters)
        return compared(board, told, ease(self._px(views, board.heights)), fresh)

    def _px(self, views: Sequence[View], heights: NDArray[np.int8]) -> NDArray[np.float64]:
        return best_seen_px([Eye(view.lens, view.pose) for view in views], heights, self._reader.table)

    def _compositions(self, views: Sequence[View]) -> tuple[Composition, ...]:
        boards = [ease(self._px(views, board)) for board in played_boards(self._start.heights)]
        return tuple(tuple(round(float((board == each).mean()), 4) for each in Ease) for board in boards)

    def _ground_of(self, views: Sequence[View]) -> Ground:
        """Return what is known of the table from where it is looked at; without views no field is harder."""
        shape = self._start.heights.shape
        found = Legibility(np.full((1, *shape), np.inf), np.zeros(shape))
        if views:
            eyes = [Eye(view.lens, view.pose) for view in views]
            found = legibility(eyes, self._reader.table, self._start.heights)
        return Ground(
            self._game.kit, found.hidden, found.best_px, lambda heights: self._px(views, heights) >= LEAST_PX,
            self._start, np.ones(shape, np.bool_),
        )  # fmt: skip


def ease(best_px: NDArray[np.float64]) -> NDArray[np.int_]:
    """Return how well fields are seen, (rows, cols) of Ease. best_px: pixels a level of the best camera for each."""
    return np.searchsorted(np.array(LIMITS_PX), best_px, side="right")


def changed_around(before: Board, after: Board) -> NDArray[np.bool_]:
    """Return the fields (rows, cols) on or beside which something changed between two boards."""
    changed = (before.heights != after.heights) | (before.flags != after.flags)
    wide = np.pad(changed, 1)
    rows, cols = changed.shape
    around = [wide[row : row + rows, col : col + cols] for row in range(3) for col in range(3)]
    return np.asarray(np.any(around, axis=0), np.bool_)


def compared(
    asked: Board, told: PartialBoard, seen: NDArray[np.int_], counts: NDArray[np.bool_] | None = None
) -> LookTally:
    """Compare what is told of a board with what stands there: a field is right when its stack and its piece are.

    seen: (rows, cols) how well, of Ease. counts: (rows, cols) which fields do, all where not given.
    """
    which = np.ones(seen.shape, np.bool_) if counts is None else counts
    heights, pieces = told.heights, told.pieces
    wrong = (heights != asked.heights) & (heights != UNKNOWN) | (pieces != asked.flags) & (pieces != UNKNOWN)
    left_open = ((heights == UNKNOWN) | (pieces == UNKNOWN)) & ~wrong
    parts = tuple(_counts(wrong[which & (seen == each)], left_open[which & (seen == each)]) for each in Ease)
    return LookTally(parts, _fields(wrong & which), _fields(left_open & which))


def _counts(wrong: NDArray[np.bool_], left_open: NDArray[np.bool_]) -> Counts:
    bad, unknown = int(wrong.sum()), int(left_open.sum())
    return Counts(wrong.size - bad - unknown, bad, unknown)


def _fields(mask: NDArray[np.bool_]) -> tuple[Field, ...]:
    return tuple(Field(int(row), int(col)) for row, col in np.argwhere(mask))


def _eyes(pictures: Pictures) -> list[tuple[Eyes, tuple[str, ...]]]:
    """Return every choice of eyes that is reported: cameras and views a look, with the names of the pictures.

    The first are all. Of a camera in a hand the first view, the first two and so on; of others each by itself.
    """
    fixed = tuple(name for name in pictures if not roams(name))
    views = tuple(name for name in pictures if roams(name))
    held = tuple(dict.fromkeys(map(camera_of, views)))
    found = [(((*fixed, *held), count), (*fixed, *views[:count])) for count in range(len(views), 0, -1)]
    if fixed:
        found.append(((fixed, 0), fixed))
    if len(fixed) > 1:
        found += [(((name,), 0), (name,)) for name in fixed]
    return found


def _only(pictures: Pictures, names: Sequence[str]) -> Pictures:
    return dict(itertools.compress(pictures.items(), [name in names for name in pictures]))


def rehearser(game: AnyGame, reader: PoseFinder, said: Mapping[str, object]) -> GridRehearser:
    """Return what rehearses a table. Raises RequestError where what is said of the game contradicts itself."""
    assert isinstance(reader, TableReader)
    return GridRehearser(game, reader, said)
