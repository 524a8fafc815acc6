"""The self-test of a mat on which dice are rolled: how well cameras see them, and which places were taught."""

from __future__ import annotations

from referee.certificate.figures import SetupFigures
from referee.certificate.values import Certificate
from referee.daemon.tablecheck import TableSeen
from referee.kinds.ledger.tablejudge import MatFigures, MatSightFigures, judge_mat
from vision.assessment.legibility import Eye
from vision.assessment.matsight import die_px, rolled_in_view
from vision.ledger.places import load_places
from vision.ledger.reader import MatReader, rolled_on


def certificate(seen: TableSeen) -> Certificate:
    """Return the certificate of a table. Raises CalibrationError for taught places that can't be read."""
    reader = seen.reader
    assert isinstance(reader, MatReader)
    places = load_places(reader.folder, None)
    area, die_mm = rolled_on(places, reader.table), reader.die_mm
    eyes = {view.camera: Eye(view.lens, view.pose) for view in seen.views}
    cameras = {
        name: MatSightFigures(rolled_in_view(eye, area, die_mm), die_px(eye, area, die_mm))
        for name, eye in eyes.items()
    }
    cards = sum(len(each) for each in places.cards.values())
    mat = MatFigures(cameras, len(places.track), len(places.spots), cards)
    return judge_mat(seen.figures(seen.bare(), SetupFigures(0)), mat)
