"""Codes, guesses and devices."""

from __future__ import annotations

import sqlite3
import stat
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from referee.service.pairing import open_auth, pairing_link, pairing_words
from tests.auth.house import ORIGIN, House
from tests.untyped import untyped
from web.auth.answers import Answers, KeptAnswer
from web.auth.devices import IDLE_S, MOST_DEVICES, Devices, csrf_token, tidy_name
from web.auth.pairing import ALL, GUESSES, ONE, PairingDesk, TooManyGuessesError
from web.auth.store import AuthStoreError, Store

HERE = {"Origin": ORIGIN}


def type_pin(house: House, pin: str, address: str = "192.0.2.7", **headers: str) -> Any:
    return house.app.test_client().post(
        "/api/pair/pin",
        json={"pin": pin, "name": "Phone"},
        headers=HERE | {name.replace("_", "-"): text for name, text in headers.items()},
        environ_base={"REMOTE_ADDR": address},
    )


def other(pin: str, by: int = 1) -> str:
    return f"{(int(pin) + by) % 1_000_000:06d}"


def test_the_digits_let_one_device_in_and_the_cookie_is_locked_away(house: House) -> None:
    code = house.auth.desk.new_code()
    client = house.app.test_client()
    answer = client.post("/api/pair/pin", json={"pin": code.pin, "name": " Anna’s \n tablet "}, headers=HERE)
    assert answer.json["device"]["name"] == "Anna’s tablet"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie
    assert client.get("/api/session").json["paired"]
    assert type_pin(house, code.pin).status_code == 403, "a code lets one device in"


def test_over_https_the_cookie_never_travels_in_the_clear(house: House) -> None:
    code = house.auth.desk.new_code()
    client = house.app.test_client()
    answer = client.post(
        "/api/pair/link",
        json={"secret": code.secret, "name": "Tablet"},
        headers={"Origin": "https://localhost"},
        base_url="https://localhost",
    )
    assert answer.headers["Set-Cookie"].startswith(f"__Host-{house.auth.name}=")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_the_link_pairs_and_pairing_again_keeps_one_session(house: House) -> None:
    client = house.app.test_client()
    for _ in range(2):
        secret = house.auth.desk.new_code().secret
        answer = client.post("/api/pair/link", json={"secret": secret, "name": "Tablet"}, headers=HERE)
        assert answer.status_code == 200
    assert [device.name for device in house.auth.devices.all()] == ["Tablet 2"]


def test_wrong_digits_wait_longer_and_longer(house: House) -> None:
    code = house.auth.desk.new_code()
    waits = []
    for turn in range(8):
        answer = type_pin(house, other(code.pin, turn + 1))
        while answer.status_code == 429:
            waits.append(int(answer.headers["Retry-After"]))
            assert type_pin(house, code.pin).status_code == 429, "not even the right digits are looked at"
            house.now += waits[-1]
            answer = type_pin(house, other(code.pin, turn + 1))
        assert answer.status_code == 403
    assert waits == [2, 4, 8, 16, 32]
    assert type_pin(house, code.pin).status_code == 429
    house.now += 900
    assert type_pin(house, other(code.pin)).status_code == 403


def test_many_addresses_share_one_backoff_and_no_header_makes_another(house: House) -> None:
    code = house.auth.desk.new_code()
    for turn in range(ALL.free):
        headers = {"X_Forwarded_For": f"203.0.113.{turn}", "Forwarded": f"for=203.0.113.{turn}"}
        assert type_pin(house, other(code.pin), f"198.51.100.{turn}", **headers).status_code == 403
    assert type_pin(house, code.pin, "198.51.100.99").status_code == 429
    for turn in range(ONE.free):
        house.now += ALL.longest_s
        assert type_pin(house, other(code.pin), X_Forwarded_For=f"203.0.113.{turn}").status_code == 403
    house.now += 1.5
    assert type_pin(house, code.pin, X_Forwarded_For="203.0.113.77").status_code == 429


@pytest.mark.long
def test_after_too_many_guesses_the_digits_are_void_but_not_the_qr_code(house: House) -> None:
    code = house.auth.desk.new_code(life_s=10**6)
    for turn in range(GUESSES):
        house.now += ALL.longest_s
        assert type_pin(house, other(code.pin, turn + 1), f"198.51.100.{turn}").status_code == 403
    house.now += 10_000
    assert type_pin(house, code.pin, "192.0.2.1").status_code == 403
    answer = house.app.test_client().post(
        "/api/pair/link", json={"secret": code.secret, "name": "Tablet"}, headers=HERE
    )
    assert answer.status_code == 200


def test_guesses_at_once_are_counted_one_by_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    code = house.auth.desk.new_code()
    told: list[int] = []
    look = house.auth.desk.wait_s

    def look_slowly(address: str) -> float:
        wait_s = look(address)
        time.sleep(0.1)  # in which the others come up to the same place, if they can
        return wait_s

    monkeypatch.setattr(house.auth.desk, "wait_s", look_slowly)
    threads = [
        threading.Thread(target=lambda turn=turn: told.append(type_pin(house, other(code.pin, turn)).status_code))
        for turn in range(1, 13)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [403] * ONE.free + [429] * (12 - ONE.free)


def test_a_restart_gives_no_new_guesses(house: House) -> None:
    code = house.auth.desk.new_code()
    for turn in range(ONE.free):
        type_pin(house, other(code.pin, turn + 1))
    with ExitStack() as parts:
        house.auth = open_auth(house.folder, parts)
        house.set_clock(house.auth)
        house.app = house.new_app()
        assert type_pin(house, code.pin).status_code == 429
        house.now -= 86_400  # nor does a clock that was set back lock anybody out for a day
        assert int(type_pin(house, code.pin).headers["Retry-After"]) <= 2


def test_a_paired_device_opens_a_code_and_forgets_the_device_it_let_in(house: House) -> None:
    tablet = house.pair()
    told = tablet.post("/api/codes", key="code-0001").json
    assert len(told["pin"]) == 6
    assert 0 < told["seconds"] <= 15 * 60 or house.now  # the house's clock is its own
    assert told["link"].startswith("http://localhost/#pair=")
    assert len(told["qr"]) == len(told["qr"][0]) >= 21
    phone = house.app.test_client()
    secret = told["link"].partition("#pair=")[2]
    number = phone.post("/api/pair/link", json={"secret": secret, "name": "Phone"}, headers=HERE).json["device"]["id"]
    listed = tablet.client.get("/api/devices", headers=tablet.headers()).json["devices"]
    assert [(device["name"], device["here"]) for device in listed] == [("Phone", False), ("Tablet", True)]
    assert tablet.client.delete(f"/api/devices/{number}", headers=tablet.headers()).status_code == 204
    assert not phone.get("/api/session").json["paired"]


def test_a_command_is_done_once_and_keeps_its_first_answer_after_a_restart(house: House) -> None:
    tablet = house.pair()
    body = {"arguments": {"field": "D4"}, "seen": 0}
    first = tablet.post("/api/commands/note", body, key="key-00000001")
    assert first.json == {"words": "", "result": {"event": 1}}
    with ExitStack() as parts:
        house.auth = open_auth(house.folder, parts)
        house.set_clock(house.auth)
        house.app = house.new_app()
        again = house.app.test_client()
        again.set_cookie(house.auth.name, tablet.cookie)
        tablet.client = again
        repeated = tablet.post("/api/commands/note", body, key="key-00000001")
        assert (repeated.json, repeated.headers["Idempotency-Replayed"]) == (first.json, "true")
        assert tablet.post("/api/commands/note", {"arguments": {}}, key="key-00000001").status_code == 422
    assert house.journal.last == 1
    (entry,) = house.journal.entries()
    assert entry.data == {"arguments": {"field": "D4"}, "by": "Tablet", "seen": 0}


def test_a_refusal_is_repeated_too_and_says_why(house: House) -> None:
    tablet = house.pair()
    for _ in range(2):
        answer = tablet.post("/api/commands/never?lang=de", {}, key="key-00000002")
        assert (answer.status_code, answer.json["code"]) == (409, "phase")
        assert answer.json["detail"] == "Das geht jetzt nicht."
        assert answer.mimetype == "application/problem+json"
    assert tablet.post("/api/commands/unheard-of", {}, key="key-00000003").status_code == 404


def test_a_command_whose_end_nobody_saw_is_not_done_again(house: House) -> None:
    """The referee died between the command and its answer."""
    tablet = house.pair()
    untyped(house.services.parts.commands).command = lambda *_: (_ for _ in ()).throw(SystemExit)
    with pytest.raises(SystemExit):
        tablet.post("/api/commands/note", {}, key="key-00000004")
    house.app = house.new_app()
    again = house.app.test_client()
    again.set_cookie(house.auth.name, tablet.cookie)
    tablet.client = again
    answer = tablet.post("/api/commands/note", {}, key="key-00000004")
    assert (answer.status_code, answer.json["code"]) == (409, "unknown-outcome")
    assert house.journal.last == 0


def test_a_command_sent_again_while_it_is_being_done_is_not_done_twice(house: House) -> None:
    tablet, begun, go_on = house.pair(), threading.Event(), threading.Event()
    commands, told = untyped(house.services.parts.commands), []
    note = commands.command

    def slow(*said: Any) -> Any:
        begun.set()
        assert go_on.wait(10)
        return note(*said)

    commands.command = slow
    first = threading.Thread(target=lambda: told.append(tablet.post("/api/commands/note", {}, key="key-00000005")))
    first.start()
    assert begun.wait(10)
    again = tablet.post("/api/commands/note", {}, key="key-00000005")
    assert (again.status_code, again.json["code"]) == (409, "in-progress")
    go_on.set()
    first.join()
    assert tablet.post("/api/commands/note", {}, key="key-00000005").json == told[0].json
    assert house.journal.last == 1


def test_slow_commands_do_not_take_all_threads(house: House) -> None:
    tablet, go_on = house.pair(), threading.Event()
    commands, told = untyped(house.services.parts.commands), []
    note = commands.command
    commands.command = lambda *said: go_on.wait(10) and note(*said)

    def send(number: int) -> None:
        told.append(tablet.post("/api/commands/note", {}, key=f"key-{number:08d}").status_code)

    threads = [threading.Thread(target=send, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        if len(told) == 2:
            break
        time.sleep(0.05)
    assert told == [503, 503]
    go_on.set()
    for thread in threads:
        thread.join()
    assert told[2:] == [200] * 4
    for number in range(6):  # the same keys: what was done is not done again, what was not is
        assert tablet.post("/api/commands/note", {}, key=f"key-{number:08d}").status_code == 200
    assert house.journal.last == 6


def test_keys_belong_to_a_device(house: House) -> None:
    for name in ("Tablet", "Phone"):
        assert house.pair(name).post("/api/commands/note", {}, key="the-same-key").status_code == 200
    assert house.journal.last == 2


def test_what_the_disk_does_not_take_is_not_done(house: House) -> None:
    tablet = house.pair()
    db = house.auth.devices._store._db
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    before, answers = house.treasure(), []
    for turn in range(400):  # until the last free bytes are used up
        before = house.treasure()
        answers.append(tablet.post("/api/commands/note", {}, key=f"key-{turn:08d}"))
        if answers[-1].status_code != 200:
            break
    assert answers[-1].status_code == 503
    assert "disk may be full" in answers[-1].json["detail"]
    assert str(house.folder) not in answers[-1].text
    assert house.treasure() == before


def test_the_file_of_devices_holds_no_secret(house: House) -> None:
    tablet, code = house.pair(), house.auth.desk.new_code()
    path = house.folder / "devices.db"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    assert b"Tablet" in kept
    for secret in (tablet.cookie, tablet.csrf, code.pin, code.secret):
        assert secret.encode() not in kept


def test_devices_are_named_apart_and_limited(tmp_path: Path) -> None:
    with Store(tmp_path / "devices.db") as store:
        store._db.execute("PRAGMA synchronous = OFF")
        now = [1e9]
        devices = Devices(store, lambda: now[0])
        first, token = devices.pair("Phone")
        assert [devices.pair("Phone")[0].name for _ in range(2)] == ["Phone 2", "Phone 3"]
        renamed = devices.rename(first.id, "Phone 3")
        assert renamed is not None
        assert renamed.name == "Phone 3 2"
        assert devices.rename(999, "Nobody") is None
        assert not devices.forget(999)
        for _ in range(MOST_DEVICES):
            now[0] += 100
            devices.pair("More")
        assert devices.known(token) is None, "the one not seen for longest is forgotten"
        assert len(devices.all()) == MOST_DEVICES
        assert len({device.name for device in devices.all()}) == MOST_DEVICES


@pytest.mark.parametrize(
    ("said", "kept"), [("\x00\u202e", "Device"), ("a\tb\r\nc", "a b c"), ("x" * 99, "x" * 40), ("  ", "Device")]
)
def test_names_are_fit_to_print(said: str, kept: str) -> None:
    assert tidy_name(said) == kept


def test_files_that_are_something_else_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mine (x)")
    with pytest.raises(AuthStoreError, match="not a file of paired devices"):
        Store(path)
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to look like one" * 20)
    with pytest.raises(AuthStoreError, match="can't be read"):
        Store(text)
    with pytest.raises(AuthStoreError, match=r"can't be opened for writing: [A-Z][a-z ]+; let"):
        Store(tmp_path)


def test_two_processes_may_use_one_file(tmp_path: Path) -> None:
    """``referee pair`` opens a code while the referee runs."""
    with Store(tmp_path / "devices.db") as running, Store(tmp_path / "devices.db") as beside:
        code = PairingDesk(beside, Devices(beside)).new_code()
        device, token = PairingDesk(running, Devices(running)).pair_by_pin(code.pin, "Phone", "192.0.2.1")
        assert Devices(beside).known(token) == device


def test_answers_are_kept_a_day(tmp_path: Path) -> None:
    with Store(tmp_path / "devices.db") as store:
        now = [1e9]
        number = Devices(store, lambda: now[0]).pair("Tablet")[0].id
        answers = Answers(store, lambda: now[0])
        assert answers.begin(number, "key", b"request") is None
        assert answers.begin(number, "key", b"request") == KeptAnswer(True, None, None, busy=True)
        answers.end(number, "key")
        assert answers.begin(number, "key", b"request") == KeptAnswer(True, None, None)
        answers.finish(number, "key", 200, "{}")
        assert answers.begin(number, "key", b"other") == KeptAnswer(False, 200, "{}")
        now[0] += 90_000
        assert answers.begin(number, "key", b"request") is None


def test_the_terminal_shows_what_pairs(house: House) -> None:
    code = house.auth.desk.new_code()
    words = pairing_words("http://192.0.2.1:8080/", code)
    assert f"{code.pin[:3]} {code.pin[3:]}" in words
    assert pairing_link("http://192.0.2.1:8080/", code) == f"http://192.0.2.1:8080/#pair={code.secret}"
    assert "\u2588" in words


def test_tokens_fit_one_session() -> None:
    assert csrf_token("a") != csrf_token("b")
    assert TooManyGuessesError(3.0).wait_s == 3.0


def test_a_clock_set_back_and_put_right_logs_nobody_out(house: House) -> None:
    tablet, right = house.pair(), house.now
    house.now = right - 3 * IDLE_S
    assert tablet.known
    late = house.pair("Phone")
    house.now = right + 120
    for device in (tablet, late):
        assert device.known
    house.now = right + IDLE_S + 300
    assert not tablet.known


@pytest.mark.parametrize("path", ["events", "devices", "checkpoint", "record.json", "session"])
def test_what_only_some_may_see_is_stored_nowhere(house: House, path: str) -> None:
    tablet = house.pair()
    answer = tablet.client.get(f"/api/{path}", headers=tablet.headers())
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
