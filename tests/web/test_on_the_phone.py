"""What a phone in the hand says and which of its buttons is large: each thing once, and one button at most."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from referee.cli.gamebook import usual_start
from referee.daemon.phonecameras import LivePhones
from referee.games import game_named
from referee.match.decision import ShowFrom
from referee.match.events import AnyGame, GameStarted, LookTaken
from referee.match.live import CameraState, Live, RestoreTask, ViewsWanted, Waiting
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.values.board import Field
from referee.values.words import say
from tests.match.fakes import StepGame, start
from tests.match.rulings import state_in
from tests.vision.sources.patience import HASTY
from tests.web.browser import needs_browser
from tests.web.paired import Told, paired
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [needs_browser, pytest.mark.browser, pytest.mark.process]
FIXED = CameraState("cam0", ok=True, words=say("fine"))
HELD = CameraState("photographs", ok=True, words=say("fine"), held=True)
AROUND = say("Come round to the right")
UNSEEN = RestoreTask(Field(0, 0), "1")
SEEN = RestoreTask(Field(0, 0), "1", seen="2")
LARGE = """() => [...document.querySelectorAll("#hand-buttons > *")].map((one) => {
    const { width, height } = one.getBoundingClientRect();
    return [width * height, one.dataset.key, one.classList.contains("main")];
}).sort(([one], [other]) => other - one)"""


@contextmanager
def on_phone(
    folder: Path, state: TableState, live: Live, game: AnyGame | None = None, language: str = "en"
) -> Iterator[tuple[Page, Told]]:
    """Open the phone's page."""
    with Camera("phone", parse_source("phone:ours"), patience=HASTY) as camera:
        phones = LivePhones({"phone": camera}, lambda name: None, held=("phone",))
        look = (language, "light")
        with paired(folder, game or StepGame(), state, live, (390, 844), look, phones) as (page, told):
            # Over plain HTTP, as phones are, a browser lends no camera.
            page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
            page.goto(f"{page.url.split('#')[0]}camera")
            expect(page.locator("#hand-headline")).not_to_be_empty()
            yield page, told


def showing(views: int = 0, show: bool = False) -> ViewsWanted:
    return ViewsWanted(views, 10, show=ShowFrom(90, 45, (Field(0, 0),), AROUND) if show else None)


@pytest.mark.parametrize(
    ("phase", "live", "wanted"),
    [
        (Phase.SET_UP, Live(cameras=(HELD,), showing=showing()), "photograph"),
        (Phase.SET_UP, Live(cameras=(HELD,), setup=(), showing=showing(2)), "begin"),
        (Phase.PLAYING, Live(cameras=(HELD,)), "ended"),
        (Phase.READING, Live(cameras=(HELD,), showing=showing()), "photograph"),
        (Phase.READING, Live(cameras=(HELD,), showing=showing(1, show=True)), "photograph"),
        (Phase.VIOLATION, Live(cameras=(HELD,), tasks=(UNSEEN,), showing=showing()), "photograph"),
        (Phase.UNSURE, Live(cameras=(HELD,), show=AROUND, showing=showing(show=True)), "photograph"),
        (Phase.UNSURE, Live(cameras=(FIXED, HELD), show=AROUND, showing=showing(show=True)), "photograph"),
        (Phase.VIOLATION, Live(cameras=(FIXED, HELD), tasks=(UNSEEN,), showing=showing()), "photograph"),
        (Phase.VIOLATION, Live(cameras=(FIXED, HELD), tasks=(SEEN,), showing=showing()), None),
        (Phase.READING, Live(cameras=(FIXED, HELD), showing=showing()), None),
        (Phase.SET_UP, Live(cameras=(FIXED, HELD), showing=showing()), None),
    ],
)
def test_the_only_large_button_is_the_one_that_is_wanted(
    tmp_path: Path, phase: Phase, live: Live, wanted: str | None
) -> None:
    """Beside fixed cameras, which look by themselves, a phone is asked only for what they do not see."""
    state = begin(GameStarted(start(), "Table")) if phase is Phase.SET_UP else state_in(phase)
    with on_phone(tmp_path, state, live) as (page, _):
        sizes: list[Any] = page.evaluate(LARGE)
        large = [key for _, key, main in sizes if main]
        assert large == ([] if wanted is None else [wanted])
        assert page.locator("#hand-told").is_visible() is (wanted == "photograph" and phase is not Phase.UNSURE)
        if wanted is not None:
            (first, key, _), *others = sizes
            assert key == wanted
            assert all(first > 1.1 * other for other, _, _ in others)


def words_of(page: Page) -> str:
    return page.locator("#hand").inner_text()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_what_another_side_shows_is_said_once(tmp_path: Path, language: str) -> None:
    unsure = Live(cameras=(HELD,), show=AROUND, showing=showing(show=True))
    tell = Live(cameras=(FIXED, HELD), showing=showing(show=True))
    more = Live(cameras=(HELD,), showing=showing(1, show=True))
    for number, (phase, live) in enumerate(((Phase.UNSURE, unsure), (Phase.UNSURE, tell), (Phase.READING, more))):
        with on_phone(tmp_path / str(number), state_in(phase), live, language=language) as (page, _):
            assert words_of(page).count(AROUND.text(language)) == 1, (phase, words_of(page))


def test_that_another_side_is_wanted_is_said_once(tmp_path: Path) -> None:
    live = Live(cameras=(HELD,), waiting=Waiting("show", say("Show the board with the phone.")), showing=showing(1))
    with on_phone(tmp_path, state_in(Phase.READING), live) as (page, _):
        expect(page.locator("#hand-headline")).to_have_text("Now from another side")
        expect(page.locator("#hand-advice")).to_be_empty()  # nobody looks yet, so that no hand is in the way
        assert words_of(page).lower().count("side") == 1


def test_while_a_picture_is_looked_at_nothing_else_is_asked_for(tmp_path: Path) -> None:
    told = {"id": 1, "state": "looked at", "words": "Step 1 of 2"}

    def photographs(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=202, json={"id": 1})
        else:
            route.fulfill(json={"photographs": [told]})

    with on_phone(tmp_path, state_in(Phase.READING), Live(cameras=(HELD,), showing=showing(1))) as (page, _):
        page.route("**/api/photographs?*", photographs)
        with page.expect_file_chooser() as chooser:
            page.click("[data-key=photograph]")
        chooser.value.set_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"none"}])
        expect(page.locator("#hand-photographs li")).to_contain_text("Step 1 of 2")
        expect(page.locator("#hand-headline")).to_have_text("Looking at the picture")
        expect(page.locator("#hand-told")).to_be_hidden()
        expect(page.locator("#hand-detail")).to_be_empty()
        told |= {"state": "view", "words": "Good: this side is seen."}
        expect(page.locator("#hand-headline")).to_have_text("Now from another side")
        expect(page.locator("#hand-told")).to_be_visible()


def test_of_many_pictures_the_newest_are_told_of(tmp_path: Path) -> None:
    sent = list[dict[str, Any]]()

    def photographs(route: Route) -> None:
        if route.request.method == "POST":
            sent.append({"id": len(sent) + 1, "state": "wrong" if len(sent) < 3 else "view", "words": "Told"})
            route.fulfill(status=202, json={"id": len(sent)})
        else:
            route.fulfill(json={"photographs": sent})

    with on_phone(tmp_path, state_in(Phase.READING), Live(cameras=(HELD,), showing=showing(1))) as (page, _):
        page.route("**/api/photographs?*", photographs)
        with page.expect_file_chooser() as chooser:
            page.click("[data-key=photograph]")
        chooser.value.set_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"none"}] * 7)
        told = page.locator("#hand-photographs li")
        expect(told.locator("progress")).to_have_count(0)
        expect(told).to_have_count(7)
        told.evaluate_all("all => all.forEach((one) => one.dataset.shown = one.checkVisibility())")
        shown = told.evaluate_all("all => all.map(({ dataset }) => [dataset.state, dataset.shown])")
        assert shown == [["wrong", "false"]] * 2 + [["wrong", "true"], ["view", "false"]] + [["view", "true"]] * 3


@pytest.mark.parametrize("views", [0, 1])
def test_at_a_mat_nobody_speaks_of_a_board(tmp_path: Path, views: int) -> None:
    game = game_named("terrabilis")
    set_up = begin(GameStarted(usual_start(game), "Table"))
    for number, state in enumerate((set_up, step(set_up, LookTaken(1)))):
        for cameras in ((HELD,), (FIXED, HELD)):
            live = Live(cameras=cameras, showing=showing(views))
            with on_phone(tmp_path / f"{number}{len(cameras)}", state, live, game) as (page, _):
                assert "board" not in words_of(page).lower()


def test_a_phone_is_let_in_by_one_code_however_often_the_button_is_touched(tmp_path: Path) -> None:
    game = game_named("terra-turrium")
    state = begin(GameStarted(usual_start(game), "Table"))
    codes: list[str] = []
    with paired(tmp_path, game, state, Live(cameras=(HELD,), showing=showing())) as (page, _):
        page.on("request", lambda request: codes.append(request.url) if "/api/codes" in request.url else None)
        page.locator("[data-key=bring]").evaluate("node => { node.click(); node.click(); }")
        expect(page.locator(".big-code")).to_be_visible()
        assert len(codes) == 1


def test_a_new_game_asks_for_nothing_that_the_table_lacks(tmp_path: Path) -> None:
    game = game_named("terra-turrium")
    state = begin(GameStarted(usual_start(game), "Table"))
    with paired(tmp_path, game, state) as (page, _):
        with page.expect_response("**/api/copies?*") as asked:
            page.goto(f"{page.url.split('#')[0]}#/new")
        assert json.loads(asked.value.text()) == {"copies": None}
        expect(page.locator("[data-key^=players-]").first).to_be_visible()
        expect(page.locator("[data-key=copies]")).to_have_count(0)
        assert asked.value.ok


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("width", [360, 390])
def test_where_nothing_is_to_be_photographed_no_button_has_a_row_of_its_own(
    tmp_path: Path, language: str, width: int
) -> None:
    live = Live(cameras=(FIXED, HELD), tasks=(SEEN,), showing=showing())
    with on_phone(tmp_path, state_in(Phase.VIOLATION), live, language=language) as (page, _):
        page.set_viewport_size({"width": width, "height": 740})
        middles = "all => all.map(one => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2)"
        assert len(set(page.locator("#hand-buttons > *").evaluate_all(middles))) == 1
        assert page.evaluate("document.documentElement.scrollWidth") == width
