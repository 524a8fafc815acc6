"""Play a script against the daemon, headless: in real time with camera processes, or as fast as it is judged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from referee.archive.export import record_of_state
from referee.daemon import CommandQueue, Helpers, TableSight, ViewPublisher, start_journal
from referee.daemon.assembly import turn_loop
from referee.daemon.livecameras import LiveFrameSource
from referee.daemon.preview import eyes_of
from referee.demo.actor import Actor, PageAlone, ScriptStoppedError, Tabletop, Told
from referee.games import package_named
from referee.games.contract import Position, RequestError
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry, RecordError
from referee.match.events import GameStarted
from referee.match.live import Live
from referee.match.state import TableState
from referee.match.turnkind import turn_kind
from referee.session.readers import reader_at
from referee.storage.aside import folder_aside
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from referee.values.board import Board, differing_fields
from referee.values.kit import Kit
from referee.virtual.drawing_process import DrawingProcess
from referee.virtual.folder import VIRTUAL_TABLE, make_table
from referee.virtual.lenses import CAMERAS
from referee.virtual.scene import TableScene
from referee.virtual.script import Script, checked
from referee.virtual.sight import DrawnSight, Wear
from referee.virtual.table import Pace, VirtualTable
from referee.virtual.walk import PhoneWalk
from vision.posefinder import PoseFinder
from vision.sources.address import parse_source
from vision.sources.camera import Camera

FAST = Pace(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Played:
    """record: as the referee kept it. told: how it went. state: the game as it stands at the end."""

    record: Record
    told: Told
    state: TableState


def play_script(
    script: Script,
    fast: bool,
    stop: threading.Event,
    tell: Callable[[str], None],
    phone: bool = False,
    wear: Wear | None = None,
    folder: Path | None = None,
    cameras: Sequence[str] = CAMERAS,
) -> Played:
    """Play a script at a virtual table of its own, and compare what was refereed with what it implies.

    phone: somebody shows the table with a phone in the hand, which is its only camera; only where it is played fast.
    wear: what cameras do to their pictures, likewise. folder: where table, journal and pictures stay; without one
    they go at the end. cameras: those that stand around the table where no phone shows it.
    Raises RecordError for a script that can't be played, CalibrationError, RequestError.
    """
    package = package_named(script.record.headers.get("game"))
    checked(script, package)
    with ExitStack() as parts:
        folder = folder or parts.enter_context(folder_aside("referee-virtual-"))
        folder.mkdir(parents=True, exist_ok=True)
        began = package.records.start(script.record)
        kind = turn_kind(package.game.kit)
        if kind.NEEDS_PICTURES:
            made = _laid(
                folder / "table", package, began.observed.text, _Way(fast, phone, wear, tuple(cameras)), stop, parts
            )
        else:
            made = _Made(PageAlone(kind.NOTHING_SEEN), TableSight())
        commands = CommandQueue()
        actor = Actor(made.table, commands, package, stop.wait, tell=tell)
        journal = Journal(folder / "game.journal")
        kept = start_journal(
            journal, GameStarted(began, VIRTUAL_TABLE), EvidenceStore(pictures_folder(folder / "game.journal"))
        )
        helpers = Helpers(on_change=lambda state, live: _followed_by(actor, made, state, live))
        loop = turn_loop(package.game, kept, made.sight, commands, ViewPublisher().publish, parts, helpers)
        over = threading.Event()
        playing = threading.Thread(target=_acted, args=(actor, script, over), name="script")
        playing.start()
        loop.run(lambda: over.is_set() or stop.is_set())
        playing.join()
        first = next(journal.entries())
        record = record_of_state(loop.state, first.at)
        actor.told.wrong += differences(script, record, package) if not actor.told.wrong else []
        return Played(record, actor.told, loop.state)


@dataclass(frozen=True, slots=True)
class _Made:
    table: Tabletop
    sight: TableSight
    walk: PhoneWalk | None = None


@dataclass(frozen=True, slots=True)
class _Way:
    """How a script is played. phone: by a phone in a hand. wear: what cameras do to their pictures."""

    fast: bool
    phone: bool
    wear: Wear | None
    cameras: tuple[str, ...]


def _followed_by(actor: Actor, made: _Made, state: TableState, live: Live) -> None:
    if made.walk is not None:
        made.walk.follow(live.showing)
    actor.on_change(state, live)


def _laid(
    folder: Path, package: GamePackage, lying: str, way: _Way, stop: threading.Event, parts: ExitStack
) -> _Made:
    """Make a virtual table, its cameras, and what reads their pictures."""
    kit = package.game.kit
    setup = make_table(folder, package.game.name, way.phone, way.cameras)
    reader = reader_at(package.game, setup, folder)
    eyes = eyes_of(kit, reader)
    if way.fast:
        drawn = DrawnSight(setup, kit, way.wear)
        table = VirtualTable(setup, kit, drawn.show, lying, FAST, lambda _: stop.is_set())
        return _Made(table, TableSight(drawn, eyes), drawn.walk)
    source, show = _real(reader, kit, parts)
    return _Made(VirtualTable(setup, kit, show, lying, Pace(), stop.wait), TableSight(source, eyes))


def _real(reader: PoseFinder, kit: Kit, parts: ExitStack) -> tuple[LiveFrameSource, Callable[[TableScene], None]]:
    drawing = parts.enter_context(DrawingProcess(reader.folder))
    changed = threading.Condition()
    cameras = {
        name: parts.enter_context(
            Camera(name, parse_source(f"virtual:{name}", reader.folder), reader.lens(name).size, changed=changed)
        )
        for name in reader.table.cameras
    }
    return LiveFrameSource(cameras, changed, reader, turned=turn_kind(kit).BOARD_IS_TURNED), drawing.show


def _acted(actor: Actor, script: Script, over: threading.Event) -> None:
    try:
        actor.play(script)
    except ScriptStoppedError:
        actor.told.wrong.append("it was stopped")
    except (RecordError, RequestError) as error:
        actor.told.wrong.append(str(error))
    finally:
        over.set()


def differences(script: Script, record: Record, package: GamePackage) -> list[str]:
    """List where a game's record is another than the script implies: its turns, and what follows from them."""
    wanted = _once([(t.entry.number, t.entry.player, t.illegal, "") for t in script.turns])
    entries = list(record.turns)
    kept = _once([(entry.number, entry.player, entry.ruled_illegal, "") for entry in entries])
    found = [
        f"turn {one[0]}: kept {other}, the script has {one}"
        for one, other in zip(wanted, kept, strict=False)
        if one != other
    ]
    if len(wanted) != len(kept):
        found.append(f"{len(kept)} turns are kept, the script has {len(wanted)}")
    mine, theirs = package.records.start(script.record), package.records.start(record)
    if not found and mine.to_json() != theirs.to_json():
        found.append("the game began otherwise")
    if not found:
        legal = [turn.entry for turn in script.turns if turn.goes == "stands"]
        found = _followed(mine, legal, [entry for entry in entries if not entry.ruled_illegal], package)
    return found


def _once(turns: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Drop turns that say the same as the one before: a breach is kept each time it was looked at anew."""
    return [turn for number, turn in enumerate(turns) if number == 0 or turns[number - 1] != turn]


def _followed(
    start: Position, wanted: Sequence[RecordEntry], kept: Sequence[RecordEntry], package: GamePackage
) -> list[str]:
    """Yield where legal turns, played in a row, lead to another position; turns let stand end the comparison."""
    mine = theirs = start
    for turn, entry in zip(wanted, kept, strict=False):
        if turn.number != mine.turn:
            return []
        one, other = package.records.play(mine, turn).next, package.records.play(theirs, entry).next
        if one is None or other is None or not _same(one, other, entry.open):
            return [f"turn {entry.number}: {entry.acts} is kept, {turn.acts} was played"]
        mine, theirs = one, other
    return []


def _same(one: Position, other: Position, open_: frozenset[str]) -> bool:
    """Return whether two positions are the same, but for fields of which the record says that they are not known."""
    if not open_:
        return one.to_json() == other.to_json()
    board, kept = one.observed, other.observed
    if not (isinstance(board, Board) and isinstance(kept, Board)):
        return False
    return {place.name for place in differing_fields(board, kept)} <= open_
