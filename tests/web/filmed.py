"""Tables seen by phones, each a real browser whose camera shows a film of ours, or by webcams on the network."""

from __future__ import annotations

import os
import signal
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tests.demo.table import Image, Table
from tests.vision.sources.webcam import Webcam
from tests.web.browser import EXECUTABLE

FRAME_BYTES = 700_000
"""Of every frame of a film, filled up with comments: so a film can be painted over while a browser plays it."""
FRAMES = 3
FPS = 8
"""As many pictures a second as a phone sends."""
_COMMENT, _LONGEST = b"\xff\xfe", 65_533


def filled(jpeg: bytes, size: int = FRAME_BYTES) -> bytes:
    """The same picture in a file of just so many bytes. Raises AssertionError where it has more already."""
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
    """A JPEG as a camera gives one after the other: no two are the same."""
    noise: NDArray[np.float32] = np.random.default_rng(number).normal(0, 2, picture.shape).astype(np.float32)
    done, jpeg = cv2.imencode(
        ".jpg", np.clip(picture + noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92]
    )
    assert done
    return jpeg.tobytes()


def loaded(picture: Path | Image) -> Image:
    """A picture's pixels."""
    if not isinstance(picture, Path):
        return picture
    found = cv2.imread(str(picture))
    assert found is not None
    return np.asarray(found, np.uint8)


class PhonesTable(Table):
    """The recorded table, its cameras phones; what they see is painted into films while those play."""

    def film(self, camera: str) -> Path:
        """What a phone's camera shows."""
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


class WebcamsTable(Table):
    """The same table seen by webcams that send as many pictures as phones, none of them late."""

    def __init__(self, folder: Path, webcams: Sequence[Webcam]) -> None:
        super().__init__(folder)
        self._webcams = dict(zip(self.cameras, webcams, strict=False))
        for server in webcams:
            server.fps = FPS

    def put(self, pictures: Mapping[str, Path | Image]) -> None:
        self.count += 1
        for camera, picture in pictures.items():
            self._webcams[camera].own = [noisy(loaded(picture), number) for number in range(FRAMES)]

    @property
    def options(self) -> tuple[str, ...]:
        sources = [f"{camera}={server.url()}?delay=0" for camera, server in self._webcams.items()]
        return (str(self.folder), "--game", str(self.game), *(part for one in sources for part in ("--camera", one)))


class Phone:
    """One phone: a browser of its own with a profile on disk, its camera, and the page ``/camera`` in it."""

    def __init__(self, chromium: BrowserType, url: str, camera: str, film: Path, profile: Path) -> None:
        self._chromium, self._url, self.camera, self._film, self._profile = chromium, url, camera, film, profile
        self._context: BrowserContext | None = None
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """The page that is open."""
        assert self._page is not None
        return self._page

    def start(self) -> None:
        """Open the browser and its page."""
        self._context = self._chromium.launch_persistent_context(
            str(self._profile),
            executable_path=EXECUTABLE,
            viewport={"width": 800, "height": 380},
            args=[
                "--no-sandbox",
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={self._film}",
            ],
        )
        self._page = self._context.pages[0] if self._context.pages else self._context.new_page()
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
        expect(self.page.locator("#vitals")).to_contain_text("pictures a second", timeout=60_000)

    def killed(self) -> None:
        """End the browser as a phone does that has no memory left; what it had not yet written is lost."""
        self._remembers()
        browser = self._processes()[0]
        os.kill(browser, signal.SIGKILL)
        by = time.monotonic() + 30
        while _runs(browser):
            assert time.monotonic() < by
            time.sleep(0.05)
        for name in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
            (self._profile / name).unlink(missing_ok=True)
        self._context = self._page = None

    def locked(self, locked: bool) -> None:
        """Suspend the whole browser as a phone does whose screen is off, or wake it: its line stays open, silent."""
        for process in self._processes():
            os.kill(process, signal.SIGSTOP if locked else signal.SIGCONT)

    def vitals(self) -> dict[str, float]:
        """What the page tells of itself: pictures a second, their age in ms, the share lost in percent."""
        rate, age, lost, *_ = str(self.page.locator("#vitals").text_content()).split(" · ")
        return {"rate": float(rate.split()[0]), "age_ms": float(age.split()[0]), "lost": float(lost.split()[0])}

    def close(self) -> None:
        """Close the browser, where it still is."""
        if self._context is not None:
            self._context.close()

    def _remembers(self) -> None:
        """Wait until the browser has written that it is paired: Chromium does so within half a minute."""
        by = time.monotonic() + 60
        while not any(b"referee" in path.read_bytes() for path in self._profile.glob("Default/**/Cookies")):
            assert time.monotonic() < by
            time.sleep(0.2)

    def _processes(self) -> list[int]:
        """The browser's process and all that came from it."""
        found = [int(path.name) for path in Path("/proc").iterdir() if self._is_browser(path)]
        assert len(found) == 1, found
        for process in found:  # it grows while it is gone through
            found += _children(process)
        return found

    def _is_browser(self, process: Path) -> bool:
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # no process, or over meanwhile
            return False
        return f"--user-data-dir={self._profile}".encode() in words and not any(
            word.startswith(b"--type=") for word in words
        )


def _children(process: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        return [int(word) for task in tasks for word in (task / "children").read_text(encoding="ascii").split()]
    except OSError:  # over meanwhile
        return []


def _runs(pid: int) -> bool:
    """Whether a process is there; one that is dead and was not yet waited for is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@contextmanager
def phones(page: Page, url: str, table: PhonesTable, secret: Callable[[], str]) -> Iterator[list[Phone]]:
    """A phone for each camera of a table, sending. page: of the same Playwright; secret: makes a pairing code."""
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
