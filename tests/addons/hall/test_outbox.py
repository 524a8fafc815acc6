"""What was under way when the line broke is sent again; the disk is never ahead of the broker."""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.addons.hall.outbox import WINDOW, Outbox, last_stamp
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


@pytest.mark.parametrize("looked_at_again", [True, False])
def test_a_game_that_was_empty_at_the_first_look_is_delivered_in_whole(tmp_path: Path, looked_at_again: bool) -> None:
    """A journal is there a moment before its first event, and the next game may begin before it is looked at."""
    ids, stamps = itertools.count(1), itertools.count(1)
    with QuickJournal(tmp_path / "1.journal") as first, journal_at(tmp_path / "2.journal") as second:
        playing: Journal = first
        outbox = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: playing, lambda: next(stamps))
        outbox.look()
        events: list[Event] = [GameStarted(untyped(start())), Paused("a")]
        for event in events:
            first.append(event.kind, event.to_json())
        if looked_at_again:
            outbox.look()
        playing = second
        outbox.look()
        found = []
        while due := [(line, note(mid := next(ids)), mid) for line, note in outbox.due()]:
            found += [(line.game, line.number) for line, _, _ in due]
            for _, _, mid in due:
                outbox.acknowledged(mid)
        games = [next(journal.entries()).hash[:16] for journal in (first, second)]
        assert found == [(games[0], 1), (games[0], 2), *((games[1], at + 1) for at in range(second.last))]


def test_a_spoilt_file_sends_all_once_more(tmp_path: Path) -> None:
    with journal_at(tmp_path / "1.journal") as journal:
        for spoilt in ("", "[]", '{"games": [{"game": 1}]}', '{"games": {"a": 1}}'):
            (tmp_path / "delivered.json").write_text(spoilt, encoding="utf-8")
            outbox = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: journal, lambda: 1)
            outbox.look()
            assert next(iter(sent(outbox, itertools.count(1)).values())) == 1


def test_the_last_games_can_be_had_again_in_order(tmp_path: Path) -> None:
    """A broker that was killed had taken the end of a game, and whoever listens missed it."""
    ids, stamps = itertools.count(1), itertools.count(1)
    with ExitStack() as parts:
        journals = [parts.enter_context(journal_at(tmp_path / f"{number}.journal")) for number in range(6)]
        games = [next(journal.entries()).hash[:16] for journal in journals]
        playing = journals[0]
        outbox = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: playing, lambda: next(stamps))

        def delivered() -> list[tuple[str, int]]:
            found = []
            outbox.look()
            while due := [(line, note(mid := next(ids)), mid) for line, note in outbox.due()]:
                found += [(line.game, line.number) for line, _, _ in due]
                for _, _, mid in due:
                    outbox.acknowledged(mid)
            return found

        for playing in journals:
            assert len(delivered()) == playing.last
        assert outbox.earlier == dict.fromkeys(games[2:5], EVENTS + 1), "the last three before this one"
        outbox.again(games[3], EVENTS - 1)
        outbox.again(games[0], 0)  # too long ago
        assert delivered() == [(games[3], EVENTS), (games[3], EVENTS + 1)]
        assert list(outbox.earlier) == games[2:5], "in the order in which they were played"
        outbox.again(games[5], EVENTS)
        assert delivered() == [(games[5], EVENTS + 1)]
        outbox.save(at_once=True)
        anew = Outbox(tmp_path / "delivered.json", untyped(StepGame()), lambda: playing, lambda: next(stamps))
        anew.look()
        assert sent(anew, ids) == {}
        assert anew.earlier == outbox.earlier, "also after a restart"
