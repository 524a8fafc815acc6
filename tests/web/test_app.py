from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.addons import addon_names, addon_page
from referee.daemon import ViewPublisher
from referee.kinds import kind_names, page_folder
from referee.service.server import own_hosts
from web.app import create_app
from web.services import services_of

WEB = Path(__file__).parents[2] / "web"
KINDS = {".js", ".css", ".html", ".svg", ".py"}
NOT_OURS = {"vendor", "manual"}
SCRIPTS = {f"/static/{path.name}": path for path in WEB.glob("static/*.js")} | {
    f"/{brought}/{name}/{path.name}": path
    for brought, folders in (("kinds", map(page_folder, kind_names())), ("addons", map(addon_page, addon_names())))
    for folder in folders
    if folder is not None
    for name, path in ((folder.parent.name, path) for path in folder.glob("*.js"))
}
"""The page's scripts by their addresses, with those that kinds and add-ons bring."""
SOURCES = sorted(
    path for path in {*WEB.rglob("*"), *SCRIPTS.values()} if path.suffix in KINDS and NOT_OURS.isdisjoint(path.parts)
)


def test_the_page_brings_only_its_own_files(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(assets) >= 5
    for asset in assets:
        assert asset.startswith(("/static/", "/kinds/", "/addons/", "/packed/"))
        with client.get(asset) as answer:
            assert answer.status_code == 200
    assert "<script>" not in page.text
    assert "<style" not in page.text
    assert not re.search(r'\s(?:style|on\w+)="', page.text)


def test_only_browsers_that_heed_it_are_told_the_policy_of_openers(board: ViewPublisher) -> None:
    """Elsewhere they write a warning with every page, and ignore it."""
    client = create_app(board, TRUSTED_HOSTS=["localhost", "table.local"]).test_client()
    for origin, is_told in (
        ("http://localhost", True),
        ("https://table.local", True),
        ("http://table.local:8080", False),
    ):
        assert ("Cross-Origin-Opener-Policy" in client.get("/", base_url=origin).headers) is is_told


def test_every_module_a_script_imports_is_served(client: FlaskClient) -> None:
    for address, script in SCRIPTS.items():
        for name in re.findall(r'(?:from|import\() ?"([./][^"]+)"', script.read_text(encoding="utf-8")):
            with client.get(urljoin(address, name)) as answer:
                assert answer.status_code == 200, f"{address} imports {name}"


@pytest.mark.parametrize(
    "path",
    ["/kinds/grid/nothing.js", "/kinds/grid/../view.py", "/kinds/grid/..%2F..%2Freader.py", "/kinds/none/widget.js"],
)
def test_only_the_page_folder_of_a_kind_is_served(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        assert answer.status_code == 404


def test_a_kinds_files_are_kept_as_the_pages_own_are(client: FlaskClient) -> None:
    with client.get("/kinds/grid/widget.js") as first:
        assert first.mimetype == "text/javascript"
        assert first.headers["Cache-Control"] == "no-cache"
        tag = first.headers["ETag"]
    with client.get("/kinds/grid/widget.js", headers={"If-None-Match": tag}) as again:
        assert again.status_code == 304


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/stream", "/static/app.js", "/nowhere"])
def test_every_answer_is_fenced(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_the_state_as_json(client: FlaskClient, board: ViewPublisher) -> None:
    answer = client.get("/api/state")
    assert answer.json == board.snapshot()
    assert answer.headers["Cache-Control"] == "private, no-cache"
    again = client.get("/api/state", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    board.publish(dict(board.snapshot()))
    assert client.get("/api/state", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/stream"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_page_only_reads(client: FlaskClient, path: str, method: str) -> None:
    assert client.open(path, method=method).status_code == 405


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8080", 200),
        ("127.0.0.1:8080", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("localhost@evil.example", 400),
        ("", 400),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/state", "/static/app.js"])
def test_only_own_hosts_are_answered(client: FlaskClient, host: str, status: int, path: str) -> None:
    with client.get(path, headers={"Host": host}) as answer:
        assert answer.status_code == status


def test_the_machines_own_names_are_answered(board: ViewPublisher) -> None:
    client = create_app(board, TRUSTED_HOSTS=own_hosts()).test_client()
    for host in own_hosts():
        assert client.get("/api/state", headers={"Host": f"{host}:8080"}).status_code == 200
    assert client.get("/api/state", headers={"Host": "evil.example"}).status_code == 400


def messages(chunks: Any, count: int) -> list[tuple[str, Any]]:
    """Return the first named events of a stream."""
    found: list[tuple[str, Any]] = []
    for chunk in chunks:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
        if len(found) == count:
            break
    return found


def test_the_stream_begins_with_the_state_then_beats_and_follows(client: FlaskClient, board: ViewPublisher) -> None:
    with client.get("/api/stream") as answer:
        assert answer.mimetype == "text/event-stream"
        stream = answer.iter_encoded()
        assert messages(stream, 2) == [("state", board.snapshot()), ("beat", {})]
        board.publish(dict(board.snapshot()) | {"turn": 2})
        ((kind, data),) = messages(stream, 1)
        assert (kind, data["turn"]) == ("state", 2)
        board.close()
        assert not [kind for kind, _ in messages(stream, 9) if kind == "state"]


def test_streams_have_an_end_and_slots_come_back(client: FlaskClient) -> None:
    first, second = client.get("/api/stream"), client.get("/api/stream")
    refused = client.get("/api/stream")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "30"
    assert client.get("/api/state").status_code == 200
    for answer in (first, first, second):  # closing twice gives one slot back, not two
        answer.close()
    third, fourth = client.get("/api/stream"), client.get("/api/stream")
    assert (third.status_code, fourth.status_code) == (200, 200)
    assert client.get("/api/stream").status_code == 503
    third.close()
    fourth.close()


def test_apps_are_independent(app: Flask, board: ViewPublisher) -> None:
    other = create_app(board)
    assert services_of(other).streams is not services_of(app).streams


def test_sources_are_small_name_no_game_and_reach_nowhere() -> None:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 500, path
        assert not re.search(r"terra|turrium", text, re.IGNORECASE), path
        assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", text), path
        foreign = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*", text)
        assert not [url for url in foreign if "w3.org" not in url], path


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/play.css", "/api/words?lang=de", "/api/state"])
def test_what_is_large_and_holds_no_secret_travels_compressed(client: FlaskClient, path: str) -> None:
    with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "gzip"}) as small:
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["Vary"]
        assert gzip.decompress(small.data) == plain.data
        assert len(small.data) == int(small.headers["Content-Length"]) < len(plain.data)
        assert small.headers["Content-Security-Policy"] == plain.headers["Content-Security-Policy"]
        tag = small.headers.get("ETag")
    if tag is not None:
        with client.get(path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag}) as again:
            assert (again.status_code, again.data) == (304, b"")


def test_a_new_state_is_compressed_anew(client: FlaskClient, board: ViewPublisher) -> None:
    for name in ("first", "second"):
        board.publish(dict(board.snapshot()) | {"name": name})
        answer = client.get("/api/state", headers={"Accept-Encoding": "gzip"})
        assert json.loads(gzip.decompress(answer.data))["name"] == name


def test_two_tables_of_a_process_answer_their_own_states(board: ViewPublisher) -> None:
    """Files are compressed once for both; states are not, though they bear the same tag."""
    other, shown = ViewPublisher(), dict(board.snapshot())
    for table, name in ((board, "first"), (other, "other")):
        table._version = 7  # it begins with the time, in milliseconds
        table.publish(shown | {"name": name})
    asked = {"Accept-Encoding": "gzip"}
    for table, name in ((board, "first"), (other, "other"), (board, "first")):
        client = create_app(table).test_client()
        assert json.loads(gzip.decompress(client.get("/api/state", headers=asked).data))["name"] == name
        with client.get("/static/app.js", headers=asked) as small:
            assert gzip.decompress(small.data) == SCRIPTS["/static/app.js"].read_bytes()


@pytest.mark.parametrize("path", ["/api/session", "/api/stream", "/api/openapi.json", "/static/icon-192.png"])
def test_what_holds_a_secret_or_never_ends_is_left_as_it_is(client: FlaskClient, path: str) -> None:
    with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
        assert "Content-Encoding" not in answer.headers


def test_the_page_is_light(client: FlaskClient) -> None:
    """All that the tablet's page loads, as it travels."""
    loaded = re.findall(r'<(?:script|link rel="(?:stylesheet|icon)").*(?:src|href)="([^"]+)"', client.get("/").text)
    assert len(loaded) < 8
    size = 0
    for address in loaded:
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as answer:
            size += len(answer.data)
    assert size < 140_000


def test_a_recorded_game_says_why_nothing_can_be_set_up(client: FlaskClient) -> None:
    answer = client.get("/api/setup?lang=en")
    assert answer.status_code == 404
    assert "this is a recorded game" in str(answer.get_json())
