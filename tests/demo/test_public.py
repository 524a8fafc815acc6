"""Tables lent to visitors, with real processes: each their own, cleared with everything of it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.demo.hall import LendingDemo, Visitor
from tests.vision.sources.test_faults import eventually

pytestmark = [pytest.mark.process, pytest.mark.long]


def test_a_visitors_table_is_theirs_alone_and_goes_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LendingDemo(tmp_path, monkeypatch, "--tables", "1") as hall:
        visitor, stranger = Visitor(hall.port, 1), Visitor(hall.port, 2)
        assert visitor.ask("GET", "/virtual")[:2] == (303, "/hall")
        assert visitor.ask("GET", "/sit?game=turris")[:2] == (303, "/hall"), "nobody who only looks round takes a table"
        visitor.sit()
        visitor.until("/virtual")
        assert "leave" in visitor.ask("GET", "/virtual")[2]
        assert '"paired":true' in visitor.ask("GET", "/api/session")[2]
        assert visitor.ask("GET", "/api/virtual")[0] == 200
        assert visitor.ask("POST", "/api/codes")[0] == 403, "no other device is let in"

        for cookie in ("", visitor.cookie[:-1], f"{visitor.cookie}x", "referee-visitor=" + "A" * 43):
            assert stranger.ask("GET", "/api/virtual", cookie)[0] == 410
            assert stranger.ask("GET", "/", cookie)[:2] == (303, "/hall")
        stranger.sit()
        status, _, page = stranger.ask("GET", "/wait?lang=de")
        assert status == 503
        assert "Du bist Nummer 1 in der Reihe. Spätestens in 60 Minuten wird einer frei." in page

        [table] = hall.tables()
        os.kill(table, signal.SIGKILL)
        eventually(lambda: visitor.ask("GET", "/api/virtual")[0] == 410)
        assert "Dein Tisch ist ausgefallen, das ist unser Fehler." in visitor.ask("GET", "/hall?lang=de")[2]
        stranger.until("/virtual")
        [folder] = hall.left_behind()
        assert folder.name == "2", "of the first table nothing is left"
        assert stranger.ask("POST", "/leave")[:2] == (303, "/hall")
        eventually(lambda: not hall.left_behind() and not hall.tables())
    assert not list(tmp_path.glob("referee-*"))
