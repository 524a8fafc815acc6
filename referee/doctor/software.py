"""Examine Python, OpenCV and SQLite: are they there, and of a version that works."""

from __future__ import annotations

import importlib
import sqlite3
import sys
from collections.abc import Iterator
from types import ModuleType

from referee.doctor.finding import Finding, bad, good

PYTHON_FROM = (3, 11)
OPENCV = ((5, 0), (6, 0))
"""From, and below."""
WAL_SAFE_FROM = (3, 51, 3)
"""Before this, several connections that write and checkpoint at once can spoil a database in WAL mode."""
_NEEDED = ("numpy", "click", "flask", "pydantic", "serial", "waitress", "platformdirs")


def software() -> Iterator[Finding]:
    """Report every finding about programs."""
    yield python(sys.version_info[:3])
    yield opencv(_module("cv2"))
    yield packages()
    yield hall(_module("paho.mqtt"))
    yield timestamps(_module("rfc3161_client"))
    yield sqlite(sqlite3.sqlite_version_info)


def python(version: tuple[int, ...]) -> Finding:
    """Examine whether this Python is new enough."""
    told = ".".join(map(str, version))
    if version < PYTHON_FROM:
        return bad("Python", told, "install Python 3.11 or newer, then run scripts/setup again")
    return good("Python", told)


def opencv(module: ModuleType | None) -> Finding:
    """Examine whether OpenCV can be loaded and is of a version that works."""
    if module is None:
        return bad("OpenCV", "cannot be loaded", "run scripts/setup again; on a Raspberry Pi use its 64-bit system")
    told = str(getattr(module, "__version__", "?"))
    digits = told.split(".")[:2]
    version = tuple(int(part) for part in digits if part.isdigit())
    if len(version) < 2 or not OPENCV[0] <= version < OPENCV[1]:
        return bad("OpenCV", told, "install opencv-python-headless from 5.0 on and below 6: run scripts/setup again")
    if not hasattr(module, "aruco"):
        return bad("OpenCV", f"{told}, without ArUco", "another OpenCV is in the way: run scripts/setup again")
    return good("OpenCV", told)


def packages(names: tuple[str, ...] = _NEEDED) -> Finding:
    """Examine whether everything else that is imported is there."""
    missing = [name for name in names if _module(name) is None]
    if missing:
        return bad("packages", f"missing: {', '.join(missing)}", "run scripts/setup again")
    return good("packages", "all there")


def hall(module: ModuleType | None) -> Finding:
    """Examine whether this table could be in a hall: only those that are need a client for the broker."""
    if module is None:
        missing = "without paho-mqtt: a table in a hall, and an arbiter's desk, need it"
        return good(
            "hall",
            missing,
            "where you want either, run in the referee's environment: pip install 'tower-referee[hall]'",
        )
    return good("hall", f"paho-mqtt {getattr(module, '__version__', '?')}")


def timestamps(module: ModuleType | None) -> Finding:
    """Examine whether an authority could be asked for timestamps, which only those need who set one."""
    if module is None:
        missing = "without rfc3161-client: nobody can be asked when a turn was there"
        return good(
            "timestamps",
            missing,
            "where you want that, run in the referee's environment: pip install 'tower-referee[timestamps]'",
        )
    return good("timestamps", "rfc3161-client is there")


def sqlite(version: tuple[int, ...]) -> Finding:
    """Examine whether SQLite's write-ahead log can be used: the journal does without it where it can't."""
    told = ".".join(map(str, version))
    if version < WAL_SAFE_FROM:
        return good(
            "SQLite", f"{told}: journals are kept without its write-ahead log, which has a fault before 3.51.3"
        )
    return good("SQLite", told)


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        return None
