from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.storage import journal as journal_module
from referee.storage.chain import verified
from referee.storage.journal import (
    GENESIS,
    ChainError,
    Journal,
    JournalEntry,
    JournalError,
    canonical,
    chain,
    elapsed_s,
    read_journal,
)
from referee.values.ticks import Ticks
from tests.storage.tampering import tamper
from tests.untyped import untyped

NOON = datetime(2030, 5, 4, 12, 0, tzinfo=UTC)


def written(path: Path, count: int = 5) -> None:
    with Journal(path, clock=lambda: NOON) as journal:
        for index in range(count):
            journal.append("note", {"index": index})


def test_events_come_back_in_order_and_describe_themselves(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.journal"
    with Journal(path, clock=lambda: NOON) as journal:
        first = journal.append("reading", {"text": "1r?", "clear": True})
        second = journal.append("ruling", {"verdict": "legal", "words": "für Blau"})
        assert (journal.last, journal.head) == (2, second.hash)
    with Journal(path) as journal:
        assert list(journal.entries()) == [first, second]
        assert list(journal.entries(after=1)) == [second]
        assert journal.append("more", {}).number == 3
    assert (first.number, first.kind, first.at, first.previous) == (
        1,
        "reading",
        "2030-05-04T12:00:00.000+00:00",
        GENESIS,
    )
    assert second.previous == first.hash


def test_the_chain_can_be_checked_without_this_program(tmp_path: Path) -> None:
    written(tmp_path / "j")
    db = sqlite3.connect(tmp_path / "j")
    previous = GENESIS
    for body, digest in db.execute("SELECT body, hash FROM events ORDER BY number"):
        assert digest == chain(previous, body)
        previous = digest
    db.close()


def test_canonical_json_has_one_form() -> None:
    assert canonical({"b": [1, 2.5], "a": "ü"}) == '{"a":"ü","b":[1,2.5]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = '{}' WHERE number = 2",
        "DELETE FROM events WHERE number = 2",
        "INSERT OR REPLACE INTO events VALUES (2, '{}', '')",
        "INSERT INTO events VALUES (9, '{}', '')",
        "INSERT INTO events VALUES (NULL, '{}', '')",
    ],
)
def test_the_file_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    written(tmp_path / "j")
    db = sqlite3.connect(tmp_path / "j")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.close()
    Journal(tmp_path / "j").close()


@pytest.mark.parametrize(
    ("statements", "number", "words"),
    [
        (["UPDATE events SET body = replace(body, '\"index\":2', '\"index\":7')"], 3, "was changed"),
        (["DELETE FROM events WHERE number = 2"], 2, "is missing"),
        (["DELETE FROM events WHERE number = 1"], 1, "is missing"),
        (["UPDATE events SET hash = 'f00d' WHERE number = 4"], 4, "was changed"),
        (
            [
                "UPDATE events SET number = 99 WHERE number = 2",
                "UPDATE events SET number = 2 WHERE number = 3",
                "UPDATE events SET number = 3 WHERE number = 99",
            ],
            2,
            "was changed",
        ),
    ],
)
def test_tampering_is_named(tmp_path: Path, statements: list[str], number: int, words: str) -> None:
    written(tmp_path / "j")
    tamper(tmp_path / "j", *statements)
    with pytest.raises(ChainError, match=rf"event {number} {words}") as caught:
        Journal(tmp_path / "j")
    assert caught.value.number == number


@pytest.mark.parametrize("body", ["5", "{}", "no json", "null"])
def test_an_event_that_is_none_is_named_even_with_its_right_hash(tmp_path: Path, body: str) -> None:
    Journal(tmp_path / "j").close()
    db = sqlite3.connect(tmp_path / "j")
    db.execute("INSERT INTO events VALUES (1, ?, ?)", (body, chain(GENESIS, body)))
    db.commit()
    db.close()
    with pytest.raises(ChainError, match="event 1 is no event"):
        Journal(tmp_path / "j")


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    with Journal(tmp_path / "j"), pytest.raises(JournalError, match="another referee"):
        Journal(tmp_path / "j")
    journal = Journal(tmp_path / "j")
    journal.close()
    journal.close()


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, and long enough to be looked at as one")
    with pytest.raises(JournalError, match="can't be read"):
        Journal(tmp_path / "text")
    db = sqlite3.connect(tmp_path / "other")
    db.execute("CREATE TABLE mine (x)")
    db.close()
    before = (tmp_path / "other").read_bytes()
    with pytest.raises(JournalError, match="not a referee's journal"):
        Journal(tmp_path / "other")
    assert (tmp_path / "other").read_bytes() == before
    written(tmp_path / "newer")
    db = sqlite3.connect(tmp_path / "newer")
    db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(JournalError, match="another version"):
        Journal(tmp_path / "newer")


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="can't be opened"):
        Journal(tmp_path / "file" / "j")


def test_a_clock_set_back_changes_no_order_and_no_duration(tmp_path: Path) -> None:
    hour = timedelta(hours=1)
    times: Iterator[datetime] = iter([NOON, NOON + timedelta(seconds=5), NOON - hour, NOON - hour])
    ticks = iter([Ticks("a", 100.0), Ticks("a", 105.0), Ticks("a", 107.5), Ticks("b", 3.0)])
    with Journal(tmp_path / "j", clock=lambda: next(times), ticks=lambda: next(ticks)) as journal:
        first, second, third, rebooted = (journal.append("note", {"n": n}) for n in range(4))
    assert third.at < first.at
    with Journal(tmp_path / "j") as journal:
        assert list(journal.entries()) == [first, second, third, rebooted]
        assert journal.append("note", {}).number == 5
    assert elapsed_s(first, second) == 5.0
    assert elapsed_s(second, third) == 2.5
    assert elapsed_s(third, rebooted) == 0.0  # by the time of day, which stood still
    assert elapsed_s(second, rebooted) == 0.0  # by the time of day, which says nothing


def test_the_clock_of_events_runs_forward(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        clocks = [journal.append("note", {}).clock for _ in range(3)]
    with Journal(tmp_path / "j") as journal:
        clocks.append(journal.append("note", {}).clock)
    assert all(clock is not None for clock in clocks)
    assert [clock.s for clock in clocks if clock] == sorted(clock.s for clock in clocks if clock)
    assert len({clock.boot for clock in clocks if clock}) == 1


def test_events_from_before_the_clock_are_read(tmp_path: Path) -> None:
    Journal(tmp_path / "j").close()
    body = canonical({"number": 1, "kind": "note", "at": NOON.isoformat(), "data": {"n": 1}, "previous": GENESIS})
    db = sqlite3.connect(tmp_path / "j")
    db.execute("INSERT INTO events VALUES (1, ?, ?)", (body, chain(GENESIS, body)))
    db.commit()
    db.close()
    with Journal(tmp_path / "j", clock=lambda: NOON + timedelta(seconds=3)) as journal:
        second = journal.append("note", {})
        (first, _) = journal.entries()
    assert first.clock is None
    assert first.body == body
    assert elapsed_s(first, second) == 3.0


def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        assert read_journal(tmp_path / "j") == []
        entry = journal.append("note", {"für": 1})
        assert read_journal(tmp_path / "j") == [entry]
    with pytest.raises(JournalError, match="there is no such journal"):
        read_journal(tmp_path / "no")
    (tmp_path / "text").write_text("no database at all, and long enough to be looked at as one")
    with pytest.raises(JournalError, match="can't be read"):
        read_journal(tmp_path / "text")
    written(tmp_path / "k")
    tamper(tmp_path / "k", "DELETE FROM events WHERE number = 2")
    with pytest.raises(ChainError, match="event 2 is missing"):
        read_journal(tmp_path / "k")


def test_events_that_belong_together_stand_in_the_journal_together_or_not_at_all(tmp_path: Path) -> None:
    """The disk has room for the first of two only; then somebody makes room."""
    room = list[str]()
    small, large = ("note", {"n": 1}), ("note", {"text": "x" * 20_000})
    with Journal(tmp_path / "j", make_room=lambda: any(journal._db.execute(words) for words in room)) as journal:
        journal.append_all([small, small])
        journal._db.execute("PRAGMA max_page_count = 1")  # as many as there are
        before = list(journal.entries())
        with pytest.raises(JournalError, match=r"event 3 could not be written: .*full"):
            journal.append_all([small, large])
        assert journal.trouble()
        assert list(journal.entries()) == read_journal(tmp_path / "j") == before
        room.append("PRAGMA max_page_count = 100")
        assert [entry.number for entry in journal.append_all([small, large, small])] == [3, 4, 5]
        assert not journal.trouble()
    assert [entry.number for entry in read_journal(tmp_path / "j")] == [1, 2, 3, 4, 5]


class FolderNotSynced(Journal):
    """A disk that fails when an event is in the file and only its folder is left to sync. failing: how often."""

    failing = 0

    def _insert(self, rows: Sequence[tuple[int, str, str]]) -> None:
        super()._insert(rows)
        if self.failing > 0:
            self.failing -= 1
            raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("failing", [1, 3])
def test_an_event_that_was_refused_is_told_to_nobody_and_play_goes_on(tmp_path: Path, failing: int) -> None:
    with FolderNotSynced(tmp_path / "j") as journal:
        first = journal.append("note", {"n": 1})
        journal.failing = failing
        for _ in range(failing):
            with pytest.raises(JournalError, match="event 2 could not be written: disk I/O error"):
                journal.append("note", {"n": "refused"})
            assert list(journal.entries()) == [first]
            assert list(journal.entries(after=1)) == []
        second = journal.append("note", {"n": 2})
        assert not journal.trouble()
    kept = read_journal(tmp_path / "j")
    assert kept == [first, second]
    with sqlite3.connect(tmp_path / "j") as db, pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        db.execute("DELETE FROM events")


def test_a_game_taken_up_again_is_verified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game's start is little but that: opening verifies, and what is read then is what was verified."""
    written(tmp_path / "j", 40)
    calls: list[Path] = []

    def counted(rows: object, path: Path, *more: object) -> Iterator[JournalEntry]:
        calls.append(path)
        return verified(untyped(rows), path, *untyped(more))

    monkeypatch.setattr(journal_module, "verified", counted)
    with Journal(tmp_path / "j") as journal:
        assert [entry.number for entry in journal.entries()] == list(range(1, 41))
        assert len(calls) == 1
        journal.append("note", {})
        assert [entry.number for entry in journal.entries()] == list(range(1, 42))
        assert len(calls) == 2  # later from the file, and checked again
