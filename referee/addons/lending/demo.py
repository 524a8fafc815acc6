"""``referee demo --play --public``: tables lent to several visitors at once, each a referee of its own."""

from __future__ import annotations

import itertools
import logging
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click

from referee.addons.lending.hall import Hall, HallLimits
from referee.addons.lending.lent import LentProcess
from referee.addons.lending.proxies import LOOPBACK, Proxies
from referee.addons.lending.reception import ANSWERED_HERE, NOT_LENT, cookie_name, create_reception
from referee.games import packages
from referee.service.doors import ALL_MOST, EACH_MOST, Doors
from referee.service.front import Front, Onward
from referee.service.requesthead import BadRequestError, RequestHead
from referee.service.server import OwnHosts, PageServer, address, bind
from referee.service.settings import Settings
from referee.storage.aside import folder_aside
from referee.virtual.folder import can_be_laid
from web.limits import Limiter

_LOG = logging.getLogger(__name__)
TEND_S = 1.0
_MINUTES = click.FloatRange(0.0, 24 * 60.0, min_open=True)
AT_ONCE = 400
A_SECOND = 60.0
"""Requests of one address: a page that is opened asks for a hundred files, one that is played at for two a second."""
_MOST = 3 * ALL_MOST
"""Connections of all."""
_TOKEN = {
    secure: re.compile(rf"(?:^|;\s*){re.escape(cookie_name(secure))}=([A-Za-z0-9_-]{{20,64}})(?:;|$)")
    for secure in (False, True)
}


def _as_proxies(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    try:
        Proxies.read(given)
    except ValueError as error:
        told = f"{error}: give an address such as 10.88.0.1, or a network such as 10.88.0.0/24"
        raise click.BadParameter(told) from None
    return given


FLAG = "public"
BELONGING = ("tables", "minutes", "idle", "table_mb", "each", "proxies")
IDLE = ("of", "people", "strength", "phone")
OPTIONS = (
    click.option(
        "--public", is_flag=True, help="With --play: lend tables to several visitors, each a table of its own."
    ),
    click.option(
        "--tables",
        default=3,
        show_default=True,
        type=click.IntRange(1, 200),
        help="With --public: how many tables are lent at once.",
    ),
    click.option(
        "--minutes", default=60.0, show_default=True, type=_MINUTES, help="With --public: lent for so long."
    ),
    click.option(
        "--idle",
        "idle",
        default=10.0,
        show_default=True,
        type=_MINUTES,
        help="With --public: cleared after so many minutes in which nobody played.",
    ),
    click.option(
        "--table-mb",
        default=900,
        show_default=True,
        type=click.IntRange(min=100),
        help="With --public: memory and files of a table, MB; one that takes more is cleared.",
    ),
    click.option(
        "--each",
        default=2,
        show_default=True,
        type=click.IntRange(1),
        help="With --public: how many tables one network address may have.",
    ),
    click.option(
        "--proxy",
        "proxies",
        multiple=True,
        metavar="ADDRESS",
        callback=_as_proxies,
        help="With --public: address or network of a web server in front, whose word on who asks is believed. "
        "May be repeated; without it nobody's is.",
    ),
)


def show(settings: Settings, stop: threading.Event, play: bool, chosen: Mapping[str, Any]) -> None:
    """Lend tables until told to stop. Raises what the parts raise, all told in words."""
    if not play:
        raise click.UsageError("--public lends tables to play at: it goes with --play")
    limits = HallLimits(
        chosen["tables"],
        chosen["each"],
        chosen["table_mb"] * 1_000_000,
        chosen["minutes"] * 60.0,
        chosen["idle"] * 60.0,
    )
    lend(settings, limits, chosen["proxies"], stop)


def playable() -> list[tuple[str, str]]:
    """Return name and title of the games that a virtual table can be laid for."""
    return [(name, package.game.title) for name, package in packages().items() if can_be_laid(package)]


def lend(settings: Settings, limits: HallLimits, believed: Sequence[str], stop: threading.Event) -> None:
    """Lend tables until told to stop. believed: addresses and networks of servers in front."""
    page = settings.page
    proxies = Proxies.read((*believed, *(LOOPBACK if page.behind_proxy else ())))
    numbers = itertools.count(1)
    with ExitStack() as parts:
        folder = parts.enter_context(folder_aside("referee-public-"))
        hall = Hall(
            limits,
            lambda game, language: LentProcess(folder / str(next(numbers)), game, language, limits.largest_bytes),
        )
        parts.callback(hall.close)
        sock = parts.enter_context(bind(page.host, page.port))
        inner = parts.enter_context(bind("127.0.0.1", 0))
        hosts = OwnHosts(page.host, page.allowed_hosts)
        reception = create_reception(hall, playable(), round(limits.total_s / 60), hosts)
        parts.enter_context(PageServer(reception, inner, behind_proxy=True))
        way = Routes(hall, inner.getsockname(), proxies)
        # A server in front holds the connections of all its visitors, and strangers can't take its places.
        doors = Doors(proxies, EACH_MOST, _MOST, a_second=None, each_device=_MOST)
        parts.enter_context(Front(sock, way.way, doors))
        click.echo(
            f"Tables to play at, {limits.tables} at a time: open {address(sock)} in a browser. Stop with Ctrl-C."
        )
        while not stop.wait(TEND_S):
            hall.tend()
    click.echo("Stopped.")


class Routes:
    """Lead each visitor to their own table, and everybody else to the reception."""

    def __init__(self, hall: Hall, reception: tuple[str, int], proxies: Proxies) -> None:
        """Take a hall and its reception. proxies: servers in front, whose word on who asks is believed."""
        self._hall, self._reception, self._proxies = hall, reception, proxies
        self._often = Limiter(AT_ONCE, A_SECOND)
        self._told = False

    def way(self, asked: RequestHead, sender: str) -> Onward:
        """Return where a request goes. Raises BadRequestError for an address that asks too often."""
        if asked.senders and sender not in self._proxies and not self._told:
            self._told = True
            _LOG.warning("%s says whom it asks for: only with --proxy %s is that believed", sender, sender)
        sender, protocol = self._proxies.asking(sender, asked)
        if self._often.wait_s(sender) > 0:
            raise BadRequestError("429 Too Many Requests")
        here = asked.handed_on(sender, protocol)
        found = _TOKEN[protocol == "https"].search(asked.cookies)
        if found is None or asked.path in ANSWERED_HERE or _not_lent(asked):
            return Onward(self._reception, here)
        door = self._hall.door(found[1], acts=asked.method not in ("GET", "HEAD"))
        if door is None:
            return Onward(self._reception, here)
        return Onward(door.place, asked.handed_on(sender, protocol, door.cookies), (self._reception, here))


def _not_lent(asked: RequestHead) -> bool:
    looks = asked.method == "GET" and asked.path == "/api/devices"
    return asked.path.startswith(NOT_LENT) and not looks
