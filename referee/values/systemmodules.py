"""Modules of Python that some systems lack: Windows has no ``fcntl``, ``resource``, ``termios``."""

from __future__ import annotations

import importlib
from types import ModuleType


def system_module(name: str) -> ModuleType | None:
    """Import a module, ``None`` where this system has none of the name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
