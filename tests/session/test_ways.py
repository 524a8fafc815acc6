"""The same pictures give the same ruling, word for word: live, in an audit of files, in an audit of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.masked import only_inside
from calibration.picturefile import decode_picture
from referee.again.audit import AgainAudit
from referee.cli.auditing import Auditor
from referee.daemon import CommandQueue, TableSight, TurnLoop, ViewPublisher, start_journal
from referee.daemon.nocameras import NoCameras
from referee.demo.recording import BUNDLED, Recording
from referee.games import package_named
from referee.games.contract import Game
from referee.games.record import parse_record
from referee.match.commands import Command
from referee.match.events import GameStarted, ReadingMade, TurnRuled, Verdict, event_from_json
from referee.match.phases import Phase
from referee.session.capture import Capture
from referee.session.readers import Reader, reader_of
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, read_journal

OAK = Path(__file__).parent.parent / "data" / "mats" / "oak"


@dataclass(frozen=True)
class Turns:
    """A game's first turns as a table saw them. looks: of each look camera to picture; declared: of its turn."""

    game: Game[Any]
    table: Path
    position: Any
    looks: Sequence[Mapping[str, Path]]
    declared: Mapping[str, object]


def recording(folder: Path, looks: int) -> Turns:
    kept = Recording.open(folder)
    game = package_named(kept.game).game
    turns = [dict(look.pictures) for look in kept.looks if not look.setup][:looks]
    return Turns(game, folder, game.position(kept.position), turns, {})


def grid() -> Turns:
    return recording(BUNDLED, 3)


def tower() -> Turns:
    folder = package_named("turris").recording
    assert folder is not None
    return recording(folder, 4)


def ledger() -> Turns:
    package = package_named("terrabilis")
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    picture = sorted(OAK.glob("*.jpg"))[0]
    declared = package.records.declared(record.turns[0])
    return Turns(package.game, OAK, package.records.start(record), [{"cam0": picture}], declared)


class Shown(NoCameras):
    """A source that shows one look's pictures to whoever asks for a look."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: Mapping[str, Any] = {}

    def fresh(self, since_s: float, look: int) -> Capture | None:
        return Capture.of(self.pictures, since_s)


def live(turns: Turns, reader: Reader, path: Path) -> list[TurnRuled]:
    """Referee the looks at a live table; every turn that broke a rule is taken back, every question left open."""
    sight, commands = Shown(), CommandQueue()
    journal = start_journal(
        Journal(path), GameStarted(turns.position), EvidenceStore(pictures_folder(path), spare_bytes=0)
    )
    loop = TurnLoop(turns.game, TableSight(sight, reader), journal, commands, ViewPublisher().publish)
    told(loop, commands, "begin", {})
    for look in turns.looks:
        if loop.state.phase is Phase.VIOLATION:
            told(loop, commands, "put_back", {})
        sight.pictures = {camera: decode_picture(file.read_bytes()) for camera, file in look.items()}
        if turns.declared:
            told(loop, commands, "declare", {"declared": turns.declared})
        told(loop, commands, "turn_ended" if loop.state.phase is Phase.PLAYING else "look_again", {})
    loop.close()
    return rulings(path, turns.game)


def told(loop: TurnLoop, commands: CommandQueue, name: str, arguments: Mapping[str, object]) -> None:
    asked = commands.put(Command(name, arguments, "test"))
    loop.round()
    loop.round()
    assert asked.outcome is not None
    assert asked.outcome.accepted, asked.outcome


def rulings(path: Path, game: Game[Any]) -> list[TurnRuled]:
    events = [event_from_json(entry.kind, entry.data, game) for entry in read_journal(path)]
    return [event for event in events if isinstance(event, TurnRuled)]


def readings(path: Path, game: Game[Any]) -> list[ReadingMade]:
    events = [event_from_json(entry.kind, entry.data, game) for entry in read_journal(path)]
    return [event for event in events if isinstance(event, ReadingMade) and event.pictures]


def masked_as_noted(made: ReadingMade, store: EvidenceStore) -> bool:
    """Return whether the pictures of a reading are flat outside the outlines that its event tells."""
    notes = {note.name: note for note in made.cameras}
    for camera, content in made.pictures:
        kept = decode_picture(store.picture(content) or b"")
        off = np.abs(kept.astype(int) - only_inside(kept, notes[camera].outline)).max(axis=2)
        if not notes[camera].outline or (off > 12).mean() > 0.01:  # at the rim JPEG mixes neighbours
            return False
    return True


def words(ruled: TurnRuled) -> dict[str, object]:
    """Return what a ruling says, as formats write it."""
    said: dict[str, object] = {"ruling": ruled.verdict.value, "observed": ruled.observed}
    if ruled.ruling is None:
        return said
    if ruled.verdict is not Verdict.UNSURE:
        return said | ruled.ruling.to_json()
    told = ruled.ruling.to_json()
    return said | {key: told[key] for key in ("questions", "offers", "lacking") if key in told}


@pytest.mark.long
@pytest.mark.parametrize("turns", [grid, tower, ledger], ids=lambda make: make.__name__)
def test_a_ruling_does_not_depend_on_the_way_of_its_pictures(turns: Any, tmp_path: Path) -> None:
    game = turns()
    path = tmp_path / "game.journal"
    reader = reader_of(game.game, game.table)
    assert reader is not None
    ruled = live(game, reader, path)
    assert ruled

    store = EvidenceStore(pictures_folder(path), spare_bytes=0)
    assert all(masked_as_noted(made, store) for made in readings(path, game.game))
    again = list(AgainAudit(game.game, reader_of(game.game, game.table), store.picture).all(read_journal(path)))
    assert [one.now and words(one.now) for one in again] == [words(one) for one in ruled]

    auditor = Auditor(game.game, reader)
    for request, event in requests(game, reader, ruled):
        answer = auditor.answer(request, Path("/"))
        assert answer["ruling"] == event.verdict.value
        assert {key: answer[key] for key in words(event)} == words(event)


def requests(
    turns: Turns, reader: Reader, ruled: Sequence[TurnRuled]
) -> Iterator[tuple[dict[str, object], TurnRuled]]:
    """Yield each turn's looks as a request of ``referee audit``, and the live table's last ruling on that turn."""
    said: dict[str, object] = {"position": turns.position.to_json()}
    if turns.declared:
        said["declared"] = turns.declared
    views: list[dict[str, str]] = []
    for look, event in zip(turns.looks, ruled, strict=True):
        views.append({camera: str(file) for camera, file in look.items()})
        if reader.table.tower is None:
            yield said | {"images": views[-1]}, event
        elif event.verdict is not Verdict.UNSURE or len(views) == 4:
            yield said | {"views": views}, event
            views = []
        if not views or reader.table.tower is None:
            said = {}
