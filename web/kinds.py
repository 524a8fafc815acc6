"""Finds what each kind of observation brings to the page: its package's folder ``page``, under /kinds/NAME/.

The page names the modules and style sheets of every kind that is installed, and loads no other (web/static/kinds.js).
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, send_from_directory
from werkzeug.exceptions import NotFound

from referee.kinds import kind_names, page_folder
from web.contract import Access, endpoint

blueprint = Blueprint("kinds", __name__)

WIDGET = "widget.js"
"""Exports ``widget``: how the tablet and the screen for the room show what is observed."""
VIRTUAL = "virtual.js"
"""Exports ``virtual``: how it lies on a virtual table. No other page loads it."""
BOARD, TABLET, ROOM = "board.css", "tablet.css", "room.css"
"""Style sheets: of the board wherever it is shown, of the tablet's page alone, of the screen for the room alone."""


@dataclass(frozen=True, slots=True)
class KindFile:
    """A file of a kind: the kind's name and the file's address."""

    kind: str
    address: str


def parts(*names: str) -> list[KindFile]:
    """Return the files of these names that the kinds bring, kind by kind."""
    return [
        KindFile(kind, f"/kinds/{kind}/{name}")
        for kind in kind_names()
        for name in names
        if (folder := page_folder(kind)) is not None and (folder / name).is_file()
    ]


@endpoint(
    blueprint,
    "GET",
    "/kinds/<kind>/<path:name>",
    Access.PUBLIC,
    "A file of a kind's part of the page",
    media="*/*",
    refusals=(404,),
)
def kind_file(kind: str, name: str) -> Response:
    """Return a file of a kind's folder; Flask refuses names that lead out of it."""
    folder = page_folder(kind)
    if folder is None:
        raise NotFound
    return send_from_directory(folder, name)
