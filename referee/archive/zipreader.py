"""Read ZIP files that somebody else made, within bounds: look at sizes and counts before anything is unpacked.

A file of some kilobytes can stand for gigabytes, hold millions of files, or a line without an end. Every ZIP that is
read at all is read here; ``verify.py``, which goes into exports and runs alone, has bounds of its own.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from referee.storage.chain import JournalError
from referee.values.closing import Closing
from referee.values.signs import in_line

MOST_FILES = 200_000
MOST_CONTENTS_BYTES = 32 * 2**20
"""Size of a ZIP's table of contents, at most: 150 bytes for each of so many files."""
MOST_TIMES, MOST_BYTES = 100, 64 * 2**20
"""A ZIP unpacks to so many times its size, and so many bytes, at most. Journals shrink to a tenth."""
_CHUNK_BYTES = 2**20
_LOCAL = struct.Struct("<18xI4xHH")
"""What precedes a file: its packed size, the sizes of its name and of what is said besides."""
_DESCRIBED, _IN_EXTRA, _UNICODE_PATH = 8, 0xFFFFFFFF, 0x7075
"""A flag: sizes follow the file; a size that stands elsewhere; the kind of field that has a second name."""
_DESCRIPTORS_BYTES = (0, 12, 16, 20, 24)
_UNREADABLE = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
)
"""Errors that zipfile raises for damage: RuntimeError for what seems encrypted or of another version, too."""


class ZipError(JournalError):
    """A ZIP that can't be read; the message says which, and which file in it."""


class _Slices(io.FileIO):
    """A file read in slices: zipfile reads a table of contents at once, as large as the file says that it is."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MOST_CONTENTS_BYTES:
            raise ValueError("its table of contents is too large")
        return super().read(-1 if size is None else size) or b""


class ZipReader(Closing):
    """Reads a ZIP that may be meant to harm. Each method raises ZipError for what is damaged, missing or too large.

    names: of the files in it, as they stand there; one may stand there twice, and the last is read then.
    """

    def __init__(self, path: Path, advice: str) -> None:
        """Open a file. advice: what to do about one that is no ZIP, or not all of one."""
        self.path = path
        self._file: _Slices | None = None
        try:
            if not path.is_file():  # to open a pipe would wait for ever
                raise ValueError("there is no such file")
            self._file = _Slices(path)
            self._zip = zipfile.ZipFile(self._file)
            if not all(info.filename for info in self._zip.infolist()):
                raise ValueError("it holds a file without a name")
            files = [info for info in self._zip.infolist() if not info.is_dir()]
            if len(files) > MOST_FILES:
                raise ValueError(f"it holds more than {MOST_FILES} files")
            if sum(info.file_size for info in files) > MOST_BYTES + MOST_TIMES * path.stat().st_size:
                raise ValueError(f"it would unpack to more than {MOST_TIMES} times its size")
        except _UNREADABLE as error:
            self.close()
            why = advice if isinstance(error, zipfile.BadZipFile) else fit(_why(error))
            raise ZipError(f"{path} can't be read as a ZIP: {why}") from error
        self.names = tuple(info.filename for info in files)
        self._known = frozenset(self.names)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._known

    @property
    def comment(self) -> bytes:
        """Return what stands at the ZIP's end for people, or for programs."""
        return self._zip.comment

    def ambiguity(self) -> str:
        """Say why other programs may find other files in the ZIP, or other names; empty where all find the same."""
        infos = sorted(self._zip.infolist(), key=lambda info: info.header_offset)
        end = described = 0
        try:
            with self.path.open("rb") as file:
                for info in infos:
                    if info.header_offset - end not in (_DESCRIPTORS_BYTES if described else (0,)):
                        return f"there are bytes of no file before {fit(info.filename)} in it"
                    file.seek(info.header_offset)
                    packed, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
                    file.seek(name, 1)
                    if _UNICODE_PATH in (*_fields(info.extra), *_fields(file.read(extra))):
                        return f"{fit(info.filename)} in it has a second name"
                    described = info.flag_bits & _DESCRIBED
                    if not described and packed not in (info.compress_size, _IN_EXTRA):
                        return f"{fit(info.filename)} in it has two sizes"
                    end = info.header_offset + _LOCAL.size + name + extra + info.compress_size
        except _UNREADABLE as error:
            return f"it can't be read: {fit(_why(error))}"
        gap = self._zip.start_dir - end
        return "" if gap in (_DESCRIPTORS_BYTES if described else (0,)) else "there are bytes of no file at its end"

    def size(self, name: str) -> int:
        """Return how many bytes a file says it has; never more of it are read."""
        return self._info(name).file_size

    def chunks(self, name: str, most: int) -> Iterator[bytes]:
        """Yield a file's content, piece by piece. most: bytes it may have."""
        info = self._info(name)
        if info.file_size > most:
            raise ZipError(f"{self.path}: {fit(name)} in it is too large: {most} bytes are the most")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack without a limit
            raise ZipError(f"{self.path}: {fit(name)} in it is packed in a way that is not read: deflate it")
        try:
            with self._zip.open(info) as file:
                while chunk := file.read(_CHUNK_BYTES):
                    yield chunk
        except _UNREADABLE as error:
            raise ZipError(f"{self.path}: {fit(name)} in it can't be read: {fit(_why(error))}") from error

    def read(self, name: str, most: int) -> bytes:
        """Return a file's content. most: bytes it may have."""
        return b"".join(self.chunks(name, most))

    def digest(self, name: str, most: int) -> str:
        """Return the SHA-256 of a file's content. most: bytes it may have."""
        found = hashlib.sha256()
        for chunk in self.chunks(name, most):
            found.update(chunk)
        return found.hexdigest()

    def lines(self, name: str, most: int, longest: int) -> Iterator[bytes]:
        """Yield the lines of a file without their ends. most: bytes it may have; longest: bytes a line may have."""
        rest, number = b"", 0
        for chunk in self.chunks(name, most):
            *whole, rest = (rest + chunk).split(b"\n")
            if len(rest) > longest:
                raise ZipError(f"{self.path}: line {number + len(whole) + 1} of {fit(name)} in it has no end")
            number += len(whole)
            yield from whole
        if rest:
            yield rest

    def json(self, name: str, most: int, values: int) -> object:
        """Return a file's content as JSON. most: bytes it may have; values: values. Raises ValueError for no JSON."""
        content = self.read(name, most)
        if values_in(content) > values:
            raise ZipError(f"{self.path}: {fit(name)} in it holds too much: {values} values are the most")
        try:
            found: object = json.loads(content)
        except RecursionError as error:
            raise ValueError("it is nested too deep") from error
        return found

    def _info(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._zip.getinfo(name)
        except KeyError:
            raise ZipError(f"{self.path}: there is no {fit(name)} in it") from None


def _fields(extra: bytes) -> Iterator[int]:
    """Yield the kind of each field that a ZIP has of a file besides the usual."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        yield kind
        at += 4 + size


def values_in(content: bytes) -> int:
    """Return how many values JSON holds at most: a byte of text may take a hundred bytes of memory as a value."""
    return content.count(b",") + content.count(b"[") + content.count(b"{")


def fit(words: str) -> str:
    """Return the beginning of words from a ZIP, fit for a line: a name in it may hold anything."""
    return in_line(words[:300])


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
