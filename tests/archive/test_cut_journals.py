"""A journal that was cut off anywhere is repaired to exactly the events of which every byte is left."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.archive.repair import repair_game
from referee.storage.journal import Journal, JournalEntry, JournalError, read_journal

CUTS = 80


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[JournalEntry]]:
    """Return a journal of 150 events, some of them large: the file and its events."""
    path, chance = tmp_path_factory.mktemp("whole") / "game.journal", random.Random(14)
    with Journal(path) as journal:
        for number in range(150):
            journal.append("note", {"number": number, "words": "x" * chance.randrange(2000)})
    return path.read_bytes(), read_journal(path)


def left_in(content: bytes, entries: list[JournalEntry]) -> int:
    """Count the events that lie whole in what is left of a file, up to the first that does not."""
    gone = (entry.number for entry in entries if (entry.body + entry.hash).encode() not in content)
    return next(gone, len(entries) + 1) - 1


@pytest.mark.long
def test_whatever_is_left_of_a_cut_journal_is_saved(whole: tuple[bytes, list[JournalEntry]], tmp_path: Path) -> None:
    content, entries = whole
    chance = random.Random(37)
    for number in range(CUTS):
        path = tmp_path / f"{number}" / "game.journal"
        path.parent.mkdir()
        path.write_bytes(content[: chance.randrange(3 * 4096, len(content))])
        left = left_in(path.read_bytes(), entries)
        if not left:
            with pytest.raises(JournalError, match="nothing of it can be read"):
                repair_game(path)
            continue
        assert repair_game(path).events == left
        assert read_journal(path) == entries[:left]


def test_a_head_that_counts_more_pages_than_there_are_is_not_believed(
    whole: tuple[bytes, list[JournalEntry]], tmp_path: Path
) -> None:
    content = bytearray(whole[0])
    content[28:32] = b"\xff" * 4
    path = tmp_path / "game.journal"
    path.write_bytes(content)
    assert repair_game(path).events == len(whole[1])
    assert path.with_name("game.journal.damaged").read_bytes() == content
