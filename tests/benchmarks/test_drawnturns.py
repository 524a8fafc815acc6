"""The ledger of turns on drawn tables goes on where it ended, and its page adds up each version by itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks import drawnturns
from benchmarks.drawnturns import LedgerLine, MadeTable, ledger_lines, main, page
from benchmarks.record import GameLine, outcomes, script_text
from referee.games import package_named
from referee.match.events import GameStarted, SetupAccepted
from referee.match.transitions import begin, step
from referee.virtual.script import parse_script
from tests.archive.game import looked

LINE = LedgerLine(
    "11112222",
    0.6,
    GameLine("torres", "erring", "two", 1, 9, True, {"as played": 7, "found": 2}, {}, 0, 0, 0, 2.0, 1.0),
)


def bad(seed: int) -> LedgerLine:
    game = replace(LINE.game, seed=seed, outcomes={"as played": 4, "accused": 1}, bad={"accused": [3]})
    return replace(LINE, version="33334444", game=game)


def test_a_run_plays_what_its_version_lacks_and_every_line_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    now_s = iter(range(100))

    def played(made: MadeTable) -> GameLine:
        asked.append(made.seed)
        return replace(LINE.game, seed=made.seed)

    monkeypatch.setattr(drawnturns, "played", played)
    monkeypatch.setattr(drawnturns.time, "monotonic", lambda: next(now_s))
    ledger = tmp_path / "turns.jsonl"
    for minutes in ("0.05", "0.08"):  # until the second and the fourth second, by the clock above
        main(["--ledger", str(ledger), "--minutes", minutes])
    assert asked == list(range(1, len(asked) + 1))
    assert len(asked) > 2
    assert [line.game.seed for line in ledger_lines(ledger)] == asked


def test_versions_are_added_up_apart_and_each_wrong_turn_is_named() -> None:
    rows = [line.split(" | ") for line in page([LINE, bad(2), bad(3)]).splitlines() if "|" in line]
    counted = {row[0].strip("| "): row for row in reversed(rows)}
    assert counted["11112222"][1:4] == ["1", "1", "9"]
    assert counted["33334444"][1:4] == ["2", "2", "10"]
    assert Counter(row[0].strip("| ") for row in rows)["33334444"] == 3, "its row, and one for each wrong turn"


def test_a_seed_is_always_the_same_table_and_seeds_differ() -> None:
    assert MadeTable.of(5) == MadeTable.of(5)
    assert len({(made.game, made.sight, made.light, made.bumps) for made in map(MadeTable.of, range(40))}) > 20


def test_how_a_breach_is_ruled_says_nothing_of_the_turn_that_was_never_played() -> None:
    """A script that stopped after a breach was found once counted the right turn after it as a wrong accusation."""
    package = package_named("terra-turrium")
    script = parse_script(script_text(package, 1009, "erring", 1))
    breach, _ = script.turns
    now = package.records.start(script.record)
    assert (breach.illegal, package.laid is None) == (True, False)
    assert package.laid is not None
    lying = package.laid(now, breach.entry)
    found = looked(1, package.game.check(now, package.game.observation(lying)), lying, {})
    state = reduce(step, (SetupAccepted(""), *found), begin(GameStarted(now, "tests")))
    assert list(outcomes(script, state)) == [(1, "found")]


def test_a_table_wears_its_pictures_alike_whatever_was_drawn_before() -> None:
    picture = np.full((24, 32, 3), 120, np.uint8)
    first = [MadeTable.of(seed).worn("left", picture) for seed in range(1, 9)]
    cv2.randn(np.empty((7, 7, 3), np.float32), (0.0,) * 3, (1.0,) * 3)
    again = [MadeTable.of(seed).worn("left", picture) for seed in reversed(range(1, 9))][::-1]
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)
