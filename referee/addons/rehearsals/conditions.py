"""Identify what a rehearsal holds for: the table's measures, its lenses, and how each camera sees the frame now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from calibration.lens import Lens, lens_text
from calibration.table import TableSetup
from referee.addons.rehearsals.frameseen import frame_seen
from referee.addons.rehearsals.validity import CameraConditions, Conditions
from vision.geometry.view import View, camera_of, roams


def conditions_of(table: TableSetup, views: Sequence[View], held: Mapping[str, Lens] | None = None) -> Conditions:
    """Measure the conditions under which views of one moment were taken; those of one camera are put together.

    held: lenses of cameras in a hand that show nothing now: lens and table.json can be told all the same.
    """
    found: dict[str, Conditions] = {}
    for view in views:
        name = camera_of(view.camera)
        one = Conditions(pieces_id(table), (_camera(name, view, table),))
        found[name] = found[name].widened(one) if name in found else one
    unseen = [_unseen(name, lens) for name, lens in (held or {}).items() if name not in found]
    return Conditions(pieces_id(table), (*(each.cameras[0] for each in found.values()), *unseen))


def pieces_id(table: TableSetup) -> str:
    """Return an identity of board, frame, stones and pieces: another one as soon as any of these is measured anew."""
    flag, tower = table.flag, table.tower
    measures = [
        table.game, table.columns, table.rows, table.pitch_mm, table.cube_mm,
        [flag.style, flag.height_mm, flag.radius_mm, flag.tallest_mm], table.marker_dictionary,
        {str(number): np.round(corners, 3).tolist() for number, corners in table.markers.items()},
        table.colours, None if tower is None else [tower.base_mm, tower.board_mm], table.die_mm,
    ]  # fmt: skip
    return _digest(json.dumps(measures, sort_keys=True))


def lens_id(lens: Lens) -> str:
    """Return an identity of a lens."""
    return _digest(lens_text(lens))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _unseen(name: str, lens: Lens) -> CameraConditions:
    """Return the conditions of a camera without a picture: nothing but its lens can differ."""
    return CameraConditions(name, lens_id(lens), None, (), (), (), {}, contrast=1.0)


def _camera(name: str, view: View, table: TableSetup) -> CameraConditions:
    seen = frame_seen(view, table)
    paper = tuple(round(float(each), 1) for each in np.nan_to_num(seen.paper, nan=-1.0))
    x, y = table.half_size_mm
    rim = view.project(np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]]))
    at = tuple(round(float(each), 2) for each in view.pose.centre_mm)
    still = not roams(view.camera)
    return CameraConditions(
        name=name,
        lens=lens_id(view.lens),
        at_mm=(at[0], at[1], at[2]) if still else None,
        rim_px=tuple(round(float(each), 1) for each in rim.ravel()) if still else (),
        darkest=paper,
        brightest=paper,
        edge_px=seen.edge_px,
        contrast=round(seen.contrast, 3),
    )
