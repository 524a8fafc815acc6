"""What photographs say of themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.exif import PictureNote, focal_length_px, picture_note
from calibration.picturefile import decode_picture
from tests.calibration.exif import noted

PLAIN = cv2.imencode(".jpg", np.zeros((24, 32, 3), np.uint8))[1].tobytes()


@pytest.mark.parametrize("order", ["<", ">"])
def test_time_lens_and_focal_length_are_read(order: str) -> None:
    note = picture_note(noted(PLAIN, "2026:03:14 20:15:30", "+01:00", 27, (425, 100), "Phone 9", 6, order))
    assert note.taken_at is not None
    assert note.taken_at.astimezone(UTC) == datetime(2026, 3, 14, 19, 15, 30, tzinfo=UTC)
    assert note.focal_35_mm == 27
    assert focal_length_px(27, (4000, 3000)) == pytest.approx(27 / 43.267 * 5000, rel=1e-4)
    assert (note.lens, note.orientation) == ("Phone 9 4.25", 6)


def test_without_an_offset_the_time_stays_as_it_was_told() -> None:
    assert picture_note(noted(PLAIN, "2026:03:14 20:15:30")).taken_at == datetime(2026, 3, 14, 20, 15, 30)
    ahead = picture_note(noted(PLAIN, "2026:03:14 20:15:30", "-05:30")).taken_at
    assert ahead is not None
    assert ahead.utcoffset() == -timedelta(hours=5, minutes=30)


def test_a_picture_that_says_nothing_has_an_empty_note() -> None:
    for content in (PLAIN, b"", b"\x89PNG\r\n\x1a\n", noted(PLAIN), noted(PLAIN, "0000:00:00 00:00:00")):
        assert picture_note(content) == PictureNote()


def test_the_picture_itself_stays_readable() -> None:
    assert decode_picture(noted(PLAIN, "2026:03:14 20:15:30", orientation=6)).shape == (32, 24, 3)


@given(st.data())
def test_damaged_notes_are_never_an_error(data: st.DataObject) -> None:
    content = bytearray(noted(PLAIN, "2026:03:14 20:15:30", "+01:00", 27, (425, 100), "Phone 9", 6))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, 200))] = data.draw(st.integers(0, 255))
    picture_note(bytes(content[: data.draw(st.integers(0, len(content)))]))
