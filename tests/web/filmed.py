"""Tables seen by phones, each a real browser whose camera shows a film of ours."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import BrowserType, Page, expect

from tests.demo.table import Image, Table
from tests.web.browser import WHOLE

FRAME_BYTES = 700_000
"""Of every frame of a film, filled up with comments: so a film can be painted over while a browser plays it."""
FRAMES = 3
FPS = 8
"""As many pictures a second as a phone sends."""
_COMMENT, _LONGEST = b"\xff\xfe", 65_533


def filled(jpeg: bytes, size: int = FRAME_BYTES) -> bytes:
    """Return the same picture in a file of just so many bytes. Raises AssertionError where it has more already."""
    missing = size - len(jpeg)
    assert missing >= 4, f"a picture of {len(jpeg)} bytes is too large for a film"
    comments = bytearray()
    while missing:
        whole = min(missing, _LONGEST + 4)
        whole -= 4 if 0 < missing - whole < 4 else 0  # what is left must have room for a comment's own head
        comments += _COMMENT + struct.pack(">H", whole - 2) + bytes(whole - 4)
        missing -= whole
    return jpeg[:2] + bytes(comments) + jpeg[2:]


def noisy(picture: Image, number: int) -> bytes:
    """Return a JPEG as a camera gives one after the other: no two are the same."""
    noise: NDArray[np.float32] = np.random.default_rng(number).normal(0, 2, picture.shape).astype(np.float32)
    done, jpeg = cv2.imencode(
        ".jpg", np.clip(picture + noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92]
    )
    assert done
    return jpeg.tobytes()


def loaded(picture: Path | Image) -> Image:
    """Return a picture's pixels."""
    if not isinstance(picture, Path):
        return picture
    found = cv2.imread(str(picture))
    assert found is not None
    return np.asarray(found, np.uint8)


def with_arm(picture: Path | Image) -> Image:
    """Return the picture with somebody's arm over the board: without one, no piece ever moves before a camera."""
    reached = loaded(picture).copy()
    h, w = reached.shape[:2]
    cv2.line(reached, (w // 2, h), (w // 2, h // 2), (105, 140, 200), w // 10, cv2.LINE_AA)
    return reached


class PhonesTable(Table):
    """The recorded table, its cameras phones; what they see is painted into films while those play."""

    def film(self, camera: str) -> Path:
        """Return the file with what a phone's camera shows."""
        return self.cameras[camera] / "film.mjpeg"

    def put(self, pictures: Mapping[str, Path | Image]) -> None:
        self.count += 1
        for camera, picture in pictures.items():
            frames = b"".join(filled(noisy(loaded(picture), number)) for number in range(FRAMES))
            film = self.film(camera)
            with film.open("r+b" if film.exists() else "wb") as file:
                file.write(frames)

    @property
    def options(self) -> tuple[str, ...]:
        sources = [f"{camera}=phone:{camera}" for camera in self.cameras]
        return (str(self.folder), "--game", str(self.game), *(part for one in sources for part in ("--camera", one)))


class Phone:
    """One phone: a browser of its own with a profile on disk, its camera, and the page ``/camera`` in it.

    It is started as a person's browser is, and looked at from outside: a browser that Playwright starts calls every
    page visible for ever, so none could be hidden or frozen in it.
    """

    def __init__(self, chromium: BrowserType, url: str, camera: str, film: Path, profile: Path) -> None:
        self._chromium, self._url, self.camera, self._film, self._profile = chromium, url, camera, film, profile
        self._process: subprocess.Popen[bytes] | None = None
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """Return the page that is open."""
        assert self._page is not None
        return self._page

    def start(self) -> None:
        """Open the browser and its page."""
        assert WHOLE is not None
        told = self._profile / "DevToolsActivePort"
        told.unlink(missing_ok=True)
        switches = (
            "--headless=new",
            "--no-sandbox",
            "--no-first-run",
            "--remote-debugging-port=0",
            "--window-size=800,480",
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={self._film}",
            f"--user-data-dir={self._profile}",
        )
        self._process = subprocess.Popen(
            [WHOLE, *switches, "about:blank"], stderr=subprocess.DEVNULL, start_new_session=True
        )
        by = time.monotonic() + 60
        while not (told.exists() and told.read_text(encoding="ascii").count("\n") == 1):
            assert time.monotonic() < by, "the phone's browser does not start"
            assert self._process.poll() is None, "the phone's browser has ended"
            time.sleep(0.05)
        port = told.read_text(encoding="ascii").split()[0]
        browser = self._chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True)
        (context,) = browser.contexts
        self._page = context.pages[0] if context.pages else context.new_page()
        self._page.goto(f"{self._url}camera")

    def pair(self, secret: str) -> None:
        """Pair it as by the square code."""
        expect(self.page.locator("#status")).to_contain_text("Pair this phone")
        done = self.page.evaluate(
            'async (secret) => (await import("/static/session.js")).pairByLink(secret, "Phone")', secret
        )
        assert done["ok"], done
        self.page.reload()

    def chosen(self) -> None:
        """Say which camera it is, and wait until it tells how it does."""
        self.page.get_by_role("button", name=f"{self.camera}: {self.camera}").click()
        self.sends()

    def sends(self) -> None:
        """Wait until it tells how it does."""
        expect(self.page.locator("#vitals")).to_contain_text("pictures a second", timeout=60_000)

    def killed(self) -> None:
        """End the browser and all it started, as a phone does that has no memory left."""
        assert self._process is not None
        by = time.monotonic() + 60
        while not self._remembers():
            assert time.monotonic() < by, "the browser does not write down what it is to remember"
            time.sleep(0.5)
        self._end()

    def _end(self) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)
        for name in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
            (self._profile / name).unlink(missing_ok=True)
        self._process = self._page = None

    def _remembers(self) -> bool:
        """Return whether the pairing is on the phone's disk: a browser takes half a minute to write that down."""
        jar = self._profile / "Default" / "Cookies"
        with (
            contextlib.suppress(sqlite3.OperationalError),
            closing(sqlite3.connect(f"file:{jar}?mode=ro", uri=True)) as db,
        ):
            return bool(db.execute("select count(*) from cookies").fetchone()[0])
        return False

    def hidden(self, hidden: bool) -> None:
        """Put the browser away, as somebody does who looks at another app for a moment, or fetch it back."""
        session = self.page.context.new_cdp_session(self.page)
        window, state = session.send("Browser.getWindowForTarget")["windowId"], "minimized" if hidden else "normal"
        session.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})
        session.detach()
        self.page.wait_for_function(
            f'() => document.visibilityState === "{"hidden" if hidden else "visible"}"', polling=200
        )

    def locked(self, locked: bool) -> None:
        """Put the browser away and freeze its page, as a phone does whose screen is off, or wake it."""
        if locked:
            self.hidden(True)
        session = self.page.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": "frozen" if locked else "active"})
        session.detach()
        if not locked:
            self.hidden(False)

    def vitals(self) -> dict[str, float]:
        """Return what the page tells of itself: pictures a second, their age in ms, the share lost in percent."""
        rate, age, lost, *_ = str(self.page.locator("#vitals").text_content()).split(" · ")
        return {"rate": float(rate.split()[0]), "age_ms": float(age.split()[0]), "lost": float(lost.split()[0])}

    def close(self) -> None:
        """End the browser, where it still is."""
        if self._process is not None:
            self._end()


@contextmanager
def phones(page: Page, url: str, table: PhonesTable, secret: Callable[[], str]) -> Iterator[list[Phone]]:
    """Run a phone for each camera of a table, sending.

    page: of the same Playwright; secret: makes a pairing code.
    """
    browser = page.context.browser
    assert browser is not None
    with ExitStack() as parts:
        found = []
        for camera in table.cameras:
            profile = table.folder.parent / f"profile-{camera}"
            phone = Phone(browser.browser_type, url, camera, table.film(camera), profile)
            parts.callback(phone.close)
            phone.start()
            phone.pair(secret())
            phone.chosen()
            found.append(phone)
        yield found
