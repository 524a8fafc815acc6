"""What a picture says beside its pixels is taken out of its file, and the pixels stay."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from calibration.exif import orientation, picture_note
from calibration.metadata import says_more, without_metadata
from calibration.picturefile import PictureError, decode_picture, picture_size
from tests.calibration.exif import noted

SECRET = b"Erika Mustermann, 52.5200 N 13.4050 E"
PICTURE = np.dstack([np.add.outer(np.arange(48), np.arange(64)) * k % 256 for k in (1, 2, 3)]).astype(np.uint8)


def coded(ending: str) -> bytes:
    return bytes(cv2.imencode(ending, PICTURE)[1].tobytes())


def segment(kind: int, body: bytes) -> bytes:
    return b"\xff" + bytes([kind]) + struct.pack(">H", len(body) + 2) + body


def jpeg() -> bytes:
    plain = coded(".jpg")
    told = noted(plain, taken="2026:03:14 20:15:00", model=SECRET.decode(), orientation=6)
    more = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET) + segment(0xE2, b"MPF\0" + SECRET)
    return told[:2] + more + segment(0xFE, SECRET) + told[2:] + plain[:2] + segment(0xE1, b"Exif\0\0" + SECRET)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png() -> bytes:
    plain = coded(".png")
    head = plain[:33]
    told = chunk(b"tEXt", b"Author\0" + SECRET) + chunk(b"eXIf", b"II*\0" + SECRET) + chunk(b"iTXt", SECRET)
    return head + told + plain[33:] + SECRET


def webp() -> bytes:
    made = io.BytesIO()
    Image.fromarray(PICTURE[..., ::-1]).save(made, "WEBP", lossless=True, exif=b"Exif\0\0II*\0" + SECRET, xmp=SECRET)
    return made.getvalue()


def heic() -> bytes:
    made = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(PICTURE[..., ::-1])).save(
        made, exif=b"Exif\0\0II*\0" + SECRET, quality=90
    )
    return made.getvalue()


@pytest.mark.parametrize("made", [jpeg, png, webp, heic], ids=lambda made: made.__name__)
def test_only_the_pixels_are_left(made) -> None:
    content = made()
    assert SECRET in content
    clean = without_metadata(content)
    assert SECRET not in clean
    assert np.array_equal(decode_picture(clean), decode_picture(content))
    assert without_metadata(clean) == clean


def test_segments_that_decoding_needs_say_nothing_else() -> None:
    made = io.BytesIO()
    Image.fromarray(PICTURE).convert("CMYK").save(made, "JPEG")  # with an Adobe segment: its colours are inverted
    adobe = made.getvalue()
    at = adobe.index(b"\xff\xee\x00\x0eAdobe")
    adobe = adobe[:at] + segment(0xEE, adobe[at + 4 : at + 16] + SECRET) + segment(0xEE, SECRET) + adobe[at + 16 :]
    plain = coded(".jpg")
    assert plain[2:11] == b"\xff\xe0\x00\x10JFIF\0"
    thumbnail = plain[6:18] + bytes([len(SECRET) // 3 + 1, 1]) + SECRET.ljust(len(SECRET) // 3 * 3 + 3)
    jfif = plain[:2] + segment(0xE0, thumbnail) + segment(0xE0, b"JFXX\0\x10" + SECRET) + plain[20:]
    for content in (adobe, jfif):
        assert SECRET in content
        assert says_more(content)
        clean = without_metadata(content)
        assert SECRET not in clean
        assert np.array_equal(decode_picture(clean), decode_picture(content))
        assert not says_more(clean)
    assert not says_more(plain)


def test_a_picture_stored_lying_still_stands() -> None:
    clean = without_metadata(jpeg())
    assert orientation(clean) == 6
    assert decode_picture(clean).shape == (64, 48, 3)
    assert picture_note(clean).taken_at is None


def test_scans_of_a_progressive_picture_are_kept() -> None:
    made = cv2.imencode(".jpg", PICTURE, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])[
        1
    ].tobytes()
    assert np.array_equal(decode_picture(without_metadata(made + SECRET)), decode_picture(made))
    assert without_metadata(made + SECRET) == without_metadata(made)


@given(st.binary(max_size=60), st.sampled_from([jpeg, png, webp]), st.integers(0, 400))
@settings(max_examples=60, deadline=None)
def test_broken_files_tell_nothing_either(noise: bytes, made, at: int) -> None:
    content = made()
    try:
        clean = without_metadata(content[:at] + noise + content[at + len(noise) :])
    except PictureError:
        return
    assert SECRET not in clean


def test_heic_pictures_are_read() -> None:
    content = heic()
    assert picture_size(content) == (64, 48)
    assert np.abs(decode_picture(content).astype(int) - PICTURE).mean() < 25
    with pytest.raises(PictureError, match="cut short"):
        decode_picture(content[:80])


@pytest.mark.parametrize("flipped", [0x01, 0xFF])
def test_a_heic_picture_with_a_byte_of_its_head_changed_is_read_or_refused(flipped: int) -> None:
    content = heic()
    for at in range(content.index(b"mdat") + 4):
        changed = bytearray(content)
        changed[at] ^= flipped
        with contextlib.suppress(PictureError):
            decode_picture(bytes(changed))
        picture_note(bytes(changed))


def test_a_heic_picture_tells_when_it_was_taken(tmp_path: Path) -> None:
    block = noted(coded(".jpg"), taken="2026:03:14 20:15:00", offset="+01:00")
    exif = block[6 : 4 + struct.unpack_from(">H", block, 4)[0]]
    made = io.BytesIO()
    pillow_heif.from_pillow(Image.fromarray(PICTURE)).save(made, exif=exif)
    taken = picture_note(made.getvalue()).taken_at
    assert taken is not None
    assert taken.isoformat() == "2026-03-14T20:15:00+01:00"
