"""A grid's kit and presets name only what can be read and drawn; what to do stands in the message."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.torres.kit import KIT
from referee.games.torres.presets import PRESETS
from referee.kinds.grid.kitcheck import check
from referee.kinds.grid.presets import StackFigure
from referee.values.kit import Kit, KitError

KNIGHT, *OTHERS = KIT.pieces


@pytest.mark.parametrize(
    ("kit", "says"),
    [
        (replace(KIT, pieces=(replace(KNIGHT, shape="bishop"),)), "'red' has the unknown shape 'bishop'"),
        (replace(KIT, block="round"), "'round' can't be drawn: the kit's block is cube, arched"),
        (replace(KIT, pieces=(KNIGHT, replace(KNIGHT, word="guard", shape="dome"))), "'red' and 'guard' can't"),
    ],
)
def test_what_cant_be_read_or_drawn_is_refused(kit: Kit, says: str) -> None:
    check(KIT)
    with pytest.raises(KitError, match=says):
        check(kit)


def test_a_preset_has_stones_of_one_size_and_figures_that_a_table_has() -> None:
    sizes = ((34.0, 34.0, 22.0), (28.0, 28.0, 22.0), (22.0, 22.0, 22.0))
    with pytest.raises(ValueError, match="All stones are of one size"):
        replace(PRESETS[0], stone_mm=sizes)  # type: ignore[arg-type]  # as a game in plain Python may have it
    with pytest.raises(ValueError, match="no table has a figure 'worker': its sizes are those of a flag, a knight"):
        StackFigure("worker", 30.0, 9.0)
