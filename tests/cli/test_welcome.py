"""A referee that was named no table asks on its page what to do, and becomes that."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Error, Page, Route, expect

from calibration.table import load_table
from referee.cli.tablekind import box_picture
from referee.cli.welcome import FirstPage
from referee.games import game_named, presets_named
from referee.service.settings import Settings
from tests.demo.command import Demo
from tests.vision.sources.patience import eventually
from tests.web.browser import needs_browser, open_page
from web.docs import POLICY
from web.welcome import ChoiceStep, create_welcome

PAIRED = "fetch('/api/session').then((answer) => answer.ok && answer.json()).then((now) => now?.paired)"
LOST = """
    const [whole, asked] = [window.fetch, []];
    window.fetch = (address, how = {}) => address !== "/health" || asked.push(address) > 1 ? whole(address, how)
        : new Promise((_, fail) => how.signal?.addEventListener("abort", () => fail(how.signal.reason)));
"""
"""The first answer to whether the table is there never comes."""
ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture
def desk(tmp_path: Path) -> FirstPage:
    return FirstPage(Settings.model_validate({"data_folder": str(tmp_path)}))


@needs_browser
@pytest.mark.browser
@pytest.mark.process
def test_one_command_leads_to_a_real_board_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    with Demo.run("--host", "127.0.0.1") as run, open_page(820, 1180) as page:
        page.goto(run.url)
        page.get_by_role("button", name="Terra Turrium").first.click()
        frame = page.get_by_role("link", name="The frame to print").get_attribute("href")
        assert frame is not None
        assert page.request.get(f"{page.url.partition('?')[0]}{frame.lstrip('/')}").body().startswith(b"%PDF")
        page.get_by_role("button", name="Another box").click()
        page.get_by_role("button", name="Torres").first.click()
        page.get_by_role("button", name="The frame lies").click()
        expect(page.locator("#headline, h2").first).to_be_visible()
        page.wait_for_function(PAIRED)
        state = page.request.get(f"{page.url.partition('#')[0]}api/state?lang=en").json()
        assert (state["game"], state["phase"]["id"]) == ("torres", "set-up")
        assert state["choices"]["colours"]  # who plays, where they sit and who begins can still be chosen
        assert run.process.poll() is None
    (table,) = (path.parent for path in (data / "tables").glob("torres*/table.json"))
    assert load_table(table).held == ("phone",)


@needs_browser
@pytest.mark.browser
@pytest.mark.process
def test_whoever_only_looks_may_play_at_the_drawn_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with Demo.run("--host", "127.0.0.1") as run, open_page(1280, 800) as page:
        page.add_init_script(LOST)
        missed: list[str] = []
        page.on("response", lambda answer: missed.append(answer.url) if answer.status == 404 else None)
        page.goto(f"{run.url}?lang=de")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        lost: list[Route] = []  # the first answer never comes
        page.route("**/health", lambda route: route.continue_() if lost else lost.append(route))
        page.get_by_role("button", name="Den Tisch ausprobieren").click()
        page.wait_for_selector("#there", state="attached")
        page.wait_for_load_state()
        assert not page.locator("#there").is_visible()  # whoever presses it too early meets no page at all
        page.wait_for_url("**/virtual**")
        page.wait_for_function(PAIRED)
        assert page.evaluate("document.documentElement.lang") == "de"  # as was chosen before
    assert not [one for one in missed if "/api/" in one]


@needs_browser
@pytest.mark.browser
@pytest.mark.process
def test_whoever_leaves_the_first_page_too_early_is_let_in_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    with Demo.run("--host", "127.0.0.1") as run, open_page(1280, 800) as page:
        url = run.url
        page.goto(url)
        with page.expect_response("**/go"):
            page.get_by_role("button", name="Watch a recorded game").click()
        page.goto("about:blank")
        eventually(lambda: _is_there(page, url))
        page.goto(url)
        page.wait_for_function(PAIRED)


def _is_there(page: Page, url: str) -> bool:
    """Return whether the table's own server answers: the first page's knows no such address."""
    try:
        return page.request.get(f"{url}health").status != 404
    except Error:
        return False


def test_a_choice_is_taken_back_and_leaves_no_second_table(desk: FirstPage, tmp_path: Path) -> None:
    box = desk.boxes()[0].id
    for _ in range(2):
        assert desk.choose(box)
        assert desk.step is ChoiceStep.PRINT
        desk.go()
        assert not desk.begun.is_set()
        assert desk.choose("")
        assert desk.step is ChoiceStep.CHOOSE
    assert desk.tables() == []  # nobody played there
    (folder,) = (path.parent for path in tmp_path.glob("tables/*/table.json"))
    games = tmp_path / "games"
    games.mkdir()
    (games / f"{folder.name}-20261129-120000.journal").touch()
    (table,) = desk.tables()
    assert replace(table, id=box) == desk.boxes()[0]
    assert desk.choose(box)  # another one is made then
    shutil.copytree(folder, tmp_path / "tables" / "by-hand")
    assert {one.title for one in desk.tables()} == {"by-hand", table.title}
    assert desk.choose(table.id)
    assert desk.step is ChoiceStep.LAY
    assert desk.command(Settings(), None)[0] == "run"
    assert desk.command(Settings(), None)[-2:] == ("--host", "0.0.0.0")
    for nothing in ("box:chess:usual", "table:../..", "other"):
        assert not desk.choose(nothing)
    for look, words in (("drawn", ("demo", "--play")), ("recorded", ("demo", "--port"))):
        assert desk.choose(look)
        assert desk.command(Settings(), None)[:2] == words


def test_a_board_of_stacks_may_do_without_a_frame(desk: FirstPage, tmp_path: Path) -> None:
    client = create_welcome(desk, ["localhost"]).test_client()
    box = next(one.id for one in desk.boxes() if one.id.startswith("box:turris"))
    assert desk.choose(box)
    assert desk.bare_mm is None
    assert b"/bare" not in client.get("/").data
    assert desk.bare((200.0, 200.0))
    assert desk.step is ChoiceStep.PRINT
    assert desk.choose(next(one.id for one in desk.boxes() if one.id.startswith("box:terra-turrium")))
    assert b"/bare" in client.get("/").data
    assert b'value="284"' in client.get("/").data
    for wrong in ({}, {"width": "268"}, {"width": "268", "depth": "much"}, {"width": "150", "depth": "268"}):
        assert client.post("/bare", headers=ORIGIN, data=wrong).status_code == 400
    assert client.post("/bare", headers=ORIGIN, data={"width": "268", "depth": "270.5"}).status_code == 303
    assert desk.step is ChoiceStep.LAY
    (folder,) = (path.parent for path in tmp_path.glob("tables/terra*/table.json"))
    table = load_table(folder)
    assert table.board is not None
    assert table.board.size_mm == (268.0, 270.5)
    assert (table.markers, table.held) == ({}, ("phone",))
    assert "Nothing is printed" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_game_that_needs_a_frame_offers_its_table_without_cameras_where_it_has_one(desk: FirstPage) -> None:
    client = create_welcome(desk, ["localhost"]).test_client()
    for box, offered in (("box:terrabilis:mat", 1), ("box:turris:bars-18", 0), ("box:torres:box", 0)):
        assert desk.choose(box)
        shown = client.get("/").get_data(as_text=True)
        assert shown.count("no camera looks on") == offered, box
    assert desk.choose("box:terrabilis:no-cameras")
    assert desk.step is ChoiceStep.LAY
    assert desk.unseen is None


def test_every_box_has_a_picture_of_its_own(desk: FirstPage) -> None:
    boxes = desk.boxes()
    shown = create_welcome(desk, ["localhost"]).test_client().get("/").get_data(as_text=True)
    for box in boxes:
        assert ElementTree.fromstring(box.picture).tag == "svg"
        assert box.picture in shown
    assert len({box.picture for box in boxes}) == len(boxes)


@pytest.mark.parametrize("game", ["terra-turrium", "torres", "turris"])
def test_a_box_with_one_kind_of_piece_has_a_picture(game: str) -> None:
    kit = game_named(game).kit
    for preset in presets_named(game):
        assert box_picture(replace(kit, pieces=kit.pieces[:1]), preset).startswith("<svg")


def test_the_manual_is_there_before_anything_is_chosen(desk: FirstPage, tmp_path: Path) -> None:
    app = create_welcome(desk, ["localhost"])
    app.config["MANUAL"] = tmp_path
    client = app.test_client()
    assert b'href="/docs"' in client.get("/").data
    assert client.get("/docs").status_code == 404
    (tmp_path / "index.html").write_text("<title>The manual</title>", encoding="utf-8")
    with client.get("/docs", follow_redirects=True) as page:
        assert (page.status_code, page.text) == (200, "<title>The manual</title>")
        assert page.headers["Content-Security-Policy"] == POLICY


def test_only_whoever_sits_at_the_computer_chooses(desk: FirstPage) -> None:
    client = create_welcome(desk, ["localhost"]).test_client()
    assert client.get("/").status_code == 200
    elsewhere = {"REMOTE_ADDR": "192.168.1.9"}
    for path in ("/choose?what=drawn", "/printed", "/bare", "/go"):
        assert client.post(path, headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.post(path, headers=ORIGIN, environ_overrides=elsewhere).status_code == 403
    assert desk.step is ChoiceStep.CHOOSE
    assert client.post("/choose?what=nonsense", headers=ORIGIN).status_code == 400
    assert client.post("/choose?what=recorded", headers=ORIGIN).status_code == 303
    assert desk.step is ChoiceStep.LAY


@pytest.mark.parametrize(("language", "said"), [("de", "Holzwürfel von 20 mm"), ("fr", "cubes en bois de 20 mm")])
def test_boxes_are_told_in_the_language_of_the_page(desk: FirstPage, language: str, said: str) -> None:
    shown = create_welcome(desk, ["localhost"]).test_client().get(f"/?lang={language}").get_data(as_text=True)
    assert said in shown
    assert not [box.about for box in desk.boxes() if str(box.about) in shown]
