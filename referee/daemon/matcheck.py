"""The self-test of a mat on which dice are rolled: how the cameras will see them, and what else was shown to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from calibration.table import TableSetup
from referee.certificate.figures import MatFigures, MatSightFigures
from vision.assessment.legibility import Eye
from vision.assessment.matsight import die_px, rolled_in_view
from vision.geometry.view import View
from vision.ledger.places import load_places
from vision.ledger.reader import rolled_on


def mat_figures(views: Sequence[View], table: TableSetup, folder: Path, die_mm: float) -> MatFigures:
    """What is measured of a mat. views: of the cameras that see its frame. folder: the table's.

    Raises CalibrationError for taught places that can't be read.
    """
    places = load_places(folder, None)
    area = rolled_on(places, table)
    eyes = {view.camera: Eye(view.lens, view.pose) for view in views}
    cameras = {
        name: MatSightFigures(rolled_in_view(eye, area, die_mm), die_px(eye, area, die_mm))
        for name, eye in eyes.items()
    }
    return MatFigures(cameras, len(places.track), len(places.zone), sum(len(each) for each in places.cards.values()))
