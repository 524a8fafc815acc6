"""Build a game that was played, for reports on it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from referee.games import records_named
from referee.games.record import parse_record
from referee.match.events import CameraNote, GameStarted, LookTaken, ReadingMade, TurnRuled
from referee.storage.journal import Journal


def played(path: Path, name: str, turns: int = 4) -> Path:
    """Write the first turns of a game's playthrough as a journal."""
    folder = Path(str(resources.files(f"referee.games.{name.replace('-', '_')}")))
    record = parse_record((folder / "playthrough.txt").read_text(encoding="utf-8"))
    rules = records_named(name)
    position = rules.start(record)
    with Journal(path) as written:
        events: list[Any] = [GameStarted(position)]
        for number, entry in enumerate(record.turns[:turns], 1):
            ruling = rules.play(position, entry)
            assert ruling.next is not None
            board = ruling.next.observed.text
            reading = ReadingMade(board, (), (), True, (), (CameraNote("cam0", 8, 0.2),), 50.0)
            events += [LookTaken(number), reading, TurnRuled.by_rules(board, ruling)]
            position = ruling.next
        for event in events:
            written.append(event.kind, event.to_json())
    return path
