"""The self-test of a table with a board of stacks: the set-up as read against the rules', and what is hidden."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.certificate.figures import SetupFigures, SightFigures
from referee.certificate.judge import judge
from referee.certificate.values import Certificate
from referee.daemon.tablecheck import TableSeen, camera_figures
from referee.games.contract import AnyGame, RequestError
from referee.values.belief import log_probabilities
from referee.values.board import Board, Field
from referee.values.words import say, verbatim
from vision.assessment.legibility import Eye, legibility
from vision.assessment.vantage import best_vantage, looking_at_the_middle
from vision.heights.decode import TOLD, TOLD_FLAG
from vision.reader import TableReader
from vision.reading import Reading


def certificate(seen: TableSeen) -> Certificate:
    """Return the certificate of a table. Raises RequestError where what is said of the game contradicts itself."""
    game, reader, table = seen.game, seen.reader, seen.reader.table
    assert isinstance(reader, TableReader)
    if not seen.views:
        setup = SetupFigures(table.rows * table.columns, problem=say("no camera sees the frame"))
        return judge(seen.figures(seen.lost, setup), None)
    reading = reader.read({view.camera: view.picture_bgr for view in seen.views})
    board = reading.belief.likeliest
    words = [piece.word for piece in game.kit.pieces]
    setup, expected = _setup(game, reading, board, seen.said)
    eyes = [Eye(view.lens, view.pose) for view in seen.views]
    cameras = [*seen.lost, *(camera_figures(view, table, board, expected, words) for view in seen.views)]
    return judge(seen.figures(cameras, setup), _sight(eyes, table, expected))


def _setup(
    game: AnyGame, reading: Reading, board: Board, said: Mapping[str, object]
) -> tuple[SetupFigures, NDArray[np.int8]]:
    """Compare the set-up as read with the rules'. Return the figures and the heights of the rules' set-up.

    Where the rules' set-up is not known, the heights are those read. Raises RequestError for a wrong ``said``.
    """
    fields = board.heights.size
    doubtful = _doubtful(reading)
    try:
        position = game.infer_setup(said, board)
    except RequestError as error:
        if said:
            raise
        return SetupFigures(fields, doubtful, problem=verbatim(str(error))), board.heights
    # A height that can't be told is no difference; a flag that can't be told is counted as it looks.
    heights = board.heights.copy()
    for place in doubtful:
        heights[place] = position.observed.heights[place]
    differences = game.setup_differences(position, Board(heights, board.flags, board.letters))
    told = tuple((each.fields, each.words) for each in differences)
    return SetupFigures(fields, doubtful, told, reading.clear), position.observed.heights


def _doubtful(reading: Reading) -> tuple[Field, ...]:
    height = np.exp(log_probabilities(reading.belief.heights)).max(axis=2)
    flag = np.exp(log_probabilities(reading.belief.flags)).max(axis=2)
    return tuple(Field(int(row), int(col)) for row, col in np.argwhere((height < TOLD) | (flag < TOLD_FLAG)))


def _sight(eyes: list[Eye], table: TableSetup, expected: NDArray[np.int8]) -> SightFigures:
    now = legibility(eyes, table, expected)
    extra = best_vantage(eyes, table, expected)
    at, after = None, now.fields_hidden
    if extra is not None:
        centre = looking_at_the_middle(extra.azimuth_deg, extra.elevation_deg, extra.distance_mm).centre_mm
        at, after = (float(centre[0]), float(centre[1]), float(centre[2])), extra.after
    return SightFigures(_rows(now.best_px), _rows(now.hidden), at, after)


def _rows(grid: NDArray[np.float64]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(value), 3) for value in row) for row in grid)
