"""Requests about towers: ``views`` go in, tower text comes out (formats.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from calibration.errors import CalibrationError
from referee.cli.pictures import load_pictures
from referee.cli.requesting import Explain
from referee.games.contract import AnyGame, Position, RequestError
from referee.session.capture import Pictures
from vision.geometry.view import camera_of, number_of, roaming_name
from vision.reading import CameraView, problems_of
from vision.tower.grid import cell_number
from vision.tower.reader import TowerLook, TowerReader

READ_KEYS = ("id", "views", "seats", "players", "edition", "previous")
PICTURES = "views"
MOST_VIEWS = 24
"""Pictures of one tower that are worth reading; further ones cost time and tell nothing."""


def read(
    game: AnyGame, reader: TowerReader, request: Mapping[str, object], base: Path, explain: Explain | None = None
) -> dict[str, object]:
    """Read the tower of one request; return the answer without its id. ``explain`` gets the picture that shows it.

    Picture paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    previous = request.get("previous")
    if previous is not None and not isinstance(previous, str):
        raise RequestError("tower", "previous must be a tower text")
    shown = views(reader, request.get("views"), base)
    look = _look(reader, shown, previous)
    if explain is not None and look.reading is not None:
        explain(reader.explain(shown, look.reading))
    return to_json(look)


def to_json(look: TowerLook) -> dict[str, object]:
    """Return a tower's reading as formats write it, without its id."""
    assert look.reading is not None, "a look without a reading is refused"
    answer: dict[str, object] = {"tower": look.reading.tower, "confidence": dict(look.reading.confidence)}
    if look.reading.show is not None:
        answer["show"] = look.reading.show
    cameras = [{camera_of(name): _camera(seen) for name, seen in view.items()} for view in look.cameras]
    return answer | {"views": cameras, "spoilt": list(look.reading.spoilt), "ms": round(look.duration_ms, 1)}


def _camera(seen: CameraView) -> dict[str, object]:
    told: dict[str, object] = {"markers": seen.markers, "reprojection_px": seen.reprojection_px}
    return told if seen.problem is None else told | {"problem": seen.problem.text()}


def known(game: AnyGame, reader: TowerReader, said: object) -> dict[str, str]:
    """Return what somebody says stands in some cells: cell to sign. Raises RequestError naming the cell."""
    if not isinstance(said, Mapping) or not said:
        raise RequestError("known", 'known must give cells: {"b2.4": "X"}')
    found = {}
    for name, sign in said.items():
        try:
            cell_number(str(name))
        except (ValueError, IndexError):
            raise RequestError("known", f"known: {str(name)[:20]!r} is no cell: b2.4 is one") from None
        if not isinstance(sign, str) or len(sign) != 1 or sign not in ".xXeEnNsSwWuUdD":
            raise RequestError("known", f"known: {name} must be . x X or one of the letters n e s w u d")
        found[str(name)] = sign
    return found


def views(reader: TowerReader, pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Return the views of one look, between which the board was turned or the camera moved. Raises RequestError."""
    return _loaded(reader, pictures, base, {})


def more(reader: TowerReader, seen: tuple[Pictures, ...], pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Return the views of a look with further ones."""
    if len(seen) + (len(pictures) if isinstance(pictures, list) else 1) > MOST_VIEWS:
        raise RequestError("more", f"more: at most {MOST_VIEWS} views are read")
    taken: dict[str, int] = {}
    for view in seen:
        for name in view:
            taken[camera_of(name)] = number_of(name)
    return (*seen, *_loaded(reader, pictures, base, taken))


def fitting(reader: TowerReader, position: Position) -> None:
    """Accept every position: all towers are built on the same plan."""


def _loaded(reader: TowerReader, pictures: object, base: Path, taken: dict[str, int]) -> tuple[Pictures, ...]:
    """Return views, the pictures of cameras in a hand numbered. taken: how many each camera took before."""
    if not isinstance(pictures, list) or not pictures:
        raise RequestError("views", 'views must hold at least one view: [{"cam0": "path"}, ...]')
    if len(pictures) > MOST_VIEWS:
        raise RequestError("views", f"views: at most {MOST_VIEWS} views are read, not {len(pictures)}")
    found = []
    for view in pictures:
        named = {}
        for camera, picture in load_pictures(view, base, reader.table).items():
            held = camera in reader.table.held
            taken[camera] = taken.get(camera, 0) + held
            named[roaming_name(camera, taken[camera]) if held else camera] = picture
        found.append(named)
    return tuple(found)


def _look(reader: TowerReader, views: Sequence[Pictures], previous: str | None) -> TowerLook:
    try:
        look = reader.read(views, previous)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    except ValueError as error:
        raise RequestError("tower", f"previous: {error}") from error
    if look.reading is None:
        problems = problems_of(seen for view in look.cameras for seen in view.values())
        raise RequestError("frame-not-seen", "; ".join(problems) or "no picture shows the tower's place")
    return look
