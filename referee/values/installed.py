"""Find what distributions bring: the entry points of a group, and the folders of their packages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

OWN = Path(__file__).parents[1]
"""The referee's own package: the packages in it came along."""
_LOG = logging.getLogger(__name__)


@cache
def entries(group: str) -> Mapping[str, EntryPoint]:
    """Return a group's entry points by name; of two with one name, the first on the path counts."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        found.setdefault(point.name, point)
    return found


def page_of(group: str, name: str) -> Path | None:
    """Return the folder ``page`` of an installed package.

    ``None`` for no such package, one without such a folder, or one that can't be loaded: a broken package keeps no
    other from being shown.
    """
    point = entries(group).get(name)
    try:
        spec = find_spec(point.value) if point is not None else None
    except Exception:
        _LOG.exception("the package %s can't be loaded", name)
        return None
    places = spec.submodule_search_locations if spec is not None else None
    folders = [Path(place, "page") for place in places or ()]
    return next((folder for folder in folders if folder.is_dir()), None)
