"""The disk is looked after while a game runs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.storage.housekeeping import Housekeeping
from referee.storage.journal import Journal
from referee.storage.retention import Limits
from tests.buttonbox.box import until
from tests.house.kept import DAY_S, NOW_S, STARTED, WON, game, left
from tests.house.tmpfs import small_disk

LIMITS = Limits(30 * DAY_S, 10**9)


def test_it_makes_its_round_at_the_start_and_when_called(tmp_path: Path) -> None:
    first = game(tmp_path / "games", "a", STARTED, WON)
    with Housekeeping(tmp_path, LIMITS, reserve_bytes=1000, now=lambda: NOW_S) as keeper:
        until(lambda: left(first) == 0)
        until((tmp_path / "reserve").exists)
        second = game(tmp_path / "games", "b", STARTED, WON)
        keeper.call()
        until(lambda: left(second) == 0)


def test_a_round_that_fails_is_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rounds = []

    def broken(self: Housekeeping) -> int:
        rounds.append(1)
        raise RuntimeError("an odd disk")

    monkeypatch.setattr(Housekeeping, "round", broken)
    with caplog.at_level(logging.ERROR), Housekeeping(tmp_path, LIMITS, round_s=0.01):
        until(lambda: len(rounds) > 3)
    assert "an odd disk" in caplog.text


def test_a_full_disk_is_survived_and_the_reserve_laid_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1024) as disk:
        keeper = Housekeeping(disk, LIMITS, reserve_bytes=200_000)
        keeper.round()
        assert (disk / "reserve").exists()
        with Journal(disk / "game.journal", make_room=keeper.make_room) as journal:
            with pytest.raises(OSError, match="No space"):
                (disk / "big").write_bytes(bytes(2_000_000))
            for number in range(100):
                journal.append("note", {"n": number, "text": "x" * 900})
            assert not (disk / "reserve").exists()
            keeper.round()
            assert not (disk / "reserve").exists()  # the last room is the journal's
            (disk / "big").unlink()
            keeper.round()
            assert (disk / "reserve").exists()
            assert journal.last == 100
