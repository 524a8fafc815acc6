"""Lenses of phones that nobody calibrated: looked for in what they send, from the frame, while they are moved.

A thread looks at each such phone's newest picture a few times a second. Once the lens is known it is written where
calibration keeps lenses, and the camera takes part from then on (``referee.daemon.latecameras``).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from calibration.framelens import FrameSight
from calibration.lens import save_lens
from calibration.lenses import lens_path
from calibration.lenssearch import FEWEST_VIEWS, LensSearch, Wanted, looked
from calibration.pose import find_markers
from calibration.table import TableSetup
from referee.values.words import Words, say, say_n
from vision.sources.address import Scheme
from vision.sources.camera import Camera

EVERY_S = 0.4
"""Interval at which each phone is looked at: finding markers takes a Pi some 60 ms."""
_LOG = logging.getLogger(__name__)


class PhoneLenses:
    """Looks for lenses from now on, until it is closed. ``words`` may be called from any thread."""

    def __init__(
        self, folder: Path, table: TableSetup, cameras: Mapping[str, Camera], known: Callable[[], frozenset[str]]
    ) -> None:
        """Take a table's folder and its cameras, of which only phones are looked at.

        known: those that take part in play by now, which need no lens any more, wherever theirs comes from.
        """
        self._folder, self._table, self._known = folder, table, known
        calibrated = known()
        self._phones = {
            name: eye for name, eye in cameras.items() if eye.source.scheme is Scheme.PHONE and name not in calibrated
        }
        self._mutex, self._looking = threading.Lock(), threading.Lock()
        self._searches = {name: LensSearch() for name in self._phones}
        self._numbers = dict.fromkeys(self._phones, 0)
        self._unwritten: set[str] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="phone lenses", daemon=True)
        if self._phones:
            self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def words(self, camera: str) -> Words | None:
        """Say what whoever holds a phone is to do for its lens; ``None`` where there is nothing to do."""
        with self._mutex:
            search = self._searches.get(camera)
            unwritten = camera in self._unwritten
        if search is None or (camera in self._known() and search.wanted is not Wanted.NOTHING):
            return None
        if unwritten:
            return say("The lens is found, but can’t be written into the table’s folder: the disk may be full.")
        return _told(search, camera in self._table.held)

    def look(self) -> None:
        """Look at the newest picture of every phone now. The thread does it by itself, several times a second."""
        with self._looking:
            for name, eye in self._phones.items():
                if name in self._known():
                    continue
                try:
                    self._look(name, eye)
                except Exception:  # whatever a picture holds, the others are looked at on
                    _LOG.exception("the lens of %s could not be looked for", name)

    def _run(self) -> None:
        while not self._stop.wait(EVERY_S):
            self.look()

    def _look(self, name: str, eye: Camera) -> None:
        with self._mutex:
            search = self._searches[name]
        newest = eye.newest() if eye.state.seeing else None
        if search.wanted is Wanted.NOTHING or newest is None or newest.number == self._numbers[name]:
            return
        self._numbers[name] = newest.number
        picture = newest.load()
        if picture is None:
            return
        size = int(picture.shape[1]), int(picture.shape[0])
        search = looked(search, FrameSight(str(newest.number), size, find_markers(picture, self._table)), self._table)
        if search.wanted is Wanted.NOTHING:
            self._keep(name, search)
        with self._mutex:
            self._searches[name] = search

    def _keep(self, name: str, search: LensSearch) -> None:
        assert search.found is not None
        path = lens_path(self._folder, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_lens(path, search.found.lens)
        except OSError as error:
            _LOG.error("%s can't be written: %s", path, error)
            with self._mutex:
                self._unwritten.add(name)
            return
        _LOG.info("lens of %s found from the frame in %d views: %s", name, len(search.found.used), path)


def _told(search: LensSearch, held: bool) -> Words:
    match search.wanted:
        case Wanted.NOTHING if held:
            return say("The lens of this phone is known now, and it takes part in the game. Go on showing the table.")
        case Wanted.NOTHING:
            return say(
                "The lens of this phone is known now, and it takes part in the game. Fix the phone in its place."
            )
        case Wanted.FRAME:
            return say("The lens of this phone is not known yet: get the whole printed frame into the picture.")
        case Wanted.STILLNESS:
            return say("The lens of this phone is not known yet: hold the phone still for a moment.")
    if len(search.views) >= FEWEST_VIEWS:
        return say(
            "Nearly: turn the phone by a third, and show the frame from one more side, nearer or from lower down."
        )
    return say_n(
        "Turn the phone and show the frame from {n} more side: from nearer, from lower down; hold still there.",
        "Turn the phone and show the frame from {n} more sides: from nearer, from lower down; hold still each time.",
        search.missing,
    )
