"""Ratings of those who want them: a hundred games tell who plays best, and nobody else is named."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.addons.statistics.book import PlayerBook
from referee.cli import main
from referee.games import game_named, records_named
from referee.games.record import parse_record
from referee.match.events import End, GameEnded, GameStarted
from referee.storage.journal import Journal
from tests.untyped import untyped

pytest.importorskip("openskill")
pytestmark = pytest.mark.long

STRENGTH = {"Ada": 27, "Ben": 9, "Cleo": 3, "Dan": 1}
"""How often each wins against the others, in proportion."""
COLOURS = ("black", "blue", "orange", "green")
HEADERS = """[game "torres"]
[edition "fr-1999"]
[players "{players}"]
[first "{first}"]
[board "00010000/00000000/00100100/00000001/10000000/00100100/00000000/00001000"]
"""
GAME = game_named("torres")
FIRST = datetime(2025, 9, 1, 20, tzinfo=UTC)


def write_game(path: Path, at: datetime, players: Mapping[str, str], won: str = "") -> None:
    """Write a game of which only is known who played and how it came out.

    players: names by colours. won: a colour.
    """
    record = parse_record(HEADERS.format(players=" ".join(players), first=next(iter(players))))
    winners = (GAME.player(won),) if won else ()
    with Journal(path, clock=lambda: at) as journal:
        for event in (
            GameStarted(records_named("torres").start(record), "club", tuple(players.items())),
            GameEnded("", End.AGREEMENT if won else End.DRAW, winners),
        ):
            journal.append(event.kind, event.to_json())


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with a hundred games of two to four over fourteen months. Dan wants no rating."""
    folder, dice = tmp_path_factory.mktemp("club"), random.Random(55)
    for number in range(100):
        table = dice.sample(sorted(STRENGTH), dice.choice((2, 3, 4)))
        (best,) = dice.choices(table, [STRENGTH[name] for name in table])
        players = dict(zip(COLOURS, table, strict=False))
        won = "" if number % 25 == 0 else COLOURS[table.index(best)]
        write_game(folder / "games" / f"{number}.journal", FIRST + timedelta(days=4 * number), players, won)
    book = PlayerBook(folder / "players.json", lambda: "2025-09-01")
    for name in ("Ada", "Ben", "Cleo"):
        book.add(name)
    return folder


def asked(*words: object) -> Result:
    return CliRunner().invoke(main, ["ratings", *map(str, words)])


def rated(*words: object) -> dict[str, dict[str, object]]:
    """Return the players of the only game, by name, the best first."""
    (game,) = untyped(json.loads(asked(*words, "--json").output))["games"]
    return {player["name"]: player for player in game["players"]}


def test_a_hundred_games_tell_who_plays_best(club: Path) -> None:
    done = asked(club)
    assert done.exit_code == 0, done.output
    title, head, *lines = done.output.splitlines()
    assert title == "Torres (100)"
    assert head.split() == ["player", "rating", "games", "won", "2025", "2026"]
    assert [line.split()[0] for line in lines] == ["Ada", "Ben", "Cleo"]
    assert "Dan" not in done.output
    assert sum(untyped(player["games"]) for player in rated(club).values()) > 200


def test_whoever_is_named_is_rated_and_seasons_end_with_what_counts_now(club: Path) -> None:
    players = rated(club, "--player", "dan ", "--season", "quarter")
    assert list(players)[:2] == ["Ada", "Ben"]  # the others won too seldom for their order to be sure
    assert players.keys() == {"Ada", "Ben", "Cleo", "dan "}
    for player in players.values():
        seasons = untyped(player["seasons"])
        assert list(seasons) == sorted(seasons)
        assert seasons[max(seasons)] == player["rating"]
    assert untyped(players["Ada"]["seasons"]).keys() == {f"{2025 + n // 4} Q{n % 4 + 1}" for n in range(2, 8)}


def test_a_game_counts_once_and_only_among_people(club: Path, tmp_path: Path) -> None:
    alone = {"black": "Ada", "blue": "", "orange": ""}
    write_game(tmp_path / "alone.journal", FIRST, alone, "black")
    assert "No game counts" in asked(tmp_path, "--player", "Ada").output
    before = rated(club)
    assert rated(club, club / "games") == before
    assert rated(club, tmp_path) == before


def test_nobody_is_rated_unasked(club: Path, tmp_path: Path) -> None:
    write_game(tmp_path / "games" / "one.journal", FIRST, {"black": "Ada", "blue": "Ben"}, "blue")
    assert "Ada" not in asked(tmp_path).output
    assert "No game counts" in asked(tmp_path, "--language", "en").output


def test_a_damaged_game_is_told_and_the_others_count(tmp_path: Path) -> None:
    write_game(tmp_path / "one.journal", FIRST, {"black": "Ada", "blue": "Ben"}, "blue")
    (tmp_path / "two.journal").write_bytes(b"no journal at all")
    done = asked(tmp_path, "--player", "Ben")
    assert done.exit_code == 2
    assert "Ben" in done.output
    assert "two.journal" in done.output
