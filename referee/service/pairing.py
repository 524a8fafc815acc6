"""Pairing at the machine itself: the file of paired devices, and the code as a terminal shows it."""

from __future__ import annotations

import hashlib
import io
from contextlib import ExitStack
from pathlib import Path

import segno

from web.auth.guard import Authenticator
from web.auth.pairing import Code
from web.auth.store import Store

FILE = "devices.db"


def open_locks(folder: Path, parts: ExitStack) -> Authenticator:
    """The locks whose keys lie beside the journals in a folder; ``parts`` closes them. Raises LocksError."""
    store = parts.enter_context(Store(folder / FILE))
    # Cookies know no ports: two tables on one machine need two names for theirs.
    name = f"referee-{hashlib.sha256(str(store.path.resolve()).encode()).hexdigest()[:8]}"
    return Authenticator.over(store, name)


def pairing_link(url: str, code: Code) -> str:
    """The address that pairs whoever opens it. The secret stands where browsers tell it to no server."""
    return f"{url.rstrip('/')}/#pair={code.secret}"


def pairing_words(url: str, code: Code) -> str:
    """The code as a terminal shows it: a QR code and the digits."""
    drawn = io.StringIO()
    segno.make(pairing_link(url, code), micro=False, error="m").terminal(drawn, compact=True, border=2)
    return (
        f"{drawn.getvalue()}\n"
        f"To let a device take part: scan this code with it, or open {url} and type the code {code.pin[:3]} "
        f"{code.pin[3:]}.\n"
        "The code lets one device in. For another one use a paired device, or 'referee pair'."
    )
