"""The page hands out reports on the game that is played now: HTML and PDF, in the language asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from pypdfium2 import PdfDocument

from referee.daemon import ViewPublisher
from referee.daemon.gamejournal import GameJournal, carried_on
from referee.daemon.reports import TurnReports
from referee.daemon.resultcache import ResultCache
from referee.games import game_named
from referee.match.events import Disputed
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from referee.view import table_view
from tests.archive.game import write_journal
from web.app import create_app
from web.tableparts import TableParts

pytestmark = pytest.mark.long

GAME = game_named("terra-turrium")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameJournal]:
    path = write_journal(tmp_path_factory.mktemp("reports") / "game.journal")
    with Journal(path) as journal:
        state = carried_on(journal, GAME)
        assert state is not None
        yield GameJournal(journal, state, EvidenceStore(pictures_folder(path)))


@pytest.fixture(scope="module")
def client(session: GameJournal) -> Iterator[FlaskClient]:
    board = ViewPublisher()
    board.publish(lambda language: table_view(GAME, session.state, language=language))
    yield create_app(board, TableParts(reports=TurnReports(lambda: session, ResultCache()))).test_client()
    board.close()


def test_a_turn_is_handed_out_as_a_file(client: FlaskClient) -> None:
    page = client.get("/api/turns/1/report.html?lang=de")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert 'filename="turn-1.html"' in page.headers["Content-Disposition"]
    assert "Zug 1" in page.text
    paper = client.get("/api/turns/1/report.pdf?lang=fr")
    assert (paper.status_code, paper.mimetype) == (200, "application/pdf")
    text = " ".join(one.get_textpage().get_text_range() for one in PdfDocument(paper.data))
    assert "Tour 1" in text
    assert "cubes.conserved" in text


def test_a_turn_is_shared_without_names(client: FlaskClient) -> None:
    page = client.get("/api/turns/1/share.html?lang=de")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "Zug 1" in page.text
    assert "Anna" not in page.text
    film = client.get("/api/turns/1/share.gif")
    assert (film.status_code, film.mimetype) == (200, "image/gif")
    assert 'filename="turn-1.gif"' in film.headers["Content-Disposition"]


@pytest.mark.parametrize("address", ["/api/turns/3/share.gif", "/api/turns/3/report.html", "/api/turns/0/report.pdf"])
def test_a_turn_nobody_ruled_on_has_none(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert b"no-report" in answer.data


def test_a_report_is_made_anew_once_something_happened(session: GameJournal, client: FlaskClient) -> None:
    before = client.get("/api/turns/2/report.html").text
    assert client.get("/api/turns/2/report.html").text == before
    event = Disputed("Anna", 1, 3, "it was four")
    session.journal.append(event.kind, event.to_json())
    assert "it was four" not in before
    assert "it was four" in client.get("/api/turns/2/report.html").text
