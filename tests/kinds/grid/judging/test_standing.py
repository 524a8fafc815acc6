"""Boards are judged where a position has one, and nothing else is taken for a board."""

from __future__ import annotations

import pytest

from referee.games import package_named
from referee.games.record import parse_record
from referee.match.standing import board_of


@pytest.mark.parametrize(("name", "is_board"), [("terra-turrium", True), ("torres", True), ("turris", False)])
def test_only_a_board_of_stacks_is_judged_as_one(name: str, is_board: bool) -> None:
    package = package_named(name)
    assert package.playthrough is not None
    start = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))
    if is_board:
        assert board_of(start) == start.observed
    else:
        with pytest.raises(TypeError, match="a board of stacks"):
            board_of(start)
