"""Requests about boards of stacks: ``images`` go in, board text comes out (formats.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup
from referee.cli.pictures import load_views
from referee.cli.requesting import Explain
from referee.games.contract import AnyGame, Position, RequestError
from referee.match.standing import board_of
from referee.session.capture import Pictures
from referee.values.belief import Prior
from referee.values.board import Board, BoardError, Field
from referee.values.words import board_words, verbatim
from vision.geometry.view import camera_of, number_of, roaming_name, roams
from vision.reader import TableReader
from vision.reading import CameraView, Reading, problems_of

SAID = ("seats", "players", "edition")
"""Keys that say something of the game that is played."""
READ_KEYS = ("id", "images", *SAID, "previous")
PICTURES = "images"


def read(
    game: AnyGame, reader: TableReader, request: Mapping[str, object], base: Path, explain: Explain | None = None
) -> dict[str, object]:
    """Read the board of one request; return the answer without its id. ``explain`` gets the picture that shows it.

    Image paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    expect = _sighting(game, request, reader.table)
    owners = _owners(request.get("seats"), reader.table)
    images = request.get("images")
    pictures, problems = load_views(images, base, reader.table)
    try:
        reading = reader.read(pictures, expect, owners)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    if reading.lost:
        why = [*problems.values(), *problems_of(reading.cameras.values())]
        raise RequestError("frame-not-seen", "; ".join(why))
    if explain is not None:
        explain(reader.explain(pictures, reading, expect))
    lost = {name: CameraView(0, None, verbatim(problem)) for name, problem in problems.items()}
    cameras = dict(reading.cameras) | lost
    told = to_json(replace(reading, cameras=cameras))
    if not game.kit.tracks:
        del told["aggressor"]
    if reading.score:
        told["score"] = dict(reading.score)
    return told


def views(reader: TableReader, pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Return the pictures of one look."""
    return (load_views(pictures, base, reader.table)[0],)


def more(reader: TableReader, views: tuple[Pictures, ...], pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Return the pictures of a look with further ones: a camera that takes another one is held in a hand."""
    had = {name if roams(name) else roaming_name(name, 1): one for name, one in views[-1].items()}
    fixed = dict(views[-1])
    if not isinstance(pictures, dict):
        raise RequestError("more", 'more must list pictures by camera: {"phone": ["c.jpg"]}')
    last = {camera: max((number_of(n) for n in had if camera_of(n) == camera), default=0) for camera in pictures}
    added: dict[str, NDArray[np.uint8]] = {}
    for camera, said in pictures.items():
        listed = said if isinstance(said, list) else [said]
        added |= load_views({camera: listed}, base, reader.table, last[camera] + 1)[0]
    moving = {camera_of(name) for name in added}
    kept = {(name if camera_of(name) in moving else n): had[name] for n, name in zip(fixed, had, strict=True)}
    return ({**kept, **added},)


def known(game: AnyGame, reader: TableReader, said: object) -> dict[str, str]:
    """Return what a request says stands on fields: board text of each. Raises RequestError with what to do."""
    if not isinstance(said, dict) or not said:
        raise RequestError("known", 'known must say what stands on a field: {"G9": "2g"}')
    for name, text in said.items():
        try:
            place = Field.from_name(name)
            Board.parse(text, 1, 1, game.kit.letters)
        except BoardError as error:
            raise RequestError("known", board_words(error, "known")) from error
        if place.row >= reader.table.rows or place.col >= reader.table.columns:
            raise RequestError("known", f"known: the board has no field {name}")
    return dict(said)


def fitting(reader: TableReader, position: Position) -> None:
    """Check that a position's board has the size of the table's. Raises RequestError."""
    rows, columns = board_of(position).heights.shape
    table = reader.table
    if (rows, columns) != (table.rows, table.columns):
        raise RequestError(
            "table",
            f"table.json says the board has {table.rows} rows and {table.columns} columns, but the position's "
            f"has {rows} and {columns}: correct table.json",
        )


def to_json(reading: Reading) -> dict[str, object]:
    """Return a reading as formats.md writes it, without its id."""
    return {
        "board": reading.text,
        "confidence": np.round(reading.confidence[::-1], 4).tolist(),
        "aggressor": dict(reading.stones),
        "clear": reading.clear,
        "blocked": [field.name for field in reading.blocked],
        "cameras": _cameras(reading.cameras),
        "ms": round(reading.duration_ms, 1),
    }


def _cameras(seen: Mapping[str, CameraView]) -> dict[str, object]:
    """How each camera saw the frame; of one that took several pictures from the hand a list, in their order."""
    told: dict[str, object] = {}
    for camera in dict.fromkeys(map(camera_of, seen)):
        pictures = sorted((name for name in seen if camera_of(name) == camera), key=number_of)
        each = [_camera(seen[name]) for name in pictures]
        told[camera] = each if roams(pictures[0]) else each[0]
    return told


def _camera(view: CameraView) -> dict[str, object]:
    told = None if view.reprojection_px is None else round(view.reprojection_px, 3)
    plain: dict[str, object] = {"markers": view.markers, "reprojection_px": told}
    return plain if view.problem is None else plain | {"problem": view.problem.text()}


def _sighting(game: AnyGame, request: Mapping[str, object], table: TableSetup) -> Prior | None:
    """Return the prior that a request's words imply; ``None`` when they imply nothing."""
    said = {key: request[key] for key in SAID if request.get(key) is not None}
    expected = game.initial_prior(said, (table.rows, table.columns))
    previous = _previous(game, request.get("previous"), table)
    return replace(expected, previous=previous) if said or previous is not None else None


def _owners(seats: object, table: TableSetup) -> dict[str, str] | None:
    """Return the player whose stone stands on each margin track, for valid seats."""
    if not isinstance(seats, dict):
        return None
    return {track: str(seats[track]) for track in table.margin_fields if seats.get(track) is not None}


def _previous(game: AnyGame, value: object, table: TableSetup) -> Board | None:
    if value is None:
        return None
    try:
        return Board.parse(value, table.rows, table.columns, game.kit.letters)
    except BoardError as error:
        raise RequestError("board", board_words(error, "previous")) from error
