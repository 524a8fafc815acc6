"""The data of requests and answers about what lies on a table: a mat, a game's own copy, a table in the computer."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue

from web.api.shapes import AnswerModel, BodyModel, QueryModel

_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Corner = Annotated[list[_Share], Field(min_length=2, max_length=2)]


class MatAnswer(AnswerModel):
    """What the cameras were shown of the mat."""

    cameras: Annotated[list[dict[str, Any]], Field(description="name, sees: whether the frame is seen")]
    parts: Annotated[list[dict[str, Any]], Field(description="id, kind, words, how, taught; marks: by camera")]
    sizes: Annotated[list[dict[str, Any]], Field(description="of pieces: id, words, mm")]
    empty: Annotated[bool, Field(description="whether the empty mat was pictured")]


class CameraBody(BodyModel):
    """Which camera."""

    camera: Annotated[str, Field(min_length=1, max_length=40)]


class SizesBody(BodyModel):
    """Sizes of pieces in mm."""

    sizes: dict[str, Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]]


class TapsBody(CameraBody):
    """Taps in a camera's picture: how far right and down, as shares of its width and height."""

    taps: Annotated[list[Annotated[list[_Share], Field(min_length=2, max_length=2)]], Field(max_length=200)]


class BareBoardAnswer(AnswerModel):
    """How far a board without a printed frame is known."""

    known: Annotated[bool, Field(description="whether photographs of it can be placed")]
    open: Annotated[bool, Field(description="whether it may still be shown anew: until the first turn")]
    picture: Annotated[int, Field(description="the photograph whose corners are to be touched, 0 for none")]
    size: Annotated[list[int], Field(description="its width and height in pixels")]
    corners: Annotated[
        dict[str, list[float]],
        Field(description="where they seem to be, shares of width and height, by nw, ne, se, sw"),
    ]


class CornersBody(BodyModel):
    """Where the corners of the board's upper side lie, as shares of the picture's width and height."""

    nw: _Corner
    ne: _Corner
    se: _Corner
    sw: _Corner


class CopyNameBody(BodyModel):
    """What a copy of a game is called."""

    name: Annotated[str, Field(min_length=1, max_length=60, examples=["Club 1"])]


class CopyFileBody(BodyModel):
    """A copy's file as somebody else entered it."""

    data: dict[str, JsonValue]


class RowBody(BodyModel):
    """The values of one row of a copy's form, by the ids of its fields; null takes the row out."""

    values: dict[str, JsonValue] | None


class PictureBody(BodyModel):
    """A JPEG picture in Base64."""

    picture: Annotated[str, Field(min_length=8, max_length=880_000)]


class CopiesAnswer(AnswerModel):
    """The copies entered here."""

    copies: Annotated[
        list[dict[str, Any]] | None,
        Field(description="id of each one's file, and its name; null where the game needs nothing entered"),
    ]


class CopyAnswer(AnswerModel):
    """A copy's form."""

    id: str
    name: str
    parts: Annotated[list[dict[str, Any]], Field(description="id, name, explains, grows, fields, rows, lacks")]
    first: Annotated[str, Field(description="what a game can't begin without, as long as it lacks, in words")]
    gaps: Annotated[int, Field(description="values not entered yet")]
    doubts: Annotated[list[str], Field(description="values that are hardly right, in words")]
    pictures: Annotated[list[str], Field(description="what is pictured, PART-ROW")]


class AfterVersionQuery(QueryModel):
    """A virtual table that is known already."""

    after: Annotated[int, Field(ge=0, le=2**53, description="version that is known, 0: none")] = 0
    wait_s: Annotated[float, Field(ge=0, le=5, description="how long to wait for another")] = 0.0


class VirtualAnswer(AnswerModel):
    """What lies on a virtual table."""

    version: int
    lying: Annotated[str, Field(description="the game's observation text")]


class HandBody(BodyModel):
    """What a hand does: ``turn`` plays a whole turn, ``put back`` undoes one, other acts are the kind's own."""

    do: Annotated[str, Field(pattern="^[a-z][a-z ]{1,23}$", examples=["take"])]
    field: Annotated[str | None, Field(max_length=8)] = None
    to: Annotated[str | None, Field(max_length=8)] = None
    piece: Annotated[str | None, Field(max_length=1)] = None
    bar: Annotated[str | None, Field(max_length=12)] = None
    colour: Annotated[str | None, Field(max_length=12)] = None


class ShowBody(BodyModel):
    """Where a phone in the hand shows a virtual table from; without a side or a walk it is put away."""

    azimuth_deg: Annotated[float | None, Field(ge=-360, le=720, description="0 is the side of row 1")] = None
    elevation_deg: Annotated[float | None, Field(ge=0, le=90)] = None
    walk: Annotated[bool, Field(description="walk around until nothing is asked")] = False


class FaultBody(BodyModel):
    """What befalls a virtual table."""

    name: Annotated[str, Field(pattern="^[a-z]{2,12}$", examples=["bump"])]
    camera: Annotated[str, Field(max_length=24)] = ""
    field: Annotated[str, Field(max_length=8)] = ""
    light: Annotated[float, Field(ge=0.1, le=1.2)] = 0.5
