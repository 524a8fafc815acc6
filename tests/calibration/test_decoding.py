"""Photographs of every kind that phones write lie as their sensor saw them, and are no larger than they are read."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import cv2
import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image

from calibration.decoding import LONGEST_PX, Decoded, Spoilt, answer, answered, decode
from referee.daemon.photographdecoder import PhotographDecoder
from tests.calibration.exif import noted

SENSOR: NDArray[np.uint8] = np.zeros((900, 1200, 3), np.uint8)
"""As the sensor saw it: each corner of another colour, the first one white."""
SENSOR[:450, :600], SENSOR[:450, 600:], SENSOR[450:, :600], SENSOR[450:, 600:] = (
    255,
    (255, 0, 0),
    (0, 255, 0),
    (0, 0, 255),
)


def jpeg(picture: NDArray[np.uint8] = SENSOR) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def corners(picture: NDArray[np.uint8]) -> list[list[int]]:
    """Return the colours of the corners, black or bright, in reading order."""
    height, width = picture.shape[:2]
    return [
        (picture[y, x] > 127).astype(int).tolist()
        for y in (height // 4, 3 * height // 4)
        for x in (width // 4, 3 * width // 4)
    ]


def decoded(content: bytes) -> Decoded:
    found = decode(content)
    assert isinstance(found, Decoded)
    return found


@pytest.mark.parametrize("orientation", [0, 1, 3, 6, 8])
def test_a_picture_lies_as_the_sensor_saw_it_however_the_phone_was_held(orientation: int) -> None:
    found = decoded(noted(jpeg(), orientation=orientation))
    assert corners(found.picture) == corners(SENSOR)


@pytest.mark.parametrize("orientation", [2, 4, 5, 7])
def test_a_mirrored_picture_is_turned_over(orientation: int) -> None:
    """A mirrored board would be another board."""
    found = decoded(noted(jpeg(np.ascontiguousarray(np.fliplr(SENSOR))), orientation=orientation))
    turned = [corners(np.rot90(SENSOR, quarters)) for quarters in (0, 2)]
    assert corners(found.picture) in turned


def test_kinds_without_a_lying_sensor_are_laid() -> None:
    upright = np.ascontiguousarray(np.rot90(SENSOR, 3))
    webp = cv2.imencode(".webp", upright)[1].tobytes()
    made = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(upright[..., ::-1])).save(made, quality=90)
    for content in (webp, made.getvalue(), cv2.imencode(".png", upright)[1].tobytes()):
        found = decoded(content)
        assert found.picture.shape == SENSOR.shape
        assert corners(found.picture) == corners(SENSOR)


def test_a_large_picture_is_made_smaller_and_keeps_what_its_lens_needs() -> None:
    large = np.asarray(cv2.resize(SENSOR, (8160, 6120)), np.uint8)
    found = decoded(noted(jpeg(large), "2026:03:14 20:15:30", "+01:00", 27, (425, 100), "Phone 9", 6))
    assert found.picture.shape == (1500, LONGEST_PX, 3)
    assert found.focal_px == pytest.approx(27 / 43.267 * 2500, rel=1e-4)
    assert found.lens == "Phone 9 4.25 2000x1500"
    assert found.taken_s == datetime(2026, 3, 14, 19, 15, 30, tzinfo=UTC).timestamp()
    assert not found.local


def test_what_is_no_picture_for_a_board_is_refused() -> None:
    assert decode(b"GIF89a not a picture") is Spoilt.UNREADABLE
    assert decode(jpeg()[:2000]) is Spoilt.UNREADABLE
    assert decode(jpeg(np.zeros((300, 400, 3), np.uint8))) is Spoilt.SMALL
    huge = bytearray(jpeg())
    at = huge.index(b"\xff\xc0") + 5
    huge[at : at + 4] = b"\x40\x00\x40\x00"
    assert decode(bytes(huge)) is Spoilt.LARGE


def test_a_decoder_says_the_same_from_a_process_of_its_own_and_outlives_it() -> None:
    content = noted(jpeg(), orientation=6)
    with PhotographDecoder() as decoder:
        for _ in range(2):
            found = decoder.decode(content)
            assert isinstance(found, Decoded)
            assert np.array_equal(found.picture, decoded(content).picture)
            assert decoder.decode(b"no picture") is Spoilt.UNREADABLE
            process = decoder._process
            assert process is not None
            process.kill()
            process.wait()
            assert decoder.decode(content) is Spoilt.UNREADABLE  # and the next one is decoded again


def test_an_answer_that_is_none_is_not_believed() -> None:
    for said in (b"", b"{}\n", b'{"shape": [9999, 9999, 3]}\n', answer(decoded(jpeg()))[:-1]):
        with pytest.raises((EOFError, ValueError, KeyError)):
            answered(io.BytesIO(said))
