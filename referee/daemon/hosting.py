"""Serve the page over a running game: give it its services and its socket, and end all of it in order."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from referee.archive.export import record_of_state
from referee.daemon.addontable import AddOnTable
from referee.daemon.commandqueue import CommandQueue
from referee.daemon.copyeditor import CopyEditor
from referee.daemon.copyfolder import CopyFolder
from referee.daemon.gamejournal import GameJournal
from referee.daemon.livetable import LiveTable
from referee.daemon.pastgames import PastGames
from referee.daemon.publisher import ViewPublisher
from referee.daemon.reports import TurnReports
from referee.daemon.resultcache import ResultCache
from referee.daemon.roomscreen import RoomScreen
from referee.games.contract import HasCopies
from referee.match.events import AnyGame
from referee.match.live import Notice
from referee.match.state import TableState
from referee.service import authority
from referee.service.eventlog import JournalFeed
from referee.service.pairing import open_auth
from referee.service.server import OwnHosts, PageServer, ServerError, address, bind
from referee.service.settings import Page, Settings
from referee.service.tlsfront import TlsFront
from referee.storage.checkpoint import CheckpointOf, Signer
from referee.storage.diskspace import free_bytes
from referee.storage.inuse import InUse
from referee.storage.journal import Journal, JournalError
from referee.values.metrics import Metrics
from referee.values.words import Words
from web.app import create_app
from web.auth.guard import Authenticator
from web.page import Trust
from web.tableparts import TableParts

LETS_IN = "TABLE_LETS_IN"
"""Environment variable: the secret of a code that the browser holds already on whose page the table was chosen."""
_LOG = logging.getLogger(__name__)
_NOTHING = TableParts()


class Hosting:
    """Serves the page of one table. ``journal`` gives the game that is played now, ``state`` how it stands.

    folder: of keys and devices.

    make_room: asked to make room when the disk is full.
    """

    def __init__(
        self,
        page: Page,
        folder: Path,
        journal: Callable[[], GameJournal],
        state: Callable[[], TableState],
        parts: ExitStack,
        make_room: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take the address at once, so that a second referee finds out early. Raises ServerError, JournalError."""
        self._page, self._folder, self._journal, self._state, self._parts = page, folder, journal, state, parts
        mark = parts.enter_context(InUse(folder))
        self.sock = parts.enter_context(bind(page.host, page.port))
        with contextlib.suppress(OSError):  # a full disk keeps nobody from playing
            mark.say(self.url)
        self.publisher = ViewPublisher()
        self.commands = CommandQueue()
        self.auth: Authenticator = open_auth(folder, parts, make_room)
        self.added: AddOnTable | None = None
        """The table as add-ons have joined it, once it is served."""
        self.secure_url = ""
        """The address over HTTPS, once it is served there."""

    def journal(self) -> Journal:
        """Return the journal of the game that is played now."""
        return self._journal().journal

    @property
    def url(self) -> str:
        """Return the address to open."""
        if self._page.behind_proxy and self._page.allowed_hosts:
            return f"https://{self._page.allowed_hosts[0]}/"
        return address(self.sock)

    @property
    def local(self) -> bool:
        """Return whether only this machine can open the page."""
        return not self._page.behind_proxy and ip_address(self.sock.getsockname()[0]).is_loopback

    def reached_at(self) -> str:
        """Return HOST:PORT under which phones find the page; empty where only this machine does."""
        return "" if self.local else urlsplit(address(self.sock)).netloc

    @property
    def other_port(self) -> bool:
        """Return whether the port asked for was taken."""
        return bool(self._page.port) and self.sock.getsockname()[1] != self._page.port

    def notices(self) -> tuple[Notice, ...]:
        """Return what add-ons tell everybody at the table."""
        return () if self.added is None else tuple(one for told in self.added.notices for one in told())

    def reliability(self) -> tuple[Words, ...]:
        """Return what add-ons say on how far the table is to be believed."""
        return () if self.added is None else self.added.reliability_lines()

    def metrics(self, cameras: tuple[str, ...] = ()) -> Metrics:
        """Return the metrics, with the disk's."""
        return Metrics(
            lambda: (free_bytes(self._folder), self._journal().keeping.value),
            cameras,
            # No command is taken where its key can't be noted: for players that is the same.
            journal=lambda: self._journal().journal.trouble() or self.auth.devices.trouble,
        )

    def serve(
        self,
        metrics: Metrics,
        settings: Settings | None = None,
        brings: TableParts = _NOTHING,
        table: Path | None = None,
        games: Path | None = None,
        game: AnyGame | None = None,
        live: LiveTable | None = None,
    ) -> Flask:
        """Answer from now on, until ``parts`` ends.

        settings: by which it is run, those by default without. brings: what the table has of its own, beside what
        each has. table: the table's folder, for reports. games: folder of the games refereed here. game: played here;
        where its box holds values that no rule sheet prints, the page enters and keeps them. live: the table's
        cameras.
        """
        page, settings = self._page, settings or Settings()
        cache = ResultCache()
        box: object = game  # by its type alone no game has copies
        copies = CopyEditor(box, CopyFolder(self._folder / "copies")) if isinstance(box, HasCopies) else None
        if copies is not None:
            self.commands.on_choice(copies.chosen)
        signer = Signer.open(self._folder / "checkpoint.key")
        offered = replace(
            brings,
            log=JournalFeed(self.journal),
            commands=self.commands,
            pictures=_PicturesOf(self._journal),
            checkpoint=CheckpointOf(signer, self.journal),
            record=_RecordOf(self._journal, self._state),
            copies=copies,
            reports=TurnReports(self._journal, cache, table, self.reliability),
            games=None
            if games is None
            else PastGames(games, lambda: self._journal().journal.path, cache, self.reliability),
            room=RoomScreen(self.publisher, self._folder / "room.json"),
            auth=self.auth,
            signs=metrics.signs,
        )
        self.added = AddOnTable(
            self.url, self._folder, settings, game, table, games, self.journal, self._state, self.publisher,
            self.commands, metrics, cache, live, offered, self._parts,
        )  # fmt: skip
        offered = self.added.joined()
        app = create_app(
            self.publisher,
            offered,
            TRUSTED_HOSTS=OwnHosts(page.host, page.allowed_hosts),
            OPEN_WATCHING=page.open_watching,
            REACHED_AT=None if page.behind_proxy else self.reached_at,
            LANGUAGE=settings.language,
        )
        told = os.environ.pop(LETS_IN, "")
        if told:
            self.auth.desk.new_code(secret=told)
        self._parts.enter_context(PageServer(app, self.sock, page.behind_proxy))
        self._secure(app)
        self._parts.callback(self.commands.close)
        self._parts.callback(self.publisher.close)  # first of all when stopping, so that the page's streams end
        for begin in self.added.once_served:
            begin()
        return app

    def _secure(self, app: Flask) -> None:
        """Serve HTTPS beside HTTP where the table has certificates of its own."""
        page = self._page
        if not page.https_port or page.behind_proxy or not authority.exists(self._folder):
            return
        names = list(app.config["TRUSTED_HOSTS"])
        try:
            ours = authority.ensure(self._folder, names)
            front = self._parts.enter_context(bind(page.host, page.https_port))
            inner = self._parts.enter_context(bind("127.0.0.1", 0))
            self._parts.enter_context(PageServer(app, inner, behind_proxy=True))
            behind, devices = inner.getsockname(), self.auth.addresses
            self._parts.enter_context(TlsFront(front, ours.server, ours.key, behind, devices))
        except (authority.AuthorityError, ServerError, OSError) as error:  # play goes on without
            _LOG.error("the page is not served over HTTPS: %s", error)
            return
        host = urlsplit(address(front)).netloc
        app.config["TRUST"] = Trust(ours.der, ours.fingerprint, host)
        self.secure_url = f"https://{host}/"


class _PicturesOf:
    """The pictures of the game that is played now."""

    def __init__(self, journal: Callable[[], GameJournal]) -> None:
        self._journal = journal

    def picture(self, content: str) -> bytes | None:
        """Return the picture with this content id."""
        evidence = self._journal().evidence
        return None if evidence is None else evidence.picture(content)


class _RecordOf:
    """The record of the game that is played now, made from its state once a change, not from the journal."""

    def __init__(self, journal: Callable[[], GameJournal], state: Callable[[], TableState]) -> None:
        self._journal, self._state = journal, state
        self._mutex = threading.Lock()
        self._made: tuple[TableState, str] | None = None

    def text(self) -> str:
        """Return the record in the game's notation; empty where it can't be made."""
        with self._mutex:  # one makes it, the others wait for that one
            state = self._state()
            if (
                self._made is None
                or self._made[0].history is not state.history
                or self._made[0].result != state.result
            ):
                self._made = (state, self._record(state))
            return self._made[1]

    def _record(self, state: TableState) -> str:
        try:
            first = next(self._journal().journal.entries(), None)
            return "" if first is None else record_of_state(state, first.at).text
        except JournalError:
            return ""
