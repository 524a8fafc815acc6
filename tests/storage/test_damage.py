"""Journals with damaged bytes: every one of them is told from a whole one, by a sentence and an exit status."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.cli import main
from referee.daemon.gamejournal import carried_on
from referee.games import game_named
from referee.storage.journal import ChainError, Journal, JournalError, read_journal
from tests.storage.tampering import tamper

WORDS = "für Blau: zwei Türme, drei Fähnchen – " * 9


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "game.journal"
    with Journal(path) as journal:
        for number in range(40):
            journal.append("note", {"number": number, "words": WORDS})
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["journal", *map(str, words)])


def said_plainly(result: Result) -> bool:
    return isinstance(result.exception, SystemExit | None) and "please report it" not in result.output


@pytest.mark.long
@given(st.data())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_bytes_are_noticed_wherever_they_lie(whole: Path, tmp_path: Path, data: st.DataObject) -> None:
    before, path = read_journal(whole), tmp_path / "damaged.journal"
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        new = data.draw(st.binary(min_size=1, max_size=8) | st.sampled_from([b"\xff", b"\xc3", bytes(64)]))
        content[at : at + len(new)] = new
    path.write_bytes(content)
    for command in ("verify", "checkpoint"):
        result = run(command, path)
        assert said_plainly(result), result.exception
        assert result.exit_code in (0, 1, 2)
        if result.exit_code == 0:
            assert read_journal(path) == before
    status, said = result_of(path)
    assert (run("verify", path).exit_code, said in run("verify", path).output) == (status, True)


def result_of(path: Path) -> tuple[int, str]:
    """Return what the reader itself says of a journal: the exit status that belongs to it, and what must be named."""
    try:
        read_journal(path)
    except ChainError as error:
        return 1, f"event {error.number} "
    except JournalError:
        return 2, "referee journal: "
    return 0, "the chain holds"


def test_a_journal_that_holds_the_mark_of_a_zip_is_a_journal(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "marked.journal"
    content = bytearray(whole.read_bytes())
    content[24:28] = b"PK\x05\x06"  # SQLite counts its changes there
    path.write_bytes(content)
    assert run("verify", path).exit_code == 0


@pytest.mark.parametrize("bad", ["ff", "c328", "eda080", "f4908080"])
def test_bytes_that_break_the_text_name_their_event(whole: Path, tmp_path: Path, bad: str) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(whole.read_bytes())
    tamper(path, f"UPDATE events SET body = CAST(x'{bad}' || body AS TEXT) WHERE number = 7")
    for command in ("verify", "checkpoint"):
        result = run(command, path)
        assert said_plainly(result), result.exception
        assert result.exit_code == 1
        assert "event 7 was changed after it was written" in result.output


def test_a_hash_that_is_no_text_names_its_event(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(whole.read_bytes())
    tamper(path, "UPDATE events SET hash = x'00ff' WHERE number = 3")
    assert "event 3 was changed" in run("verify", path).output


def test_a_file_cut_in_the_middle_names_the_first_event_that_is_gone(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.journal"
    path.write_bytes(whole.read_bytes()[:-4096])
    result = run("verify", path)
    assert said_plainly(result)
    assert result.exit_code in (1, 2)


def test_events_that_make_no_game_are_told_in_sentences(tmp_path: Path) -> None:
    game = game_named("terra-turrium")
    for kind, data in (("ruling", {"odd": "x" * 500}), ("game_started", {"position": {"board": 5}}), ("\x1b[2J", {})):
        with Journal(tmp_path / f"{len(kind)}.journal") as journal:
            journal.append(kind, data)
            with pytest.raises(JournalError) as caught:
                carried_on(journal, game)
        words = str(caught.value)
        assert "event 1: " in words
        assert "xxx" not in words
        assert words.isprintable()
        assert len(words) < 300


def test_reading_waits_for_no_check(tmp_path: Path) -> None:
    """A reader who is slow over the events keeps nobody from writing."""
    with Journal(tmp_path / "j") as journal:
        for number in range(250):
            journal._db.execute("PRAGMA synchronous = OFF")
            journal.append("note", {"number": number})
        reading = journal.entries()
        next(reading)
        journal.append("note", {"number": 250})
        assert [entry.data["number"] for entry in reading] == list(range(1, 251))


def test_what_the_file_says_of_itself_is_not_trusted(tmp_path: Path) -> None:
    Journal(tmp_path / "j").close()
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("DROP TABLE events")
    result = run("verify", tmp_path / "j")
    assert said_plainly(result)
    assert result.exit_code == 2


@pytest.mark.parametrize("bad", [b"\x1b[2J", b"\x01\x02", b"\x7f"])
def test_nothing_of_a_damaged_file_moves_the_cursor(whole: Path, tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(
        whole.read_bytes().replace(b"BEFORE UPDATE ON", (bad + b"BEFORE UPDATE ON")[: len("BEFORE UPDATE ON")])
    )
    for command in ("verify", "checkpoint"):
        result = run(command, path)
        assert result.exit_code == 2
        assert result.output.replace("\n", "").isprintable(), result.output
    with pytest.raises(JournalError) as caught:
        Journal(path)
    assert str(caught.value).isprintable()
