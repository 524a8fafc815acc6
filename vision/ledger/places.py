"""The meaning of a mat's places: taught once by tapping them in a picture, kept in ``places.json``.

Axes and origin as in table.json, millimetres. Besides the places the file keeps how things looked when they were
taught, as shares of the white paper's light (0 black, 1 white; blue, green, red), so that other
light does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.errors import CalibrationError
from calibration.table import first_trouble
from calibration.tablefile import MisfitError
from vision.ledger.symbols import Face

PLACES_FILE, MAT_FILE = "places.json", "mat.png"
VERSION = 1
MAT_PX_PER_MM = 1.5
"""Resolution at which the picture of the empty mat is kept."""

_Mm = Annotated[float, Field(ge=-5000.0, le=5000.0, allow_inf_nan=False)]
_Share = Annotated[float, Field(ge=0.0, le=4.0, allow_inf_nan=False)]
_Size = Annotated[float, Field(gt=0.5, le=500.0, allow_inf_nan=False)]
_Point = tuple[_Mm, _Mm]
_Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,19}$")]
_Colour = tuple[_Share, _Share, _Share]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _PawnFile(_Strict):
    height: _Size
    radius: _Size


class PlacesFile(_Strict):
    """``places.json`` as it is written: sizes in mm, places as [x, y]."""

    version: Annotated[int, Field(ge=1)]
    rolled_on: tuple[_Point, _Point] | None = None
    track: Annotated[list[_Point], Field(max_length=200)] = []
    pawn: _PawnFile = _PawnFile(height=22.0, radius=6.0)
    pawns: dict[_Word, _Colour] = {}
    spots: Annotated[list[_Point], Field(max_length=60, alias="zone")] = []
    counter_radius: _Size = 7.0
    counters: dict[_Word, _Colour] = {}
    cards: dict[_Word, Annotated[list[_Point], Field(min_length=1, max_length=60)]] = {}
    card: tuple[_Size, _Size] = (44.0, 68.0)

    @model_validator(mode="after")
    def _fits(self) -> PlacesFile:
        if self.version != VERSION:
            raise MisfitError(
                f"this file is of version {self.version}, {VERSION} is read: teach the places anew", "version"
            )
        if self.rolled_on is not None and any(
            low >= high for low, high in zip(self.rolled_on[0], self.rolled_on[1], strict=True)
        ):
            raise MisfitError(
                "give the lower left corner of where dice are rolled, then the upper right", "rolled_on"
            )
        for key, colours, places in (("pawns", self.pawns, self.track), ("counters", self.counters, self.spots)):
            if colours and not places:
                where = "track" if key == "pawns" else "zone"
                raise MisfitError(f"{key} are looked for on the places of {where}: teach those first", key)
        for key, points in (("track", self.track), ("zone", self.spots)):
            _distinct(points, key)
        return self


def _distinct(points: list[_Point], key: str) -> None:
    for k, point in enumerate(points):
        near = [n for n in range(k) if np.hypot(*np.subtract(point, points[n])) < 1.0]
        if near:
            raise MisfitError(f"place {k + 1} lies on place {near[0] + 1}: tap every place once", key, k)


@dataclass(frozen=True, eq=False)
class Places:
    """The taught places of one mat.

    rolled_on: lower left and upper right corner of where dice are rolled, ``None`` for the whole mat. track, spots:
    of pawns and of counters, (n, 2) mm, in order. pawns, counters: their looks by colour, (3,) shares of white paper.
    cards: by player, (n, 2) middles. card_mm: a card's width and depth as it lies. mat: the empty mat relative to
    white paper, (h, w, 3) from its upper left corner, ``MAT_PX_PER_MM`` pixels a mm; ``None`` where it was never
    pictured: then only dice are read. symbols: faces of dice that bear a sign in place of pips, by the number it
    stands for.
    """

    rolled_on: tuple[tuple[float, float], tuple[float, float]] | None
    track: NDArray[np.float64]
    pawn_mm: tuple[float, float]
    pawns: Mapping[str, NDArray[np.float64]]
    spots: NDArray[np.float64]
    counter_radius_mm: float
    counters: Mapping[str, NDArray[np.float64]]
    cards: Mapping[str, NDArray[np.float64]]
    card_mm: tuple[float, float]
    mat: NDArray[np.float32] | None = None
    symbols: Mapping[int, Sequence[Face]] = field(default_factory=dict)


NOWHERE = Places(None, np.zeros((0, 2)), (22.0, 6.0), {}, np.zeros((0, 2)), 7.0, {}, {}, (44.0, 68.0))
"""Nothing was taught: dice are read on the whole mat."""


def load_places(folder: Path, mat: NDArray[np.float32] | None) -> Places:
    """Read ``places.json`` of a table folder; ``NOWHERE`` when there is none.

    mat: the empty mat's picture, where there is one. Raises CalibrationError naming file, line and key.
    """
    path = folder / PLACES_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return NOWHERE
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CalibrationError(f"{path}: cannot be read: {why}") from None
    return parse_places(text, str(path), mat)


def parse_places(text: str, name: str, mat: NDArray[np.float32] | None = None) -> Places:
    """Validate the text of a ``places.json``; ``name`` stands in messages. Raises CalibrationError."""
    try:
        data = json.loads(text)
        file = PlacesFile.model_validate_json(json.dumps(data))
    except json.JSONDecodeError as error:
        raise CalibrationError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from None
    except ValidationError as error:
        raise CalibrationError(first_trouble(error, text, name)) from None
    except RecursionError as error:
        raise CalibrationError(f"{name}: {error}") from None
    return Places(
        rolled_on=file.rolled_on,
        track=np.array(file.track, np.float64).reshape(-1, 2),
        pawn_mm=(file.pawn.height, file.pawn.radius),
        pawns={word: np.array(colour) for word, colour in file.pawns.items()},
        spots=np.array(file.spots, np.float64).reshape(-1, 2),
        counter_radius_mm=file.counter_radius,
        counters={word: np.array(colour) for word, colour in file.counters.items()},
        cards={word: np.array(points, np.float64) for word, points in file.cards.items()},
        card_mm=file.card,
        mat=mat,
    )


def places_text(places: Places) -> str:
    """Return the text of a ``places.json`` that holds these places."""

    def rounded(points: NDArray[np.float64]) -> object:
        return np.round(points, 3).tolist()

    data: dict[str, object] = {"version": VERSION}
    if places.rolled_on is not None:
        data["rolled_on"] = [list(corner) for corner in places.rolled_on]
    data |= {
        "track": rounded(places.track),
        "pawn": {"height": places.pawn_mm[0], "radius": places.pawn_mm[1]},
        "pawns": {word: rounded(colour) for word, colour in places.pawns.items()},
        "zone": rounded(places.spots),
        "counter_radius": places.counter_radius_mm,
        "counters": {word: rounded(colour) for word, colour in places.counters.items()},
        "cards": {word: rounded(points) for word, points in places.cards.items()},
        "card": list(places.card_mm),
    }
    return json.dumps(data, indent=1) + "\n"
