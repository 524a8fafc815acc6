"""``referee run`` with a broker: killed and started again it is the same table; without its broker it plays on."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from referee.addons.hall.messages import About, Availability, HallError, HallState, parsed
from referee.addons.hall.signing import id_of, public_of
from referee.addons.hall.table import hall_folder, table_key
from referee.addons.hall.topics import Leaf
from referee.storage.checkpoint import open_key
from referee.storage.journal import read_journal
from tests.addons.hall.broker import Listener, Mosquitto, until
from tests.demo.command import Demo
from tests.ports import free_port

TABLE = {"game": "terrabilis", "cameras": []}


def test_a_killed_table_is_offline_and_comes_back_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, data = tmp_path / "table", tmp_path / "data"
    folder.mkdir()
    (folder / "table.json").write_text(json.dumps(TABLE), encoding="utf-8")
    begins = tmp_path / "game.json"
    begins.write_text(json.dumps({"players": ["red", "blue"]}), encoding="utf-8")
    with Mosquitto(tmp_path, free_port()) as broker, Listener(broker.port) as listener:
        monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
        monkeypatch.setenv("REFEREE_HALL_BROKER", f"{broker.address.replace('//', '//me:s3cret@')}")
        with Demo.run(str(folder), "--game", str(begins)) as table:
            table.until("is there: this is table")
            until(lambda: listener.payloads(Leaf.STATE) and listener.events, "the table tells how it stands")
            table.kill()
        until(lambda: b"offline" in listener.newest(Leaf.AVAILABILITY), "the broker tells that it is gone")
        broker.kill()
        with Demo.run(str(folder)) as table:
            assert table.url, "without its broker a table plays all the same"
            table.until("the table plays on and tries again")
            broker.start()
            table.until("is there: this is table")
            until(lambda: listener.there and b"online" in listener.newest(Leaf.AVAILABILITY), "it is back")
            said = "\n".join(table.said)
        until(lambda: b"offline" in listener.newest(Leaf.AVAILABILITY), "its end is told")
        assert "s3cret" not in said
    about, state = parsed(About, listener.newest(Leaf.ABOUT)), parsed(HallState, listener.newest(Leaf.STATE))
    journal = read_journal(next((data / "games").glob("*.journal")))
    came = dict.fromkeys((line.number, line.hash) for line in listener.events)  # killed, it may send one twice
    assert list(came) == [(one.number, one.hash) for one in journal]
    assert (state.event, state.head, state.game.id) == (len(journal), journal[-1].hash, journal[0].hash[:16])
    assert about.id == id_of(public_of(open_key(table_key(data))))
    assert about.name == "table"
    sent = [parsed(Availability, payload).sent for payload in listener.payloads(Leaf.AVAILABILITY)]
    assert sent == sorted(sent)
    assert hall_folder(data).stat().st_mode & 0o077 == 0


def test_without_paho_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    monkeypatch.delitem(sys.modules, "referee.addons.hall.line", raising=False)
    with pytest.raises(HallError, match=r"pip install 'tower-referee\[hall\]'"):
        importlib.import_module("referee.addons.hall.line")
