"""The manual is served under /docs, that folder alone, and a page says how to build it where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.daemon import ViewPublisher
from web.app import create_app


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "manual"
    (built / "play").mkdir(parents=True)
    (built / "index.html").write_text("<h1>Referee</h1>")
    (built / "play" / "torres.html").write_text("<h1>Torres</h1>")
    (built / "assets.js").write_text("1;")
    (tmp_path / "secret.txt").write_text("secret")
    return built


@pytest.fixture
def client(board: ViewPublisher, folder: Path) -> FlaskClient:
    return create_app(board, TESTING=True, MANUAL=folder).test_client()


def opened(client: FlaskClient, address: str) -> TestResponse:
    """Return the answer, read whole, and its file closed."""
    answer = client.get(address)
    answer.get_data()
    answer.close()
    return answer


@pytest.mark.parametrize("address", ["/docs", "/docs/"])
def test_the_manual_begins_at_its_first_page(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/docs/index.html")
    page = opened(client, answer.headers["Location"])
    assert (page.status_code, page.mimetype, page.text) == (200, "text/html", "<h1>Referee</h1>")
    assert opened(client, "/docs/play/torres.html").text == "<h1>Torres</h1>"
    assert opened(client, "/docs/assets.js").mimetype == "text/javascript"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "play/../../secret.txt",
        "play%2f..%2f..%2fsecret.txt",
        "..%5csecret.txt",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "index.html%00",
        "play",
        "play/",
        "nothing.html",
        "x" * 5000,
    ],
)
def test_nothing_but_its_files_is_served(client: FlaskClient, name: str) -> None:
    answer = opened(client, f"/docs/{name}")
    assert answer.status_code in (400, 404)
    assert "secret" not in answer.text
    assert "root:" not in answer.text


def test_its_pages_may_load_their_own_files_only(client: FlaskClient) -> None:
    policy = opened(client, "/docs/index.html").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    assert client.get("/").headers["Content-Security-Policy"] != policy


@pytest.mark.parametrize(
    ("language", "said"), [("en", "“make docs” builds it"), ("de", "Handbuch"), ("fr", "Manuel")]
)
def test_a_missing_manual_says_how_to_build_it(
    board: ViewPublisher, tmp_path: Path, language: str, said: str
) -> None:
    client = create_app(board, TESTING=True, MANUAL=tmp_path).test_client()
    for address in ("/docs", "/docs/", "/docs/start/questions.html"):
        answer = client.get(f"{address}?lang={language}")
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert said in answer.text
        assert "make docs" in answer.text
        assert 'href="/help"' in answer.text


def test_help_leads_to_the_manual(client: FlaskClient) -> None:
    assert '<a href="/docs">The whole manual</a>' in client.get("/help?lang=en").text
