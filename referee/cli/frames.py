"""Frames with arrival times: from a film in a file, and from a live camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.picturefile import MOST_PIXELS
from calibration.table import load_table
from referee.service.settings import SettingsError, load_settings
from vision.sources.address import Scheme, Source, SourceError, parse_source
from vision.sources.camera import Camera
from vision.sources.readers import pixels
from vision.sources.state import SourceHealth
from vision.sources.words import camera_words

Frame = tuple[float, NDArray[np.uint8]]
"""Seconds on a steady clock, and a (height, width, 3) BGR picture."""

LEAST_STEP_S = 0.1
"""Frames of a film closer together than this are passed over."""
_USUAL_FPS = 30.0
PATIENCE_S = 20.0
"""A live camera that shows nothing for so long is given up."""
SETTLED_S = 2.0
"""Time that exposure and white balance need to settle before a single picture is taken."""


class FramesError(ValueError):
    """A film that cannot be read; the message names it and says what to do."""


def video_frames(path: Path) -> Iterator[Frame]:
    """Yield about ten frames of a film for each of its seconds.

    Raises FramesError for no film, or one without frames.
    """
    if not path.is_file():
        raise FramesError(f"{path}: there is no such film")
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise FramesError(f"{path}: this is no film that can be read: use MP4, AVI or MKV")
        if pixels(capture) > MOST_PIXELS:
            raise FramesError(
                f"{path}: the film's pictures are too large: {MOST_PIXELS // 10**6} million pixels at most"
            )
        fps = float(capture.get(cv2.CAP_PROP_FPS))
        fps = fps if 1 <= fps <= 1000 else _USUAL_FPS
        last_s: float | None = None
        number = 0
        # Only frames that are used are decoded.
        while capture.grab():
            time_s = number / fps
            number += 1
            if last_s is not None and time_s - last_s < LEAST_STEP_S - 1e-6:
                continue
            ok, picture = capture.retrieve()
            if ok and picture is not None:
                last_s = time_s
                yield time_s, np.asarray(picture, np.uint8)
        if last_s is None:
            raise FramesError(f"{path}: this film holds no picture that can be read")
    finally:
        capture.release()


def source_of(camera: str, address: str, folder: Path) -> Source:
    """Return a camera's source: the address given, or what the settings say for it when that is empty.

    folder: of the table; relative files are taken from there. Raises FramesError saying what to write where, and for
    a phone, which sends its pictures to the page of a running referee alone.
    """
    source = _named(camera, address, folder)
    if source.scheme is Scheme.PHONE:
        raise FramesError(
            f"{camera} is a phone, which sends pictures to 'referee run' only: start that and open /camera on the "
            f"phone, where its lens is found, and /setup, where the table is checked. Here give pictures that it "
            f"sent as files, such as {camera}=FILE; a game's lie beside its journal"
        )
    return source


def _named(camera: str, address: str, folder: Path) -> Source:
    try:
        if address:
            return parse_source(address, folder)
        loaded = load_settings()
        found = loaded.settings.cameras.get(camera) or (
            f"phone:{camera}" if camera in load_table(folder).held else ""
        )
        if not found:
            raise FramesError(
                f"{camera}: the settings do not say where its pictures come from: write it under [cameras] in "
                f"{loaded.file}, or give its address"
            )
        return parse_source(str(found), folder)
    except (SourceError, SettingsError, CalibrationError) as error:
        raise FramesError(f"{camera}: {error}") from None


def live_frames(camera: str, source: Source) -> Iterator[Frame]:
    """Yield the newest frame of a camera, again and again, as fast as it is asked for, until a recording ends.

    Raises FramesError when nothing comes for PATIENCE_S, saying in the camera's words what is wrong.
    """
    with Camera(camera, source) as live:
        number, heard_s = 0, time.monotonic()
        while True:
            if live.wait(number, 0.5) and (newest := live.newest()) is not None:
                number = newest.number
                picture = newest.load()
                if picture is not None:
                    heard_s = time.monotonic()
                    yield newest.at_s, picture
                    continue
            if live.state.health is SourceHealth.ENDED:
                return
            if time.monotonic() - heard_s > PATIENCE_S:
                raise FramesError(camera_words(live.state).text())


def one_picture(camera: str, source: Source) -> NDArray[np.uint8]:
    """Return one picture of a camera, once it has had time to settle. Raises FramesError."""
    began_s: float | None = None
    picture = None
    for time_s, newest in live_frames(camera, source):
        picture = newest
        began_s = time_s if began_s is None else began_s
        if not source.live or time_s - began_s >= SETTLED_S:
            break
    if picture is None:
        raise FramesError(f"{camera}: no picture came from {source}")
    return picture
