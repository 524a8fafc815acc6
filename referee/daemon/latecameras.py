"""Let cameras whose lens was not known at the start join play once their lens lies in the table's folder.

It may be found while a phone is moved, or measured with the target while a game goes on. A thread looks for
the files; nothing is started anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.lenses import lens_path
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera

EVERY_S = 1.0
"""Interval at which each missing lens is looked for."""
_LOG = logging.getLogger(__name__)


class LateCameras:
    """Which cameras take part in play. Every method may be called from any thread."""

    def __init__(self, folder: Path, reader: PoseFinder, cameras: Mapping[str, Camera], known: Iterable[str]) -> None:
        """Take the table's folder and all cameras that send pictures. known: those with a lens from the start."""
        self._folder, self._reader = folder, reader
        self._known = frozenset(known)
        self._missing = {name: eye for name, eye in cameras.items() if name not in self._known}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def known(self) -> frozenset[str]:
        """Return the cameras that take part."""
        return self._known

    def lens(self, camera: str) -> Lens | None:
        """Return the lens of one that takes part; ``None`` for another."""
        return self._reader.lens(camera) if camera in self._known else None

    def follow(self, joins: Callable[[Camera, Lens], None]) -> None:
        """Tell of each camera from now on, once, that it takes part; from a thread of its own."""
        if self._missing:
            self._thread = threading.Thread(target=self._run, args=[joins], name="latecameras", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop looking for lenses."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, joins: Callable[[Camera, Lens], None]) -> None:
        while self._missing and not self._stop.wait(EVERY_S):
            for name, eye in tuple(self._missing.items()):
                try:
                    lens = self._found(name, eye)
                except CalibrationError as error:  # a file that is no lens: the page says so, a better one may follow
                    _LOG.debug("%s takes no part yet: %s", name, error)
                    continue
                if lens is not None:
                    del self._missing[name]
                    self._known |= {name}
                    joins(eye, lens)
                    _LOG.info("%s takes part from now on", name)

    def _found(self, name: str, eye: Camera) -> Lens | None:
        """Return the lens of a camera that sends pictures of the size it is made for."""
        newest = eye.newest()
        if newest is None or not lens_path(self._folder, name).exists():
            return None
        lens = self._reader.lens(name)
        return lens if newest.size == lens.size and eye.expect(lens.size) else None
