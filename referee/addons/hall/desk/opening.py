"""Open a desk: its key and devices, its page, the spectators' pages, and the line to the broker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from referee.addons.hall.address import broker_address
from referee.addons.hall.desk.broadcast import Broadcast
from referee.addons.hall.desk.broadcastapp import create_broadcast
from referee.addons.hall.desk.desk import HallKeeper
from referee.addons.hall.desk.deskapp import create_desk
from referee.addons.hall.desk.tournamentfiles import TournamentFiles
from referee.addons.hall.messages import HallError
from referee.service.pairing import open_auth, pairing_link, said_to_the_journal
from referee.service.server import OwnHosts, PageServer, address, bind
from referee.storage.inuse import InUse

_NO_BROKER = (
    "no broker is named: write broker under [hall] in the settings, or give --broker mqtts://user:password@host; "
    "--demo 6 shows everything without one"
)


@dataclass(frozen=True, slots=True)
class DeskOptions:
    """How a desk is opened.

    folder: of its key and devices. place, spectators: host and port of either page. tournament: file of its pairings.
    """

    broker: str
    folder: Path
    place: tuple[str, int]
    spectators: tuple[str, int]
    delay_s: float
    language: str
    allowed_hosts: tuple[str, ...] = ()
    tournament: Path | None = None


def open_desk(options: DeskOptions, stop: threading.Event, tell: Callable[[str], None]) -> None:
    """Keep a desk open until told to stop. Raises HallError, ServerError, AuthStoreError, JournalError."""
    if not options.broker:
        raise HallError(_NO_BROKER)
    broker = broker_address(options.broker)
    with ExitStack() as parts:
        options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark = parts.enter_context(InUse(options.folder))
        auth = open_auth(options.folder, parts)
        broadcast = Broadcast(options.delay_s)
        tournament = TournamentFiles(options.tournament) if options.tournament is not None else None
        keeper = HallKeeper(options.folder, broker, broadcast, tournament)
        sock, screens = (parts.enter_context(bind(*place)) for place in (options.place, options.spectators))
        config = {"LANGUAGE": options.language}
        desk = create_desk(
            keeper.board, keeper, auth, TRUSTED_HOSTS=OwnHosts(options.place[0], options.allowed_hosts), **config
        )
        shown = create_broadcast(
            broadcast.wall,
            broadcast,
            TRUSTED_HOSTS=OwnHosts(options.spectators[0], options.allowed_hosts),
            **config,
        )
        parts.enter_context(PageServer(desk, sock))
        parts.enter_context(PageServer(shown, screens))
        parts.callback(broadcast.close)  # streams end first
        parts.enter_context(keeper)
        url = address(sock)
        mark.say(url)
        code = auth.desk.new_code()
        tell(f"The arbiter's desk of the hall at {broker}. Stop with Ctrl-C.")
        if said_to_the_journal():
            tell(f"Run 'referee pair --data {options.folder}' for a code: it has no business in this log.")
        else:
            tell(f"Open {pairing_link(url, code)}")
            tell(f"or {url} and type the code {code.pin[:3]} {code.pin[3:]}.")
        tell(f"For everybody: {address(screens)}wall")
        stop.wait()
    tell("Stopped.")
