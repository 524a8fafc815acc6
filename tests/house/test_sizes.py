"""The shape of a session stays as small as it has become; a larger number here needs a reason in its commit."""

from __future__ import annotations

import pytest

from scripts.sizes import remembered

MOST = {
    "attributes that change in sessions and adapters": 8,
    "public members of a session": 5,
    "members of an adapter": 7,
    "fields of the table's state": 12,
    "most fields of a ruling's variant": 6,
    "lines outside of the grid's kind with a word of its own": 0,
}


@pytest.mark.parametrize("what", MOST)
def test_a_session_grows_by_nothing(what: str) -> None:
    assert remembered()[what] <= MOST[what]
