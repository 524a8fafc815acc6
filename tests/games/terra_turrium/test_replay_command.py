"""``referee replay``: whole records played again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.games.record import Record, RecordEntry, entry_of
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.record import RECORDS
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import position

START = GAME.position(position())
HEADERS = RECORDS.headers(START)
BAD = RecordEntry(1, "red", "-C10")


def game(turns: int) -> tuple[RecordEntry, ...]:
    rnd = random.Random("replay")
    now = START
    entries: list[RecordEntry] = []
    while len(entries) < turns:
        ruling = GAME.check(now, Turn(rnd, now).play())
        if isinstance(ruling.next, TerraPosition):
            entries.append(entry_of(now, ruling))
            now = ruling.next
    return tuple(entries)


def replay(folder: Path, *texts: str | bytes) -> Result:
    paths = []
    for number, text in enumerate(texts, 1):
        paths.append(folder / f"{number}.txt")
        paths[-1].write_bytes(text.encode() if isinstance(text, str) else text)
    return CliRunner().invoke(main, ["replay", *map(str, paths)])


def test_a_legal_game(tmp_path: Path) -> None:
    result = replay(tmp_path, Record(HEADERS | {"result": "*"}, game(8)).text)
    assert result.exit_code == 0
    assert result.stdout.endswith("1.txt: 8 turns, all legal; nobody has won (the record’s result: “*”)\n")


def test_a_record_without_turns_replays(tmp_path: Path) -> None:
    result = replay(tmp_path, Record(HEADERS, ()).text)
    assert (result.exit_code, "0 turns" in result.stdout) == (0, True)


def test_the_first_bad_turn_is_named(tmp_path: Path) -> None:
    turns = list(game(6))
    turns[3] = RecordEntry(4, turns[3].player, turns[3].acts.split(" ", 1)[1])
    turns[4] = RecordEntry(5, turns[4].player, "")
    result = replay(tmp_path, Record(HEADERS, tuple(turns)).text)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert all(f"1.txt: line {len(HEADERS) + 5}: turn 4 ({turns[3].player}): " in line for line in lines)
    assert {line.split(": ")[3].split()[0] for line in lines} == {"take.count", "cubes.conserved"}


def test_a_turn_taken_back(tmp_path: Path) -> None:
    first, second = game(2)
    back = RecordEntry(1, "red", BAD.acts, "illegal: take.count C10")
    assert replay(tmp_path, Record(HEADERS, (back, back, first, second)).text).exit_code == 0
    unmarked = replay(tmp_path, Record(HEADERS, (BAD, first)).text)
    assert (unmarked.exit_code, "take.count C10" in unmarked.stdout) == (1, True)
    last = replay(tmp_path, Record(HEADERS, (first, RecordEntry(2, second.player, "", "illegal"))).text)
    assert last.exit_code == 1
    wrong = replay(tmp_path, Record(HEADERS, (RecordEntry(1, "red", first.acts, "illegal"), first)).text)
    assert (wrong.exit_code, "but it is legal" in wrong.stdout) == (1, True)


def test_a_ruling_changes_nothing_by_itself(tmp_path: Path) -> None:
    first, second = game(2)
    unsure = RecordEntry(1, "red", first.acts, "unsure: C3")
    assert replay(tmp_path, Record(HEADERS, (unsure, second)).text).exit_code == 0
    assert (
        replay(tmp_path, Record(HEADERS, (RecordEntry(1, "red", first.acts, "illegal"), second)).text).exit_code == 0
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[game", "line 1"),
        ("1. red -C1", "header game"),
        ('[game "chess"]', "'chess' is no game"),
        ('[game "terra-turrium"]', "header edition is missing"),
        (Record(HEADERS, (RecordEntry(2, "red"),)).text, "turn 2 stands where turn 1 must"),
        (Record(HEADERS, (RecordEntry(1, "red", "-C1x"),)).text, "line 7: turn 1: '-C1x' is no act"),
        (b"[game]\n\xff", "this is not UTF-8"),
    ],
)
def test_records_that_can_t_be_read(tmp_path: Path, text: str | bytes, words: str) -> None:
    result = replay(tmp_path, text, Record(HEADERS, game(1)).text)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "1 turn, all legal" in result.stdout


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        result = CliRunner().invoke(main, ["replay", str(path)])
        assert (result.exit_code, "can't be read" in result.stderr) == (2, True)
    assert CliRunner().invoke(main, ["replay"]).exit_code == 2


def test_a_finished_game_names_the_winner(tmp_path: Path) -> None:
    won = GAME.position(position(winners=["red"], final_round=True))
    over = GAME.position(position(winners=["red"], final_round=True, finished=True))
    assert "won by Red, the round goes on" in replay(tmp_path, Record(RECORDS.headers(won), ()).text).stdout
    assert "won by Red\n" in replay(tmp_path, Record(RECORDS.headers(over), ()).text).stdout
    late = replay(tmp_path, Record(RECORDS.headers(over), game(1)).text)
    assert (late.exit_code, "turn.order: The game was over" in late.stdout) == (1, True)
