"""The page of a whole game: steps, times, counts and pictures are the journal’s, and it opens without pictures."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.match.events import (
    Disputed,
    Paused,
    Resumed,
)
from referee.report.session import heat, session_of
from referee.report.sessiondata import charts, session_data
from referee.report.sessionpage import WIDEST_PX, session_page
from referee.storage.journal import Journal, JournalError, read_journal
from referee.values.words import LANGUAGES
from tests.archive.game import write_journal
from tests.report.playing import played
from tests.web.browser import needs_browser, open_page

GAMES = ("terra-turrium", "torres", "terrabilis", "turris")


def shot(number: int, camera: str) -> bytes:
    """Return a real picture, larger than the page shows it."""
    pixels = np.full((700, 1400, 3), 40 * number, np.uint8)
    pixels[:, : 200 if camera == "cam0" else 900] = 255
    return bytes(cv2.imencode(".jpg", pixels)[1].tobytes())


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write_journal(tmp_path_factory.mktemp("session") / "final.journal", shot)
    with Journal(path) as written:
        event = Disputed("Anna", 1, 2, "</script><b>four</b>")
        written.append(event.kind, event.to_json())
    return path


def page(path: Path, language: str = "en") -> str:
    from referee.storage.evidence import EvidenceStore, pictures_folder

    return session_page(session_of(read_journal(path)), EvidenceStore(pictures_folder(path)).picture, language)


def test_every_entry_is_a_step_and_what_counts_is_told_apart(journal: Path) -> None:
    session = session_of(read_journal(journal))
    assert [(one.entry.turn, one.entry.counts) for one in session.steps] == [(1, False), (1, True), (2, True)]
    assert [one.number for one in session.steps] == [4, 8, 11]
    assert [(step, one.by) for step, one in session.asked] == [(3, "Anna")]
    assert len(session.counting) == 2
    assert heat(session) == {}, "the turn that changed something was taken back"


def test_a_pause_counts_for_no_player(tmp_path: Path) -> None:
    path = played(tmp_path / "game.journal", "terra-turrium", 2)
    entries = read_journal(path)
    with Journal(tmp_path / "paused.journal") as written:
        for entry in entries:
            if entry.kind == "look_taken" and entry.data["look"] == 2:
                written.append("paused", Paused("Anna").to_json())
                written.append("resumed", Resumed("Anna").to_json())
            written.append(entry.kind, entry.data)
    paused = read_journal(tmp_path / "paused.journal")
    took = session_of(paused).steps[1].took_s
    at = {entry.number: entry.clock.s for entry in paused if entry.clock is not None}
    look, pause = next(
        (n - 2, n) for n in at if paused[n - 1].kind == "look_taken" and paused[n - 1].data["look"] == 2
    )
    assert took == pytest.approx(at[pause] - at[4] - (at[look + 1] - at[look]), abs=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_any_game_has_its_page(tmp_path: Path, name: str) -> None:
    path = played(tmp_path / "any.journal", name)
    session = session_of(read_journal(path))
    data = session_data(session, "en")
    assert len(data["steps"]) == 5
    drawings = ["".join(data["drawn"][piece] for piece in step["board"]) for step in data["steps"]]
    assert all(
        (drawing.startswith("<svg") and drawing.endswith("</svg>")) or step["text"]
        for drawing, step in zip(drawings, data["steps"], strict=True)
    )
    places = {seat.colour.word: place for place, seat in enumerate(session.game.seats(session.start))}
    for chart in charts(session, places, lambda words: words.text()):
        assert all(len(values) == len(session.counting) for _, _, values in chart["lines"]), chart["title"]
    assert len(json.dumps(data)) > 1000
    assert session_page(session, lambda content: None).count("<section") >= 3


def test_what_changes_is_counted_where_it_changed(tmp_path: Path) -> None:
    session = session_of(read_journal(played(tmp_path / "any.journal", "terra-turrium", 1)))
    before, after = session.start.observed, session.steps[0].entry.after
    assert after is not None
    changed = (before.heights != after.observed.heights) | (before.flags != after.observed.flags)
    names = {f"{chr(65 + col)}{row + 1}" for row, col in np.argwhere(changed)}
    assert dict(heat(session)) == dict.fromkeys(names, 1)


def test_pictures_are_in_it_once_and_small(journal: Path) -> None:
    blocks = re.findall(r'<script type="text/plain" id="p-([0-9a-f]{64})">([^<]*)</script>', page(journal))
    named = {content for entry in read_journal(journal) for content in (entry.data.get("pictures") or {}).values()}
    assert {content for content, _ in blocks} == named
    assert len(blocks) == len(named)
    for _, text in blocks:
        pixels = cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        assert pixels.shape[1] == WIDEST_PX


def test_only_its_own_scripts_may_run(journal: Path) -> None:
    text = page(journal)
    policy = re.search(r'content="(default-src[^"]*)"', text)
    assert policy is not None
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(scripts) == 2
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert "unsafe-eval" not in policy[1]
    assert "http" not in policy[1]
    assert "</script><b>" not in text, "what somebody said stays a text"
    told = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.S)
    assert told is not None
    assert json.loads(told[1])["asked"][0]["said"] == "“</script><b>four</b>”"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_page_is_translated(journal: Path, language: str) -> None:
    session = session_of(read_journal(journal))
    english, other = (session_data(session, one)["words"] for one in ("en", language))
    same = {key for key in english if english[key] == other[key]}
    assert not same - {"turn"}


def test_the_command_writes_it(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    done = CliRunner().invoke(main, ["report", str(journal), "--out", str(out), "--language", "de"])
    assert done.exit_code == 0, done.output
    assert 'lang="de"' in out.read_text(encoding="utf-8")
    done = CliRunner().invoke(main, ["report", str(journal), "--out", str(tmp_path / "game.pdf")])
    assert (done.exit_code, "name a turn with --turn" in done.output) == (2, True)


def test_a_journal_without_a_game_is_told(tmp_path: Path) -> None:
    with Journal(tmp_path / "x.journal") as empty:
        empty.append("note", {})
    with pytest.raises(JournalError, match="no game has begun"):
        session_of(read_journal(tmp_path / "x.journal"))


def test_a_step_more_adds_no_drawing_of_the_fields_that_stay(tmp_path: Path) -> None:
    journals = (played(tmp_path / f"{turns}.journal", "torres", turns) for turns in (2, 6))
    few, many = (len(json.dumps(session_data(session_of(read_journal(path)), "en"))) for path in journals)
    assert many - few < 4 * 1500


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1440, "light")])
def test_it_is_stepped_through_in_a_browser(journal: Path, tmp_path: Path, width: int, theme: str) -> None:
    out = tmp_path / "game.html"
    out.write_text(page(journal), encoding="utf-8")
    with open_page(width, 900, theme=theme) as shown:
        shown.goto(out.as_uri())
        shown.wait_for_selector("html[data-ready]")
        assert shown.locator("#count").text_content() == "3 / 3"
        assert shown.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        shown.get_by_label("First turn").click()
        assert shown.locator("#pictures img").count() == 0
        shown.get_by_label("Next turn").click()
        shown.wait_for_function(
            "() => [...document.querySelectorAll('#pictures img')].every(one => one.naturalWidth)"
        )
        assert shown.locator("#pictures img").count() == 2
        assert "E8" in (shown.locator("#told").text_content() or "")
        shown.locator("#pictures button").first.click()
        assert shown.locator("dialog img").is_visible()
        shown.keyboard.press("Escape")
        shown.locator("#asked button").first.click()
        assert shown.locator("#count").text_content() == "3 / 3"
        assert shown.locator(".chart canvas").count() >= 2
        assert shown.locator(".chart details tr").count() == 0
        shown.locator(".chart summary").first.click()
        shown.wait_for_selector(".chart details tbody tr")
        assert shown.locator(".chart details tbody tr").count() == 2
