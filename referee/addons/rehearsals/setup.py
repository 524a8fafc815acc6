"""Rehearse a table that is set up, keep what that found in its certificate, and tell when it no longer holds."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from calibration.errors import CalibrationError
from calibration.lens import Lens
from referee.addons.rehearsals.certificate import NAME, rehearsal_of, stating
from referee.addons.rehearsals.conditions import conditions_of
from referee.addons.rehearsals.rehearsal import Rehearsal
from referee.addons.rehearsals.rehearsalview import rehearsal_told
from referee.addons.rehearsals.rehearsing import Keeper, Rehearsing
from referee.addons.rehearsals.validity import Conditions, Lapse, lasting, told_players
from referee.daemon.setupguide import FULL, SetupGuide
from referee.match.live import Notice
from referee.values.words import Words, say
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera

CONDITIONS_S = 10.0
"""While somebody looks, it is measured so often whether the table is still the one that was rehearsed."""
_LOG = logging.getLogger(__name__)


class Rehearsals:
    """The rehearsals of one table, as its set-up shows them. Every method may be called from many threads at once."""

    name = NAME

    def __init__(self, guide: SetupGuide, cameras: Mapping[str, Camera]) -> None:
        self._guide, self._mutex = guide, threading.Lock()
        self._conditions: tuple[float, Conditions | None, Conditions | None] = (-CONDITIONS_S, None, None)
        """When conditions were measured last, monotonic s; what they were; what they were the time before."""
        self._lapsed: tuple[object, tuple[Lapse, ...]] = (None, ())
        """Why the rehearsal of a certificate did not hold when that was measured last; and that certificate."""
        keeper = Keeper(self._rehearsal, lambda: guide.value() is not None, self._keep)
        self.rehearsing = Rehearsing(guide.game, guide.reader, cameras, guide.seen_now, keeper)

    @property
    def busy(self) -> bool:
        """Return whether a look is open or being read."""
        return self.rehearsing.busy

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what everybody is told of a rehearsal that no longer holds."""
        with self._mutex:
            measured, lapsed = self._lapsed
        told = told_players(lapsed) if measured is self._guide.certificate() else None
        return () if told is None else (Notice(NAME, "info", told),)

    def view(self, language: str) -> Mapping[str, object]:
        """Return the task at hand, and what the newest rehearsal found and whether it still holds."""
        rehearsal = self._rehearsal()
        found = None if rehearsal is None else rehearsal_told(rehearsal, self._lapses_of(rehearsal), language)
        return self.rehearsing.view(language) | {"found": found}

    def _rehearsal(self) -> Rehearsal | None:
        return rehearsal_of(self._guide.value())

    def _keep(self, rehearsal: Rehearsal, by: str) -> Words | None:
        certificate = self._guide.value()
        if certificate is None:
            return say("Check the table first: the rehearsal is stated in its certificate.")
        try:
            return self._guide.keep(stating(certificate, rehearsal), by)
        except OSError as error:
            _LOG.error("the rehearsal can't be kept: %s", error)
            return FULL

    def look_over(self) -> None:
        """Measure whether the newest rehearsal still holds, if there is one; ``notices`` tells it from then on."""
        rehearsal = self._rehearsal()
        if rehearsal is not None:
            self._lapses_of(rehearsal)

    def _lapses_of(self, rehearsal: Rehearsal) -> tuple[Lapse, ...]:
        certificate, (now, before) = self._guide.certificate(), self._now(rehearsal.conditions)
        today = date.today()
        lapsed = lasting(rehearsal.lapses(now, today), () if before is None else rehearsal.lapses(before, today))
        with self._mutex:
            self._lapsed = certificate, lapsed
        return lapsed

    def _now(self, rehearsed: Conditions) -> tuple[Conditions | None, Conditions | None]:
        """Return what can be told of the table now and in the measurement before; ``None`` before the first."""
        with self._mutex:
            measured_s, found, before = self._conditions
            if time.monotonic() - measured_s < CONDITIONS_S:
                return found, before
            self._conditions = time.monotonic(), found, before
        held = (*self._guide.reader.table.held, PHOTOGRAPHS)
        lenses: dict[str, Lens] = {}
        for name in {camera.name for camera in rehearsed.cameras} & set(held):
            with suppress(CalibrationError):  # without a lens it takes no part
                lenses[name] = self._guide.reader.lens(name)
        try:
            views, _ = PoseFinder.views(
                self._guide.reader, {name: one for name, one in self._guide.seen_now().items() if name not in held}
            )
        except CalibrationError:
            views = []
        now = conditions_of(self._guide.reader.table, views, lenses)
        with self._mutex:
            self._conditions = self._conditions[0], now, found
        return now, found
