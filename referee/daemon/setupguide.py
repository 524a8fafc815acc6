"""Lead through setting a table up, as the page shows it: lights of cameras, steps in order, check and certificate.

Cameras are looked at only while somebody asks. The check runs in a thread of its own: it takes seconds, and neither
the turn loop nor the page waits for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.certificate.values import CameraPart, Certificate, CertificateError, Grade, HeatMap
from referee.daemon import certificates
from referee.daemon.cameracheck import OPEN_CAMERA, CameraCheck, Glance, check_view
from referee.daemon.tablecheck import Occasion, certify
from referee.games.contract import RequestError
from referee.match.events import AnyGame, Event, TableChecked
from referee.match.live import Notice
from referee.session.capture import Pictures
from referee.values.words import Words, say, verbatim
from vision.posefinder import PoseFinder
from vision.sources.camera import Camera
from web.tableview import Outcome

FEWEST_MARKERS = 3
FULL = say("The certificate can’t be written into the table’s folder: the disk may be full.")
_LOG = logging.getLogger(__name__)


class SetupPart(Protocol):
    """What an add-on adds to setting a table up. Every method may be called from many threads at once."""

    @property
    def name(self) -> str:
        """Return the key under which the page gets its view."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what everybody at the table is told."""

    @property
    def busy(self) -> bool:
        """Return whether it reads pictures."""

    def view(self, language: str) -> Mapping[str, object]:
        """Return what the set-up page shows of it, as JSON-able values."""


class SetupGuide:
    """Leads from a table folder to a certificate. Every method may be called from many threads at once."""

    def __init__(
        self,
        folder: Path,
        game: AnyGame,
        reader: PoseFinder,
        cameras: Mapping[str, Camera],
        calibrated: Callable[[], frozenset[str]],
        note: Callable[[Event], Outcome],
        language: str = "en",
        levels: Callable[[], NDArray[np.int8] | None] = lambda: None,
    ) -> None:
        """Take a table. cameras: all that send pictures. calibrated: those that take part in play by now.

        note: writes into the journal. language: of the certificate on paper. levels: on the board looked at last.
        """
        self._folder, self.game, self.reader, self._note = folder, game, reader, note
        self._language = language
        self._name = folder.resolve().name
        self._glances = {
            name: CameraCheck(camera, reader, self._name, partial(_among, name, calibrated), levels)
            for name, camera in cameras.items()
        }
        self._mutex = threading.Lock()
        self._running = False
        self._told: Words | None = None
        self._newest = certificates.newest(folder)
        self._added: list[SetupPart] = []
        self._stated: dict[str, Callable[[], Mapping[str, object]]] = {}

    def add(self, part: SetupPart) -> None:
        """Take in what an add-on adds to setting the table up."""
        self._added.append(part)

    def state_also(self, name: str, stated: Callable[[], Mapping[str, object]]) -> None:
        """Have each new certificate state something by an add-on; nothing where that has nothing to state."""
        self._stated[name] = stated

    def certificate(self) -> Mapping[str, object] | None:
        """Return the table's newest certificate, as its file has it."""
        with self._mutex:
            return None if self._newest is None else self._newest[1]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what add-ons tell, and notices of the cameras that take no part in play."""
        return tuple(notice for part in self._added for notice in part.notices) + tuple(
            Notice(
                f"lens-{name}",
                "warning",
                say("{camera} has no lens yet and takes no part in play.", camera=name),
            )
            for name, each in self._glances.items()
            if not each.calibrated and not each.held  # from a hand, photographs do without
        )

    @property
    def _bare(self) -> bool:
        """Return whether the board has no printed frame: photographs find it by itself."""
        return self.reader.board is not None

    @property
    def busy(self) -> bool:
        """Return whether the table is being checked, or an add-on reads pictures of it."""
        with self._mutex:
            return self._running or any(part.busy for part in self._added)

    def picture(self, camera: str) -> bytes | None:
        """Return a JPEG of what a camera sees, with the grid at the board and three levels above it."""
        known = self._glances.get(camera)
        return (known.newest().jpeg or None) if known is not None else None

    def view(self, language: str = "en") -> dict[str, object]:
        """Return the cameras, the steps and the certificate, as JSON-able values."""
        glances = [each.newest() for each in self._glances.values()]
        with self._mutex:
            running, told, newest = self._running, self._told, self._newest
        certificate = None if newest is None else certificate_told(newest[0], newest[1], language)
        return {
            "table": self._name,
            "cameras": [_glance_view(each, language) for each in glances],
            "missing": [name for name in self.reader.table.cameras if name not in self._glances and not self._bare],
            "bare": self._bare,
            "steps": self._steps(glances, certificate, language),
            "check": {"running": running, "words": None if told is None else told.text(language)},
            "certificate": certificate,
        } | {part.name: part.view(language) for part in self._added}

    def check(self, by: str, taken: Callable[[], Pictures] | None = None) -> Outcome:
        """Begin a check of the table; the view tells what came of it.

        taken: gives the pictures to check it with, else those that the cameras see now.
        """
        if self._bare:
            return Outcome(
                False, say("Without a printed frame there is nothing to check: each picture is judged."), "bare"
            )
        with self._mutex:
            if self._running:
                return Outcome(False, say("The table is being checked already."), "busy")
            self._running, self._told = True, None
        threading.Thread(
            target=self._check, args=[by, taken or self.seen_now], name="table check", daemon=True
        ).start()
        return Outcome(True, say("The table is being checked."))

    def seen_now(self) -> Pictures:
        """Return what the cameras see that take part in play."""
        taken = {name: each.picture() for name, each in self._glances.items() if each.calibrated}
        return {name: picture for name, picture in taken.items() if picture is not None}

    def _check(self, by: str, taken: Callable[[], Pictures]) -> None:
        told: Words | None = say("The check failed. The referee’s log says more.")
        try:
            told = self._checked(by, taken())
        except (RequestError, CalibrationError) as error:
            told = verbatim(str(error))
        except OSError as error:
            _LOG.error("the certificate can't be kept: %s", error)
            told = FULL
        except Exception:
            _LOG.exception("the check of the table failed")
        finally:
            with self._mutex:
                self._running, self._told = False, told

    def _checked(self, by: str, pictures: Pictures) -> Words | None:
        """Check, keep and note; return what went wrong, ``None`` when nothing did."""
        now = time.localtime()
        occasion = Occasion(self._name, time.strftime("%Y-%m-%dT%H:%M:%S%z", now))
        return self.keep(certify(self.game, self.reader, pictures, {}, occasion), by)

    def keep(self, certificate: Certificate, by: str) -> Words | None:
        """Keep a certificate and note it; return what went wrong. Raises OSError."""
        also = {name: told for name, stated in self._stated.items() if (told := stated())}
        certificate = replace(certificate, stated={**certificate.stated, **also})
        kept = certificates.keep(self._folder, certificate, time.strftime("%Y%m%d-%H%M%S"), self._language)
        with self._mutex:
            self._newest = kept.name, kept.certificate.to_json()
        outcome = self._note(TableChecked(kept.name, kept.sha256, certificate.grade.value, by))
        if outcome.accepted:
            return None
        return say("The certificate is kept, but could not be noted in the game’s journal.")

    def value(self) -> Certificate | None:
        """Return the newest certificate, ``None`` without one of today's version."""
        with self._mutex:
            newest = self._newest
        try:
            return None if newest is None else Certificate.from_json(newest[1])
        except CertificateError:
            return None

    def _steps(
        self, glances: list[Glance], certificate: Mapping[str, object] | None, language: str
    ) -> list[dict[str, object]]:
        """Return the steps of setting up in order; what is seen tells which are done, not what was once run.

        A camera in a hand that is off was seen by the looks behind the certificate; beside fixed ones it needs none.
        """
        table, beside = self._name, self.reader.table.beside
        if self._bare:
            return self._bare_steps(language)
        fit = certificate is not None and certificate["verdict"] != Grade.BAD.value
        glances = [each for each in glances if each.camera not in beside]
        checks = {name: each for name, each in self._glances.items() if name not in beside}
        seen = [each for each in glances if each.markers >= FEWEST_MARKERS or (each.off and fit)]
        framed = [each for each in glances if each.framed or (each.off and fit)]
        calibrated = [name for name, each in checks.items() if each.calibrated]
        missing = [each for each in checks.values() if not each.calibrated]
        by_phone = bool(missing) and all(each.finds_lens for each in missing)
        steps = (
            (
                "table",
                say("Measure and name the table"),
                say("{file} is there, for {game}.", file="table.json", game=self.game.title),
                True,
                f"referee new {table}",
            ),
            (
                "sheets",
                say("Print the frame and lay it around the board"),
                say("{n} of {all} cameras see the frame.", n=len(seen), all=len(glances)),
                bool(glances) and len(seen) == len(glances),
                f"referee calibrate sheets --table {table}",
            ),
            (
                "lenses",
                say("Calibrate the lenses"),
                OPEN_CAMERA
                if by_phone
                else say("{n} of {all} cameras are calibrated.", n=len(calibrated), all=len(checks)),
                len(calibrated) == len(checks) > 0,
                "" if by_phone else f"referee calibrate lenses --table {table}",
            ),
            (
                "frame",
                say("Measure where the frame lies"),
                say(
                    "{n} of {all} cameras see it where table.json says.",
                    n=len(framed), all=len(glances),
                ),
                bool(glances) and len(framed) == len(glances),
                f"referee calibrate frame --table {table}",
            ),
            (
                "check",
                say("Set the game up and check the table"),
                say("Not checked yet.") if certificate is None else say("See the certificate below."),
                fit,
                f"referee calibrate check --table {table} --live",
            ),
        )  # fmt: skip
        return _told_steps(steps, language)

    def _bare_steps(self, language: str) -> list[dict[str, object]]:
        return _told_steps(
            (
                (
                    "table",
                    say("Measure and name the table"),
                    say("{file} is there, for {game}.", file="table.json", game=self.game.title),
                    True,
                    "",
                ),
                (
                    "board",
                    say("Photograph the board and touch its corners"),
                    say("The board is known: photographs by any phone are enough, and nothing is printed."),
                    True,
                    "",
                ),
            ),
            language,
        )


def _told_steps(steps: Sequence[tuple[str, Words, Words, bool, str]], language: str) -> list[dict[str, object]]:
    """Return steps as JSON-able values. Of each: id, title, words, whether it is done, and the command for it."""
    coming = next((name for name, _, _, done, _ in steps if not done), None)
    return [
        {
            "id": name, "title": title.text(language), "words": words.text(language), "done": done,
            "next": name == coming, "command": command,
        }
        for name, title, words, done, command in steps
    ]  # fmt: skip


def _among(name: str, names: Callable[[], frozenset[str]]) -> bool:
    return name in names()


def _glance_view(each: Glance, language: str) -> dict[str, object]:
    return {
        "name": each.camera,
        "light": each.grade.value,
        "words": each.words.text(language),
        "picture": bool(each.jpeg),
        "size": list(each.size),
        "checks": [check_view(check, language) for check in each.checks],
    } | {told.name: told.view(language) for told in each.told}


def certificate_told(name: str, data: Mapping[str, object], language: str) -> dict[str, object] | None:
    """Return a certificate in the players' words; ``None`` for a file that is none."""
    try:
        found = Certificate.from_json(data)
    except CertificateError:
        return None
    return {
        "id": name,
        "verdict": found.grade.value,
        "words": found.grade.words.text(language),
        "table": found.table,
        "game": found.game,
        "made_at": found.made_at,
        "checks": [check_view(check, language) for check in found.checks],
        "cameras": [_part_view(part, language) for part in found.cameras],
        "maps": [_map_view(each, language) for each in found.maps],
        "spot": None if found.spot is None else found.spot.words.text(language),
        "differences": [
            {"fields": [field.name for field in fields], "words": words.text(language)}
            for fields, words in found.differences
        ],
    }


def _part_view(part: CameraPart, language: str) -> dict[str, object]:
    checks = [check_view(check, language) for check in part.checks]
    return {"name": part.name, "grade": part.grade.value, "checks": checks}


def _map_view(each: HeatMap, language: str) -> dict[str, object]:
    return {
        "title": each.title.text(language),
        "words": each.words.text(language),
        "values": [list(row) for row in each.values],
        "good": each.good,
        "bad": each.bad,
        "digits": each.digits,
        "texts": [list(row) for row in each.texts],
    }
