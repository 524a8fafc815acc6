"""Requests about mats: ``images`` go in; dice, pawns, counters and cards come out (formats.md)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from calibration.errors import CalibrationError
from referee.cli.pictures import load_pictures
from referee.cli.requesting import Explain
from referee.games.contract import AnyGame, Position, RequestError
from referee.session.capture import Pictures
from vision.ledger.reader import MatReader, MatSeen
from vision.reading import problems_of

READ_KEYS = ("id", "images", "players", "edition")
PICTURES = "images"


def read(
    game: AnyGame, reader: MatReader, request: Mapping[str, object], base: Path, explain: Explain | None = None
) -> dict[str, object]:
    """Read the mat of one request; return the answer without its id. A mat's readings have no picture that explains.

    Picture paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    pictures = load_pictures(request.get("images"), base, reader.table)
    try:
        seen = reader.read(pictures)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    if seen.lost:
        raise RequestError("frame-not-seen", "; ".join(problems_of(seen.cameras.values())))
    return to_json(seen)


def views(reader: MatReader | None, pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Return the pictures of one look; of a turn without pictures the ruling rests on what is declared."""
    if pictures is None:
        return ({},)
    if reader is None:
        raise RequestError("images", "images: this table has no cameras: leave them out and send declared")
    return (load_pictures(pictures, base, reader.table),)


def more(reader: MatReader | None, seen: tuple[Pictures, ...], pictures: object, base: Path) -> tuple[Pictures, ...]:
    """Refuse: what cameras don't see of a mat is declared. Raises RequestError."""
    raise RequestError("more", "more: one look at a mat is one picture a camera: what it doesn't show is declared")


def known(game: AnyGame, reader: MatReader | None, said: object) -> dict[str, str]:
    """Refuse what witnesses say: players declare what lies on a mat. Raises RequestError."""
    raise RequestError("known", "known: what cameras don't see of a mat is declared: send it under declared")


def fitting(reader: MatReader | None, position: Position) -> None:
    """Accept every position: a mat has no fields."""


def to_json(seen: MatSeen) -> dict[str, object]:
    """Return what was seen on a mat as formats write it, without its id; ``null`` stands for what is not known."""
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
        | ({"problem": view.problem.text()} if view.problem is not None else {})
        for name, view in seen.cameras.items()
    }
    return {
        "dice": None if seen.pair is None else list(seen.pair),
        "pawns": dict(seen.pawns),
        "zone": dict(seen.counters),
        "installed": dict(seen.cards),
        "seen_dice": dice,
        "cameras": cameras,
        "ms": round(seen.duration_ms, 1),
    }
