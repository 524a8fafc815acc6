"""Players who want statistics: nobody's name is kept unasked, and all of it goes at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.addons.statistics.book import MOST_PLAYERS, PlayerBook
from referee.addons.statistics.statistics import PlayerStatistics
from referee.daemon.resultcache import ResultCache
from tests.archive.game import write_journal
from tests.untyped import untyped


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "players.json"


@pytest.fixture
def book(file: Path) -> PlayerBook:
    return PlayerBook(file, lambda: "2026-03-14")


@pytest.fixture
def desk(book: PlayerBook, tmp_path: Path) -> PlayerStatistics:
    write_journal(tmp_path / "games" / "one.journal")
    write_journal(tmp_path / "games" / "two.journal")
    return PlayerStatistics(tmp_path / "games", book, ResultCache())


def figures(desk: PlayerStatistics, number: int, language: str = "en") -> dict[str, object]:
    told = desk.figures(number, language)
    return untyped(json.loads(told)) if told else {}


def test_nobody_has_statistics_unasked(desk: PlayerStatistics, file: Path) -> None:
    assert desk.players() == {"players": [], "offered": ["<Bernd>", "Anna"]}
    assert figures(desk, 1) == {}
    assert not file.exists()


def test_who_asks_is_told_of_every_game_and_nobody_else_is_kept(desk: PlayerStatistics, file: Path) -> None:
    assert desk.add("  anna ").accepted
    assert desk.players() == {"players": [{"id": 1, "name": "anna", "since": "2026-03-14"}], "offered": ["<Bernd>"]}
    told = figures(desk, 1, "de")
    (game,) = untyped(told["games"])
    assert game["title"] == "Terra Turrium"
    assert ["Partien", "2"] in game["lines"]
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "next": 2,
        "players": [{"id": 1, "name": "anna", "since": "2026-03-14"}],
    }


def test_one_touch_deletes_name_and_statistics(desk: PlayerStatistics, file: Path) -> None:
    desk.add("Anna")
    assert figures(desk, 1)
    assert desk.forget(1).accepted
    assert figures(desk, 1) == {}
    assert "Anna" not in file.read_text(encoding="utf-8")
    assert desk.forget(1).code == "no-player"
    assert desk.add("Anna").result["id"] == 2, "an address never comes to mean somebody else"


def test_whoever_is_known_stays_as_she_is(book: PlayerBook) -> None:
    first = book.add("Anna  Maria")
    assert book.add("anna maria") == first
    assert [one.name for one in book.players()] == ["Anna Maria"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b"])
def test_what_is_no_name_is_refused(desk: PlayerStatistics, name: str, file: Path) -> None:
    assert desk.add(name).code == "name"
    assert not file.exists()


def test_the_book_is_bounded(book: PlayerBook) -> None:
    for number in range(MOST_PLAYERS):
        book.add(f"player {number}")
    with pytest.raises(ValueError, match="already"):
        book.add("one more")


@pytest.mark.parametrize("text", ["{", "[]", '{"players": [{"id": 0, "name": "", "since": "now"}]}'])
def test_a_damaged_book_is_not_written_over(desk: PlayerStatistics, file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert desk.add("Anna").code == "disk"
    assert desk.forget(1).code == "disk"
    assert untyped(desk.players()["players"]) == []
    assert figures(desk, 1) == {}
    assert file.read_text(encoding="utf-8") == text


def test_a_game_that_cannot_be_read_is_said_to_be_left_out(desk: PlayerStatistics, tmp_path: Path) -> None:
    desk.add("Anna")
    desk.players()
    (tmp_path / "games" / "two.journal").write_bytes(b"no journal")
    told = figures(desk, 1)
    (game,) = untyped(told["games"])
    assert ["games", "1"] in game["lines"]
