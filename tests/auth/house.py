"""A table with real authentication, journal and pictures behind the app, and everything worth protecting."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.addons.hall.door import DeskDoor
from referee.addons.rehearsals.rehearsing import Rehearsing
from referee.addons.statistics.statistics import PlayerStatistics
from referee.addons.witnesses.witnessing import JournalWitnesses
from referee.archive.measures import witnesses_file
from referee.daemon import ViewPublisher
from referee.daemon.roomscreen import RoomScreen
from referee.service.eventlog import JournalFeed
from referee.service.pairing import open_auth
from referee.storage.checkpoint import CheckpointOf, Signer
from referee.storage.evidence import EvidenceStore
from referee.storage.journal import Journal
from referee.values.ticks import Ticks
from referee.values.words import say
from tests.auth.doors import PICTURE, Certifying, LettingIn, Rehearsals
from tests.untyped import untyped
from web.app import create_app
from web.auth.devices import csrf_token
from web.auth.guard import CSRF_HEADER, Authenticator
from web.contract import KEY_HEADER
from web.services import Services, services_of, store
from web.tableparts import TableParts
from web.tableview import Outcome, PhonePlace, PhotographState, PhotographTold, TakenNote

ORIGIN = "http://localhost"


class Handled:
    """A virtual table; what is done to it is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.phone: tuple[float | None, float | None, bool] = (None, None, False)

    def view(self, language: str) -> Mapping[str, object]:
        return {"version": 1, "lying": ""}

    def wait(self, version: int, timeout_s: float) -> bool:
        return False

    def act(self, act: Mapping[str, object]) -> None:
        self.journal.append("handled", {})

    def fault(self, name: str, camera: str, field: str, light: float) -> None:
        self.journal.append("handled", {})

    def show(self, azimuth_deg: float | None, elevation_deg: float | None, walk: bool) -> None:
        if self.phone != (azimuth_deg, elevation_deg, walk):
            self.phone = azimuth_deg, elevation_deg, walk
            self.journal.append("handled", {})

    def press(self, by: str) -> None:
        self.journal.append("handled", {})


class Shown:
    """A mat that is shown to cameras; what is shown is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def _noted(self) -> Outcome:
        self.journal.append("shown", {})
        return Outcome(True)

    def view(self, language: str) -> Mapping[str, object]:
        return {"cameras": [], "parts": [], "sizes": [], "empty": False}

    def picture(self, camera: str) -> bytes:
        return PICTURE

    def photograph(self, camera: str) -> Outcome:
        return self._noted()

    def measure(self, sizes: Mapping[str, float]) -> Outcome:
        return self._noted()

    def show(self, part: str, camera: str, taps: Sequence[Sequence[float]]) -> Outcome:
        return self._noted()


class Touched:
    """A board whose corners are touched; each touch is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def _noted(self) -> Outcome:
        self.journal.append("touched", {})
        return Outcome(True)

    def view(self, language: str) -> Mapping[str, object]:
        return {"known": False, "open": True, "picture": 1, "size": [4, 3], "corners": {}}

    def picture(self, number: int) -> bytes:
        return PICTURE

    def touch(self, number: int, corners: Mapping[str, Sequence[float]]) -> Outcome:
        return self._noted()

    def leave(self, number: int) -> Outcome:
        return self._noted()

    def forget(self) -> Outcome:
        return self._noted()


class Boxed:
    """A desk at which everything is right; what is told to it is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def _noted(self) -> Outcome:
        self.journal.append("boxed", {})
        return Outcome(True, None, "", {"id": "note"})

    def names(self) -> list[dict[str, object]]:
        return [{"id": "note", "name": "note"}]

    def view(self, name: str, language: str) -> Mapping[str, object]:
        return {"id": name, "name": name, "parts": [], "first": "", "gaps": 0, "doubts": [], "pictures": []}

    def text(self, name: str) -> str | None:
        return "{}" if name in {"note", "1"} else None

    def begin(self, called: str) -> Outcome:
        return self._noted()

    def take_in(self, data: object) -> Outcome:
        return self._noted()

    def put(self, name: str, part: str, row: str, values: Mapping[str, object] | None) -> Outcome:
        return self._noted()

    def picture(self, name: str, part: str, row: str) -> bytes:
        return b"picture"

    def keep_picture(self, name: str, part: str, row: str, jpeg: bytes) -> Outcome:
        return self._noted()

    def drop_picture(self, name: str, part: str, row: str) -> Outcome:
        return self._noted()

    def drop(self, name: str) -> Outcome:
        return self._noted()


class Noting:
    """A table that writes every command it is told into its journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def names(self) -> Sequence[str]:
        return ("note", "never")

    def command(
        self, name: str, arguments: Mapping[str, object], who: str, seen: int | None = None, player: str = ""
    ) -> Outcome:
        if name == "never":
            return Outcome(False, say("This can’t be done now."), "phase")
        entry = self._journal.append(name, {"arguments": arguments, "by": who, "seen": seen})
        return Outcome(True, None, result={"event": entry.number})


class Phones:
    """One camera is a phone; what was sent for it is kept."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, float]] = []

    def places(self) -> Sequence[PhonePlace]:
        return [PhonePlace("cam0", "left", False, (64, 48))]

    def offer(self, camera: str, jpeg: bytes, age_s: float) -> bool | None:
        if camera != "cam0":
            return None
        self.taken.append((jpeg, age_s))
        return len(self.taken) < 3


class Photographs:
    """Takes in photographs, of which three wait at most, and looks at none."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, TakenNote]] = []
        self.began_s: list[float] = []

    def offer(self, content: bytes, taken: TakenNote, began_s: float) -> int | None:
        if len(self.taken) == 3:
            return None
        self.began_s.append(began_s)
        self.taken.append((content, taken))
        return len(self.taken)

    def told(self) -> Sequence[PhotographTold]:
        return [PhotographTold(1, PhotographState.WRONG, say("It is too dark: switch a lamp on."))]


class Shelving:
    """A shelf that writes into the journal what it was told to do."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def games(
        self, text: str, disputed: bool | None, result: str = "", language: str = "en"
    ) -> Sequence[Mapping[str, object]]:
        return [{"name": "note", "title": "A game", "players": [], "head": ""}]

    def record(self, name: str) -> bytes:
        return b"1. red -C1 +D4" if name == "note" else b""

    def report(self, name: str, turn: int, language: str = "en", as_pdf: bool = False) -> bytes:
        return b"<!doctype html><title>Turn 1</title>" if name == "note" and turn == 1 else b""

    def replay(self, name: str, language: str = "en") -> bytes:
        return b'{"title": "A game", "kit": {}, "history": []}' if name == "note" else b""

    def delete(self, name: str, head: str, by: str) -> Outcome:
        self._journal.append("game_deleted", {"name": name, "by": by})
        return Outcome(True, say("The game is deleted."))

    def repair(self, name: str, by: str) -> Outcome:
        self._journal.append("game_repaired", {"name": name, "by": by})
        return Outcome(True, say("The game is deleted."))


class Counting:
    """Statistics of a single player; what is told to it is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def players(self) -> Mapping[str, object]:
        return {"players": [{"id": 1, "name": "Anna", "since": "2026-03-14"}], "offered": []}

    def figures(self, number: int, language: str) -> bytes:
        return b'{"id": 1, "name": "Anna", "since": "2026-03-14", "games": [], "unread": 0}'

    def add(self, name: str) -> Outcome:
        self._journal.append("player_added", {"name": name})
        return Outcome(True, say("The game is deleted."))

    def forget(self, number: int) -> Outcome:
        self._journal.append("player_forgotten", {"number": number})
        return Outcome(True, say("The game is deleted."))


@dataclass
class Device:
    """A paired device: its browser and its token."""

    client: FlaskClient
    csrf: str
    id: int
    cookie: str = ""

    def headers(self, **changes: str | None) -> dict[str, str]:
        """Return what the page sends with a request that acts; ``None`` leaves one out."""
        said = {"Origin": ORIGIN, CSRF_HEADER: self.csrf} | {
            name.replace("_", "-"): text for name, text in changes.items()
        }
        return {name: text for name, text in said.items() if text is not None}

    @property
    def known(self) -> bool:
        """Return whether the table takes it for one of its devices."""
        paired: bool = untyped(self.client.get("/api/session").json)["paired"]
        return paired

    def post(self, address: str, body: Any = None, key: str = "", **changes: str | None) -> TestResponse:
        given = {KEY_HEADER: key} if key else {}
        return self.client.post(address, json=body, headers=self.headers(**changes) | given)


@dataclass
class House:
    """Everything behind one app. now: seconds since 1970, as devices are told it; up: a clock that nobody sets."""

    folder: Path
    parts: ExitStack
    config: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.now = 2_000_000_000.0
        self.up = Ticks("today", 100.0)
        self.journal = self.parts.enter_context(Journal(self.folder / "game.journal"))
        self.pictures = EvidenceStore(self.folder / "game.pictures", spare_bytes=0)
        self.content = self.pictures.keep({"cam0": PICTURE})["cam0"]
        self.phones, self.photographs = Phones(), Photographs()
        self.board = ViewPublisher()
        self.parts.callback(self.board.close)
        self.board.publish({"banner": "Legal", "players": {"1": {}}})
        self.auth: Authenticator = open_auth(self.folder, self.parts)
        self.set_clock(self.auth)
        self.app: Flask = self.new_app()

    def set_clock(self, auth: Authenticator) -> None:
        for part in (auth.devices, auth.desk, auth.answers):
            part._clock = lambda: self.now
        auth.desk._ticks = lambda: self.up

    def new_app(self) -> Flask:
        signer = Signer.open(self.folder / "checkpoint.key")
        offered = TableParts(
            log=JournalFeed(lambda: self.journal),
            commands=Noting(self.journal),
            pictures=self.pictures,
            checkpoint=CheckpointOf(signer, lambda: self.journal),
            looks=self,
            record=self,
            setup=Certifying(self.journal),
            phones=self.phones,
            photographs=self.photographs,
            games=Shelving(self.journal),
            copies=Boxed(self.journal),
            room=RoomScreen(self.board, self.folder / "room.json"),
            virtual=Handled(self.journal),
            mat=Shown(self.journal),
            board=Touched(self.journal),
            auth=self.auth,
            addons={
                PlayerStatistics: Counting(self.journal),
                Rehearsing: Rehearsals(self.journal),
                DeskDoor: LettingIn(self.journal),
                JournalWitnesses: JournalWitnesses(signer, lambda: self.journal, witnesses_file),
            },
        )
        settings: dict[str, Any] = {"TESTING": False, "HEARTBEAT_S": 0.05} | self.config
        return create_app(self.board, offered, **settings)

    @property
    def services(self) -> Services:
        return services_of(self.app)

    def swap(self, **changes: Any) -> None:
        """Give the app other services or parts than it was made with."""
        ours = {name: part for name, part in changes.items() if name in Services.__dataclass_fields__}
        parts = replace(self.services.parts, **{name: changes[name] for name in changes.keys() - ours.keys()})
        store(self.app, replace(self.services, **{"parts": parts} | ours))

    def head(self) -> str:
        """Return the journal's head for a device to co-sign, once something has happened."""
        if not self.journal.last:
            self.journal.append("note", {})
        found = untyped(self.services.added(JournalWitnesses)).head(0)
        assert found is not None
        return str(found["note"])

    def look(self, camera: str) -> bytes | None:
        """Return what every camera here sees."""
        return PICTURE

    def text(self) -> str:
        """Return the game's record."""
        return "1. red -C1 +D4"

    def pair(self, name: str = "Tablet") -> Device:
        """Pair a browser, which then holds a session."""
        client = self.app.test_client()
        device, token = self.auth.devices.pair(name)
        client.set_cookie(self.auth.name, token)
        return Device(client, csrf_token(token), device.id, token)

    def treasure(self) -> object:
        """Return all that nobody may change without a right to: game, devices, codes, and the answers given."""
        with sqlite3.connect(self.folder / "devices.db") as db:
            kept = [
                db.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()
                for table, columns in (
                    ("devices", "id, name, token, paired_at"),
                    ("codes", "id, secret, boot, until_s"),
                    ("answers", "device, key, status, body"),
                )
            ]
        room = self.folder / "room.json"
        return self.journal.head, self.board.snapshot(), room.read_bytes() if room.exists() else b"", kept
