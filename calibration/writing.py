"""Writes ``table.json``: laid out for people to read and correct, never half, and over an old one only when asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.table import TableSetup, parse_table, read_table

_WIDTH = 110
_DIGITS = 2


def table_text(data: Mapping[str, object]) -> str:
    """Return the text of a ``table.json``: what fits on a line stands on one, the rest indented."""
    return f"{_form(dict(data), 0)}\n"


def write_table(folder: Path, data: Mapping[str, object], replace: bool = False) -> TableSetup:
    """Validate and write a new table's ``table.json``, and make its calibration folders.

    Raises CalibrationError for a wrong value, and, unless ``replace``, when the folder has a table.json already; with
    it the old one is kept beside the new one.
    """
    path = folder / "table.json"
    text = table_text(data)
    table = parse_table(text, str(path))
    try:
        if path.exists() or path.is_symlink():
            if not replace:
                raise CalibrationError(f"{path}: there is a table already: choose another folder, or give --replace")
            keep_table(folder)
        for camera in table.cameras:
            (folder / "calibration" / camera).mkdir(parents=True, exist_ok=True)
        write_atomic(path, text.encode())
    except OSError as error:
        raise CalibrationError(f"{error.filename or path}: cannot be written: {error.strerror}") from None
    return table


def write_markers(folder: Path, markers: Mapping[int, NDArray[np.float64]]) -> Path:
    """Put new marker corners, id to (4, 3) mm, into a folder's ``table.json``; all else stays.

    Returns where the old file is kept. Raises CalibrationError when either cannot be read or written.
    """
    data = json.loads(read_table(folder))
    data["markers"]["corners"] = corners_json(markers)
    return _changed(folder, data)


def add_phone(folder: Path, name: str) -> Path:
    """Let a folder's ``table.json`` name a phone in the hand beside its cameras; all else stays.

    Returns where the old file is kept. Raises CalibrationError when either cannot be read or written.
    """
    return _changed(folder, with_phone(json.loads(read_table(folder)), name))


def with_phone(data: dict[str, object], name: str) -> dict[str, object]:
    """Return the contents of a ``table.json`` with a phone in the hand beside its cameras.

    Raises CalibrationError where one of them is called so.
    """
    cameras = data["cameras"]
    assert isinstance(cameras, list)
    if name in cameras:
        raise CalibrationError(f"one of the cameras is called {name}: call it otherwise to have a phone as well")
    return data | {"cameras": [*cameras, name], "held": [name]}


def write_board_size(folder: Path, size_mm: tuple[float, float]) -> bytes:
    """Put a bare board's outer width and depth into a folder's ``table.json``; all else stays. Return what it holds.

    Raises OSError, and CalibrationError where the file cannot be read.
    """
    data = json.loads(read_table(folder))
    data["board"]["size"] = list(size_mm)
    keep_table(folder)
    content = table_text(data).encode()
    write_atomic(folder / "table.json", content)
    return content


def _changed(folder: Path, data: Mapping[str, object]) -> Path:
    path, text = folder / "table.json", table_text(data)
    parse_table(text, str(path))
    try:
        kept = keep_table(folder)
        write_atomic(path, text.encode())
    except OSError as error:
        raise CalibrationError(f"{error.filename or path}: cannot be written: {error.strerror}") from None
    return kept


def corners_json(markers: Mapping[int, NDArray[np.float64]]) -> dict[str, object]:
    """Return corners as ``table.json`` holds them, to a hundredth of a millimetre."""
    return {
        str(number): [[round(float(value), _DIGITS) + 0.0 for value in corner] for corner in at]
        for number, at in sorted(markers.items())
    }


def keep_table(folder: Path) -> Path:
    """Copy ``table.json`` to the first free ``table-before-N.json``. Raises OSError."""
    number = 1
    while (kept := folder / f"table-before-{number}.json").exists():
        number += 1
    write_atomic(kept, (folder / "table.json").read_bytes())
    return kept


def _form(value: object, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or (indent and len(line) + indent <= _WIDTH):
        return line
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {_form(inner, indent + 1)}" for key, inner in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(f"{pad}{_form(inner, indent + 1)}" for inner in value) + "\n" + " " * indent + "]"
