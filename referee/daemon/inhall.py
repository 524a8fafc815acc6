"""Take a table into a hall: publish what its page shows, and carry out what its arbiters order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

from referee.daemon.commandqueue import CommandQueue
from referee.daemon.hosting import Hosting
from referee.hall.address import broker_address
from referee.hall.hearing import Decide, Hearing, Then
from referee.hall.orders import HallAnswer
from referee.hall.signing import public_of
from referee.hall.trusting import DeskTrust
from referee.match.events import AnyGame
from referee.storage.checkpoint import open_key
from referee.storage.journal import Journal
from referee.values.metrics import Metrics
from web.tableview import Outcome, ReportMaker

PART = "hall"
"""The name under which ``/health`` tells whether the broker is there."""


def table_key(folder: Path) -> Path:
    """Return the file of the key that a table is known by: the one that signs its checkpoints."""
    return folder / "checkpoint.key"


def hall_folder(folder: Path) -> Path:
    """Return the folder, in the data folder, of what a table keeps for its hall."""
    return folder / "hall"


def join_hall(
    broker: str,
    hosting: Hosting,
    game: AnyGame,
    name: str,
    folder: Path,
    metrics: Metrics,
    parts: ExitStack,
    sights: Callable[[], Mapping[str, tuple[int, float]]] = dict,
) -> None:
    """Publish a table that is served already, until ``parts`` end; without a broker do nothing.

    broker: its address; name: of the table; folder: the data folder; sights: by camera, markers and width of their
    edges, px, as measured last. Raises HallError, CheckpointError.
    """
    if not broker:
        return
    address = broker_address(broker)
    from referee.hall.publisher import HallPublisher, TableSource  # only here: it needs paho-mqtt

    offered = hosting.offered
    assert offered is not None
    assert offered.room is not None
    secret = open_key(table_key(folder))
    source = TableSource(
        game=game,
        name=name,
        page=hosting.url,
        version=version("tower-referee"),
        journal=hosting.journal,
        view=hosting.publisher.snapshot,
        room=offered.room.settings,
        signs=metrics.signs,
        attend=lambda there: metrics.part(PART, there),
        sights=sights,
    )
    trust = DeskTrust(hall_folder(folder), public_of(secret))
    carries = TableOrders(hosting.commands, hosting.journal, offered.reports)

    def answer(answers: Sequence[HallAnswer]) -> None:
        publisher.answer(answers)

    hosting.door.join(trust)
    hearing = Hearing(
        game,
        public_of(secret),
        trust,
        carries,
        answer,
        lambda game, after: publisher.again(game, after),
        hosting.door.asked,
    )
    publisher = HallPublisher(address, source, hall_folder(folder), secret, hearing.hear)
    metrics.part(PART, False)
    hosting.publisher.on_publish(publisher.wake)
    parts.callback(hearing.close)
    parts.enter_context(publisher)


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
        """Return the report on a turn as a page."""
        return b"" if self._reports is None else self._reports.turn(turn, language, False)
