"""Take out of picture files what they say beside the picture: place, owner, serial numbers, thumbnails, comments.

Pixels stay as they are, byte for byte. How a camera was held stays as well in JPEG, as cameras write it: a picture
that is stored lying would else no longer stand. Segments as in ITU-T T.81 (JPEG), chunks as in RFC 2083 (PNG) and
RFC 9649 (WebP).
"""

from __future__ import annotations

import struct

import cv2

from calibration.exif import orientation
from calibration.picturefile import PictureError, decode_picture, picture_size

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs".split())
_WEBP_KEPT = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"})
_WEBP_FLAGS = 0x04 | 0x08 | 0x20  # XMP, EXIF, colour profile
_JFIF, _ADOBE = 0xE0, 0xEE
_SIGNS = (b"Exif\0\0", b"eXIf", b"EXIF", b"http://ns.adobe.com/", b"<x:xmpmeta")
"""What metadata begin with, in whatever file."""
_LOSSLESS = (cv2.IMWRITE_PNG_COMPRESSION, 3)


def without_metadata(content: bytes) -> bytes:
    """Return a picture file without its metadata. Raises PictureError for what can't be read as a picture.

    JPEG, PNG and WebP keep their pixels as they are coded; any other kind comes back as PNG.
    """
    plain = _plain(content)
    return plain if plain is not None else _anew(content)


def says_more(content: bytes) -> bool:
    """Return whether a file says more than its picture, or may do so."""
    plain = _plain(content)
    if plain is not None:
        return plain != content
    return picture_size(content) is not None or any(sign in content for sign in _SIGNS)


def _plain(content: bytes) -> bytes | None:
    """Return a JPEG, PNG or WebP file without its metadata; ``None`` for others, or where its parts don't fit."""
    try:
        if content.startswith(b"\xff\xd8\xff"):
            return _jpeg(content)
        if content.startswith(_PNG):
            return _png(content)
        if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
            return _webp(content)
    except (struct.error, IndexError, ValueError):
        pass
    return None


def _anew(content: bytes) -> bytes:
    """Return a file written anew from what can be decoded."""
    written, coded = cv2.imencode(".png", decode_picture(content), _LOSSLESS)
    if not written:
        raise PictureError("it can't be written without what it says of its owner")
    return coded.tobytes()


def _jpeg(content: bytes) -> bytes:
    kept, at, needed = [content[:2]], 2, {_JFIF, _ADOBE}
    turned = orientation(content)
    if turned != 1:
        kept.append(_held(turned))
    while content[at + 1] != 0xDA:
        if content[at] != 0xFF:
            raise ValueError("no marker")
        if content[at + 1] == 0xFF:  # a fill byte
            at += 1
            continue
        end = at + 2 + struct.unpack_from(">H", content, at + 2)[0]
        kind = content[at + 1]
        if not (0xE0 <= kind <= 0xEF or kind == 0xFE):
            kept.append(content[at:end])
        elif kind in needed:
            kept.append(_only_needed(kind, content[at + 4 : end]))
            needed -= {kind} if kept[-1] else set()
        at = end
    return b"".join([*kept, content[at : _jpeg_end(content, at)]])


def _only_needed(kind: int, body: bytes) -> bytes:
    """Return a segment with what decoding needs of it, once a file; empty for another program's of the same number.

    JFIF says how large a pixel is, and may hold a thumbnail of what was masked since; Adobe says how colours are
    coded.
    """
    if kind == _JFIF and body.startswith(b"JFIF\0") and len(body) >= 14:
        needed = body[:12] + b"\0\0"  # a thumbnail of no width and no height
    elif kind == _ADOBE and body.startswith(b"Adobe") and len(body) >= 12:
        needed = body[:12]
    else:
        return b""
    return b"\xff" + bytes([kind]) + struct.pack(">H", len(needed) + 2) + needed


def _jpeg_end(content: bytes, scan: int) -> int:
    """Return where the first picture of a file ends: phones add a second one, or a film, with its own EXIF."""
    at = scan
    while True:
        at = content.index(b"\xff", at)
        kind = content[at + 1]
        if kind == 0xD9:
            return at + 2
        if kind == 0 or kind == 0xFF or 0xD0 <= kind <= 0xD7:
            at += 1 if kind == 0xFF else 2
        elif kind == 0xFE or 0xE0 <= kind <= 0xEF:
            raise ValueError("metadata between scans")
        else:
            at += 2 + struct.unpack_from(">H", content, at + 2)[0]


def _held(turned: int) -> bytes:
    """Return an EXIF segment (Exif 2.32) that says how the camera was held, and nothing else."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, turned, 0, 0)
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def _png(content: bytes) -> bytes:
    kept, at = [content[:8]], 8
    while at < len(content):
        end = at + 12 + struct.unpack_from(">I", content, at)[0]
        kind = content[at + 4 : at + 8]
        if end > len(content):
            raise ValueError("cut short")
        if kind in _PNG_KEPT:
            kept.append(content[at:end])
        at = end
        if kind == b"IEND":
            break
    return b"".join(kept)


def _webp(content: bytes) -> bytes:
    kept, at = [], 12
    while at + 8 <= len(content):
        size = struct.unpack_from("<I", content, at + 4)[0]
        kind, end = content[at : at + 4], at + 8 + size + (size & 1)
        if at + 8 + size > len(content):
            raise ValueError("cut short")
        if kind == b"VP8X":
            kept.append(content[at : at + 8] + bytes([content[at + 8] & ~_WEBP_FLAGS]) + content[at + 9 : end])
        elif kind in _WEBP_KEPT:
            kept.append(content[at:end])
        at = end
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body
