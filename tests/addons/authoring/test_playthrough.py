"""What is wrong with a playthrough is said once, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.addons.authoring import conformance
from referee.addons.authoring.checkgame import found
from tests.addons.authoring.written import MODULE, imported, spoil, write


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ("E5-A5 +E5", "playthrough, line 7, turn 2: ruled illegal: "),
        ("B9-Z3", "a record can't be played: line 7: turn 2: "),
    ],
)
def test_a_turn_of_the_playthrough_that_is_not_legal_is_told_once(tmp_path: Path, acts: str, said: str) -> None:
    distribution = write(tmp_path)
    spoil(distribution / MODULE, "playthrough.txt", "2. blue E5-D4 +E5", f"2. blue {acts}")
    with imported(distribution) as subject:
        told = dict.fromkeys(one for check in conformance.CHECKS for one in found(check, subject))
    assert [one[: len(said)] for one in told] == [said]
