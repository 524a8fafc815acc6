"""A photographed game with known truth, refereed from its pictures into a journal as a table would keep it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.lens import lens_text
from calibration.picturefile import decode_picture
from referee.archive.measures import keep_measures
from referee.daemon.kinds import onlooker_of
from referee.daemon.playedgame import PlayedGame
from referee.daemon.session import GameSession, begun
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.judging.judge import judge
from referee.match.events import AnyGame, GameStarted, LookTaken, PositionCorrected, TurnDeclared, TurnRuled
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from vision.reader import TableReader

SHARED = Path(os.environ.get("REFEREE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TABLES = SHARED / "tables"


@dataclass(frozen=True)
class Truth:
    """What is true of a ruling's turn: whether it was legal, the smallest sets of broken rules, the board."""

    legal: bool
    sets: tuple[tuple[str, ...], ...]
    board: str

    def right(self, said: str, rules: tuple[str, ...]) -> bool:
        """Whether a ruling is right, as tools/score_audit.py counts it."""
        return said == "legal" if self.legal else said == "illegal" and rules in self.sets


def recorded(table: Path, name: str, path: Path) -> list[Truth]:
    """Referee a table's game into a journal; the truth of each ruling, in their order.

    After a wrong ruling, or one that left it open, somebody puts the position right, as players would.
    """
    truth = json.loads((table / "truth.json").read_text(encoding="utf-8"))
    frames = next(game for game in truth["games"] if game["name"] == name)["frames"]
    cameras = json.loads((table / "table.json").read_text(encoding="utf-8"))["cameras"]
    looks = [frame for frame in frames if frame.get("turn") and frame["kind"] == "still"]
    game = game_named(json.loads((table / "table.json").read_text(encoding="utf-8"))["game"])
    reader = TableReader.open(table, kit=game.kit)
    position = game.position(looks[0]["turn"]["position"])
    found = []
    with Journal(path) as journal:
        store = EvidenceStore(pictures_folder(path), spare_bytes=0)
        session: GameSession = begun(journal, GameStarted(position, table.name), store)
        played = _played(game, reader, session)
        for number, frame in enumerate(looks, 1):
            turn = frame["turn"]
            if played.state.position.to_json() != turn["position"]:
                played.happen(PositionCorrected("all", game.position(turn["position"])))
            if turn.get("declared"):
                played.happen(TurnDeclared("all", turn["declared"]))
            pictures = {
                camera: (table / name / file).read_bytes()
                for camera, file in zip(cameras, frame["files"], strict=True)
            }
            played.happen(LookTaken(number, by="all"))
            event = _taken(played, pictures)
            if event is not None:
                found.append(
                    Truth(turn["legal"], tuple(tuple(sorted(s)) for s in turn["minimal_sets"]), frame["board"])
                )
    _keep_measures(path, table, reader)
    return found


def bundled(path: Path, looks: int) -> None:
    """Referee the first turns of the recording that comes along into a journal."""
    recording = Recording.open(BUNDLED)
    game = game_named(recording.game)
    reader = TableReader.open(BUNDLED, kit=game.kit)
    with Journal(path) as journal:
        store = EvidenceStore(pictures_folder(path), spare_bytes=0)
        session = begun(journal, GameStarted(game.position(recording.position), recording.source), store)
        played = _played(game, reader, session)
        turns = [look for look in recording.looks if not look.setup]
        for number, look in enumerate(turns[:looks], 1):
            played.happen(LookTaken(number, by="all"))
            _taken(played, {camera: file.read_bytes() for camera, file in look.pictures.items()})
    _keep_measures(path, BUNDLED, reader)


def _keep_measures(path: Path, table: Path, reader: TableReader) -> None:
    lenses = {
        f"calibration/{camera}.json": lens_text(reader.lens(camera)).encode() for camera in reader.table.cameras
    }
    keep_measures(path, {"table.json": (table / "table.json").read_bytes()} | lenses)


def _played(game: AnyGame, reader: TableReader, session: GameSession) -> PlayedGame:
    return PlayedGame(game, session, lambda state: onlooker_of(game, reader, judge, state), lambda: None)


def _taken(played: PlayedGame, pictures: Mapping[str, bytes]) -> TurnRuled | None:
    """Read a look and rule on it; the pictures are kept as they are."""
    seen = played.read({camera: decode_picture(content) for camera, content in pictures.items()})
    played.happen(played.onlooker.reading(seen, played.session.keep(pictures)))
    return played.rule() if played.can_rule else None
