"""Pictures for a lens, chosen from frames with the coach's help, and where they are kept."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.coach import Advice, Call, CoachState, step
from calibration.errors import CalibrationError
from calibration.masked import target_jpeg
from calibration.solve import MIN_PICTURES, LensSolution, Shot, solve_shots
from calibration.target import Target, TargetFinder, TargetView
from referee.cli.coaching import advice_words, missing_words
from referee.cli.frames import Frame, FramesError
from referee.values.words import Words, say

APART_S = 0.5
"""Least time between two frames of a film that are used where the target never stands still."""
FALLBACK = 20
MOVED_SHARE = 0.1
"""A target moved by this share of its own size on the picture is held otherwise."""
MOST_SHARPEST = 80
"""Frames kept until it is known which are the sharpest."""


@dataclass
class Looked:
    """What was seen in all frames that were looked at: how many, in how many the target, and why not in the others.

    sharpest: of every half second of them the frame with the sharpest target, for films that never stand still.
    """

    frames: int = 0
    found: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    sharpest: list[tuple[int, Shot, bytes]] = field(default_factory=list)

    def __str__(self) -> str:
        why = ", ".join(f"{count} times: {_without_number(reason)}" for reason, count in self.refused.most_common(3))
        return f"{self.frames} frames were looked at, the target was found in {self.found}" + (
            f" ({why})" if why else ""
        )

    def saw(self, time_s: float, picture: NDArray[np.uint8], sight: TargetView | str) -> None:
        """Take one frame into account."""
        self.frames += 1
        if isinstance(sight, str):
            self.refused[sight] += 1
            return
        self.found += 1
        second = int(time_s / APART_S)
        last = self.sharpest[-1] if self.sharpest else None
        if last is not None and last[0] == second:
            if last[1].sight.edge_px <= sight.edge_px:
                return
            self.sharpest.pop()
        self.sharpest.append((second, Shot(f"frame-{time_s:07.2f}.jpg", sight), target_jpeg(picture, sight)))
        if len(self.sharpest) > MOST_SHARPEST:  # of a long film every other second is enough
            worst = max(self.sharpest, key=lambda each: each[1].sight.edge_px)
            self.sharpest.remove(worst)

    def best(self) -> list[tuple[int, Shot, bytes]]:
        """Return the sharpest frames that show the target in different places, in the order of the film."""
        chosen: list[tuple[int, Shot, bytes]] = []
        for each in sorted(self.sharpest, key=lambda each: each[1].sight.edge_px):
            if len(chosen) < FALLBACK and all(_other(each[1].sight, known.sight) for _, known, _ in chosen):
                chosen.append(each)
        return sorted(chosen, key=lambda each: each[0])


def _other(one: TargetView, two: TargetView) -> bool:
    """Return whether the target is held otherwise: shared corners lie elsewhere, or the two share few."""
    _, first, second = np.intersect1d(one.ids, two.ids, return_indices=True)
    if len(first) < len(one.ids) / 2:
        return True
    moved = np.linalg.norm(one.seen_px[first] - two.seen_px[second], axis=1).mean()
    return bool(moved > MOVED_SHARE * np.ptp(one.seen_px, axis=0).max())


def _without_number(reason: str) -> str:
    return re.sub(r"^only [0-9]+ corners", "too few corners", reason)


@dataclass(frozen=True, eq=False)
class Shots:
    """Pictures taken: names with JPEG bytes, the target in each, and the (width, height) they share."""

    pictures: tuple[tuple[str, bytes], ...]
    shots: tuple[Shot, ...]
    size: tuple[int, int]
    looked: Looked = field(default_factory=Looked)

    def solve(self, camera: str, fixed_focus: bool = False) -> LensSolution:
        """Solve the lens. Raises CalibrationError naming the camera, and what was seen on the way."""
        try:
            return solve_shots(self.shots, self.size, (), fixed_focus)
        except CalibrationError as error:
            raise CalibrationError(f"{camera}: {error}; {self.looked}") from None


def shoot(frames: Iterable[Frame], target: Target, tell: Callable[[Words], None]) -> Shots:
    """Take pictures from frames until there are enough or no more frames come; ``tell`` hears every new advice.

    Raises FramesError when the frames change their size on the way: a phone that was turned or switched its camera.
    """
    finder = TargetFinder(target)
    looked = Looked()
    state: CoachState | None = None
    pictures: list[tuple[str, bytes]] = []
    shots: list[Shot] = []
    told: Words | None = None
    for time_s, picture in _until_interrupted(frames):
        size = int(picture.shape[1]), int(picture.shape[0])
        state = CoachState(size) if state is None else state
        if size != state.size:
            raise FramesError(
                f"the pictures changed from {state.size[0]} x {state.size[1]} to {size[0]} x {size[1]} after "
                f"{time_s:.0f} s: hold the camera's settings fixed and begin again"
            )
        sight = finder.find(picture)
        looked.saw(time_s, picture, sight)
        state, advice = step(state, time_s, sight)
        if _taken(advice, state, len(shots)) and isinstance(sight, TargetView):
            name = f"target-{len(shots) + 1:02d}.jpg"
            pictures.append((name, target_jpeg(picture, sight)))
            shots.append(Shot(name, sight))
        words = advice_words(advice, state)
        if words != told:
            tell(words)
            told = words
        if state.done:
            break
    if state is None:
        raise FramesError("no picture came")
    if len(shots) < MIN_PICTURES and len(best := looked.best()) >= MIN_PICTURES:
        # The target was never held still: its sharpest frames are better than nothing.
        pictures, shots = [(shot.name, content) for _, shot, content in best], [shot for _, shot, _ in best]
        tell(say("The target was never held still: the {n} sharpest frames are used.", n=len(shots)))
    if (missing := missing_words(state)) is not None:
        tell(missing)
    tell(
        say(
            "{frames} frames were looked at, the target was found in {found}.",
            frames=looked.frames,
            found=looked.found,
        )
    )
    return Shots(tuple(pictures), tuple(shots), state.size, looked)


def _until_interrupted(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield frames until they end, or until Ctrl-C says that those taken are enough."""
    try:
        yield from frames
    except KeyboardInterrupt:
        return


def _taken(advice: Advice, state: CoachState, so_far: int) -> bool:
    return advice.call is Call.TAKEN and len(state.taken) > so_far


def keep_pictures(place: Path, pictures: Sequence[tuple[str, bytes]]) -> Path:
    """Write pictures into a folder; what lay there before is moved aside, never mixed with them or lost.

    Returns the folder. Raises OSError.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}-"))
    fresh.chmod(0o755)
    for name, content in pictures:
        (fresh / name).write_bytes(content)
    if place.is_dir() and not any(place.iterdir()):
        place.rmdir()
    if place.exists():
        number = 1
        while (aside := place.with_name(f"{place.name}-before-{number}")).exists():
            number += 1
        place.rename(aside)
    fresh.rename(place)
    return place
