"""Examine disk, clock and network of this computer."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from referee.doctor.finding import Finding, bad, good, warning

DISK_BAD, DISK_LOW = 300_000_000, 2_000_000_000
"""Bytes. A game's pictures take some hundred megabytes at most; the settings keep two gigabytes of them."""
EARLIEST_YEAR = 2025
"""A clock that shows an earlier year was never set: a Raspberry Pi has none that runs without power."""
_ASK_S = 5.0
# An address kept for documentation: nothing is sent there, but the system says which of its own it would use.
_SOMEWHERE = ("192.0.2.1", 9)


def disk(folder: Path) -> Finding:
    """Examine the room where games are kept, and whether it may be written to. The folder need not be there yet."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        return bad("disk", f"{place} is no folder", "correct data_folder in the settings")
    if not os.access(place, os.W_OK | os.X_OK):
        return bad("disk", f"{place} may not be written to", "change its owner, or data_folder in the settings")
    free = shutil.disk_usage(place).free
    told = f"{free / 1e9:.1f} GB free for {folder}"
    if free < DISK_BAD:
        return bad("disk", told, "make room: a game needs some hundred megabytes")
    if free < DISK_LOW:
        return warning("disk", told, "make room, or lower [evidence] keep_mb in the settings")
    return good("disk", told)


def clock(now_s: float | None = None, synchronised: bool | None = None) -> Finding:
    """Examine whether the clock is set; journals and certificates carry its time.

    The arguments are asked of the computer by default.
    """
    now_s = time.time() if now_s is None else now_s
    told = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(now_s))
    if time.gmtime(now_s).tm_year < EARLIEST_YEAR:
        return bad("clock", told, "it was never set: connect to a network once, or sudo date -s 'YYYY-MM-DD HH:MM'")
    if synchronised is None:
        synchronised = _synchronised()
    if synchronised is None:
        return warning("clock", f"{told}; whether it is synchronised can't be told", "compare it with a watch")
    if not synchronised:
        return warning(
            "clock", f"{told}, not synchronised", "sudo timedatectl set-ntp true, or compare it with a watch"
        )
    return good("clock", f"{told}, synchronised")


def _synchronised() -> bool | None:
    program = shutil.which("timedatectl")
    if program is not None:
        try:
            done = subprocess.run(
                [program, "show", "--property=NTPSynchronized", "--value"],
                capture_output=True, timeout=_ASK_S, check=False, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        answer = done.stdout.decode("ascii", "replace").strip()
        if done.returncode == 0 and answer in ("yes", "no"):
            return answer == "yes"
    return True if Path("/run/systemd/timesync/synchronized").exists() else None


def network(host: str, port: int) -> Iterator[Finding]:
    """Report this computer's name and address, and whether the page can listen where the settings say."""
    name, address = socket.gethostname(), own_address()
    if address is None:
        yield warning("network", f"{name}, not connected", "tablets reach the page only over a network")
    else:
        local = host in ("127.0.0.1", "localhost", "::1")
        advice = 'for tablets, set host = "0.0.0.0" under [page] in the settings' if local else ""
        yield good("network", f"{name}, {address}", advice)
    yield _listening(host, port)


def own_address() -> str | None:
    """Return the IPv4 address others reach this computer at, ``None`` without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address


def _listening(host: str, port: int) -> Finding:
    what = f"page at {host}:{port}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror:
            return bad(what, "this is no address of this computer", "correct [page] host in the settings")
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return warning(what, "in use", "fine if the referee is running; else choose another [page] port")
            if error.errno == errno.EACCES:
                return bad(what, "may not be used", "choose a [page] port from 1024 on in the settings")
            return bad(what, error.strerror or "cannot be used", "correct [page] host and port in the settings")
    return good(what, "free")
