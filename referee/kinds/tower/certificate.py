"""The self-test of a table on which a tower is built, with its base empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.table import TableSetup
from referee.certificate.figures import SetupFigures
from referee.certificate.values import Certificate
from referee.daemon.tablecheck import TableSeen
from referee.games.contract import AnyGame, RequestError
from referee.kinds.tower.observation import COLUMNS, ROWS, cells_told, squares_told
from referee.kinds.tower.tablejudge import TowerFigures, judge_tower
from referee.values.words import say, verbatim
from vision.assessment.legibility import Eye
from vision.assessment.turntable import eyes_best
from vision.geometry.view import View
from vision.tower.reading import read_tower

CELLS_OF_BASE = COLUMNS * ROWS


def certificate(seen: TableSeen) -> Certificate:
    """Return the certificate of a table. Raises RequestError where what is said of the game contradicts itself."""
    if not seen.views:
        lost = SetupFigures(1, problem=say("no camera sees the frame"))
        return judge_tower(seen.figures(seen.bare(), lost), None)
    table = seen.reader.table
    levels, level_px = eyes_best([Eye(view.lens, view.pose) for view in seen.views], table)
    setup = _setup(seen.game, seen.views, table, seen.said)
    return judge_tower(seen.figures(seen.bare(), setup), TowerFigures(levels, level_px))


def _setup(game: AnyGame, views: Sequence[View], table: TableSetup, said: Mapping[str, object]) -> SetupFigures:
    empty = game.observation("")
    try:
        position = game.infer_setup(said, empty)
    except RequestError as error:
        if said:
            raise
        return SetupFigures(CELLS_OF_BASE, problem=verbatim(str(error)))
    reading = read_tower(views, table, position.observed.text)
    if reading is None:
        return SetupFigures(CELLS_OF_BASE, problem=say("no camera sees the tower’s place"))
    stands = {cell: sign for cell, sign in cells_told(reading.tower).items() if sign != "?"}
    clear = not reading.covered
    if not stands:
        return SetupFigures(CELLS_OF_BASE, clear=clear)
    seen = game.observation(squares_told(reading.tower))
    told = tuple((each.fields, each.words) for each in game.setup_differences(position, seen))
    return SetupFigures(CELLS_OF_BASE, differences=told, clear=clear)
