"""Random turns are ruled on alike when the game is turned about; a rule that knows a colour or a side is found."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.games.contract import Ruling
from referee.games.record import RecordEntry
from tests.fuzz import turned
from tests.games.turned import ruled


@pytest.mark.parametrize("game", turned.GAMES)
def test_a_few_turns_are_ruled_on_alike(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turned, "LONGEST", 3)
    monkeypatch.setattr(turned, "LEDGER_LONGEST", 3)
    found = Counter[bool]()
    turned.play(game, 1, found)
    assert found.total() >= 4


@pytest.mark.parametrize(
    "partial",
    [
        pytest.param(lambda entry: entry.player == "light", id="a colour"),
        pytest.param(lambda entry: "+a1" in entry.acts, id="a corner"),
    ],
)
def test_a_partial_rule_is_found_kept_and_not_played_again(
    partial: Callable[[RecordEntry], bool],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def partly(package: object, now: object, entry: RecordEntry) -> Ruling:
        ruling = ruled(package, now, entry)  # type: ignore[arg-type]
        return replace(ruling, legal=False) if partial(entry) else ruling

    file = tmp_path / "turned.jsonl"
    monkeypatch.setattr(turned, "MOST", 1)
    monkeypatch.setattr(turned, "ruled", partly)
    monkeypatch.setattr(sys, "argv", ["turned", str(file), "--game", "turris", "--turns", "12"])
    assert turned.main() == 1
    assert "DIFFERENT: turris, seed" in capsys.readouterr().out
    kept = file.read_text()
    assert turned.main() == 1
    assert file.read_text() == kept
