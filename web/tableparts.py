"""The services of a table that the page is offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee.values.metrics import VitalSigns
from web.auth.guard import Authenticator
from web.tableview import (
    BoardDesk,
    CameraLooks,
    CheckpointMaker,
    EventLog,
    GameCopies,
    GamesDesk,
    MatTeacher,
    PhoneCameras,
    PhotographDesk,
    Pictures,
    RecordWriter,
    ReportMaker,
    RoomDesk,
    SetupDesk,
    TableCommands,
    VirtualDesk,
)


@dataclass(frozen=True, slots=True)
class TableParts:
    """A table's services besides its state; a part it lacks has no addresses that work.

    auth: who may act; without, everybody only watches. signs: how the referee does at this moment. tour: a first
    visitor is led through the page. lent: to a visitor, whom the table knows already and who gives it back. addons:
    what add-ons' addresses work with, by type.
    """

    log: EventLog | None = None
    commands: TableCommands | None = None
    pictures: Pictures | None = None
    checkpoint: CheckpointMaker | None = None
    looks: CameraLooks | None = None
    record: RecordWriter | None = None
    setup: SetupDesk | None = None
    mat: MatTeacher | None = None
    copies: GameCopies | None = None
    phones: PhoneCameras | None = None
    photographs: PhotographDesk | None = None
    board: BoardDesk | None = None
    virtual: VirtualDesk | None = None
    reports: ReportMaker | None = None
    games: GamesDesk | None = None
    room: RoomDesk | None = None
    auth: Authenticator | None = None
    signs: Callable[[], VitalSigns] | None = None
    tour: bool = False
    lent: bool = False
    addons: Mapping[type, object] = field(default_factory=dict)
