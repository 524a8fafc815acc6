"""The virtual table at one moment: a frozen value that goes to the drawing process as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class HandPlace:
    """A hand over the board.

    x_mm, y_mm, z_mm: where its fingertips are, table axes. from_deg: the direction the arm comes from,
    counter-clockwise from the x axis.
    """

    x_mm: float
    y_mm: float
    z_mm: float
    from_deg: float


@dataclass(frozen=True, slots=True)
class TableScene:
    """One moment.

    lying: what lies there, the game's observation text. turned_deg: how far a board that players turn is turned,
    counter-clockwise. stones: on which place of each track a marker lies (0: off it), and its paint. light: 1 is as
    usual. bumps: how often each camera was pushed. unplugged: cameras that send nothing. cups: where cups stand, mm.
    held: from which side a camera in a hand looks at the whole frame, azimuth and elevation, degrees; or the place
    it looks from, x, y, z, and the one on the table it looks at, x, y, mm.
    """

    lying: str
    hand: HandPlace | None = None
    turned_deg: float = 0.0
    stones: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    light: float = 1.0
    bumps: Mapping[str, int] = field(default_factory=dict)
    unplugged: tuple[str, ...] = ()
    cups: tuple[tuple[float, float], ...] = ()
    held: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return one line of JSON, which ``parse`` reads."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``text`` wrote. Raises ValueError, TypeError or KeyError for anything else."""
        data = json.loads(text)
        hand = HandPlace(**data.pop("hand")) if data["hand"] else None
        data.pop("hand", None)
        cups = tuple((float(x), float(y)) for x, y in data.pop("cups"))
        stones = {track: (int(place), str(paint)) for track, (place, paint) in data.pop("stones").items()}
        held = {camera: tuple(map(float, side)) for camera, side in data.pop("held").items()}
        unplugged = tuple(data.pop("unplugged"))
        return cls(hand=hand, cups=cups, stones=stones, unplugged=unplugged, held=held, **data)

    @property
    def still(self) -> Self:
        """Return the scene without the hand: what must be redrawn only when it changes."""
        return replace(self, hand=None, unplugged=())
