"""A small part of the fuzzing: the same inputs each time, a few of every kind."""

from __future__ import annotations

import pytest

from tests.fuzz.__main__ import SHARES, run

INPUTS = {"board": 3000, "position": 1500, "notation": 3000, "record": 1000, "request": 400}


@pytest.mark.long
@pytest.mark.parametrize("name", SHARES)
def test_a_part_of_the_fuzzing(name: str) -> None:
    """Refused with a typed error or accepted and sound; some must be accepted, or nothing was tried."""
    accepted = run(name, INPUTS[name], seed=0)
    assert INPUTS[name] // 50 < accepted < INPUTS[name]
