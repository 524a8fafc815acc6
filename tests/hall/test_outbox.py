"""What was under way when the line broke is sent again; the disk is never ahead of the broker."""

from __future__ import annotations

import itertools
from pathlib import Path

from referee.hall.outbox import WINDOW, Outbox, last_stamp
from referee.match.events import Event, GameStarted, Paused, Resumed
from referee.storage.journal import Journal
from tests.match.fakes import StepGame, start
from tests.match.loops import QuickJournal
from tests.untyped import untyped

EVENTS = 3 * WINDOW


def journal_at(path: Path) -> Journal:
    journal = QuickJournal(path)
    pauses: list[Event] = [Paused("a"), Resumed("a")]
    events: list[Event] = [GameStarted(untyped(start())), *pauses * (EVENTS // 2)]
    for event in events:
        journal.append(event.kind, event.to_json())
    return journal


def sent(outbox: Outbox, ids: itertools.count[int]) -> dict[int, int]:
    """Send what is due; return number by message id."""
    found = {}
    for line, note in outbox.due():
        found[mid := next(ids)] = line.number
        note(mid)
    return found


def test_what_was_under_way_is_sent_again(tmp_path: Path) -> None:
    ids, stamps = itertools.count(1), itertools.count(1)
    with journal_at(tmp_path / "1.journal") as journal:
        outbox = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: journal, lambda: next(stamps))
        outbox.look()
        first = sent(outbox, ids)
        assert list(first.values()) == list(range(1, WINDOW + 1)), "no more is under way at a time"
        assert sent(outbox, ids) == {}
        for mid in list(first)[:5]:
            outbox.acknowledged(mid)
        outbox.broken()
        outbox.acknowledged(list(first)[-1])  # of the line that is gone: it says nothing any more
        assert list(sent(outbox, ids).values()) == list(range(6, WINDOW + 6))
        outbox.save(at_once=True)

        anew = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: journal, lambda: next(stamps))
        anew.look()
        assert next(iter(sent(anew, ids).values())) == 6
        assert last_stamp(tmp_path / "delivered.json") > 0


def test_a_spoilt_file_sends_all_once_more(tmp_path: Path) -> None:
    with journal_at(tmp_path / "1.journal") as journal:
        for spoilt in ("", "[]", '{"games": [{"game": 1}]}', '{"games": {"a": 1}}'):
            (tmp_path / "delivered.json").write_text(spoilt, encoding="utf-8")
            outbox = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: journal, lambda: 1)
            outbox.look()
            assert next(iter(sent(outbox, itertools.count(1)).values())) == 1
