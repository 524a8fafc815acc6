"""Kinds of observation: each kind is a package whose modules bear the same names, one module for each room.

A distribution names its kinds in the entry-point group ``tower_referee.kinds``: the kind's name in ``Kit.kind``, and
its package (docs/develop/adding-a-kind.md). Rooms load the module that serves them, so that the rules engine of a
game needs no camera and no page.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from referee.values.installed import entries, page_of

GROUP = "tower_referee.kinds"


class KindError(Exception):
    """A kind of observation that is not installed or lacks a module; the message says what to do."""


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds that are installed."""
    return tuple(sorted(entries(GROUP)))


@cache
def platform(kind: str, name: str) -> ModuleType:
    """Return the module of a kind that serves one room. Raises KindError.

    kind: as in ``Kit.kind``. name: of the module, such as ``session`` or ``view``.
    """
    point = entries(GROUP).get(kind)
    if point is None:
        known = ", ".join(kind_names()) or "none"
        raise KindError(
            f"the kind of observation {kind!r} is not installed (installed: {known}): install its package"
        )
    module = f"{point.value}.{name}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise KindError(f"the kind of observation {kind!r} lacks the module {module}") from None


def has_platform(kind: str, name: str) -> bool:
    """Return whether a kind has a module that serves a room it need not serve. Raises KindError for no kind."""
    try:
        platform(kind, name)
    except KindError:
        if kind not in entries(GROUP):
            raise
        return False
    return True


def page_folder(kind: str) -> Path | None:
    """Return the folder with a kind's part of the page, ``None`` without one."""
    return page_of(GROUP, kind)
