"""Pictures for a lens, chosen from frames with the coach's help, and where they are kept."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.coach import Advice, Call, CoachState, step
from calibration.errors import CalibrationError
from calibration.solve import LensSolution, Shot, solve_shots
from calibration.target import Target, TargetFinder, TargetView
from referee.cli.coaching import advice_words, missing_words
from referee.cli.frames import Frame, FramesError
from referee.values.words import Words

JPEG_QUALITY = 95


@dataclass(frozen=True, eq=False)
class Shots:
    """Pictures taken: names with JPEG bytes, the target in each, and the (width, height) they share."""

    pictures: tuple[tuple[str, bytes], ...]
    shots: tuple[Shot, ...]
    size: tuple[int, int]

    def solve(self, camera: str) -> LensSolution:
        """Solve the lens. Raises CalibrationError naming the camera."""
        try:
            return solve_shots(self.shots, self.size, ())
        except CalibrationError as error:
            raise CalibrationError(f"{camera}: {error}") from None


def shoot(frames: Iterable[Frame], target: Target, tell: Callable[[Words], None]) -> Shots:
    """Take pictures from frames until there are enough or no more frames come; ``tell`` hears every new advice.

    Raises FramesError when the frames change their size on the way: a phone that was turned or switched its camera.
    """
    finder = TargetFinder(target)
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
        state, advice = step(state, time_s, sight)
        if _taken(advice, state, len(shots)) and isinstance(sight, TargetView):
            name = f"target-{len(shots) + 1:02d}.jpg"
            pictures.append((name, _jpeg(picture)))
            shots.append(Shot(name, sight))
        words = advice_words(advice, state)
        if words != told:
            tell(words)
            told = words
        if state.done:
            break
    if state is None:
        raise FramesError("no picture came")
    if (missing := missing_words(state)) is not None:
        tell(missing)
    return Shots(tuple(pictures), tuple(shots), state.size)


def _until_interrupted(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Frames until they end, or until Ctrl-C says that those taken are enough."""
    try:
        yield from frames
    except KeyboardInterrupt:
        return


def _taken(advice: Advice, state: CoachState, so_far: int) -> bool:
    return advice.call is Call.TAKEN and len(state.taken) > so_far


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    ok, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not ok:
        raise FramesError("a picture cannot be written as JPEG")
    return np.asarray(content, np.uint8).tobytes()


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
