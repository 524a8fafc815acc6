"""What a player's games come to: counted from journals, in the game's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.addons.statistics.figures import GameFigures, figures_of, summaries, summary_json, told_time
from referee.games import package_named
from referee.games.record import parse_record
from referee.match.events import GameStarted, LookTaken, ReadingMade, TurnRuled
from referee.report.session import RecordedGame, session_of
from referee.storage.journal import Journal, read_journal
from referee.values.words import LANGUAGES, say
from tests.archive.game import write_journal

GAMES = ("terra-turrium", "torres", "turris", "terrabilis")


def played(name: str, path: Path, turns: int) -> RecordedGame:
    """Return the first turns of a game's playthrough, without pictures."""
    package = package_named(name)
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    position = package.records.start(record)
    with Journal(path) as journal:
        begun = GameStarted(position)
        journal.append(begun.kind, begun.to_json())
        for number, entry in enumerate(record.turns[:turns], 1):
            ruling = package.records.play(position, entry)
            assert ruling.next is not None
            position = ruling.next
            text = position.observed.text
            reading = ReadingMade(text, (), (), True, (), (), 50.0)
            for event in (LookTaken(number), reading, TurnRuled.by_rules(text, ruling)):
                journal.append(event.kind, event.to_json())
    return session_of(read_journal(path))


@pytest.mark.parametrize("name", GAMES)
def test_turns_are_counted_of_every_game(name: str, tmp_path: Path) -> None:
    session = played(name, tmp_path / "any.journal", 4)
    words = [seat.colour.word for seat in session.game.seats(session.start)]
    found = [figures_of(session, word) for word in words]
    assert sum(one.turns for one in found) == 4
    assert {one.won for one in found} == {None}
    assert all(len(one.times_s) == one.turns for one in found)
    assert any(one.highest for one in found) == (session.game.kit.kind != "ledger")
    for language in LANGUAGES:
        (told,) = [summary_json(one, language) for one in summaries(found)]
        assert told["title"] == session.game.title


def test_what_did_not_count_is_not_counted(tmp_path: Path) -> None:
    session = session_of(read_journal(write_journal(tmp_path / "final.journal")))
    red = figures_of(session, "red")
    assert len(session.steps) == 3
    assert red.turns == 1


def game(
    won: bool | None, times_s: tuple[float, ...], captures: int = 0, highest: int = 0, points: int = 0
) -> GameFigures:
    counted = ((say("points"), points),) if won is not None else ()
    return GameFigures(
        "torres", "Torres", say("highest stack"), won, len(times_s), times_s, captures, highest, counted
    )


def test_games_are_put_together() -> None:
    (told,) = summaries(
        [game(True, (10.0, 30.0), 2, 4, 200), game(False, (20.0,), 1, 6, 100), game(None, (125.0,), 0, 3)]
    )
    assert [(name.text(), str(value)) for name, value in told.lines] == [
        ("games", "3"),
        ("won", "1 of 2"),
        ("turns", "4"),
        ("time a turn", "25 s usually, 2:05 min at most"),
        ("captures", "3, 1.0 a game"),
        ("highest stack", "6"),
        ("points", "150.0 at the end, 200 at most"),
    ]


def test_a_game_without_turns_has_no_figures() -> None:
    (told,) = summaries([game(None, ())])
    assert [(name.text(), str(value)) for name, value in told.lines] == [("games", "1"), ("turns", "0")]
    assert summaries([]) == ()


@pytest.mark.parametrize(("seconds", "told"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (605, "10:05 min")])
def test_a_time_is_written_as_people_do(seconds: float, told: str) -> None:
    assert told_time(seconds) == told
