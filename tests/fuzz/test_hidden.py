"""Games of which looks hide much are refereed; an accusation of a legal turn ends the run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.match.state import TableState
from referee.virtual.script import Script
from tests.fuzz import hidden


def test_a_few_turns_come_out_as_played_or_open() -> None:
    assert sum(hidden.run(4, 1001).values()) >= 4


def test_a_cube_that_may_have_come_where_nobody_saw_is_left_open() -> None:
    """J5 and D9 were hidden; a third cube from one to the other was 7 nats behind two cubes."""
    assert not {"accused", "wrong"} & hidden.run(5, 2023).keys()


def test_an_accusation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def accused(script: Script, state: TableState) -> Iterator[tuple[int, str]]:
        yield 1, "accused"

    monkeypatch.setattr(hidden, "outcomes", accused)
    with pytest.raises(AssertionError, match="accused"):
        hidden.run(1, 1001)
