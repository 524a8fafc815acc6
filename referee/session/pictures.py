"""Prepares pictures to be kept as evidence: only the board, as JPEG; and decodes them again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2

from calibration.masked import only_inside
from calibration.picturefile import PictureError, decode_picture
from referee.match.events import ReadingMade
from referee.session.capture import Capture, Pictures
from vision.reading import CameraView

JPEG_QUALITY = 88
"""Quality of evidence pictures: a person misses nothing in them, at a tenth of the size."""


def only_boards(capture: Capture, cameras: Mapping[str, CameraView], clear: bool = True) -> Capture:
    """Return what may be kept of a capture: of its newest pictures the board alone.

    cameras: how each picture of it was seen. A picture in which the board wasn't found is left out: nobody knows who
    is in it. clear: whether nothing foreign stands in the way.
    """
    found = {
        name: only_inside(picture, cameras[name].outline)
        for name, picture in capture.newest.items()
        if name in cameras and cameras[name].outline
    }
    return replace(capture, views=(found,), covered=not clear)


def encoded(pictures: Pictures) -> dict[str, bytes]:
    """Encode pictures as JPEG, to be kept as evidence."""
    found = {}
    for camera, picture in pictures.items():
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if done:
            found[camera] = data.tobytes()
    return found


def kept_pictures(picture: Callable[[str], bytes | None], reading: ReadingMade) -> Pictures:
    """Decode the pictures of an earlier look, BGR; without those that are gone.

    picture: gives the file of a content id, ``None`` where it is gone.
    """
    found = {}
    for camera, content in reading.pictures:
        data = picture(content)
        if data is not None:
            with contextlib.suppress(PictureError):
                found[camera] = decode_picture(data)
    return found
