"""Random turns are ruled on alike when the game is turned about; a rule that knows a colour is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.contract import Ruling
from tests.fuzz import turned
from tests.games.turned import ruled


@pytest.mark.parametrize("game", ["torres", "turris", "terrabilis"])
def test_a_few_turns_are_ruled_on_alike(game: str) -> None:
    assert turned.run(game, 12, 1).total() >= 12


def test_a_rule_that_depends_on_a_colour_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def partial(package: object, now: object, entry: object) -> Ruling:
        ruling = ruled(package, now, entry)  # type: ignore[arg-type]
        return replace(ruling, legal=False) if entry.player == "light" else ruling  # type: ignore[attr-defined]

    monkeypatch.setattr(turned, "ruled", partial)
    with pytest.raises(AssertionError, match="recoloured"):
        turned.run("turris", 12, 1)
