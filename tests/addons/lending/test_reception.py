"""The reception of a hall: what it says in each case, in three languages, and whom it believes."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from referee.addons.lending.reception import Leaving, NoTableError, VisitorStanding, create_reception
from referee.values.words import LANGUAGES, say
from web.contract import check_endpoints

GAMES = [("terra-turrium", "Terra Turrium"), ("turris", "Turris")]


STANDINGS = [
    VisitorStanding(),
    VisitorStanding(asked=True),
    VisitorStanding(asked=True, laid=True),
    VisitorStanding(asked=True, place=3, wait_s=61.0),
    *(VisitorStanding(left=why) for why in Leaving),
]


class OneVisitor:
    """A hall in which everybody stands as the test says."""

    def __init__(self, stands: VisitorStanding | None = None, full: bool = False) -> None:
        self.stands, self.full, self.asked = stands or VisitorStanding(), full, list[tuple[str, ...]]()

    def ask(self, token: str, address: str, game: str, language: str) -> str:
        if self.full:
            raise NoTableError(say("Too many people wait already: try again later."))
        self.asked.append((address, game, language))
        return "T" * 43

    def standing(self, token: str) -> VisitorStanding:
        return self.stands

    def leave(self, token: str) -> None:
        self.asked.append(("leaves", token))

    def counts(self) -> tuple[int, int]:
        return 2, 1


def client(hall: OneVisitor) -> FlaskClient:
    app = create_reception(hall, GAMES, 60, ["localhost"])
    check_endpoints(app)
    return app.test_client()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stands", STANDINGS)
def test_every_page_is_in_the_visitors_language_and_needs_no_script(language: str, stands: VisitorStanding) -> None:
    page = "/wait" if stands.asked and not stands.laid else "/hall"
    answer = client(OneVisitor(stands)).get(page, headers={"Accept-Language": language})
    assert f'<html lang="{language}" ' in answer.text
    assert answer.text.count("<script") == 1, "the one that sets theme and language"
    if stands.left is not None:
        assert stands.left.value.text(language) in answer.text
    if stands.place:
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert 'http-equiv="refresh"' in answer.text
        assert " 2 " in answer.text, "minutes, rounded up"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/sit?game=turris", "/leave"])
def test_another_sites_page_takes_no_table_and_gives_none_back(
    path: str, headers: dict[str, str], status: int
) -> None:
    hall = OneVisitor()
    assert client(hall).post(path, headers=headers).status_code == status
    assert bool(hall.asked) is (status == 303)


def test_the_pages_own_form_says_where_it_comes_from() -> None:
    """A browser sends no origin with a form of a page that forbids every referrer."""
    assert client(OneVisitor()).get("/hall").headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(("scheme", "name"), [("http", "referee-visitor"), ("https", "__Host-referee-visitor")])
def test_the_cookie_is_for_this_host_and_for_no_script(scheme: str, name: str) -> None:
    answer = client(OneVisitor()).post("/sit?game=turris&lang=fr", base_url=f"{scheme}://localhost")
    assert (answer.status_code, answer.location) == (303, "/wait?lang=fr")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"{name}=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert ("Secure" in cookie) is (scheme == "https")
    assert "Domain" not in cookie


def test_who_gets_no_table_is_told_why_and_a_game_nobody_has_is_refused() -> None:
    full = client(OneVisitor(full=True)).post("/sit?game=turris&lang=de")
    assert full.status_code == 429
    assert "Es warten schon zu viele" in full.text
    assert client(OneVisitor()).post("/sit?game=chess").status_code == 400
    assert client(OneVisitor()).post("/sit").status_code == 400


def test_what_is_not_here_is_told_to_pages_and_programs() -> None:
    gone = client(OneVisitor()).get("/api/state")
    assert (gone.status_code, gone.get_json()["code"]) == (410, "no-table")
    assert client(OneVisitor()).get("/virtual?lang=de").location == "/hall?lang=de"
    lent = client(OneVisitor(VisitorStanding(asked=True, laid=True))).post("/api/codes")
    assert (lent.status_code, lent.get_json()["code"]) == (403, "not-lent")
    assert client(OneVisitor(VisitorStanding(asked=True, laid=True))).get("/wait").location == "/virtual"
    assert client(OneVisitor()).get("/hall", headers={"Host": "elsewhere.example"}).status_code == 400
    assert client(OneVisitor()).get("/health").get_json() == {"status": "ok", "lent": 2, "waiting": 1}
