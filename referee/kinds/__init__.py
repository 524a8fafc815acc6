"""Kinds of observation: each kind is a package whose modules bear the same names, one module for each room.

A distribution names its kinds in the entry-point group ``tower_referee.kinds``: the kind's name in ``Kit.kind``, and
its package (docs/develop/adding-a-kind.md). Rooms load the module that serves them, so that the rules engine of a
game needs no camera and no page.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

GROUP = "tower_referee.kinds"
_LOG = logging.getLogger(__name__)


class KindError(Exception):
    """A kind of observation that is not installed or lacks a module; the message says what to do."""


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds that are installed."""
    return tuple(sorted(_found()))


@cache
def platform(kind: str, name: str) -> ModuleType:
    """Return the module of a kind that serves one room. Raises KindError.

    kind: as in ``Kit.kind``. name: of the module, such as ``session`` or ``view``.
    """
    point = _found().get(kind)
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
        if kind not in _found():
            raise
        return False
    return True


def page_folder(kind: str) -> Path | None:
    """Return the folder with a kind's part of the page.

    ``None`` for no such kind, one without such a part, or one whose package can't be loaded: a broken kind keeps no
    other from being shown.
    """
    point = _found().get(kind)
    try:
        spec = find_spec(point.value) if point is not None else None
    except Exception:
        _LOG.exception("the kind of observation %s can't be loaded", kind)
        return None
    places = spec.submodule_search_locations if spec is not None else None
    folders = [Path(place, "page") for place in places or ()]
    return next((folder for folder in folders if folder.is_dir()), None)


@cache
def _found() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found
