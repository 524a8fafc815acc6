"""Asks axe what stands in the way of people who see, hear or touch otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).with_name("axe") / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Rules among these that another theme can break; the rest looks at words, roles and sizes."""

_RUN = """async runOnly => {
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"], preload: false });
  return violations.map(({ id, nodes }) => [id, nodes.map(node => node.html.slice(0, 200) + node.failureSummary)]);
}"""


def barriers(page: Page, tags: Sequence[str] = TAGS) -> list[Any]:
    """Return what axe finds: each rule's name and the elements that break it."""
    return _found(page, {"type": "tag", "values": list(tags)})


def unbarred(page: Page) -> None:
    """Verify that axe finds nothing."""
    found = barriers(page)
    assert found == [], json.dumps(found, indent=1)


def unbarred_in_both_themes(page: Page) -> None:
    """Verify that axe finds nothing in the light theme, and nothing about colours in the dark one."""
    page.evaluate("() => { document.documentElement.dataset.theme = 'light'; }")
    unbarred(page)
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    found = _found(page, {"type": "rule", "values": list(OF_COLOURS)})
    assert found == [], json.dumps(found, indent=1)


def _found(page: Page, rules: object) -> list[Any]:
    if not page.evaluate("'axe' in window"):  # half a megabyte to send and to read
        page.evaluate(_axe())
    found: list[Any] = page.evaluate(_RUN, rules)
    return found


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")
