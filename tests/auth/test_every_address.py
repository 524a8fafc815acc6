"""Every address the app has, found in its own map: who has no right to it is refused, and nothing changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from referee.addons.statistics.addresses import PlayerBody
from referee.addons.witnesses.addresses import NoteBody
from tests.archive.witnessing import Phone
from tests.auth.house import ORIGIN, Device, House
from tests.untyped import untyped
from web.api import models, tablemodels
from web.app import create_app
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER, Access, Contract, contract_of
from web.tableparts import TableParts

KEY = "a-key-of-its-own"
PHONE = Phone(b"p" * 32)
pytestmark = pytest.mark.long


class _NoTable:
    def snapshot(self, language: str = "en") -> dict[str, object]:
        return {"version": 1}

    def wait(self, version: int, timeout: float) -> bool:
        return False


@cache
def _addresses() -> list[tuple[Rule, str, Contract]]:
    app = create_app(_NoTable(), TableParts(signs=lambda: untyped(None)))
    found = []
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint != "static":
                contract = contract_of(app, rule.endpoint)
                assert contract is not None, f"{rule.rule} declares nothing"
                found.append((rule, method, contract))
    return found


@pytest.fixture(scope="module")
def still(module_folder: Path) -> Iterator[House]:
    """Yield one house for all requests that must change nothing in it."""
    with ExitStack() as parts:
        yield House(module_folder, parts)


@pytest.fixture(scope="module")
def ended(module_folder: Path) -> Iterator[House]:
    """Yield a house whose streams end at once."""
    yield from _ended(module_folder / "ended")


@pytest.fixture(scope="module")
def shut(module_folder: Path) -> Iterator[House]:
    """Yield one that only paired devices may watch; its streams end at once."""
    yield from _ended(module_folder / "shut", OPEN_WATCHING=False)


def _ended(folder: Path, **config: object) -> Iterator[House]:
    folder.mkdir()
    with ExitStack() as parts:
        house = House(folder, parts, config)
        house.board.close()
        yield house


def _having(*accesses: Access, body: bool = False) -> Any:
    """Try every address of these accesses. body: only those that take a body that is described."""
    chosen = [one for one in _addresses() if one[2].access in accesses and (one[2].body is not None or not body)]
    return pytest.mark.parametrize(
        ("rule", "method", "contract"), chosen, ids=[f"{method} {rule.rule}" for rule, method, _ in chosen]
    )


def body_for(contract: Contract, house: House) -> bytes:
    """Return a body that is right."""
    code = house.auth.desk.new_code() if contract.access is Access.PAIR else None
    bodies: dict[Any, object] = {
        None: {},
        tablemodels.CameraBody: {"camera": "cam0"},
        tablemodels.SizesBody: {"sizes": {"die": 16.0}},
        tablemodels.TapsBody: {"camera": "cam0", "taps": [[0.5, 0.5]]},
        tablemodels.CornersBody: {"nw": [0.2, 0.2], "ne": [0.8, 0.2], "se": [0.8, 0.8], "sw": [0.2, 0.8]},
        tablemodels.CopyNameBody: {"name": "Club 1"},
        tablemodels.CopyFileBody: {"data": {}},
        tablemodels.RowBody: {"values": {}},
        tablemodels.PictureBody: {"picture": "/9j/4AAQ"},
        tablemodels.HandBody: {"do": "take", "field": "D4"},
        tablemodels.ShowBody: {"azimuth_deg": 90.0, "elevation_deg": 60.0},
        tablemodels.FaultBody: {"name": "bump"},
        models.CommandBody: {"arguments": {"field": "D4"}, "seen": 3},
        models.HeadBody: {"head": ""},
        models.RoomBody: {"names": False},
        PlayerBody: {"name": "Anna"},
        models.NameBody: {"name": "Another name"},
        NoteBody: {"note": PHONE.cosign(house.head(), 5)},
        models.PinBody: {"pin": code.pin if code else "", "name": "Phone"},
        models.SecretBody: {"secret": code.secret if code else "", "name": "Phone"},
    }
    return json.dumps(bodies[contract.body]).encode()


class Request:
    """A request that is right in every way, to be spoilt in one."""

    def __init__(self, house: House, rule: Rule, method: str, contract: Contract, device: Device) -> None:
        self.house = house
        values = {"name": "note", "content": house.content, "camera": "cam0", "step": "skip"}
        self.path = rule.rule
        for name in rule.arguments:
            value = str(house.pair("Victim").id) if name == "number" else values.get(name, "1")
            for written in (f"<int:{name}>", f"<path:{name}>", f"<{name}>"):
                self.path = self.path.replace(written, value)
        self.method = method
        self.body: bytes | None = body_for(contract, house) if method != "GET" and method != "DELETE" else None
        self.media = "application/json"
        if contract.takes is not None:
            self.media, self.body = contract.takes[0], b"\xff\xd8 a picture \xff\xd9"
        self.headers = {"Origin": ORIGIN, KEY_HEADER: KEY}
        if contract.access is Access.ACT:
            self.headers[CSRF_HEADER] = device.csrf
        self.host = "localhost"
        self.client: FlaskClient = device.client if contract.access is Access.ACT else house.app.test_client()

    def send(self) -> Any:
        sent = self.client.open(
            self.path,
            method=self.method,
            data=self.body,
            content_type=self.media if self.body is not None else None,
            headers=self.headers | {"Host": self.host},
        )
        sent.get_data()
        sent.close()
        return sent


Spoil = Callable[[Request, Device, Device], None]


def _no_session(request: Request, device: Device, other: Device) -> None:
    request.client = request.house.app.test_client()


def _made_up_session(request: Request, device: Device, other: Device) -> None:
    request.client = request.house.app.test_client()
    request.client.set_cookie(request.house.auth.name, "x" * 43)


def _garbage_session(request: Request, device: Device, other: Device) -> None:
    request.client = request.house.app.test_client()
    request.client.set_cookie(request.house.auth.name, "' OR 1=1 --" * 50)


def _forgotten(request: Request, device: Device, other: Device) -> None:
    request.house.auth.devices.forget(device.id)


def _idle(request: Request, device: Device, other: Device) -> None:
    request.house.now += 181 * 24 * 3600


def _token_missing(request: Request, device: Device, other: Device) -> None:
    del request.headers[CSRF_HEADER]


def _token_of_another(request: Request, device: Device, other: Device) -> None:
    request.headers[CSRF_HEADER] = other.csrf


def _session_of_another(request: Request, device: Device, other: Device) -> None:
    request.client = other.client


def _token_is_cookie(request: Request, device: Device, other: Device) -> None:
    request.headers[CSRF_HEADER] = device.cookie


NO_SESSION = [_no_session, _made_up_session, _garbage_session, _forgotten, _idle]
NO_TOKEN = [_token_missing, _token_of_another, _session_of_another, _token_is_cookie]


@_having(Access.ACT)
def test_who_is_not_paired_changes_nothing(still: House, rule: Rule, method: str, contract: Contract) -> None:
    for spoil in (*NO_SESSION, *NO_TOKEN):
        device, other = still.pair(), still.pair("Other")
        request = Request(still, rule, method, contract, device)
        spoil(request, device, other)
        before = still.treasure()
        answer = request.send()
        assert answer.status_code == (401 if spoil in NO_SESSION else 403), spoil.__name__
        assert answer.mimetype == "application/problem+json", spoil.__name__
        assert still.treasure() == before, spoil.__name__
        assert not still.phones.taken, spoil.__name__
        assert not still.photographs.taken, spoil.__name__
        assert not leaked(answer, still), spoil.__name__


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:9999"},
    {"Origin": "https://localhost"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": ""},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
]


@_having(Access.ACT, Access.PAIR)
def test_another_sites_page_changes_nothing(still: House, rule: Rule, method: str, contract: Contract) -> None:
    device = still.pair()
    for said in FOREIGN:
        request = Request(still, rule, method, contract, device)
        del request.headers["Origin"]
        request.headers |= said
        before = still.treasure()
        assert request.send().status_code == 403, said
        assert still.treasure() == before, said
        assert not still.phones.taken, said
        assert not still.photographs.taken, said


@_having(*Access)
def test_a_foreign_host_is_told_nothing(still: House, rule: Rule, method: str, contract: Contract) -> None:
    device = still.pair()
    for host in ("evil.example", "localhost.evil.example", "10.9.8.7", "localhost@evil", ""):
        request = Request(still, rule, method, contract, device)
        request.host = host
        request.headers["Origin"] = f"http://{host}"
        before = still.treasure()
        answer = request.send()
        assert answer.status_code in (400, 404), host  # 404: an address only some tables have
        assert still.treasure() == before, host
        assert "Legal" not in answer.text, host
        assert not leaked(answer, still), host


BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 10_000,
    b'{"name": "\\ud800", "arguments": {"\\ud800": 1}, "pin": "\\ud800", "secret": "\\ud800\\ud800\\ud800\\ud800"}',
    b'{"arguments": NaN, "name": NaN, "pin": 123456}',
    b'{"surplus": 1}',
    b'{"name": 7, "arguments": 7}',
    b'{"name": null, "arguments": null}',
]


@_having(Access.ACT, Access.PAIR, body=True)
def test_a_malformed_body_changes_nothing(still: House, rule: Rule, method: str, contract: Contract) -> None:
    device = still.pair()
    for body in BODIES:
        request = Request(still, rule, method, contract, device)
        request.body = body
        before = still.treasure()
        answer = request.send()
        assert (answer.status_code, answer.mimetype) == (400, "application/problem+json"), body
        assert still.treasure() == before, body


@_having(Access.ACT, Access.PAIR, body=True)
def test_a_large_body_or_another_kind_changes_nothing(
    still: House, rule: Rule, method: str, contract: Contract
) -> None:
    request = Request(still, rule, method, contract, still.pair())
    right, before = request.body, still.treasure()
    request.body = b'{"name": "' + b"x" * (contract.largest + 4_000) + b'"}'
    assert request.send().status_code == 413
    request.body = right
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        request.media = media
        assert request.send().status_code == 415
    assert still.treasure() == before


@_having(Access.ACT)
def test_whoever_is_paired_may_act_and_a_repeated_request_changes_nothing_more(
    house: House, rule: Rule, method: str, contract: Contract
) -> None:
    """Without the first the tests above could pass for another reason."""
    request = Request(house, rule, method, contract, house.pair())
    first = request.send()
    assert first.status_code == contract.status, first.text
    other = Request(house, rule, method, contract, house.pair())
    del other.headers["Origin"]  # a program, not a browser
    assert other.send().status_code == contract.status
    after = house.treasure()
    again = request.send()
    assert house.treasure() == after
    if contract.once and contract.keep:
        assert (again.status_code, again.data) == (first.status_code, first.data)
        assert again.headers["Idempotency-Replayed"] == "true"
    elif contract.once:
        assert again.status_code == 409
    if contract.once:
        del request.headers[KEY_HEADER]
        assert request.send().status_code == 400
        assert house.treasure() == after


@_having(Access.WATCH)
def test_watching_a_closed_table_needs_pairing(shut: House, rule: Rule, method: str, contract: Contract) -> None:
    device = shut.pair()
    request = Request(shut, rule, method, contract, device)
    answer = request.send()
    assert answer.status_code == 401
    assert "Legal" not in answer.text
    request.client = device.client
    assert request.send().status_code in (200, 404)  # 404: what this table doesn't have
    assert device.client.get("/api/state").status_code == 200


@_having(*Access)
def test_only_the_methods_declared_are_answered(still: House, rule: Rule, method: str, contract: Contract) -> None:
    request = Request(still, rule, method, contract, still.pair())
    taken = {way for other, way, _ in _addresses() if other.rule == rule.rule} | {"HEAD"}
    before = still.treasure()
    for way in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - taken:
        request.method = way
        assert request.send().status_code in (404, 405)
    assert still.treasure() == before


@_having(*Access)
def test_every_answer_has_security_headers(ended: House, rule: Rule, method: str, contract: Contract) -> None:
    for answer in (Request(ended, rule, method, contract, ended.pair()).send(), ended.app.test_client().get("/x")):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "geolocation=()" in answer.headers["Permissions-Policy"]
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_an_address_without_a_contract_lets_no_app_start() -> None:
    app = Flask(__name__)
    app.add_url_rule("/open", "open", lambda: "come in")
    from web.contract import check_endpoints

    with pytest.raises(RuntimeError, match="/open declares no contract"):
        check_endpoints(app)


def leaked(answer: Any, house: House) -> list[str]:
    """Return what of the house's secrets, or of how it works inside, is in an answer."""
    text = answer.get_data(as_text=True) + str(answer.headers)
    inside = [str(house.folder), "Traceback", "sqlite", "argon2", house.journal.head]
    return [word for word in inside if word in text]
