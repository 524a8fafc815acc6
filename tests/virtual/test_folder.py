"""Which table a virtual one is: a preset of its game by name, with all its figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.errors import CalibrationError
from referee.games import package_named
from referee.games.torres.presets import PRESETS
from referee.virtual.folder import sizes_of
from referee.virtual.lenses import CAMERAS
from tests.virtual.laid import BOARDS, laid


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_virtual_table_is_laid_by_the_name_of_a_preset_wherever_it_stands(game: str) -> None:
    package = package_named(game)
    named = replace(package, virtual=package.virtual or package.presets[0].name)
    turned = replace(named, presets=package.presets[::-1])
    assert sizes_of(named, CAMERAS) == sizes_of(turned, CAMERAS) == sizes_of(package, CAMERAS)
    others = {str(sizes_of(replace(package, virtual=one.name), CAMERAS)) for one in package.presets}
    assert len(others) == len(package.presets)


def test_all_figures_of_a_preset_are_laid() -> None:
    (knight, king), (table, _) = PRESETS[-1].figures, laid("torres")
    assert (table.flag.height_mm, table.flag.tallest_mm) == (knight.height_mm, king.height_mm)


def test_a_preset_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(CalibrationError, match="has no preset 'marble'"):
        sizes_of(replace(package_named("torres"), virtual="marble"), CAMERAS)
