"""Presets of boards hold what a table can have on its stacks, or are refused where they are made."""

from __future__ import annotations

import pytest

from referee.kinds.grid.presets import StackFigure, TablePreset


def preset(*words: str, style: str = "") -> TablePreset:
    figures = tuple(StackFigure(word, 30.0, 9.0) for word in words)
    return TablePreset(
        "box", "as in the box", 5, 5, (40.0, 40.0), (34.0, 34.0, 22.0), figures, (240.0, 240.0), 3.0, style
    )


def test_a_figure_that_no_table_knows_is_refused_by_its_word() -> None:
    with pytest.raises(ValueError, match="no table has a figure 'worker'"):
        preset("worker")


@pytest.mark.parametrize("words", [("knight", "flag"), ("king",), ("knight", "knight")])
def test_figures_that_no_table_has_are_refused_with_those_there_are(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"preset 'box': figures are flag, knight, or knight and king, but not '"):
        preset(*words)


def test_flags_look_like_something() -> None:
    assert preset("flag", style="rod").flag_style == "rod"
    for style in ("", "triangle"):
        with pytest.raises(ValueError, match="flag_style is one of rod, pole, banner, pawn"):
            preset("flag", style=style)
