"""A turn to be shown to others: what happened and the board, without names, in a file that opens offline."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from calibration.masked import Outline
from referee.cli import main
from referee.games import records_named
from referee.games.record import parse_record
from referee.match.events import GameStarted
from referee.report import sharing
from referee.report.dispute import DisputedTurn, disputed_turn
from referee.report.film import turn_film
from referee.report.html import html_of
from referee.report.sharing import newest_picture, shared_turn
from referee.storage.journal import Journal, read_journal
from tests.archive.game import write_journal
from tests.web.browser import needs_browser, open_page

OPENED = """() => ({
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  pictures: [...document.images].map((one) => one.naturalWidth),
  boards: document.querySelectorAll("svg.board").length,
})"""


BOARD: Outline = (((8, 8), (39, 8), (39, 31), (8, 31)),)
"""Outline of the board in a picture, (x, y) of its corners."""


def photographed(number: int, name: str) -> bytes:
    """Return a picture of one grey, which tells the look and the camera."""
    grey = np.full((48, 64, 3), 40 * number + (20 if name == "cam1" else 0), np.uint8)
    return cv2.imencode(".png", grey)[1].tobytes()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_journal(tmp_path_factory.mktemp("sharing") / "evening.journal", photographed)


def accused(journal: Path) -> DisputedTurn:
    """Return the first turn as it stood when it was called illegal."""
    entries = read_journal(journal)
    return disputed_turn(entries[: [entry.kind for entry in entries].index("ruling") + 1], 1)


def cut(told: DisputedTurn, *cameras: str, clear: bool = True, outline: Outline = BOARD) -> DisputedTurn:
    """Return a turn whose pictures by some cameras were kept cut to the board."""
    looks = []
    for entry in told.looks:
        assert entry.reading is not None
        notes = tuple(
            replace(note, outline=outline if note.name in cameras else ()) for note in entry.reading.cameras
        )
        looks.append(replace(entry, reading=replace(entry.reading, cameras=notes, clear=clear)))
    return replace(told, looks=tuple(looks))


def shown(told: DisputedTurn, language: str = "en") -> str:
    return html_of(shared_turn(told, lambda content: photographed(2, content)), language)


def pictures(page: str) -> list[np.ndarray]:
    """Return the pictures of a page, BGR."""
    found = [base64.b64decode(one) for one in re.findall(r'src="data:image/jpeg;base64,([^"]+)"', page)]
    return [cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one in found]


def test_it_tells_the_turn_and_names_nobody(journal: Path) -> None:
    page = shown(accused(journal))
    assert page.count('<svg class="board"') == 2
    assert "cubes.conserved" in page
    for name in (
        "Anna",
        "Bernd",
        "cam0",
        "UTC",
        "<img",
    ):  # pictures that show more than the board stay where they are
        assert name not in page


def test_pictures_are_cut_to_the_board(journal: Path) -> None:
    told = accused(journal)
    assert [one.shape for one in pictures(shown(cut(told, "cam0", "cam1")))] == [(24, 32, 3)] * 2
    assert len(pictures(shown(cut(told, "cam1")))) == 1
    assert not pictures(shown(cut(told, "cam0", "cam1", clear=False)))


def test_the_newest_look_that_shows_the_board_is_found(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = accused(journal)
    assert not newest_picture(told.looks, lambda content: photographed(2, content)), (
        "where the board is, is not known"
    )
    by_hand = replace(told.looks[-1], reading=None)
    seen = newest_picture((*cut(told, "cam0").looks, by_hand), lambda content: photographed(2, content))
    assert cv2.imdecode(np.frombuffer(seen, np.uint8), cv2.IMREAD_COLOR).shape == (24, 32, 3)
    monkeypatch.setattr(sharing, "_SENT_PX", 16)
    seen = newest_picture(cut(told, "cam0").looks, lambda content: photographed(2, content))
    assert cv2.imdecode(np.frombuffer(seen, np.uint8), cv2.IMREAD_COLOR).shape == (12, 16, 3)


def test_what_is_beside_the_board_is_painted_over(journal: Path) -> None:
    triangle = (((8, 8), (39, 8), (39, 31)),)
    (picture,) = pictures(shown(cut(accused(journal), "cam0", outline=triangle)))
    assert picture[2, -3] == pytest.approx(80, abs=4)
    assert picture[-3, 2] == pytest.approx(128, abs=4)


def test_the_boards_move_in_a_picture(journal: Path) -> None:
    told = accused(journal)
    film = Image.open(io.BytesIO(turn_film(told, "de")))
    assert (film.format, film.width, film.n_frames, film.info["loop"]) == ("GIF", 640, 2, 0)
    before = np.asarray(film.convert("RGB")).astype(int)
    film.seek(1)
    off = np.abs(np.asarray(film.convert("RGB")).astype(int) - before).sum(axis=2) > 60
    assert off.any()
    assert off[60:].mean() < 0.1  # below the line of words only the field that changed, and its frame


def test_the_command_writes_the_page_and_the_picture(journal: Path, tmp_path: Path) -> None:
    page = tmp_path / "turn.html"
    done = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--share", "--out", str(page)])
    assert (done.exit_code, done.output.split()) == (0, [str(page), str(page.with_suffix(".gif"))])
    film = tmp_path / "game.gif"
    assert CliRunner().invoke(main, ["report", str(journal), "--share", "--out", str(film)]).exit_code == 0
    with Image.open(film) as moving:
        assert moving.n_frames == 3  # the beginning and two turns that count


@pytest.mark.parametrize("paper", [("--pdf",), ("--out", "turn.pdf")])
def test_what_is_shared_is_no_pdf(journal: Path, paper: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--share", *paper])
    assert (done.exit_code, "not a PDF" in done.output) == (2, True)


def test_a_game_told_in_words_has_no_moving_picture(tmp_path: Path) -> None:
    folder = Path(str(resources.files("referee.games.terrabilis")))
    rules = records_named("terrabilis")
    begun = rules.start(parse_record((folder / "playthrough.txt").read_text(encoding="utf-8")))
    path = tmp_path / "words.journal"
    with Journal(path) as written:
        event = GameStarted(begun, "tests", ())
        written.append(event.kind, event.to_json())
    done = CliRunner().invoke(main, ["report", str(path), "--share", "--out", str(tmp_path / "game.gif")])
    assert done.exit_code == 2
    assert "told in words" in done.output


@needs_browser
def test_it_opens_on_a_phone_without_a_network(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "turn.html"
    path.write_text(shown(cut(accused(journal), "cam0", "cam1"), "fr"), encoding="utf-8")
    with open_page(390, 844, theme="dark") as page:
        asked: list[str] = []
        page.context.set_offline(True)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        found = page.evaluate(OPENED)
        assert found == {"wide": 0, "pictures": [32, 32], "boards": 2}
        assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
