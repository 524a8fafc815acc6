"""A real browser for tests: Debian's Chromium, without its own windows where that is installed, wherever it lies."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first draws no window around a page, which takes more than half of a processor's time for a test."""
EXECUTABLE = next((found for name in NAMES if (found := shutil.which(name))), None)
WHOLE = next((found for name in NAMES[1:] if (found := shutil.which(name))), None)
"""The one with windows, as people have it."""

ARGUMENTS = ["--no-sandbox", "--disable-gpu"]  # a graphics card that is made up takes longer than none

PATIENCE_MS = 60_000  # a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE_MS)

needs_browser = pytest.mark.skipif(EXECUTABLE is None, reason="no chromium here: scripts/setup dev installs it")
needs_windows = pytest.mark.skipif(
    WHOLE is None, reason="no chromium with windows here: scripts/setup dev installs it"
)

long_game = [
    needs_browser,
    pytest.mark.browser,
    pytest.mark.process,
    pytest.mark.long,
    pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="takes minutes: make browser plays it"),
]
"""Marks of a module whose games take minutes."""

_running: list[tuple[Playwright, Browser]] = []
"""The browser that is open, if one is: a worker's tests share it, each with pages and storage of its own."""


@contextmanager
def open_page(
    width: int = 1024, height: int = 768, locale: str = "en", theme: str = "light", forced_colours: bool = False
) -> Iterator[Page]:
    """Open a blank page; leaving closes what else was opened beside it, and fails when the page wrote an error.

    forced_colours: the system chooses the colours, few and strong ones.
    """
    troubles: list[str] = []
    browser = shared_browser()
    before = browser.contexts
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        locale=locale,
        color_scheme="dark" if theme == "dark" else "light",
        forced_colors="active" if forced_colours else "none",
    )
    context.set_default_timeout(PATIENCE_MS)
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        yield page
    finally:
        for opened in browser.contexts:
            if opened not in before:
                opened.close()
    assert not troubles, troubles


@contextmanager
def launched(*arguments: str) -> Iterator[Browser]:
    """Start a browser of one's own, with further arguments."""
    browser = shared_browser().browser_type.launch(executable_path=EXECUTABLE, args=[*ARGUMENTS, *arguments])
    try:
        yield browser
    finally:
        browser.close()


def close_browser() -> None:
    """Close the browser, if one is open."""
    while _running:
        playwright, browser = _running.pop()
        browser.close()
        playwright.stop()


def shared_browser() -> Browser:
    """Give the browser that is open, or open one."""
    if _running and not _running[-1][1].is_connected():
        close_browser()  # it crashed: that is one test's trouble, not the next one's
    if not _running:
        playwright = sync_playwright().start()
        _running.append((playwright, playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)))
    return _running[-1][1]


atexit.register(close_browser)
