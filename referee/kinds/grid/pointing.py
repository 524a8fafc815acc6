"""Tells somebody with a camera in a hand where to go next, in words, and decides whether anybody is asked to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from calibration.table import TableSetup
from referee.kinds.grid.judging.context import SeenByHand
from referee.kinds.grid.readings import expectation
from referee.match.decision import ShowFrom
from referee.match.events import AnyGame, CameraNote, ReadingMade, TurnRuled, Verdict, WhyUnsure
from referee.match.standing import board_of
from referee.match.state import TableState
from referee.session.going import go_to
from referee.session.openlook import MOST_VIEWS, is_another_side
from referee.values.belief import posterior
from referee.values.board import Field
from referee.values.fieldmask import mask_of
from referee.values.words import Words, say
from vision.geometry.view import camera_of, roams
from vision.geometry.visibility import tops_seen
from vision.nextview import NextView, next_view, side_of

SHOWN = 0.5
"""Share of a top face in view from which on a picture shows it."""


@runtime_checkable
class Measured(Protocol):
    """A reader that knows its table's measures."""

    @property
    def table(self) -> TableSetup:
        """Return the table's measures."""


def show_next(
    game: AnyGame, state: TableState, reading: ReadingMade, ruled: TurnRuled, reader: object
) -> ShowFrom | None:
    """Return the side from which a camera in a hand would decide most of what a ruling leaves in doubt.

    A legal ruling leaves in doubt what it takes for granted, and what is not known of the board it leaves. ``None``
    where no camera is held in a hand, or no side would show anything more.
    """
    in_doubt = ruled.doubts or tuple({one.field for one in ruled.assumed} | ruled.open)
    asked = ruled.verdict is Verdict.ILLEGAL or ruled.why in (WhyUnsure.UNCHANGED, WhyUnsure.SWEPT)
    if asked or not in_doubt or not isinstance(reader, Measured):
        return None
    table = reader.table
    held = _held(reading, reader)
    if not (held or table.held):
        return None
    pictures = reading.unpacked_belief(board_of(state.position).letters)
    expected = posterior(pictures, expectation(game, state.position))
    others = [note for note in reading.cameras if note not in held]
    places = [np.array(note.place_mm) for note in (*others, *held) if note.place_mm]
    found = next_view(pictures, expected, in_doubt, places, table)
    last = next((side_of(np.array(note.place_mm)) for note in reversed(held) if note.place_mm), None)
    if found is None:
        return None
    side = found.azimuth_deg, found.elevation_deg
    return ShowFrom(*side, found.fields, told(found, last, table), found.towards, found.distance_mm)


def seen_by_hand(game: AnyGame, state: TableState, reading: ReadingMade, reader: object) -> SeenByHand | None:
    """Return what a reading's pictures from the hand show of each field; ``None`` where no camera is held."""
    held = _held(reading, reader)
    if not held or not isinstance(reader, Measured):
        return None
    pictures = reading.unpacked_belief(board_of(state.position).letters)
    board = posterior(pictures, expectation(game, state.position)).likeliest
    shown = np.zeros(board.heights.shape, np.int64)
    for note in _sides([note for note in reading.cameras if note.place_mm]):
        seen = tops_seen(np.array(note.place_mm), board.heights, reader.table) >= SHOWN
        shown += seen & (mask_of(note.part) if note.part else True)
    return SeenByHand(shown, sum(bool(note.place_mm) for note in held) < MOST_VIEWS)


def _sides(notes: Sequence[CameraNote]) -> list[CameraNote]:
    """Return how pictures saw the frame without those that were taken from much the same side as one before."""
    found: list[CameraNote] = []
    for note in notes:
        side = side_of(np.array(note.place_mm))
        if all(is_another_side(side, side_of(np.array(other.place_mm))) for other in found):
            found.append(note)
    return found


def _held(reading: ReadingMade, reader: object) -> list[CameraNote]:
    """Return how the pictures from the hand saw the frame."""
    held = reader.table.held if isinstance(reader, Measured) else ()
    return [note for note in reading.cameras if camera_of(note.name) in held or roams(note.name)]


def told(view: NextView, last: tuple[float, float] | None, table: TableSetup) -> Words:
    """Tell where to go and why. last: azimuth and elevation from which the board was shown last."""
    if view.towards is not None and view.distance_mm is not None:
        return say(
            "Hold the phone over {field}, {cm} cm away, and look down into it.",
            field=view.towards,
            cm=round(view.distance_mm / 10),
        )
    go = _from_side(view.azimuth_deg, table) if last is None else go_to((view.azimuth_deg, view.elevation_deg), last)
    by = next((by for _, by in view.hidden_by), None)
    if by is None or last is None:
        return say("{go}: from there one sees {fields}.", go=go, fields=view.fields)
    hidden = tuple(place for place, other in view.hidden_by if other == by)
    return say("{go}: the tower on {by} hides {fields}.", go=go, by=by, fields=hidden)


def _from_side(azimuth_deg: float, table: TableSetup) -> Words:
    """Tell a side or a corner of the board to show it from."""
    row, col = table.rows - 1, table.columns - 1
    corners = {45: Field(0, col), 135: Field(row, col), 225: Field(row, 0), 315: Field(0, 0)}
    eighth = round(azimuth_deg / 45.0) % 8 * 45
    if eighth in corners:
        return say("Show the board from the corner at {field}", field=corners[eighth])
    if eighth in (0, 180):
        return say("Show the board from the side of row {row}", row=1 if eighth == 0 else table.rows)
    column = Field(0, col if eighth == 90 else 0).name[0]
    return say("Show the board from the side of column {column}", column=column)
