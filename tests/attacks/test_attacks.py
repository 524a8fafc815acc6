"""The attacks in short; ``make attacks`` runs all of each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.attacks import crashes, hostiletable, journals, oddities


@pytest.mark.process
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace here")
def test_what_was_acknowledged_outlives_a_power_cut() -> None:
    outcome = crashes.attack(states=20, events=4)
    assert not outcome.failed, str(outcome)


@pytest.mark.process
@pytest.mark.long
def test_a_table_gone_bad_speaks_for_nobody_else() -> None:
    ways = ("forging", "ordering", "listening", "wrong types")
    outcome = hostiletable.attack(1.0, ways, ("small events nobody acknowledges",), connections=3)
    assert not outcome.failed, str(outcome)


@pytest.mark.long
def test_damaged_games_are_told_in_sentences() -> None:
    outcome = journals.attack(20)
    assert not outcome.failed, str(outcome)


@pytest.mark.long
@pytest.mark.parametrize("way", oddities.WAYS)
def test_odd_files_are_told_in_sentences(tmp_path: Path, way: str) -> None:
    wrong = [said for said in oddities.WAYS[way](tmp_path, 20) if said]
    assert not wrong
