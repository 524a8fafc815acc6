"""Add-ons: what a table can be refereed without. Each is a package whose modules bear the same names.

A distribution names its add-ons in the entry-point group ``tower_referee.addons``: the add-on's name, and its package
(docs/develop/adding-an-add-on.md). Rooms of the core load the module that serves them, where there is one, and import
no add-on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from referee.values.installed import entries, page_of

GROUP = "tower_referee.addons"
_LOG = logging.getLogger(__name__)


class AddOnError(ValueError):
    """An add-on that can't begin; the message says what to do."""


def addon_names() -> tuple[str, ...]:
    """Return the names of all add-ons that are installed."""
    return tuple(sorted(entries(GROUP)))


def addon_modules(name: str) -> Iterator[ModuleType]:
    """Yield the modules of this name that add-ons bring. One that can't be loaded is left out, and the log says why.

    name: of the module that serves a room, such as ``commands`` or ``addresses``.
    """
    for addon in addon_names():
        module = f"{entries(GROUP)[addon].value}.{name}"
        try:
            yield import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                _LOG.exception("the add-on %s is left out", addon)
        except Exception:
            _LOG.exception("the add-on %s is left out", addon)


def addon_page(addon: str) -> Path | None:
    """Return the folder with an add-on's part of the page, ``None`` without one."""
    return page_of(GROUP, addon)
