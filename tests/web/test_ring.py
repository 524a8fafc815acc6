"""The ring of sides around a board: what is drawn, what is said of it, and that it can be told without colours.

SCREENS=DIR keeps pictures.
"""

from __future__ import annotations

import json
import os

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from tests.web.barriers import barriers
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served

pytestmark = [needs_browser, pytest.mark.browser]
SCREENS = os.environ.get("SCREENS")
SHOWING = {
    "sides": [[0, 50], [20, 45], [270, 40]],
    "show": {
        "azimuth_deg": 90,
        "elevation_deg": 45,
        "fields": ["B2"],
        "message": "Come round to the right: the tower on A2 hides B2.",
    },
}
DRAW = """async ([showing, now, theme]) => {
  const { ring } = await import("/static/ring.js");
  Object.assign(document.documentElement, { lang: "en" }).dataset.theme = theme;
  for (const name of ["theme.css", "ring.css"]) {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/static/${name}` });
    await new Promise(loaded => { sheet.onload = loaded; document.head.append(sheet); });
  }
  const main = document.createElement("main");
  main.append(ring(showing, { columns: ["A", "B"], rows: [2, 1] }, ...now));
  document.body.replaceChildren(main);
}"""
WAY = """node => {
  const { e, f } = node.transform.baseVal[0].matrix;
  return Math.round(Math.atan2(e, f) * 180 / Math.PI);
}"""
"""Where a part lies on the ring: 0 at the bottom, 90 to the right."""


def drawn(page: Page, url: str, showing: object = SHOWING, now: tuple[int, ...] = (), theme: str = "light") -> None:
    page.goto(f"{url}/static/sides.js")  # a page that does nothing by itself
    page.evaluate(DRAW, [showing, now, theme])
    expect(page.locator(".ring")).to_be_visible()


def shot(page: Page, name: str) -> NDArray[np.uint8]:
    png = page.locator(".ring").screenshot(path=f"{SCREENS}/{name}.png" if SCREENS else None)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


@pytest.mark.parametrize("theme", ["light", "dark", "forced"])
def test_the_ring_tells_what_is_done_what_is_wanted_and_where_the_phone_is(board: ViewPublisher, theme: str) -> None:
    server = Served(board)
    with server.parts, open_page(600, 600, theme=theme, forced_colours=theme == "forced") as page:
        drawn(page, server.url, SHOWING, (0,), "light" if theme == "light" else "dark")
        ring = page.get_by_role("img")
        expect(ring).to_have_attribute("aria-label", f"Shown from 3 sides so far. {SHOWING['show']['message']}")
        assert ring.locator(".ring-done").count() == 2, "two sides near each other are one part"
        assert ring.locator(".ring-tick").count() == 3
        assert ring.locator(".ring-arrow").evaluate(WAY) == 90
        assert ring.locator(".ring-phone").evaluate(WAY) == 0
        assert ring.locator(".ring-field").count() == 1
        assert ring.locator(".ring-name").all_text_contents() == ["A1", "B1"]
        picture = shot(page, f"ring-{theme}")
        across = picture.shape[1] / 240

        def colour(x: float, y: float) -> NDArray[np.float64]:
            """Return the middle colour of a small patch of the drawing."""
            row, col = round((y + 120) * across), round((x + 120) * across)
            return np.median(picture[row - 1 : row + 2, col - 1 : col + 2].reshape(-1, 3).astype(float), axis=0)

        done, open_, arrow, paper = colour(-80, -10), colour(0, -84), colour(84, 0), colour(-115, -115)
        assert np.abs(done - open_).max() > 40
        assert np.abs(arrow - paper).max() > 60
        assert np.abs(done - paper).max() > 60
        found = [one for one in barriers(page, ("wcag2a", "wcag2aa")) if one[0] != "document-title"]
        assert found == [], json.dumps(found, indent=1)


def test_whoever_holds_the_phone_sees_the_ring_from_the_own_side(board: ViewPublisher) -> None:
    server = Served(board)
    with server.parts, open_page(600, 600) as page:
        drawn(page, server.url)
        assert page.locator(".ring-phone").evaluate(WAY) == 0, "the newest view's side is at the bottom"
        assert page.locator(".ring-arrow").evaluate(WAY) in (180, -180)
        drawn(page, server.url, {"sides": [], "show": None})
        expect(page.get_by_role("img")).to_have_attribute("aria-label", "Not shown from any side yet.")
        assert page.locator(".ring-phone, .ring-arrow, .ring-done").count() == 0
