"""A real browser for tests: Debian's Chromium, wherever it lies."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect, sync_playwright

EXECUTABLE = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)

expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong

needs_browser = pytest.mark.skipif(EXECUTABLE is None, reason="no chromium here: scripts/setup dev installs it")


@contextmanager
def open_page(width: int = 1024, height: int = 768, locale: str = "en", theme: str = "light") -> Iterator[Page]:
    """A blank page; leaving fails when the page wrote an error."""
    troubles: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])
        try:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                locale=locale,
                color_scheme="dark" if theme == "dark" else "light",
            )
            page.on("pageerror", lambda error: troubles.append(str(error)))
            yield page
        finally:
            browser.close()
    assert not troubles
