"""The shelf behind the page: what it tells, and what it refuses while a game is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.daemon.pastgames import PastGames
from referee.daemon.resultcache import ResultCache
from referee.match.events import Disputed
from referee.storage.journal import Journal
from tests.archive.game import write_journal
from tests.untyped import untyped


@pytest.fixture
def games(tmp_path: Path) -> Path:
    for name in ("earlier", "now"):
        write_journal(tmp_path / f"{name}.journal")
    return tmp_path


@pytest.fixture
def desk(games: Path) -> PastGames:
    return PastGames(games, lambda: games / "now.journal", ResultCache())


def test_games_are_told_in_the_language_asked_for(desk: PastGames) -> None:
    told = {str(game["name"]): game for game in untyped(desk.games("anna", None, language="de"))}
    assert (told["now"]["playing"], told["earlier"]["playing"]) == (True, False)
    assert told["earlier"]["players"][0] == {"colour": "red", "name": "Anna"}
    assert told["earlier"]["result"] != "not over"
    assert desk.games("nobody", None) == []
    assert desk.games("", True) == []
    assert desk.games("", None, "draw") == []
    assert len(desk.games("", None, "running")) == 2


@pytest.mark.long
def test_record_and_report_of_any_game(desk: PastGames) -> None:
    assert b"1. red" in desk.record("earlier")
    assert b"<html" in desk.report("earlier", 1)
    assert desk.report("earlier", 1, as_pdf=True).startswith(b"%PDF")
    assert b"<html" in desk.report("earlier", 0)
    assert (desk.record("other"), desk.report("earlier", 99)) == (b"", b"")


def test_a_game_can_be_played_by_a_page(desk: PastGames) -> None:
    told = json.loads(desk.replay("earlier", "de"))
    assert told["language"] == "de"
    assert [entry["entry"] for entry in told["history"]] == list(range(1, len(told["history"]) + 1))
    assert told["history"][0]["before"] != told["history"][0]["after"]
    assert {seat["name"] for seat in told["seats"]} >= {"Anna"}
    assert desk.replay("other") == b""


@pytest.mark.long
def test_a_report_is_made_anew_once_something_happened(desk: PastGames, games: Path) -> None:
    before = desk.report("earlier", 1)
    assert desk.report("earlier", 1) is before, "it is kept"
    with Journal(games / "earlier.journal") as journal:
        event = Disputed("Anna", 1, 2, "it was four")
        journal.append(event.kind, event.to_json())
    assert b"it was four" in desk.report("earlier", 1)


def test_a_game_goes_only_as_it_was_shown(desk: PastGames, games: Path) -> None:
    (shown,) = (game for game in desk.games("", None) if game["name"] == "earlier")
    with Journal(games / "earlier.journal") as journal:
        journal.append("paused", {"by": "Anna"})
    assert desk.delete("earlier", str(shown["head"]), "Tablet").code == "moved-on"
    (shown,) = (game for game in desk.games("", None) if game["name"] == "earlier")
    assert desk.delete("earlier", str(shown["head"]), "Tablet").accepted
    assert not (games / "earlier.journal").exists()


def test_the_game_that_is_played_stays(desk: PastGames, games: Path) -> None:
    (shown,) = (game for game in desk.games("", None) if game["name"] == "now")
    assert desk.delete("now", str(shown["head"]), "Tablet").code == "playing"
    with Journal(games / "earlier.journal"):
        assert not desk.repair("earlier", "Tablet").accepted


def test_a_damaged_game_is_shown_and_repaired(desk: PastGames, games: Path) -> None:
    path = games / "earlier.journal"
    content = path.read_bytes()
    at = content.index(b'"number":6,"previous"') + 20
    path.write_bytes(content[:at] + b"x" + content[at + 1 :])
    (shown,) = (game for game in desk.games("", None) if game["name"] == "earlier")
    assert shown["damaged"]
    assert desk.repair("earlier", "Tablet").accepted
    (shown,) = (game for game in desk.games("", None) if game["name"] == "earlier")
    assert (shown["damaged"], shown["repaired"]) == (False, True)
