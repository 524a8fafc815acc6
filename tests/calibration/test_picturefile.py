"""Picture files: their size is known before they are decoded, whatever kind they are and whoever made them."""

from __future__ import annotations

import resource
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.lenses import read_picture, solve_from_files
from calibration.picturefile import MOST_PIXELS, PictureError, decode_picture, picture_size
from calibration.table import load_table
from referee.demo.recording import BUNDLED
from tests.calibration.hugefile import HALVES, HUGE, chunk, encoded, png_of
from tests.vision.sources.patience import eventually
from vision.sources.address import parse_source
from vision.sources.camera import Camera
from vision.sources.readers import FolderReader

SIDEWAYS = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
"""EXIF of a picture taken with the camera turned to the right (orientation 6)."""


@pytest.mark.parametrize("kind", HUGE)
def test_what_is_too_large_is_told_by_its_head(kind: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    content = HUGE[kind](30_000, 30_000)
    assert picture_size(content) == (30_000, 30_000)
    with pytest.raises(PictureError, match="30000 x 30000 pixels: 70 million are the most"):
        decode_picture(content)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".tiff", ".webp"])
def test_what_is_not_too_large_is_decoded(ending: str) -> None:
    content = encoded(ending)
    assert picture_size(content) == (40, 20)
    assert decode_picture(content).shape == (20, 40, 3)
    lossy = encoded(".webp", HALVES, cv2.IMWRITE_WEBP_QUALITY, 80)
    assert picture_size(lossy) == (40, 20)


def turned(ending: str) -> bytes:
    content = encoded(ending, HALVES, *([cv2.IMWRITE_WEBP_QUALITY, 101] if ending == ".webp" else []))
    if ending == ".jpg":
        told = b"Exif\0\0" + SIDEWAYS
        return content[:2] + b"\xff\xe1" + struct.pack(">H", len(told) + 2) + told + content[2:]
    if ending == ".png":
        return content[:33] + chunk(b"eXIf", SIDEWAYS) + content[33:]
    sides = (39).to_bytes(3, "little") + (19).to_bytes(3, "little")
    head = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x08\0\0\0" + sides
    body = head + content[12:] + b"EXIF" + struct.pack("<I", len(SIDEWAYS)) + SIDEWAYS
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_pictures_are_turned_as_they_say(ending: str) -> None:
    assert picture_size(turned(ending)) == (40, 20)
    picture = decode_picture(turned(ending))
    assert picture.shape == (40, 20, 3)
    assert picture[2, 10, 2] > 200 > 50 > picture[37, 10, 2], "what was on the left is on top"


def test_a_picture_twice_as_large_as_is_enough_is_halved_while_it_is_decoded() -> None:
    content = turned(".jpg")
    assert decode_picture(content, 21).shape == (40, 20, 3)
    half = decode_picture(content, 20)
    assert half.shape == (20, 10, 3)
    assert half[1, 5, 2] > 200 > 50 > half[18, 5, 2], "and turned all the same"


@pytest.mark.parametrize("ending", [".png", ".tiff"])
def test_sixteen_bits_become_eight(ending: str) -> None:
    picture = decode_picture(encoded(ending, np.full((4, 6), 40_000, np.uint16)))
    assert picture.dtype == np.uint8
    assert (picture == 156).all()


def test_four_printing_colours_become_three() -> None:
    """A JPEG of 8 x 8 pixels with four components (CMYK), all of them in the middle."""
    parts = [b"\xff\xd8", b"\xff\xdb" + struct.pack(">HB", 67, 0) + bytes([1] * 64)]
    parts.append(
        b"\xff\xc0" + struct.pack(">HBHHB", 20, 8, 8, 8, 4) + b"".join(bytes([n, 0x11, 0]) for n in range(1, 5))
    )
    parts += [b"\xff\xc4" + struct.pack(">HB", 20, kind) + bytes([1] + [0] * 15) + b"\0" for kind in (0x00, 0x10)]
    parts.append(b"\xff\xda" + struct.pack(">HB", 14, 4) + b"".join(bytes([n, 0]) for n in range(1, 5)) + b"\0\x3f\0")
    content = b"".join([*parts, b"\0", b"\xff\xd9"])
    assert picture_size(content) == (8, 8)
    assert decode_picture(content).shape == (8, 8, 3)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 99, b"BM", b"RIFF", b"GIF89a" + bytes(40), b"P6 9 9 255\n" + bytes(243)]
)
def test_what_is_no_picture_is_said(content: bytes) -> None:
    assert picture_size(content) is None
    with pytest.raises(PictureError, match="JPEG, PNG, HEIC, WebP, BMP or TIFF"):
        decode_picture(content)


@given(st.sampled_from([encoded(ending) for ending in (".jpg", ".png", ".bmp", ".tiff", ".webp")]), st.data())
@settings(max_examples=2 * settings().max_examples, deadline=None)
def test_no_damage_leads_to_more_than_a_sentence(whole: bytes, data: st.DataObject) -> None:
    content = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for _ in range(data.draw(st.integers(0, 4))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    size = picture_size(bytes(content))
    try:
        picture = decode_picture(bytes(content))
    except PictureError:
        return
    assert size is not None
    assert picture.shape[0] * picture.shape[1] <= MOST_PIXELS
    assert sorted(picture.shape[:2]) == sorted(size)


def test_a_huge_picture_among_others_is_named(tmp_path: Path) -> None:
    (tmp_path / "huge.png").write_bytes(png_of(30_000, 30_000))
    assert read_picture(tmp_path / "huge.png") is None
    with pytest.raises(ValueError, match=r"huge\.png"):
        solve_from_files([tmp_path / "huge.png"], load_table(BUNDLED).charuco, "cam0")


def test_a_huge_picture_in_a_watched_folder_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(png_of(30_000, 30_000))
    (tmp_path / "2.png").write_bytes(encoded(".png", np.full((240, 320, 3), 90, np.uint8)))
    reader = FolderReader(parse_source(f"folder:{tmp_path}", tmp_path))
    first = reader.read()
    assert first is not None
    assert first.bgr is None
    with Camera("cam0", parse_source(f"folder:{tmp_path}?fps=9", tmp_path)) as camera:
        eventually(lambda: camera.newest() is not None)
