"""How long a code is open: by a clock that nobody sets."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee.service.pairing import open_auth
from referee.values import ticks
from referee.values.ticks import Ticks, same_start
from tests.auth.house import House
from web.auth.pairing import MOST_CODES, WrongCodeError


def test_codes_expire_and_the_oldest_gives_way(house: House) -> None:
    codes = [house.auth.desk.new_code() for _ in range(MOST_CODES + 1)]
    with pytest.raises(WrongCodeError):
        house.auth.desk.pair_by_secret(codes[0].secret, "Tablet")
    house.auth.desk.pair_by_secret(codes[1].secret, "Tablet")
    house.up = replace(house.up, s=house.up.s + 16 * 60)
    with pytest.raises(WrongCodeError):
        house.auth.desk.pair_by_secret(codes[2].secret, "Tablet")
    with pytest.raises(WrongCodeError):
        house.auth.desk.pair_by_pin(codes[3].pin, "Tablet", "192.0.2.1")


def test_a_code_never_opens_again_whatever_the_clock_says(house: House) -> None:
    code, begun, made_at = house.auth.desk.new_code(), house.up, house.now
    house.up = replace(begun, s=begun.s + 16 * 60)
    house.now = made_at - 86_400  # somebody, or a time server, sets the clock back
    with pytest.raises(WrongCodeError):
        house.auth.desk.pair_by_pin(code.pin, "Tablet", "192.0.2.7")
    house.auth.desk.new_code()  # has looked for codes that ended
    house.up = Ticks("tomorrow", begun.s)  # the machine has started anew
    with pytest.raises(WrongCodeError):
        house.auth.desk.pair_by_secret(code.secret, "Tablet")


def test_a_code_lasts_over_a_restart_and_a_clock_that_is_put_right(house: House) -> None:
    """Small computers have no clock of their own: theirs jumps by years once a time server answers."""
    code = house.auth.desk.new_code()
    house.now += 10**8
    house.up = replace(house.up, s=house.up.s + 14 * 60)
    with ExitStack() as parts:
        auth = open_auth(house.folder, parts)
        house.set_clock(auth)
        assert auth.desk.pair_by_secret(code.secret, "Tablet")[0].name == "Tablet"


def test_a_code_opens_in_another_process_where_the_system_names_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticks, "BOOT_ID", tmp_path / "missing")
    pair = (
        "import sys; from contextlib import ExitStack; from pathlib import Path\n"
        "from referee.values import ticks; ticks.BOOT_ID = Path(sys.argv[1]) / 'missing'\n"
        "from referee.service.pairing import open_auth\n"
        "with ExitStack() as parts: print(open_auth(Path(sys.argv[1]), parts).desk.new_code().pin)"
    )
    with ExitStack() as parts:
        auth = open_auth(tmp_path, parts)
        auth.desk.new_code()
        beside = subprocess.run(
            [sys.executable, "-c", pair, str(tmp_path)], check=True, capture_output=True, text=True
        )
        assert auth.desk.pair_by_pin(beside.stdout.strip(), "Tablet", "192.0.2.1")[0].name == "Tablet"
    assert not same_start("about-1000.0", "about-1060.0")  # the machine has started anew


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_earlier_version_keeps_its_devices_and_closes_its_codes(tmp_path: Path, version: int) -> None:
    with ExitStack() as parts:
        auth = open_auth(tmp_path, parts)
        device, token = auth.devices.pair("Tablet")
    player = ", player TEXT NOT NULL DEFAULT ''" if version == 2 else ""
    with closing(sqlite3.connect(tmp_path / "devices.db", isolation_level=None)) as db:
        db.executescript(
            "DROP TABLE codes; CREATE TABLE codes (id INTEGER PRIMARY KEY AUTOINCREMENT, pin TEXT, "
            "secret BLOB NOT NULL UNIQUE, expires_at REAL NOT NULL, failures INTEGER NOT NULL DEFAULT 0"
            f"{player}); INSERT INTO codes (secret, expires_at) VALUES (x'00', 9e9); "
            f"PRAGMA user_version = {version};"
        )
        if version == 1:
            db.execute("ALTER TABLE devices DROP COLUMN player")
    with ExitStack() as parts:
        auth = open_auth(tmp_path, parts)
        assert auth.devices.known(token) == device
        code = auth.desk.new_code()
        assert auth.desk.pair_by_secret(code.secret, "Phone")[0].name == "Phone"
    with closing(sqlite3.connect(tmp_path / "devices.db")) as db:
        assert db.execute("SELECT count(*) FROM codes").fetchone() == (0,)
