"""Mats with dice, pawns, counters and cards: what ``referee read`` does where a table has one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibration.errors import CalibrationError
from referee.cli.jsonlines import check_keys
from referee.cli.pictures import load_pictures
from referee.games.contract import RequestError
from vision.ledger.reader import MatReader, MatSeen

KEYS = ("id", "images", "players", "edition")


def read_mat_pictures(reader: MatReader, request: Mapping[str, object], base: Path) -> dict[str, object]:
    """Read the mat of one request and return the answer without its id.

    Picture paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    check_keys(request, KEYS)
    pictures = load_pictures(request.get("images"), base, reader.table)
    try:
        seen = reader.read(pictures)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    if seen.lost:
        raise RequestError("frame-not-seen", "; ".join(view.problem for view in seen.cameras.values()))
    return to_json(seen)


def to_json(seen: MatSeen) -> dict[str, object]:
    """What was seen on a mat as formats write it, without its id; ``null`` is what can't be told."""
    dice = [
        {
            "at": [round(place, 1) for place in die.at_mm],
            "there": round(die.there, 4),
            "faces": [round(chance, 4) for chance in die.faces],
        }
        for die in seen.dice
    ]
    cameras = {
        name: {"markers": view.markers, "reprojection_px": view.reprojection_px}
        | ({"problem": view.problem} if view.problem else {})
        for name, view in seen.cameras.items()
    }
    return {
        "dice": None if seen.pair is None else list(seen.pair),
        "pawns": dict(seen.pawns),
        "zone": dict(seen.zone),
        "installed": dict(seen.cards),
        "seen_dice": dice,
        "cameras": cameras,
        "ms": round(seen.duration_ms, 1),
    }
