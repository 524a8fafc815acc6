"""Killed between reading and ruling, the referee rules word for word as it would have, and reads no picture again."""

from __future__ import annotations

from pathlib import Path

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on
from referee.session.capture import Pictures
from referee.storage.journal import Journal
from referee.values.belief import Prior
from referee.values.board import Board
from tests.match.fakes import FakeEyes, FakeSight, step_adapter
from tests.match.looking import GAME, At
from tests.match.loops import QuickJournal
from vision.heights.change import Look
from vision.reading import Reading


class CountingEyes(FakeEyes):
    """Counts what it is asked to read."""

    def __init__(self) -> None:
        self.asked = 0

    def read(
        self, pictures: Pictures, expect: Prior | None = None, *, since: tuple[Look, Board] | None = None
    ) -> Reading:
        self.asked += 1
        return super().read(pictures, expect, since=since)


def ruled(journal: Journal) -> list[object]:
    return [entry.data for entry in journal.entries() if entry.kind == "ruling"]


def test_the_ruling_is_the_same(tmp_path: Path) -> None:
    at = At(tmp_path / "whole.journal")
    assert at.tell("begin")
    at.shows("12r/1y1")
    at.ends("12r/1y1")
    at.shows("12r/2y1")  # stands still during the turn: the ruling rests on it
    at.shows("12r/1y2")
    at.ends("12r/1y2")
    whole = ruled(at.journal)
    entries = list(at.journal.entries())
    frames = [entry.data["frames"] for entry in entries if entry.kind == "reading" and "frames" in entry.data]
    assert frames, "the journal keeps what was seen during the turn"

    last = max(index for index, entry in enumerate(entries) if entry.kind == "reading")
    cut = QuickJournal(tmp_path / "cut.journal")
    for entry in entries[: last + 1]:
        cut.append(entry.kind, entry.data)
    state = carried_on(cut, GAME)
    assert state is not None
    eyes = CountingEyes()
    loop = TurnLoop(
        GAME,
        TableSight(FakeSight(patience_s=3.0), adapter=step_adapter(eyes)),
        GameJournal(cut, state),
        CommandQueue(),
        ViewPublisher().publish,
    )
    loop.round()
    assert ruled(cut) == whole
    assert eyes.asked == 0
