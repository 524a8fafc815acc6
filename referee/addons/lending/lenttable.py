"""The process of one table that is lent: ``python -m referee.addons.lending.lenttable GAME LANGUAGE BYTES``.

A line of JSON on standard output says how it is reached. It ends with its standard input.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import threading

import click

from referee.cli.demo_play import other_seats, play
from referee.daemon.hosting import Hosting
from referee.games import package_named
from referee.opponents import Strength
from referee.service.logs import configure
from referee.service.memory import bound_memory, enough_handles
from referee.service.settings import ButtonBox, EvidenceSettings, Settings, load_settings

_NICE = 5
_STACKS_BYTES = 1 << 30
"""Room that threads reserve for themselves and hardly use."""
_PICTURES_MB = 20


def main(game: str, language: str, largest_bytes: int) -> None:
    """Lend a table until standard input ends."""
    bound_memory()
    enough_handles()
    most = largest_bytes + _STACKS_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who lent the table, and then closes our input
    settings = load_settings().settings
    configure(settings.log.level, settings.log.format)
    stop = threading.Event()
    threading.Thread(target=_until_given_back, args=(stop,), daemon=True).start()
    seats = other_seats(package_named(game), 1, Strength.MIDDLE)
    play(_own(settings, language), game, stop, seats, _tell)


def _own(settings: Settings, language: str) -> Settings:
    """Return the settings of a lent table: only the front reaches it, and it uses none of this machine's devices."""
    page = {"host": "127.0.0.1", "port": 0, "behind_proxy": True, "open_watching": False}
    own = {
        "language": language,
        "page": settings.page.model_copy(update=page),
        "button_box": ButtonBox(),
        "evidence": EvidenceSettings(keep_mb=_PICTURES_MB),
    }
    return settings.model_copy(update=own)


def _tell(hosting: Hosting) -> None:
    """Let the visitor's browser in, and say how the table is reached."""
    _, token = hosting.auth.devices.pair("Visitor")
    port = hosting.sock.getsockname()[1]
    click.echo(json.dumps({"port": port, "cookies": hosting.auth.cookies(token)}))


def _until_given_back(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
