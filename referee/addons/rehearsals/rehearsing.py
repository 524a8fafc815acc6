"""Lead through a rehearsal at a table with cameras: task by task, a look at each, and what they come to.

Looks are read in a thread of their own. A camera in a hand gives its views while a look is open.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from calibration.errors import CalibrationError
from referee.addons.rehearsals.looksrecord import LooksRecord
from referee.addons.rehearsals.rehearsal import Rehearsal
from referee.addons.rehearsals.rehearser import Rehearser, can_rehearse, rehearser_of
from referee.addons.rehearsals.tasks import CHECK_TASKS, TASKS, Course
from referee.daemon.heldcameras import HeldCameras
from referee.games.contract import RequestError
from referee.match.events import AnyGame
from referee.session.capture import Pictures
from referee.session.openlook import LONGEST_S
from referee.values.words import Words, say, verbatim
from vision.geometry.view import roaming_name
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from web.tableview import Outcome

VIEWS = 4
"""Sides from which a phone in the hand shows each task: with more the three minutes don't suffice."""
_WAIT_S = 0.2
_READS_S = 20.0
"""No look takes longer to read."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Where a rehearsal comes from and goes to.

    known: the table's newest, ``None`` before any. certified: whether the table has a certificate to state it in.
    keep: writes one into the certificate, with the name of who asked; what went wrong, ``None`` when nothing did.
    """

    known: Callable[[], Rehearsal | None]
    certified: Callable[[], bool]
    keep: Callable[[Rehearsal, str], Words | None]


class Rehearsing:
    """Leads through rehearsals of one table. Every method may be called from many threads at once."""

    def __init__(
        self,
        game: AnyGame,
        reader: PoseFinder,
        cameras: Mapping[str, Camera],
        seen_now: Callable[[], Pictures],
        keeper: Keeper,
    ) -> None:
        """Take a table. seen_now: pictures by the cameras that stand still."""
        self._game, self._reader, self._seen_now, self._keeper = game, reader, seen_now, keeper
        self._held = [camera for name, camera in cameras.items() if name in reader.table.held]
        self._mutex = threading.Lock()
        self._course: Course | None = None
        self._rehearser: Rehearser | None = None
        self._record = LooksRecord(reader.table)
        self._seed, self._short = 0, False
        self._looking, self._views, self._enough = False, 0, threading.Event()
        self._going_on = False
        """Whether the next task is being chosen, or what was found is being kept."""
        self._thread: threading.Thread | None = None
        self._words: Words | None = None

    @property
    def possible(self) -> bool:
        """Return whether the game's kind has tasks."""
        return can_rehearse(self._game)

    @property
    def busy(self) -> bool:
        """Return whether a look is open or being read, or what was found is being kept."""
        with self._mutex:
            return self._looking or self._going_on

    def view(self, language: str) -> dict[str, object]:
        """Return the task at hand and how far the rehearsal has come, as JSON-able values."""
        with self._mutex:
            course, views, words = self._course, self._views, self._words
            looking = self._looking or self._going_on
            looks = len(self._record)
        known = self._keeper.known()
        task = None
        if course is not None:
            task = {
                "number": course.number + 1, "of": course.length, "words": course.task.words.text(language),
                "why": course.task.why.text(language), "fields": [field.name for field in course.task.fields],
                "drawing": [list(row) for row in course.task.drawing],
            }  # fmt: skip
        return {
            "possible": self.possible and self._keeper.certified(),
            "rehearsed": known is not None,
            "task": task,
            "looks": looks,
            "looking": looking,
            "sides": self._sides(views),
            "words": None if words is None else words.text(language),
        }

    def _sides(self, shown: int) -> dict[str, object] | None:
        """Return how many sides were shown with a phone, and what that must send; ``None`` without one."""
        if not self._held:
            return None
        name = self._held[0].name
        try:
            size = list(self._reader.lens(name).size)
        except CalibrationError:
            size = None
        return {"shown": shown, "of": VIEWS, "camera": name, "size": size}

    def begin(self, short: bool) -> Outcome:
        """Begin a rehearsal, or a short check of the one there is."""
        if not self.possible:
            return Outcome(False, say("Tables of this game have no rehearsal."), "no-rehearsal")
        if not self._keeper.certified():
            return Outcome(False, say("Check the table first: the rehearsal is stated in its certificate."), "phase")
        if short and self._keeper.known() is None:
            return Outcome(False, say("This table was not rehearsed yet: begin with the whole rehearsal."), "phase")
        try:
            found = rehearser_of(self._game, self._reader, {})
        except RequestError as error:
            return Outcome(False, error.words, error.code)
        with self._mutex:
            if self._looking or self._going_on:
                return _BUSY
            self._rehearser, self._record, self._words = found, LooksRecord(self._reader.table), None
            self._seed, self._short = secrets.randbelow(1 << 31), short
            first = found.first()
            self._course = Course(first, 0, 1 + (CHECK_TASKS if short else TASKS), first.asked)
        return Outcome(True)

    def close(self) -> None:
        """End a look that is open: no thread may read while the program ends."""
        self.stop()
        if self._thread is not None:
            self._thread.join(_READS_S)

    def stop(self) -> Outcome:
        """Give the rehearsal up: nothing of it is kept. Refused while its last task is being kept."""
        with self._mutex:
            self._enough.set()
            if self._going_on:
                return _BUSY
            self._course, self._words = None, None
        return Outcome(True)

    def skip(self, by: str) -> Outcome:
        """Leave the task at hand out: what stood before stands still."""
        with self._mutex:
            if self._looking or self._going_on:
                return _BUSY
            if self._course is None:
                return _NONE
            if self._course.number == 0:
                return Outcome(False, say("Without the first task nothing is known of what stands there."), "phase")
            self._course = course = replace(self._course, skipped=self._course.skipped + 1)
            self._going_on, self._words = True, None
        self._ended(lambda: self._go_on(course, by))
        return Outcome(True)

    def look(self, by: str) -> Outcome:
        """Look at the task at hand; with a camera in a hand, end the look that is open."""
        with self._mutex:
            if self._course is None:
                return _NONE
            if self._going_on:
                return _BUSY
            if self._looking:
                self._enough.set()
                return Outcome(True)
            self._looking, self._views, self._words = True, 0, None
            self._enough.clear()
            course = self._course
            self._thread = threading.Thread(target=self._look, args=[course, by], name="rehearsal", daemon=True)
            self._thread.start()
        return Outcome(True)

    def _look(self, course: Course, by: str) -> None:
        self._ended(lambda: self._looked(course, by))

    def _ended(self, work: Callable[[], Words | None]) -> None:
        """Do work that ends in words for who rehearses; whatever goes wrong, the next look can follow."""
        words: Words | None = say("The look failed. The referee’s log says more.")
        try:
            words = work()
        except (CalibrationError, RequestError) as error:
            words = verbatim(str(error))
        except Exception:
            _LOG.exception("a look of the rehearsal failed")
        finally:
            with self._mutex:
                self._looking, self._going_on, self._words = False, False, words

    def _looked(self, course: Course, by: str) -> Words | None:
        """Look at the task at hand and go on; return what is wrong with the look, or what the rehearsal came to."""
        counts, words = self._read(course)
        with self._mutex:
            if not counts or self._course is not course:
                return words
            self._course = course = replace(course, asked=course.task.asked)
            self._going_on = True
        return self._go_on(course, by)

    def _read(self, course: Course) -> tuple[bool, Words | None]:
        """Take and read pictures; return whether the look counts, and what is wrong with it."""
        pictures = self._pictures()
        rehearser = self._rehearser
        if not pictures or rehearser is None:
            return False, say("No camera gave a picture.")
        told = rehearser.told(pictures, course.task.asked, self._record.asked)
        with self._mutex:
            if self._course is not course:
                return False, None
            words = self._record.add(told, course.task.asked)
        return words is None, words

    def _pictures(self) -> Pictures:
        """Return pictures by the cameras that stand still, and views by those in a hand until they suffice."""
        found = dict(self._seen_now())
        for camera in self._held:
            found.pop(camera.name, None)
        if not self._held:
            return found
        held, began_s, count = HeldCameras(self._held, self._reader), time.monotonic(), 0
        while count < VIEWS and not self._enough.is_set() and time.monotonic() - began_s < LONGEST_S:
            view = held.view(began_s)
            if view is None:
                self._enough.wait(_WAIT_S)
                continue
            count += 1
            found |= {roaming_name(name, count): picture for name, picture in view.newest.items()}
            with self._mutex:
                self._views = count
        return found

    def _go_on(self, course: Course, by: str) -> Words | None:
        """Give the task after a course's; after the last, keep what was found and say so."""
        rehearser, words = self._rehearser, None
        assert rehearser is not None  # since there is a course
        following: Course | None = None
        if course.is_last:
            words = self._kept(course, rehearser, by)
        else:
            number = course.number + 1
            task = rehearser.following(course.asked, number, self._seed)
            following = replace(course, task=task, number=number)
        with self._mutex:
            if self._course is course:
                self._course = following
        return words

    def _kept(self, course: Course, rehearser: Rehearser, by: str) -> Words:
        at, known = time.strftime("%Y-%m-%dT%H:%M:%S%z"), self._keeper.known()
        if self._short and known is not None:
            made, done = self._record.renewed(known, at), say("The check bears the rehearsal out: it holds again.")
        else:
            made = self._record.rehearsal(at, self._seed, course.skipped, rehearser.usual)
            done = say("The rehearsal is kept in the table’s certificate.")
        if isinstance(made, Words):
            return made
        return self._keeper.keep(made, by) or done


_BUSY = Outcome(False, say("A look is being read."), "busy")
_NONE = Outcome(False, say("No rehearsal is going on."), "phase")
