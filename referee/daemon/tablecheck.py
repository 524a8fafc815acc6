"""The self-test of a table with the set-up standing: pictures in, certificate out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup
from referee.certificate.figures import CameraFigures, LostCamera, SetupFigures, SightFigures, TableFigures
from referee.certificate.judge import judge
from referee.certificate.mats import judge_mat
from referee.certificate.towers import judge_tower
from referee.certificate.values import Certificate
from referee.daemon.matcheck import mat_figures
from referee.daemon.towercheck import tower_figures
from referee.games.contract import Game, RequestError
from referee.values.belief import log_probabilities
from referee.values.board import Board, Field
from referee.values.words import Words, say, verbatim
from vision.assessment.legibility import Eye, legibility, px_per_level
from vision.assessment.selftest import picture_health
from vision.assessment.vantage import best_vantage, looking_at_the_middle
from vision.geometry.view import View
from vision.heights.decode import TOLD, TOLD_FLAG
from vision.posefinder import PoseFinder
from vision.reader import TableReader
from vision.reading import Reading

_LOW_PERCENTILE = 5.0


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and where a check is made. table: the folder's name. made_at: local date and time, ISO 8601."""

    table: str
    made_at: str


def certify(
    game: Game[Any],
    reader: TableReader,
    pictures: Mapping[str, NDArray[np.uint8]],
    said: Mapping[str, object],
    occasion: Occasion,
) -> Certificate:
    """Check a table on one look at the set-up.

    pictures: camera to (h, w, 3) BGR; cameras of the table without one count as lost. said: what is known of the game
    (edition, seats, variants, ...), as ``Game.opening`` takes it. Raises RequestError where that contradicts itself.
    """
    table = reader.table
    seen, cameras = _views(reader, pictures)
    if table.die_mm is not None:
        mat = mat_figures(seen, table, reader.folder, table.die_mm)
        return judge_mat(_figures(occasion, game, table, _unstood(seen, cameras, table), SetupFigures(0)), mat)
    usable = {view.camera: pictures[view.camera] for view in seen}
    if table.tower is not None:
        return _tower_certificate(game, table, seen, cameras, said, occasion)
    if not usable:
        setup = SetupFigures(table.rows * table.columns, problem=say("no camera sees the frame"))
        return judge(_figures(occasion, game, table, cameras, setup), None)
    reading = reader.read(usable)
    board = reading.belief.likeliest
    words = [piece.word for piece in game.kit.pieces]
    setup, expected = _setup(game, reading, board, said)
    eyes = [Eye(view.lens, view.pose) for view in seen]
    cameras += [camera_figures(view, table, board, expected, words) for view in seen]
    order = {name: place for place, name in enumerate(table.cameras)}
    cameras.sort(key=lambda each: order[each.name])
    sight = _sight(eyes, table, expected)
    return judge(_figures(occasion, game, table, cameras, setup), sight)


def _tower_certificate(
    game: Game[Any],
    table: TableSetup,
    seen: Sequence[View],
    lost: Sequence[CameraFigures | LostCamera],
    said: Mapping[str, object],
    occasion: Occasion,
) -> Certificate:
    """Check a table on which a tower is built."""
    setup, tower = SetupFigures(1, problem=say("no camera sees the frame")), None
    if seen:
        setup, tower = tower_figures(game, seen, table, said)
    return judge_tower(_figures(occasion, game, table, _unstood(seen, lost, table), setup), tower)


def _unstood(
    seen: Sequence[View], lost: Sequence[CameraFigures | LostCamera], table: TableSetup
) -> list[CameraFigures | LostCamera]:
    """Every camera's figures where nothing stands on fields."""
    none = np.zeros((table.rows, table.columns), np.int8)
    cameras = [*lost, *(camera_figures(view, table, Board(none, none, ""), none, ()) for view in seen)]
    return sorted(cameras, key=lambda each: table.cameras.index(each.name))


def _figures(
    occasion: Occasion,
    game: Game[Any],
    table: TableSetup,
    cameras: Sequence[CameraFigures | LostCamera],
    setup: SetupFigures,
) -> TableFigures:
    return TableFigures(occasion.table, game.title, occasion.made_at, table.half_size_mm, tuple(cameras), setup)


def _views(
    reader: TableReader, pictures: Mapping[str, NDArray[np.uint8]]
) -> tuple[list[View], list[CameraFigures | LostCamera]]:
    """The cameras that can be used, and the others with their trouble."""
    views: list[View] = []
    lost: list[CameraFigures | LostCamera] = []
    for camera in reader.table.cameras:
        picture = pictures.get(camera)
        if picture is None:
            lost.append(LostCamera(camera, (0, 0), say("no picture of it was given")))
            continue
        size = int(picture.shape[1]), int(picture.shape[0])
        try:
            found, cameras = PoseFinder.views(reader, {camera: picture})  # a grey picture is judged with the others
        except CalibrationError as error:
            lost.append(LostCamera(camera, size, verbatim(str(error))))
            continue
        views += found
        if not found:
            lost.append(LostCamera(camera, size, _lost_words(cameras[camera].markers, reader.table)))
    return views, lost


def _lost_words(markers: int, table: TableSetup) -> Words:
    return say("the frame can’t be seen: {n} of {all} markers are found", n=markers, all=len(table.markers))


def _setup(
    game: Game[Any], reading: Reading, board: Board, said: Mapping[str, object]
) -> tuple[SetupFigures, NDArray[np.int8]]:
    """The set-up as read against the rules', and the heights the rules put (as read where that is not known)."""
    fields = board.heights.size
    doubtful = _doubtful(reading)
    try:
        position = game.opening(said, board)
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


def camera_figures(
    view: View, table: TableSetup, board: Board, expected: NDArray[np.int8], words: Sequence[str]
) -> CameraFigures:
    """What one view says of its camera. board: as read. expected: (rows, columns) heights it is measured for.

    words: of the pieces, by code."""
    health = picture_health(view, table, board.heights, board.flags, words)
    levels = px_per_level(Eye(view.lens, view.pose), table, expected)
    inside = levels[np.isfinite(levels)]
    low, middle = np.percentile(inside, (_LOW_PERCENTILE, 50)) if inside.size else (0.0, 0.0)
    x, y, z = (float(value) for value in view.pose.centre_mm)
    return CameraFigures(
        name=view.camera,
        size=health.size,
        at_mm=(x, y, z),
        markers=health.markers,
        markers_all=health.markers_all,
        reprojection_px=health.reprojection_px,
        edge_px=health.edge_px,
        burnt=health.burnt,
        black=health.black,
        paper=health.paper,
        colour_gap=health.colour_gap,
        colours=health.colours,
        field_px=health.field_px,
        levels_px=(float(low), float(middle)),
        outside=int(levels.size - inside.size),
    )


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
