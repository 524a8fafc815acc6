"""A journal in which an earlier turn was put right is exported, verified, replayed and reported as the turn was."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.archive.export import export, record_of, state_of
from referee.archive.shelf import card_of
from referee.cli import main
from referee.games import package_named
from referee.games.contract import Position
from referee.games.record import parse_record
from referee.match.commands import Command, decide
from referee.match.events import Event, GameStarted, LookTaken, SetupAccepted, TurnAccepted, TurnRuled
from referee.match.state import EntryStatus, TableState
from referee.match.transitions import begin, step
from referee.report.dispute import disputed_turn
from referee.report.session import session_of
from referee.session.by_hand import ruled_by_hand
from referee.storage.journal import Journal, read_journal
from referee.values.board import Board
from tests.match.rulings import reading

PACKAGE = package_named("terra-turrium")
GAME = PACKAGE.game
TURNS, WRONG = 7, 3
"""Turns that are played, and the one that is read wrongly."""


def _positions() -> list[Position]:
    assert PACKAGE.playthrough is not None
    record = parse_record(PACKAGE.playthrough.read_text(encoding="utf-8"))
    found = [PACKAGE.records.start(record)]
    for entry in record.turns[:TURNS]:
        after = PACKAGE.records.play(found[-1], entry).next
        assert after is not None
        found.append(after)
    return found


def _misread(board: Board) -> Board:
    """Return a board with a stone of one stack on another."""
    free = [place for place in board.fields if not board.flags[place.row, place.col]]
    start = next(place for place in free if board.heights[place.row, place.col])
    for place, change in ((start, -1), (next(place for place in reversed(free) if place != start), 1)):
        board = board.with_field(place, int(board.heights[place.row, place.col]) + change, 0)
    return board


def _judge(state: TableState) -> TurnRuled:
    assert state.turn.end.board is not None
    return ruled_by_hand(GAME, state.position, state.turn.end.board, state.turn.declared)


class _Game:
    """A game that is written down as it is played."""

    def __init__(self, path: Path, start: Position) -> None:
        self.path = path
        self._journal = Journal(path)
        begun = GameStarted(start, "Table 1")
        self._journal.append(begun.kind, begun.to_json())
        self.state = begin(begun)

    def happen(self, *events: Event) -> None:
        for event in events:
            self.state = step(self.state, event)
            self._journal.append(event.kind, event.to_json())

    def turn(self, board: Board) -> None:
        self.happen(LookTaken(self.state.look + 1), reading())
        self.happen(TurnRuled.by_rules(board.text, GAME.check(self.state.position, board)))
        if self.state.open_turn is not None:
            self.happen(TurnAccepted("all", GAME.accepted(self.state.position, board)))

    def put_right(self, entry: int, board: Board) -> None:
        said = Command("put_right", {"entry": entry, "board": board.text}, "Tablet")
        self.happen(*decide(said, self.state, GAME, _judge))


@pytest.fixture
def game(tmp_path: Path) -> _Game:
    positions = _positions()
    played = _Game(tmp_path / "game.journal", positions[0])
    played.happen(SetupAccepted("Tablet"))
    for number, position in enumerate(positions[1:], 1):
        played.turn(_misread(position.observed) if number == WRONG else position.observed)
    assert EntryStatus.ACCEPTED in [entry.fate for entry in played.state.history]
    played.put_right(WRONG, positions[WRONG].observed)
    return played


def test_the_record_is_that_of_the_game_as_it_was_played(game: _Game, tmp_path: Path) -> None:
    straight = _Game(tmp_path / "straight.journal", _positions()[0])
    straight.happen(SetupAccepted("Tablet"))
    for position in _positions()[1:]:
        straight.turn(position.observed)
    entries = read_journal(game.path)
    assert state_of(entries) == game.state
    assert record_of(entries).text == record_of(read_journal(straight.path)).text
    assert [entry.fate for entry in game.state.history] == [EntryStatus.STANDS] * TURNS
    for one, other in pairwise(game.state.history):
        assert one.after == other.before


def test_the_journal_keeps_both(game: _Game) -> None:
    verdicts = [entry.data["ruling"] for entry in read_journal(game.path) if entry.kind == "ruling"]
    assert verdicts.count("illegal") == 2
    *_, newest = read_journal(game.path)
    assert newest.kind == "ruled_again"
    assert [one["ruling"]["ruling"] for one in newest.data["entries"]] == ["legal", "legal"]
    given = [entry.anew.given.verdict.value for entry in game.state.history if entry.anew is not None]
    assert given == ["illegal", "illegal"]


def test_it_is_verified_exported_and_replayed(game: _Game, tmp_path: Path) -> None:
    packed = tmp_path / "game.zip"
    export(game.path, packed)
    verified = CliRunner().invoke(main, ["journal", "verify", str(packed)])
    assert verified.exit_code == 0, verified.output
    verifier = Path(__file__).parents[2] / "referee" / "archive" / "verify.py"
    done = subprocess.run([sys.executable, str(verifier), str(packed)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    record = tmp_path / "record.txt"
    record.write_text(record_of(read_journal(game.path)).text, encoding="utf-8")
    replayed = CliRunner().invoke(main, ["replay", str(record)])
    assert replayed.exit_code == 0, replayed.output
    card = card_of(game.path)
    assert (card.turns, card.trouble) == (TURNS, "")


def test_reports_tell_of_it(game: _Game) -> None:
    entries = read_journal(game.path)
    turn = disputed_turn(entries, game.state.history[WRONG].turn)
    said = [one.words.text() for one in turn.happened]
    assert said[-1] == "An earlier turn is put right, and the later ones are judged again."
    session = session_of(entries)
    assert [one.entry.fate for one in session.counting] == [EntryStatus.STANDS] * TURNS
    assert session.asked[-1][1].words.text() == said[-1]
