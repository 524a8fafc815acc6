"""Tables lent to visitors, with real processes: each their own, cleared with everything of it."""

from __future__ import annotations

import os
import re
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.addons.lending.lent import descendants
from tests.addons.lending.lent import PATIENCE_S, LendingDemo, Visitor, eventually
from tests.web.browser import needs_browser, open_page

pytestmark = [pytest.mark.process, pytest.mark.long]


def test_a_visitors_table_is_theirs_alone_and_goes_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LendingDemo(tmp_path, monkeypatch, "--tables", "1") as hall:
        visitor, stranger = Visitor(hall.port, 1), Visitor(hall.port, 2)
        assert visitor.ask("GET", "/virtual")[:2] == (303, "/hall")
        assert visitor.ask("GET", "/sit?game=turris")[:2] == (303, "/hall"), "who only looks round takes none"
        visitor.sit()
        visitor.until("/virtual")
        assert "leave" in visitor.ask("GET", "/virtual")[2]
        again = [visitor.ask("GET", "/virtual")[0] for _ in range(100)]
        assert again == [200] * 100, "who connects anew for each request is answered, too"
        assert '"paired":true' in visitor.ask("GET", "/api/session")[2]
        assert visitor.ask("GET", "/api/virtual")[0] == 200
        assert visitor.ask("POST", "/api/codes")[0] == 403, "no other device is let in"

        for cookie in ("", visitor.cookie[:-1], f"{visitor.cookie}x", "referee-visitor=" + "A" * 43):
            assert stranger.ask("GET", "/api/virtual", cookie)[0] == 410
            assert stranger.ask("GET", "/", cookie)[:2] == (303, "/hall")
        stranger.sit()
        status, _, page = stranger.ask("GET", "/wait?lang=de")
        assert status == 503
        assert re.search(r"Du bist Nummer 1 in der Reihe\. Spätestens in \d+ Minuten wird einer frei\.", page)

        neighbours = Visitor(hall.port, 1), Visitor(hall.port, 1)
        neighbours[0].sit()
        status, _, page = neighbours[1].ask("POST", "/sit?game=turris")
        assert status == 429, "two of one address"
        assert "From your network there are as many visitors as may be" in page
        assert neighbours[0].ask("POST", "/leave")[0] == 303

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


def test_what_a_killed_hall_left_goes_when_the_next_one_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LendingDemo(tmp_path, monkeypatch, "--tables", "1") as hall:
        Visitor(hall.port).sit()
        eventually(lambda: bool(hall.left_behind()))
        tables = hall.tables()
        hall.kill()
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in tables))
    [left] = tmp_path.glob("referee-public-*")
    with LendingDemo(tmp_path, monkeypatch, "--tables", "1"):
        assert not left.exists()
    assert not list(tmp_path.glob("referee-*"))


thorough = pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="make browser plays it")


@thorough
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--table-mb", "120"), "took more memory"),
        (("--minutes", "0.2"), "Your time at the table was over"),
        (("--idle", "0.15"), "Nobody played at your table"),
    ],
)
def test_a_table_is_bounded_and_another_can_be_had(
    options: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LendingDemo(tmp_path, monkeypatch, "--tables", "1", *options) as hall:
        visitor = Visitor(hall.port)
        visitor.sit()
        eventually(lambda: told in visitor.ask("GET", "/hall")[2])
        eventually(lambda: not hall.left_behind() and not hall.tables())
        visitor.sit()


@thorough
def test_tables_end_with_who_lent_them_even_if_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LendingDemo(tmp_path, monkeypatch) as hall:
        visitor = Visitor(hall.port)
        visitor.sit("terra-turrium")
        visitor.until("/virtual")
        started = descendants(hall.process.pid)
        assert len(started) == 4, "a referee, who draws, and two cameras"
        hall.kill()
        eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))


@thorough
@needs_browser
@pytest.mark.browser
def test_three_people_play_at_once_and_a_fourth_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LendingDemo(tmp_path, monkeypatch, "--tables", "3", "--each", "9") as hall, ExitStack() as parts:
        home = f"http://127.0.0.1:{hall.port}/"
        pages = [parts.enter_context(open_page(1100, 800, locale=spoken)) for spoken in ("en", "de", "fr", "de")]
        for page in pages:  # they share one machine with three tables
            page.set_default_timeout(PATIENCE_S * 1000)
        for page in pages[:3]:
            page.goto(home)
            page.get_by_role("button", name="Turris").click()
        places = ("C1", "A1", "B2")
        for page, place in zip(pages, places, strict=False):
            page.wait_for_url("**/virtual*")
            page.locator("#listed").click()
            page.locator("#tools button").nth(2).click()
            page.get_by_role("button", name=re.compile(rf"^{place}\s*: 0")).click()
        for page, place in zip(pages, places, strict=False):
            for each in places:
                stands = 1 if each == place else 0
                page.get_by_role("button", name=re.compile(rf"^{each}\s*: {stands}")).wait_for()

        last = pages[3]
        last.goto(home)
        last.get_by_role("button", name="Turris").click()
        expect(last.get_by_role("heading", name="Alle Tische sind besetzt")).to_be_visible()
        expect(last.get_by_text("Du bist Nummer 1 in der Reihe.")).to_be_visible()

        pages[0].locator("#leave").click()
        pages[0].get_by_role("button", name="Give the table back").click()
        expect(pages[0].get_by_text("You gave the table back")).to_be_visible()
        last.wait_for_url("**/virtual*")

        for pid in hall.tables()[:1]:  # one of the tables that are played at
            os.kill(pid, signal.SIGKILL)
        expect(pages[1].get_by_text("Dein Tisch ist ausgefallen")).to_be_visible(timeout=PATIENCE_S * 1000)
        pages[1].get_by_role("button", name="Turris").click()
        pages[1].wait_for_url("**/virtual*")
