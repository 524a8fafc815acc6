"""Read HEIC pictures (ISO/IEC 23008-12), as many phones write them: size, pixels and EXIF, by libheif."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pillow_heif

_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_EXIF_HEAD = b"Exif\0\0"
_Found = TypeVar("_Found")


def is_heic(content: bytes) -> bool:
    """Return whether a file's head says that it is a HEIC picture."""
    return content[4:8] == b"ftyp" and content[8:12] in _BRANDS


def heic_size(content: bytes) -> tuple[int, int] | None:
    """Return (width, height) in pixels, nothing decoded yet; ``None`` where the file can't be read."""
    return _found(content, lambda opened: (int(opened.size[0]), int(opened.size[1])))


def decode_heic(content: bytes) -> NDArray[np.uint8] | None:
    """Decode a picture, (height, width, 3) BGR uint8, upright; ``None`` where the file can't be read.

    libheif turns the picture as the file says; what the EXIF says of it besides is not applied again.
    """
    pixels = _found(content, lambda opened: np.asarray(opened[0]))
    if pixels is None or pixels.dtype != np.uint8:
        return None
    if pixels.ndim == 2:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.asarray(pixels[..., 2::-1], np.uint8) if pixels.shape[2] in (3, 4) else None


def heic_exif(content: bytes) -> bytes:
    """Return the TIFF block of the EXIF; empty where there is none."""
    block = _found(content, lambda opened: bytes(opened.info.get("exif") or b"")) or b""
    return block.removeprefix(_EXIF_HEAD)


def _found(content: bytes, find: Callable[[pillow_heif.HeifFile], _Found]) -> _Found | None:
    """Return what is found in a file; ``None`` where it can't be read."""
    import pillow_heif  # only here: libheif and Pillow take long to load, and few pictures are HEIC

    try:
        return find(pillow_heif.open_heif(io.BytesIO(content), convert_hdr_to_8bit=True))
    except Exception:  # damage makes the library fail in many ways: IndexError and SyntaxError are among them
        return None
