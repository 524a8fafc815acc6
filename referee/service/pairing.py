"""Pairs devices at the machine itself: the file of paired devices, and the code as a terminal shows it."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import segno

from referee.service.server import machine_address
from web.auth.guard import Authenticator
from web.auth.pairing import Code
from web.auth.store import Store

FILE = "devices.db"


def open_auth(folder: Path, parts: ExitStack, make_room: Callable[[], bool] = lambda: False) -> Authenticator:
    """Open the file of paired devices in a folder; ``parts`` closes it. Raises AuthStoreError.

    make_room: asked to make room when the disk is full.
    """
    store = parts.enter_context(Store(folder / FILE, make_room))
    # Browsers ignore ports in cookies: two tables on one machine need two cookie names.
    name = f"referee-{hashlib.sha256(str(store.path.resolve()).encode()).hexdigest()[:8]}"
    return Authenticator.over(store, name)


def pairing_link(url: str, code: Code, page: str = "") -> str:
    """Return the address of a page that pairs whoever opens it.

    The secret is in the fragment, which browsers send to no server.
    """
    return f"{url.rstrip('/')}/{page}#pair={code.secret}"


def pairing_told(url: str, code: Code, local: bool, page: str = "") -> str:
    """Return how to pair a device, for whoever started the referee.

    local: only this computer can open the page. The system's journal is kept, and others may read it, so no code is
    given where standard output is that journal. page: that the device opens.
    """
    if said_to_the_journal():
        return "To let a device take part, run 'referee pair' at this computer: a code has no business in this log."
    return local_words(url, code) if local else pairing_words(url, code, page)


def local_words(url: str, code: Code) -> str:
    """Return the code for this computer alone, and how to open the table to others."""
    found, port = machine_address(), urlsplit(url).port
    then = f"The address is then http://{found}:{port}/." if found != "localhost" else "It is in no network now."
    return (
        f"Only this computer can open the page: no phone or tablet reaches {url}\n"
        "To open the table to your network, stop the referee and start it with --host 0.0.0.0, or write "
        f'host = "0.0.0.0" under [page] in the settings. {then}\n'
        f"To press the buttons on this computer, open {pairing_link(url, code)}\n"
        f"or type the code {code.pin[:3]} {code.pin[3:]} on the page under Settings, Pairing and devices."
    )


def said_to_the_journal(stream: int = 1) -> bool:
    """Return whether standard output is the system's journal (systemd.exec(5), JOURNAL_STREAM)."""
    device, _, inode = os.environ.get("JOURNAL_STREAM", "").partition(":")
    try:
        found = os.fstat(stream)
    except OSError:
        return False
    return (device, inode) == (str(found.st_dev), str(found.st_ino))


def pairing_words(url: str, code: Code, page: str = "") -> str:
    """Return the code as a terminal shows it: a QR code and the digits."""
    drawn = io.StringIO()
    segno.make(pairing_link(url, code, page), micro=False, error="m").terminal(drawn, compact=True, border=2)
    return (
        f"{drawn.getvalue()}\n"
        f"To let a device take part: scan this code with it, or open {url} and type the code {code.pin[:3]} "
        f"{code.pin[3:]}.\n"
        "The code lets one device in. For another one use a paired device, or 'referee pair'."
    )
