"""Take a table into a hall: publish what its page shows, and carry out what its arbiters order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from referee.addons.hall.address import BrokerAddress, broker_address
from referee.addons.hall.door import DeskDoor
from referee.addons.hall.hearing import Decide, Hearing, Then
from referee.addons.hall.orders import HallAnswer
from referee.addons.hall.settings import HallSettings
from referee.addons.hall.signing import public_of
from referee.addons.hall.trusting import DeskTrust
from referee.cli.gamebook import file_name
from referee.daemon.addontable import AddOnTable
from referee.daemon.commandqueue import CommandQueue
from referee.report.sharing import newest_picture
from referee.storage.checkpoint import open_key
from referee.storage.journal import Journal
from referee.values.metrics import Metrics
from referee.values.turnform import TurnForm
from referee.values.words import LANGUAGES
from web.tableview import Outcome, ReportMaker

PART = "hall"
"""The name under which ``/health`` tells whether the broker is there."""


def table_key(folder: Path) -> Path:
    """Return the file of the key that a table is known by: the one that signs its checkpoints."""
    return folder / "checkpoint.key"


def hall_folder(folder: Path) -> Path:
    """Return the folder, in the data folder, of what a table keeps for its hall."""
    return folder / "hall"


def join(table: AddOnTable) -> None:
    """Offer the door for arbiters' desks, and enter the hall whose broker the settings name. Raises HallError."""
    door = DeskDoor()
    table.offer(door)
    table.notices.append(door.notices)
    broker = table.settings.of(HallSettings).broker
    if broker and table.game is not None and table.table is not None:
        address, name = broker_address(broker), file_name(table.table)
        table.once_served.append(lambda: enter(address, name, table, lambda: sights(table.metrics)))


def enter(
    address: BrokerAddress, name: str, table: AddOnTable, sights: Callable[[], Mapping[str, tuple[int, float]]]
) -> None:
    """Publish a table that is served already, until its parts end. Raises HallError, CheckpointError.

    name: of the table; sights: by camera, markers and width of their edges, px, as measured last.
    """
    from referee.addons.hall.publisher import HallPublisher, TableSource  # only here: it needs paho-mqtt

    game, offered, metrics, door = table.game, table.offered, table.metrics, table.services[DeskDoor]
    kept = offered.pictures
    assert game is not None
    assert offered.room is not None
    assert isinstance(door, DeskDoor)
    secret = open_key(table_key(table.folder))
    source = TableSource(
        game=game,
        name=name,
        page=table.url,
        version=version("tower-referee"),
        journal=table.journal,
        view=table.publisher.snapshot,
        room=offered.room.settings,
        signs=metrics.signs,
        attend=lambda there: metrics.part(PART, there),
        sights=sights,
        reliability=table.reliability_lines,
        picture=(
            (lambda: newest_picture(table.state().history, kept.picture))
            if kept is not None and table.settings.of(HallSettings).pictures
            else None
        ),
    )
    trust = DeskTrust(hall_folder(table.folder), public_of(secret))
    carries = TableOrders(table.commands, table.journal, offered.reports)

    def answer(answers: Sequence[HallAnswer]) -> None:
        publisher.answer(answers)

    door.join(trust)
    hearing = Hearing(
        game,
        public_of(secret),
        trust,
        carries,
        answer,
        lambda game, after: publisher.again(game, after),
        door.asked,
    )
    publisher = HallPublisher(address, source, hall_folder(table.folder), secret, hearing.hear)
    metrics.part(PART, False)
    table.publisher.on_publish(publisher.wake)
    table.parts.callback(hearing.close)
    table.parts.enter_context(publisher)


def sights(metrics: Metrics) -> dict[str, tuple[int, float]]:
    """Return markers and width of their edges, px (-1 without any), as measured last of each camera."""
    return {
        name: (sample.markers, -1.0 if sample.edge_px is None else sample.edge_px)
        for name, sample in metrics.signs().samples.items()
        if sample.markers is not None
    }


class TableOrders:
    """Carries orders out at this table."""

    def __init__(self, commands: CommandQueue, journal: Callable[[], Journal], reports: ReportMaker | None) -> None:
        self._commands, self._journal, self._reports = commands, journal, reports

    def carry_out(self, decide: Decide, then: Then) -> None:
        """Have events written down by the turn loop, without waiting."""

        def told(outcome: Outcome) -> None:
            then(outcome.accepted, outcome.code, outcome.words)

        self._commands.decided(decide, told)

    def last(self) -> int:
        """Return the number of the journal's newest event."""
        return self._journal().last

    def report(self, turn: int, language: str) -> bytes:
        """Return the report on a turn as a page, in English for a language that this table lacks."""
        spoken = language if language in LANGUAGES else LANGUAGES[0]
        return b"" if self._reports is None else self._reports.turn(turn, spoken, TurnForm.PAGE)
