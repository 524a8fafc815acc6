"""A disk somebody filled: play goes on in the reserve, and what is refused for want of room may be sent again."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.service.pairing import open_auth
from referee.storage.diskspace import Reserve
from tests.auth.house import House
from tests.auth.playing import Playing, until
from tests.house.tmpfs import small_disk
from web.auth.store import AuthStoreError, Store


def fill(disk: Path) -> None:
    """Take every byte that is left."""
    with contextlib.suppress(OSError), (disk / "somebody-elses").open("ab", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 4096) as disk:
        yield disk


def playing(folder: Path, parts: ExitStack, **options: Any) -> Playing:
    """Play a game with a tablet that may act."""
    at = Playing(folder, parts, **options)
    if until(at, "playing", "set-up")["phase"]["id"] == "set-up":
        at.say("begin", "begin-0001")
        until(at, "playing")
    return at


@pytest.mark.long
def test_commands_go_on_in_the_reserve(disk: Path) -> None:
    reserve = Reserve(disk / "reserve", 1_000_000)
    assert reserve.lay()
    with ExitStack() as parts:
        at = playing(disk, parts, make_room=reserve.give_up)
        fill(disk)
        answers = [at.say(name, f"{name}-{number:08}") for number in range(40) for name in ("pause", "resume")]
        assert {status for status, _ in answers} == {200}
        assert not reserve.path.exists()
        assert at.ask("GET", "/api/state")[0] == 200


def test_a_refusal_for_want_of_room_is_not_kept(disk: Path) -> None:
    with ExitStack() as parts:
        at = playing(disk, parts)
        fill(disk)
        status, told = at.say("pause", "key-0000001")
        assert (status, told["code"]) == (503, "storage")
        assert at.ask("GET", "/health")[1]["status"] == "failed"
        (disk / "somebody-elses").unlink()
        assert at.say("pause", "key-0000001")[0] == 200
        assert at.ask("GET", "/health")[1]["status"] != "failed"


def test_a_journal_that_takes_nothing_answers_so_that_the_same_key_may_try_again(
    folder: Path,
) -> None:
    with small_disk(folder / "games", 256) as games, ExitStack() as parts:
        at = playing(folder, parts, journal=games / "game.journal")
        fill(games)
        for number in range(100):  # the journal's last page has some room left
            name, key = ("pause", "resume")[number % 2], f"key-{number:08}"
            status, told = at.say(name, key)
            if status != 200:
                break
        assert (status, told["code"]) == (503, "disk")
        (games / "somebody-elses").unlink()
        assert at.say(name, key)[0] == 200


def test_a_key_let_go_on_a_full_disk_may_be_used_again(disk: Path) -> None:
    with ExitStack() as parts:
        auth = open_auth(disk, parts)
        device, _ = auth.devices.pair("Tablet")
        assert auth.answers.begin(device.id, "key-00000001", b"asked") is None
        fill(disk)
        auth.answers.drop(device.id, "key-00000001")
        auth.answers.end(device.id, "key-00000001")
        (disk / "somebody-elses").unlink()
        assert auth.answers.begin(device.id, "key-00000001", b"asked") is None


def test_the_cause_is_named(disk: Path) -> None:
    with Store(disk / "devices.db") as store:
        fill(disk)
        with pytest.raises(AuthStoreError, match="database or disk is full"):
            store.change(lambda db: [_pair(db, number) for number in range(2000)])


@pytest.mark.parametrize("paired", [True, False], ids=["with a device", "without the file"])
def test_nobody_is_told_to_delete_the_pairings(disk: Path, paired: bool) -> None:
    def asked(*words: str) -> Result:
        return CliRunner().invoke(main, ["pair", "--data", str(disk), *words])

    with ExitStack() as parts:
        if paired:
            open_auth(disk, parts).devices.pair("Tablet")
    fill(disk)
    told = asked()
    assert (told.exit_code, "disk is full; make room on the disk" in told.output) == (2, True), told.output
    assert "delete it" not in told.output
    (disk / "somebody-elses").unlink()
    assert asked().exit_code == 0
    assert ("Tablet" in asked("--list").output) is paired


def _pair(db: sqlite3.Connection, number: int) -> None:
    db.execute(
        "INSERT INTO devices (name, token, paired_at, seen_at) VALUES (?, ?, 0, 0)",
        (f"{number}" * 9, os.urandom(999)),
    )


def test_a_device_is_known_though_that_cannot_be_noted(house: House, caplog: pytest.LogCaptureFixture) -> None:
    tablet = house.pair()
    house.now += 3600
    with caplog.at_level(logging.WARNING), _read_only(house):
        assert tablet.known
    assert "could not be written: attempt to write a readonly database" in caplog.text


@contextlib.contextmanager
def _read_only(house: House) -> Iterator[None]:
    house.auth.devices._store._db.execute("PRAGMA query_only = ON")
    yield
    house.auth.devices._store._db.execute("PRAGMA query_only = OFF")
