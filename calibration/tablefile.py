"""The file ``table.json`` as people write it: every key with its bounds, and what must fit together.

Axes and units as in calibration/table.py, which makes a TableSetup of it.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal

import cv2
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

FlagStyle = Literal["rod", "pole", "banner", "pawn"]

_Length = Annotated[float, Field(gt=0.1, le=2000.0, allow_inf_nan=False)]
_Place = Annotated[float, Field(ge=-5000.0, le=5000.0, allow_inf_nan=False)]
_Point2 = tuple[_Place, _Place]
_Point3 = tuple[_Place, _Place, _Place]
_MIN_FRAME_MARKERS = 3
LEAST_RIM_MM = 6.0
"""A board with a narrower rim around its fields can't be told by it."""


class MisfitError(ValueError):
    """Values that are fine alone but not together; ``place`` is the path of keys from the model to the wrong one."""

    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place = list(place)


class TwiceError(ValueError):
    """A key that stands twice in one object; ``key`` is in quotes, as in the file."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _FlagFile(_Strict):
    style: FlagStyle
    height: _Length
    radius: _Length


class _PieceFile(_Strict):
    height: _Length
    radius: _Length


class _KingFile(_PieceFile):
    material: Annotated[str, Field(max_length=40)] = ""


class _MarkersFile(_Strict):
    dictionary: str
    size: _Length
    corners: dict[Annotated[int, Field(ge=0, le=1023)], tuple[_Point3, _Point3, _Point3, _Point3]]

    @field_validator("dictionary")
    @classmethod
    def _known(cls, name: str) -> str:
        return _dictionary_name(name)

    @field_validator("corners")
    @classmethod
    def _enough(cls, corners: dict[int, tuple[_Point3, ...]]) -> dict[int, tuple[_Point3, ...]]:
        if len(corners) < _MIN_FRAME_MARKERS:
            raise ValueError(f"the frame needs at least {_MIN_FRAME_MARKERS} markers, not {len(corners)}")
        return corners

    @model_validator(mode="after")
    def _printed(self) -> _MarkersFile:
        count = _dictionary_size(self.dictionary)
        for number in self.corners:
            if number >= count:
                raise MisfitError(
                    f"there is no marker {number} in {self.dictionary}: it has 0 to {count - 1}",
                    *("corners", str(number)),
                )
        return self

    @model_validator(mode="after")
    def _squares(self) -> _MarkersFile:
        for number, corners in self.corners.items():
            sides = [math.dist(corners[i], corners[i - 1]) for i in range(4)]
            if max(abs(side - self.size) for side in sides) > 0.1 * self.size:
                raise MisfitError(
                    f"marker {number}'s sides are {_list(sides)} mm, but size is {self.size:g} mm",
                    *("corners", str(number)),
                )
        return self


class _CharucoFile(_Strict):
    squares: tuple[Annotated[int, Field(ge=3, le=60)], Annotated[int, Field(ge=3, le=60)]]
    square: _Length
    marker: _Length
    dictionary: str

    @field_validator("dictionary")
    @classmethod
    def _known(cls, name: str) -> str:
        return _dictionary_name(name)

    @model_validator(mode="after")
    def _fits(self) -> _CharucoFile:
        if self.marker >= self.square:
            raise MisfitError(
                f"the marker ({self.marker:g} mm) must be smaller than its square ({self.square:g} mm)", "marker"
            )
        needed, count = self.squares[0] * self.squares[1] // 2, _dictionary_size(self.dictionary)
        if needed > count:
            raise MisfitError(f"the target needs {needed} markers, but {self.dictionary} has {count}", "squares")
        return self


class _BarColours(_Strict):
    light: Annotated[str, Field(max_length=40)]
    dark: Annotated[str, Field(max_length=40)]


class _BareBoardFile(_Strict):
    size: tuple[_Length, _Length] | None = None
    thickness: Annotated[float, Field(ge=0.0, le=200.0, allow_inf_nan=False)] | None = None


def _shape_of_board(value: object) -> str:
    """Return which of the two values of ``board`` one is; tags in brackets stand in no message."""
    return "[frameless]" if isinstance(value, dict | _BareBoardFile) else "[turned]"


class TableFile(_Strict):
    """The whole file."""

    game: Annotated[str, Field(min_length=1, max_length=80)]
    columns: Annotated[int, Field(ge=1, le=26)]
    rows: Annotated[int, Field(ge=1, le=99)]
    pitch: tuple[_Length, _Length]
    cube: tuple[_Length, _Length, _Length]
    flag: _FlagFile | None = None
    bar: tuple[_Length, _Length, _Length] | None = None
    turntable: bool = False
    board: (
        Annotated[
            Annotated[tuple[_Length, _Length], Tag("[turned]")] | Annotated[_BareBoardFile, Tag("[frameless]")],
            Discriminator(_shape_of_board),
        ]
        | None
    ) = None
    base: tuple[_Length, _Length, Annotated[float, Field(ge=0, le=200, allow_inf_nan=False)]] | None = None
    mark: Literal["south", "east", "north", "west"] = "south"
    die: Annotated[float, Field(ge=5.0, le=60.0, allow_inf_nan=False)] | None = None
    mat: tuple[_Length, _Length] | None = None
    knight: _PieceFile | None = None
    king: _KingFile | None = None
    figures: bool = True
    colours: Annotated[list[Annotated[str, Field(pattern=r"^[a-z]{1,20}$")]], Field(max_length=20)] | _BarColours = []
    start_fields: Annotated[list[Annotated[str, Field(pattern=r"^[A-Z][1-9][0-9]?$")]], Field(max_length=100)] = []
    score_track: Annotated[list[_Point2], Field(max_length=200)] = []
    markers: _MarkersFile | None = None
    charuco: _CharucoFile | None = None
    margin_fields: dict[
        Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,20}$")],
        Annotated[list[_Point2], Field(min_length=1, max_length=50)],
    ] = {}
    cameras: Annotated[list[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]], Field(min_length=1)]
    held: list[str] = []

    @property
    def frameless(self) -> _BareBoardFile | None:
        """Return the board of a table without a printed frame."""
        return self.board if isinstance(self.board, _BareBoardFile) else None

    @model_validator(mode="after")
    def _framed(self) -> TableFile:
        for key in ("markers", "charuco"):
            if self.frameless is None and getattr(self, key) is None:
                raise MisfitError("this key is missing", key)
            if self.frameless is not None and getattr(self, key) is not None:
                raise MisfitError(f"a table has a printed frame or a board without one: remove {key} or board", key)
        if self.frameless is not None and (self.bar is not None or self.die is not None):
            raise MisfitError("towers and mats need the printed frame: give markers and charuco", "board")
        return self

    @model_validator(mode="after")
    def _pieces(self) -> TableFile:
        kinds = {"flag": self.flag, "knight": self.knight, "bar": self.bar, "die": self.die}
        given = [name for name, kind in kinds.items() if kind is not None]
        if given and not self.figures:
            raise MisfitError(f"figures is false, but the size of a {given[0]} is given: keep one of them", "figures")
        if not given and self.figures:
            raise MisfitError("give the sizes of what is played with: of a flag, a knight, a bar or a die", "flag")
        if len(given) > 1:
            raise MisfitError("a table has flags, knights, bars or dice: keep one of them", given[1])
        if (self.die is None) != (self.mat is None):
            raise MisfitError("dice are rolled on a mat: give die and mat, or neither", "mat" if self.die else "die")
        if self.bar is not None:
            width, depth, length = self.bar
            if abs(depth - width) > 0.1 * width or abs(length - 2 * width) > 0.1 * width:
                raise MisfitError("a bar is as deep as it is wide, and twice as long", "bar")
            if (self.columns, self.rows) != (3, 3):
                raise MisfitError(
                    "a tower of bars has 3 columns and 3 rows", "columns" if self.columns != 3 else "rows"
                )
        return self

    @field_validator("cameras")
    @classmethod
    def _distinct(cls, names: list[str]) -> list[str]:
        if len(set(names)) != len(names):
            raise ValueError("a camera is named twice")
        return names

    @model_validator(mode="after")
    def _held_is_a_camera(self) -> TableFile:
        for index, name in enumerate(self.held):
            if name not in self.cameras:
                raise MisfitError(f"cameras names no {name!r}: only a camera can be held in a hand", "held", index)
        return self

    @model_validator(mode="after")
    def _fits(self) -> TableFile:
        for index, (pitch, cube) in enumerate(zip(self.pitch, self.cube, strict=False)):
            if cube > pitch:
                raise MisfitError(
                    f"a stone of {cube:g} mm does not fit on fields {pitch:g} mm apart along {'xy'[index]}",
                    *("cube", index),
                )
        half_x, half_y = self.columns * self.pitch[0] / 2, self.rows * self.pitch[1] / 2
        size = self.frameless.size if self.frameless is not None else None
        for index, (side, half) in enumerate(zip(size or (), (half_x, half_y), strict=False)):
            if side / 2 - half < LEAST_RIM_MM:
                raise MisfitError(
                    f"the fields reach {half:g} mm from the middle along {'xy'[index]}, and the board must reach "
                    f"{LEAST_RIM_MM:g} mm further to be found by its rim: measure it again, or print the frame",
                    *("board", "size", index),
                )
        for number, corners in self.markers.corners.items() if self.markers is not None else ():
            if any(abs(x) < half_x and abs(y) < half_y for x, y, _ in corners):
                raise MisfitError(
                    f"marker {number} lies on the playing fields, which reach {half_x:g} mm to the sides and "
                    f"{half_y:g} mm up and down: correct its corners, or columns, rows and pitch",
                    *("markers", "corners", str(number)),
                )
        return self


def _dictionary_name(name: str) -> str:
    if not re.fullmatch(r"DICT_[A-Z0-9_]+", name) or not hasattr(cv2.aruco, name):
        raise ValueError(f"{name!r} is no ArUco dictionary; DICT_4X4_50 is one")
    return name


def _dictionary_size(name: str) -> int:
    return len(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)).bytesList)


def _list(values: list[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)
