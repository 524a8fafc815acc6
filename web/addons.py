"""Finds what add-ons bring to the page: addresses, and their packages' folders ``page``, under /addons/NAME/."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, send_from_directory
from werkzeug.exceptions import NotFound

from referee.addons import addon_modules, addon_names, addon_page
from web.contract import Access, endpoint

blueprint = Blueprint("addons", __name__)
FILES = ("addon.js", "addon.css")
"""The first exports ``addon``: what it shows on which page (web/static/addons.js). The second is its style sheet."""


def blueprints() -> Iterator[Blueprint]:
    """Yield the addresses that add-ons bring, all of them below /api."""
    for module in addon_modules("addresses"):
        yield module.blueprint


def files() -> list[str]:
    """Return the addresses of the add-ons' scripts and style sheets."""
    pages = ((addon, addon_page(addon)) for addon in addon_names())
    return [
        f"/addons/{addon}/{name}"
        for addon, page in pages
        for name in FILES
        if page is not None and (page / name).is_file()
    ]


@endpoint(
    blueprint,
    "GET",
    "/addons/<addon>/<path:name>",
    Access.PUBLIC,
    "A file of an add-on's part of the page",
    media="*/*",
    refusals=(404,),
)
def addon_file(addon: str, name: str) -> Response:
    """Return a file of an add-on's folder; Flask refuses names that lead out of it."""
    page = addon_page(addon)
    if page is None:
        raise NotFound
    return send_from_directory(page, name)
