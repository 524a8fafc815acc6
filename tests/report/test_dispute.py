"""The page of a disputed turn tells what the journal holds of it, and nothing that anybody smuggled in."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from pypdfium2 import PdfDocument

from referee.archive.export import export
from referee.cli import main
from referee.games import game_named, records_named
from referee.games.record import parse_record
from referee.kinds.grid.drawing import board_svg
from referee.kinds.ledger.declared import UNSEEN
from referee.match.events import (
    CameraNote,
    Disputed,
    GameStarted,
    LookTaken,
    ReadingCorrected,
    ReadingMade,
    Resolution,
    Resolved,
    RulingWithdrawn,
    TurnRuled,
    Unsure,
    Verdict,
)
from referee.report.blocks import Report, plain, translator
from referee.report.dispute import DisputedTurn, disputed_turn, places_read
from referee.report.disputepage import Evidence, dispute_report
from referee.report.html import html_of
from referee.report.pdf import pdf_of
from referee.report.pdfdrawing import letter_size
from referee.storage.evidence import pictures_folder
from referee.storage.journal import Journal, JournalError, read_journal
from referee.values.board import Board, Field
from referee.values.kit import Kit, PieceKind
from referee.values.paints import paint_of
from referee.values.partial import PartialBoard
from referee.values.words import LANGUAGES, say
from tests.archive.game import shot, write_journal

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_journal(tmp_path_factory.mktemp("dispute") / "final.journal")


def report(journal: Path, turn: int = 1) -> Report:
    entries = read_journal(journal)
    return _made(entries[-1].hash, turn, lambda: disputed_turn(entries, turn))


_MADE: dict[tuple[str, int], Report] = {}


def _made(head: str, turn: int, of: Callable[[], DisputedTurn]) -> Report:
    """Make a report, once a journal: nearest turns take half a second to find."""
    if (head, turn) not in _MADE:
        _MADE[head, turn] = dispute_report(of(), Evidence(lambda content: b"\xff\xd8\xff"))
    return _MADE[head, turn]


def page(journal: Path, turn: int = 1, language: str = "en") -> str:
    return html_of(report(journal, turn), language)


class Seen(HTMLParser):
    """Tags that are open, sources and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.said: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.said)


def test_all_rulings_on_the_turn_are_told_in_order(journal: Path) -> None:
    turn = disputed_turn(read_journal(journal), 1)
    assert [(look.ruled.verdict, look.fate.value) for look in turn.looks if look.ruled] == [
        (Verdict.ILLEGAL, "taken-back"),
        (Verdict.LEGAL, "stands"),
    ]
    kinds = [(one.number, one.words.text(), one.by) for one in turn.happened]
    assert (5, "The board is put back as it was before the turn.", "Bernd") in kinds
    assert [number for number, _, _ in kinds] == [2, 3, 4, 5, 6, 7, 8]
    assert [one.number for one in disputed_turn(read_journal(journal), 2).happened] == [9, 10, 11]


def test_the_page_names_rule_field_sureness_and_who_decided(journal: Path) -> None:
    told = Seen(page(journal)).text
    least = "98.0\N{NO-BREAK SPACE}%"
    for words in ("E8", least, "Türme bauen", "cubes.conserved", "taken back", "Bernd", "Anna", "the referee"):
        assert words in told, words
    assert read_journal(journal)[-1].hash in told


def test_a_page_needs_nothing_and_runs_nothing(journal: Path) -> None:
    text = page(journal)
    seen = Seen(text)
    assert "script" not in seen.tags
    assert all(source.startswith("data:image/") for source in seen.sources)
    assert "<Bernd>" not in text
    assert "<Bernd>" in seen.text, "a name is shown as it was given"


def test_pictures_are_those_of_the_look_and_missing_ones_are_told(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "turn.html"
    done = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    found = [base64.b64decode(source.split(",")[1]) for source in Seen(out.read_text(encoding="utf-8")).sources]
    assert found == [shot(look, camera) for look in (1, 2) for camera in ("cam0", "cam1")]
    other = write_journal(tmp_path / "gone.journal")
    next(pictures_folder(other).iterdir()).unlink()
    assert CliRunner().invoke(main, ["report", str(other), "--turn", "1", "--out", str(out)]).exit_code == 0
    assert (
        len(Seen(out.read_text(encoding="utf-8")).sources) + out.read_text(encoding="utf-8").count("no longer kept")
        == 4
    )


def test_an_export_gives_the_same_page_as_its_journal(journal: Path, tmp_path: Path) -> None:
    export(journal, tmp_path / "final.zip")
    for path in (journal, tmp_path / "final.zip"):
        done = CliRunner().invoke(
            main, ["report", str(path), "--turn", "1", "--out", f"{tmp_path / path.suffix}.html"]
        )
        assert done.exit_code == 0, done.output
    assert (tmp_path / ".zip.html").read_bytes() == (tmp_path / ".journal.html").read_bytes()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_page_speaks(journal: Path, language: str) -> None:
    english, other = (set(Seen(page(journal, 1, one)).said) for one in ("en", language))
    assert len(english) > 40
    sheet = "Terra Turrium (1990), Türme bauen"
    same = {
        words for words in english & other - {sheet} if "{" not in words and re.search("[a-z]{2} [a-z]{2}", words)
    }
    assert not same


def test_in_french_no_line_breaks_before_a_colon(journal: Path) -> None:
    told = Seen(re.sub("<style>.*?</style>", "", page(journal, 1, "fr"), flags=re.S)).text
    assert re.search("Rouge\N{NO-BREAK SPACE}: Anna", told)
    assert not re.search(r"[ \w][:;»](?!\d)", re.sub(r"\d:\d|https?:", "", told))
    assert "R = Rouge, V = Vert" in told or "J = Jaune" in told
    assert "Rot: Anna" in Seen(page(journal, 1, "de")).text


@pytest.mark.parametrize("turn", [0, 3])
def test_a_turn_that_is_not_there_is_told(journal: Path, turn: int) -> None:
    with pytest.raises(JournalError, match=f"no turn {turn} in it: the last that was ruled on is turn 2"):
        disputed_turn(read_journal(journal), turn)


def test_what_is_no_journal_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("sun")
    done = CliRunner().invoke(main, ["report", str(tmp_path / "other.txt"), "--turn", "1"])
    assert (done.exit_code, "referee report" in done.output) == (2, True)
    with Journal(tmp_path / "x.journal") as empty:
        empty.append("note", {})
    done = CliRunner().invoke(main, ["report", str(tmp_path / "x.journal"), "--turn", "1"])
    assert (done.exit_code, "no game has begun" in done.output) == (2, True)


def test_a_dispute_and_how_it_was_settled_are_told(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "game.journal")
    with Journal(path) as journal:
        for event in (Disputed("Anna", 1, 1, "it was <b>three</b>"), Resolved("Bernd", 1, Resolution.STANDS, "no")):
            journal.append(event.kind, event.to_json())
    turn = disputed_turn(read_journal(path), 1)
    assert [(one.words.text(), one.by, one.said) for one in turn.happened[-2:]] == [
        ("The turn is disputed.", "Anna", "it was <b>three</b>"),
        ("A dispute is settled.", "Bernd", "no"),
    ]
    text = page(path)
    assert text.index("the ruling stands") < text.index("<h2")  # before all else
    assert "<b>" not in text
    assert not disputed_turn(read_journal(path), 2).disputes


def test_a_board_given_by_hand_is_said_to_be(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "game.journal")
    turn = disputed_turn(read_journal(path), 2)
    last = turn.looks[-1]
    assert last.ruled is not None
    like = last.before.observed
    board = like.like(last.ruled.observed).with_field(Field.from_name("E2"), 7, 0).text
    game = game_named("terra-turrium")
    ruling = game.check(last.before, last.before.observed)
    events: list[Any] = [
        RulingWithdrawn("all"),
        ReadingCorrected("all", board),
        TurnRuled.by_rules(board, ruling),
    ]
    with Journal(path) as journal:
        for event in events:
            journal.append(event.kind, event.to_json())
    assert "given by the players, not read from pictures" in page(path, 2)
    (said,) = (one.said for one in disputed_turn(read_journal(path), 2).happened if one.said)
    assert plain(said, translator("en")) == "E2: 7"  # what was read rightly is not said again


def test_what_cannot_be_told_is_shown_so(journal: Path) -> None:
    look = disputed_turn(read_journal(journal), 1).looks[0]
    like = look.before.observed
    text = "?~" + like.text[2:]
    ruled = TurnRuled(text, Unsure())
    assert [
        (one.name, one.before, one.after, one.sure)
        for one in places_read(look.before, ruled, look.reading, game_named("terra-turrium").kit)
    ] == [("A10", "1r", "??", 0.98)]


def _kit(columns: int, rows: int) -> Kit:
    pieces = tuple(
        PieceKind(letter, word, say("Red"), "pawn", paint_of(word), 3)
        for letter, word in (("k", "white"), ("q", "dark"))
    )
    return Kit("grid", columns, rows, say("block"), say("blocks"), pieces=pieces)


@pytest.mark.parametrize(("text", "rows", "columns"), [("0", 1, 1), ("012/3kZ?/11~1q", 3, 3), ("1" * 20, 1, 20)])
def test_any_grid_is_drawn_field_by_field(text: str, rows: int, columns: int) -> None:
    kit = _kit(columns, rows)
    like = Board.parse("/".join(["0" * columns] * rows), rows, columns, kit.letters)
    drawn = ElementTree.fromstring(board_svg(text, like, kit, {"A1": "wrong"}, 'a "board" & more', {"k": "K"}))
    told = [part.text for part in drawn if part.tag == "text" and part.get("class") not in ("label",)]
    wanted = []
    for place, height, letter in PartialBoard.parse(text, rows, columns, kit.letters).fields():
        shown = ("?" if height is None else str(height)) + ("?" if letter is None else letter.replace("k", "K"))
        wanted += [shown] if shown != "0" or place.name == "A1" else []
        wanted += ["!"] if place.name == "A1" else []
    assert told == wanted
    labels = [part.text for part in drawn if part.get("class") == "label"]
    assert labels == [chr(65 + col) for col in range(columns)] + [str(row + 1) for row in range(rows)]


def test_a_sign_that_is_long_is_made_smaller() -> None:
    """As in Spanish, where blue and yellow have two letters each."""
    kit = _kit(3, 1)
    like = Board.parse("000", 1, 3, kit.letters)
    drawn = ElementTree.fromstring(board_svg("1k1q2", like, kit, {}, "a board", {"k": "Az", "q": "R"}))
    sizes = {part.text: letter_size(part.get("class", "")) for part in drawn if part.tag == "text"}
    assert (sizes["1Az"], sizes["1R"], sizes["2"]) == (10, 15, 15)


@pytest.mark.parametrize("name", ["terra-turrium", "torres", "terrabilis", "turris"])
def test_a_turn_of_any_game_has_its_page(tmp_path: Path, name: str) -> None:
    folder = Path(str(resources.files(f"referee.games.{name.replace('-', '_')}")))
    record = parse_record((folder / "playthrough.txt").read_text(encoding="utf-8"))
    rules = records_named(name)
    position = rules.start(record)
    ruling = rules.play(position, record.turns[0])
    assert ruling.next is not None
    board = ruling.next.observed.text
    kind = game_named(name).kit.kind
    reading = ReadingMade(board, (), (), True, (), (CameraNote("cam0", 8, 0.2),), 50.0)
    if kind == "ledger":
        reading = UNSEEN  # nobody looks, the players tell
    with Journal(tmp_path / "any.journal") as journal:
        for event in (GameStarted(position), LookTaken(1), reading, TurnRuled.by_rules(reading.text, ruling)):
            journal.append(event.kind, event.to_json())
    text = page(tmp_path / "any.journal", position.turn)
    told = Seen(text).text
    drawn = position.observed.text if isinstance(position.observed, Board) else None
    assert text.count("<svg") == (0 if kind == "ledger" else 2)
    assert (drawn is not None) == (kind == "grid")
    if kind == "ledger":
        assert all(part.strip() in told for part in board.split("|"))
    assert all(act.text in told for act in ruling.acts)
    counters = {counter.words.text() for seat in game_named(name).seats(position) for counter in seat.counters}
    assert all(words in told for words in counters)
    paper = PdfDocument(pdf_of(report(tmp_path / "any.journal", position.turn)))
    printed = " ".join(each.get_textpage().get_text_range() for each in paper)
    assert f"Turn {position.turn} of a game of" in printed
    assert all(words in " ".join(printed.split()) for words in counters)
