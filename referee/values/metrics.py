"""Measures how the referee does: rooms count, the health page and Prometheus read.

Times come from a monotonic clock. Safe to use from several threads.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from referee.values.camerahealth import CameraSample
from referee.values.words import Words

STALLED_S = 10.0
"""Time without a round after which the turn loop counts as hanging."""
STALE_S = 3.0
"""Age of its newest frame from which on a camera is lost."""
BUCKETS_S = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
"""Upper ends of the classes reading times are counted in."""


@dataclass(frozen=True, slots=True)
class Durations:
    """Durations of something as a histogram.

    counts: one for each of ``BUCKETS_S``, not added up, and one for longer.
    """

    counts: tuple[int, ...] = (0,) * (len(BUCKETS_S) + 1)
    total_s: float = 0.0

    def with_one(self, took_s: float) -> Durations:
        """Return these durations and one more."""
        counts = list(self.counts)
        counts[bisect_left(BUCKETS_S, took_s)] += 1
        return Durations(tuple(counts), self.total_s + took_s)


@dataclass(frozen=True, slots=True)
class VitalSigns:
    """The referee at one moment.

    turn_loop_age_s: since the turn loop last came round, ``None`` before its first time. cameras: by name, seconds
    since the newest frame, ``None`` for one that never gave any. frames: by camera, how many were taken in since the
    start. rulings: how many by verdict, since the start.
    reading: how long reading the board took. evidence: whether pictures are kept: on, full or failed. parts: other
    parts that come and go (the button box), by name, and whether each is there. journal: what keeps it from being
    written, empty for nothing. samples: by camera, what was measured about a minute ago; losses: how often each was
    lost since the start. game: what failed of the game.
    """

    up_s: float = 0.0
    turn_loop_age_s: float | None = None
    cameras: Mapping[str, float | None] = field(default_factory=dict)
    frames: Mapping[str, int] = field(default_factory=dict)
    rulings: Mapping[str, int] = field(default_factory=dict)
    reading: Durations = Durations()
    disk_free_bytes: int = 0
    evidence: str = "on"
    parts: Mapping[str, bool] = field(default_factory=dict)
    journal: str = ""
    samples: Mapping[str, CameraSample] = field(default_factory=dict)
    losses: Mapping[str, int] = field(default_factory=dict)
    game: tuple[Words, ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether nothing can be ruled on: what can't be written down does not count."""
        return bool(self.journal)

    @property
    def stalled(self) -> bool:
        """Return whether the turn loop hangs."""
        age = self.up_s if self.turn_loop_age_s is None else self.turn_loop_age_s
        return age > STALLED_S

    @property
    def problems(self) -> list[str]:
        """Return what is wrong, for whoever looks after the machine."""
        found = [f"the turn loop has not come round for {STALLED_S:.0f} s"] if self.stalled else []
        found += [f"the journal can’t be written: {self.journal}"] if self.failed else []
        found += [f"{name} gives no pictures" for name, age in self.cameras.items() if age is None or age > STALE_S]
        if self.evidence != "on":
            full = self.evidence == "full"
            found.append(f"pictures are not kept: the disk {'is full' if full else 'can’t be written'}")
        found += [f"{name} is not connected" for name, there in self.parts.items() if not there]
        return found + [words.text() for words in self.game]


class Metrics:
    """Collects the signs. clock: monotonic seconds. disk: gives free bytes and the state of evidence.

    journal: asked what keeps the journal from being written.
    """

    def __init__(
        self,
        disk: Callable[[], tuple[int, str]] = lambda: (0, "on"),
        cameras: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        journal: Callable[[], str] = str,
    ) -> None:
        self._disk = disk
        self._journal = journal
        self._clock = clock
        self._mutex = threading.Lock()
        self._began_s = clock()
        self._beat_s: float | None = None
        self._frames: dict[str, float | None] = dict.fromkeys(cameras)
        self._counts: dict[str, int] = dict.fromkeys(self._frames, 0)
        self._rulings = {"legal": 0, "illegal": 0, "unsure": 0}
        self._reading = Durations()
        self._parts: dict[str, bool] = {}
        self._samples: dict[str, CameraSample] = {}
        self._losses: dict[str, int] = {}
        self._game: Callable[[], tuple[Words, ...]] = tuple

    def beat(self) -> None:
        """Note that the turn loop has come round once more."""
        with self._mutex:
            self._beat_s = self._clock()

    def of_game(self, failures: Callable[[], tuple[Words, ...]]) -> None:
        """Have something asked what failed of the game."""
        self._game = failures

    def frame(self, camera: str, age_s: float = 0.0) -> None:
        """Note that a camera has given one more frame, ``age_s`` seconds old."""
        with self._mutex:
            self._frames[camera] = self._clock() - age_s
            self._counts[camera] = self._counts.get(camera, 0) + 1

    def rests(self, camera: str) -> None:
        """Note that a camera has nothing new and is well, such as a folder that has no new picture."""
        with self._mutex:
            self._frames[camera] = self._clock()

    def ruled(self, verdict: str) -> None:
        """Note that a turn was ruled on."""
        with self._mutex:
            self._rulings[verdict] = self._rulings.get(verdict, 0) + 1

    def read(self, took_s: float) -> None:
        """Note that the board was read once, and how long it took."""
        with self._mutex:
            self._reading = self._reading.with_one(took_s)

    def part(self, name: str, there: bool) -> None:
        """Note that another part of the table came or went."""
        with self._mutex:
            self._parts[name] = there

    def sampled(self, camera: str, sample: CameraSample) -> None:
        """Note what was measured of a camera, in place of what was measured before."""
        with self._mutex:
            self._samples[camera] = sample
            self._losses[camera] = self._losses.get(camera, 0) + sample.losses

    def signs(self) -> VitalSigns:
        """Return the referee's vital signs now."""
        free, evidence = self._disk()
        journal = self._journal()
        with self._mutex:
            now_s = self._clock()
            return VitalSigns(
                up_s=now_s - self._began_s,
                turn_loop_age_s=None if self._beat_s is None else now_s - self._beat_s,
                cameras={name: None if at is None else now_s - at for name, at in self._frames.items()},
                frames=dict(self._counts),
                rulings=dict(self._rulings),
                reading=self._reading,
                disk_free_bytes=free,
                evidence=evidence,
                parts=dict(self._parts),
                journal=journal,
                samples=dict(self._samples),
                losses=dict(self._losses),
                game=self._game(),
            )
