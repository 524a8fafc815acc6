"""A photographed game with known truth, refereed from its pictures into a journal as a table would keep it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.lens import lens_text
from calibration.picturefile import decode_picture
from calibration.table import load_table
from referee.archive.measures import keep_measures
from referee.daemon.gamejournal import GameJournal, start_journal
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.match.events import (
    AnyGame,
    CalledOff,
    Event,
    GameStarted,
    PositionCorrected,
    PutBack,
    TurnConfirmed,
    TurnDeclared,
    TurnRuled,
    Verdict,
    WhyUnsure,
)
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import adapter_of
from referee.session.capture import Capture
from referee.session.driving import FileDriver
from referee.session.engine import Session
from referee.session.readers import Reader, reader_of
from referee.session.said import EventNoted, LookGiven, Report
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal


@dataclass(frozen=True)
class Truth:
    """What is true of a ruling's turn: whether it was legal, the smallest sets of broken rules, the board.

    frame: the number of the picture's frame in its game.
    """

    frame: int
    legal: bool
    sets: tuple[tuple[str, ...], ...]
    board: str

    def right(self, said: str, rules: tuple[str, ...]) -> bool:
        """Return whether a ruling is right, as tools/score_audit.py counts it."""
        return said == "legal" if self.legal else said == "illegal" and rules in self.sets


class Played:
    """A session whose looks are given as files, which are kept as they are."""

    def __init__(self, game: AnyGame, reader: Reader, journal: GameJournal) -> None:
        self.game, self._journal = game, journal
        self._driver = FileDriver(Session(game, journal.state, adapter_of(game, reader)), self)
        self._files: Mapping[str, bytes] = {}

    @property
    def state(self) -> TableState:
        return self._driver.session.state

    def write(self, events: tuple[Event, ...]) -> None:
        self._journal.write(events)

    def keep(self, capture: Capture) -> Mapping[str, str]:
        assert self._journal.evidence is not None
        return self._journal.evidence.keep(self._files)

    def attend(self, report: Report) -> None:
        """Ignore the report: nobody looks on."""

    def happen(self, *events: Event) -> None:
        self._driver.receive(EventNoted(events))

    def look(self, files: Mapping[str, bytes]) -> TurnRuled | None:
        """Take a look and rule on it."""
        self._files, self._driver.ruled = files, None
        pictures = {camera: decode_picture(content) for camera, content in files.items()}
        self._driver.receive(LookGiven(Capture.of(pictures, 0.0), "all"))
        return self._driver.ruled

    def confirmed(self) -> TurnRuled | None:
        """Let players say that this was their turn, although nothing changed."""
        self.happen(TurnConfirmed("all"))
        return self._driver.ruled


def recorded(table: Path, name: str, path: Path) -> list[Truth]:
    """Referee a table's game into a journal; the truth of each ruling, in their order.

    After a wrong ruling, or one that left a legal turn open, somebody puts the position right, as players would. What
    was read otherwise without being ruled on wrongly nobody notices. A tower is shown from all sides before the next
    turn, as long as it is not ruled on.
    """
    truth = json.loads((table / "truth.json").read_text(encoding="utf-8"))
    frames = next(game for game in truth["games"] if game["name"] == name)["frames"]
    setup = load_table(table)
    looks = [(at, frame) for at, frame in enumerate(frames) if frame.get("turn") and frame["kind"] == "still"]
    game = game_named(setup.game)
    reader = _reader(table, game)
    position = game.position(looks[0][1]["turn"]["position"])
    found = []
    with Journal(path) as journal:
        store = EvidenceStore(pictures_folder(path), spare_bytes=0)
        played = Played(game, reader, start_journal(journal, GameStarted(position, table.name), store))
        lost = False
        for at, frame in looks:
            turn = frame["turn"]
            _stands_before(played, turn["position"], lost or not frame.get("chained", True))
            if turn.get("declared"):
                played.happen(TurnDeclared("all", turn["declared"]))
            for pictures in _views(table / name, frame, setup.cameras):
                event = played.look(pictures)
                if (
                    event is not None and event.why is WhyUnsure.UNCHANGED
                ):  # players are asked, and say that this was their turn
                    found.append(_truth(at, frame))
                    event = played.confirmed()
                if event is not None:
                    found.append(_truth(at, frame))
                lost = turn["legal"] != (event is not None and event.verdict is Verdict.LEGAL)
                if event is not None and event.verdict is not Verdict.UNSURE:
                    break
    _keep_measures(path, table, reader)
    return found


def _truth(at: int, frame: Mapping[str, Any]) -> Truth:
    """Return the truth of the turn that led to a frame."""
    turn = frame["turn"]
    sets = tuple(tuple(sorted(one)) for one in turn["minimal_sets"])
    return Truth(at, turn["legal"], sets, frame.get("board") or frame["tower"])


def _stands_before(played: Played, position: object, lost: bool) -> None:
    """Take back what was not legal; where the referee has lost the thread, give it the position."""
    if played.state.phase is Phase.VIOLATION:
        played.happen(PutBack("all"))
    elif played.state.phase in (Phase.UNSURE, Phase.BLIND):
        played.happen(CalledOff("all"))
    if lost and played.state.position.to_json() != position:
        played.happen(PositionCorrected("all", played.game.position(position)))


def _views(folder: Path, frame: Any, cameras: Sequence[str]) -> Iterator[dict[str, bytes]]:
    """Yield the pictures of each look at a frame's board, camera to file: one, or of a tower one a side."""
    for view in frame.get("views", [frame]):
        files = view["files"]
        named = files.items() if isinstance(files, dict) else zip(cameras, files, strict=True)
        yield {camera: (folder / file).read_bytes() for camera, file in named}


def bundled(path: Path, looks: int, folder: Path = BUNDLED) -> None:
    """Referee the first looks of a recording that comes along into a journal."""
    recording = Recording.open(folder)
    game = game_named(recording.game)
    reader = _reader(folder, game)
    with Journal(path) as journal:
        store = EvidenceStore(pictures_folder(path), spare_bytes=0)
        started = GameStarted(game.position(recording.position), recording.source)
        played = Played(game, reader, start_journal(journal, started, store))
        turns = [look for look in recording.looks if not look.setup]
        for look in turns[:looks]:
            played.look({camera: file.read_bytes() for camera, file in look.pictures.items()})
    _keep_measures(path, folder, reader)


def _keep_measures(path: Path, table: Path, reader: Reader) -> None:
    lenses = {
        f"calibration/{camera}.json": lens_text(reader.lens(camera)).encode() for camera in reader.table.cameras
    }
    keep_measures(path, {"table.json": (table / "table.json").read_bytes()} | lenses)


def _reader(table: Path, game: AnyGame) -> Reader:
    found = reader_of(game, table)
    assert found is not None
    return found
