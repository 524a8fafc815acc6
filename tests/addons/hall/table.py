"""A table that publishes to a hall: a real turn loop and journal, with cameras that are told what to see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.address import broker_address
from referee.addons.hall.hearing import Hearing
from referee.addons.hall.publisher import HallPublisher, TableSource
from referee.addons.hall.signing import public_of
from referee.addons.hall.table import TableOrders
from referee.addons.hall.trusting import DeskTrust
from referee.daemon.roomscreen import RoomScreen
from referee.storage.journal import Journal
from referee.values.metrics import Metrics
from referee.values.turnform import TurnForm
from tests.match.looking import At
from tests.match.loops import GAME
from tests.untyped import untyped

SECRET = Ed25519PrivateKey.from_private_bytes(b"t" * 32)


def published(
    at: At,
    address: str,
    folder: Path,
    wanted: list[tuple[str, str]] | None = None,
    room: RoomScreen | None = None,
    picture: Callable[[], bytes] | None = None,
) -> HallPublisher:
    """Return the publisher of a table, which hears orders, too. wanted: gets names and ids of desks that ask."""
    source = TableSource(
        game=untyped(GAME),
        name="Table 1",
        page="http://table.example/",
        version="1.2",
        journal=lambda: at.loop.journal.journal,
        view=at.board.snapshot,
        room=(room or RoomScreen(at.board, folder / "room.json")).settings,
        signs=Metrics().signs,
        picture=picture,
    )
    carries = TableOrders(at.desk, lambda: at.loop.journal.journal, Reports())
    trust = DeskTrust(folder / "hall", public_of(SECRET))
    hearing = Hearing(
        untyped(GAME), public_of(SECRET), trust, carries, lambda told: publisher.answer(told),
        lambda game, after: publisher.again(game, after),
        lambda name, desk: wanted.append((name, desk)) if wanted is not None else None,
    )  # fmt: skip
    publisher = HallPublisher(broker_address(address), source, folder / "hall", SECRET, hearing.hear)
    at.board.on_publish(publisher.wake)
    return publisher


class Reports:
    """Pages of any length, one a turn; there is none on turn 99."""

    def turn(self, turn: int, language: str, form: TurnForm) -> bytes:
        return b"" if turn == 99 else f"<p>{language} {turn}</p>".encode() * 20_000


def numbers(journal: Journal) -> list[tuple[int, str]]:
    """Return number and hash of each event."""
    return [(entry.number, entry.hash) for entry in journal.entries()]
