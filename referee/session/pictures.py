"""Encodes pictures to be kept as evidence, and decodes them again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import cv2

from calibration.picturefile import PictureError, decode_picture
from referee.match.events import ReadingMade
from referee.session.capture import Pictures

JPEG_QUALITY = 88
"""Quality of evidence pictures: a person misses nothing in them, at a tenth of the size."""


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
