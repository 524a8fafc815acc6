"""Exports that are not as they were, or that programs read in two ways: the referee and verify.py refuse each."""

from __future__ import annotations

import copy
import io
import struct
import zipfile
import zlib
from collections.abc import Callable

from tests.archive.game import Files, forged, packed
from tests.archive.stripping import without


def events_cut(files: Files) -> bytes:
    """Cut six events off, mend the manifest, and leave their pictures."""
    return packed(forged(without(files, ("checkpoint.txt",), 6)))


def half_a_line_feed(files: Files) -> bytes:
    """Take the last line feed of the events."""
    return packed(forged({**files, "journal.jsonl": files["journal.jsonl"][:-1]}))


def garbage_for_notes(files: Files) -> bytes:
    """Put what is no note among those of devices."""
    return _with(files, "witnesses.jsonl", b"no note\n")


def garbage_for_timestamps(files: Files) -> bytes:
    """Put what is no timestamp among those of an authority."""
    return _with(files, "timestamps.jsonl", b"no timestamp\n")


def _with(files: Files, name: str, content: bytes) -> bytes:
    made = {**files, name: content}
    manifest = made.pop("manifest.json")  # is the last, as referees write it
    return packed(forged({**made, "manifest.json": manifest}))


def another_zip_before(files: Files) -> bytes:
    """Put another game before the first file: a program that reads from the front unpacks that."""
    return packed({"journal.jsonl": b"another game"}) + packed(files)


def bytes_after_the_files(files: Files) -> bytes:
    """Put a file that the table of contents does not name behind those that it names."""
    made = bytearray(packed(files))
    (contents,) = struct.unpack_from("<I", made, len(made) - 6)
    hidden = packed({"journal.jsonl": b"another game"})
    made[contents:contents] = hidden
    struct.pack_into("<I", made, len(made) - 6, contents + len(hidden))
    return bytes(made)


def another_size_before_a_file(files: Files) -> bytes:
    """Say another size before the first file than in the table of contents."""
    made = bytearray(packed(files))
    struct.pack_into("<I", made, 18, 1)
    return bytes(made)


def _with_second_name(files: Files, everywhere: bool) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as pack:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            if name == "README.txt":
                other = struct.pack("<BI", 1, zlib.crc32(name.encode())) + b"journal.jsonl"
                info.extra = struct.pack("<HH", 0x7075, len(other)) + other
            pack.writestr(info, content)
            info.extra = info.extra if everywhere else b""
    return made.getvalue()


def second_name(files: Files) -> bytes:
    """Give a file the name of another, by a field that some programs heed."""
    return _with_second_name(files, True)


def second_name_before_a_file(files: Files) -> bytes:
    """Give a file the name of another where it begins, and not in the table of contents."""
    return _with_second_name(files, False)


def no_name(files: Files) -> bytes:
    """Add a file without a name."""
    made = io.BytesIO(packed(files))
    with zipfile.ZipFile(made, "a") as pack:
        pack.writestr("x", b"")
        info = copy.copy(pack.filelist.pop())
        info.filename = info.orig_filename = ""
        pack.filelist.append(info)
    return made.getvalue()


DAMAGES: dict[str, Callable[[Files], bytes]] = {
    each.__name__: each
    for each in (
        events_cut,
        half_a_line_feed,
        garbage_for_notes,
        garbage_for_timestamps,
        another_zip_before,
        bytes_after_the_files,
        another_size_before_a_file,
        second_name,
        second_name_before_a_file,
        no_name,
    )
}
