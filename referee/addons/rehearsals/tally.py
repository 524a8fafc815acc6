"""Count what was told of fields of which it is known what stood there, look by look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

from referee.values.board import Field


class Ease(IntEnum):
    """How well the geometry of a table shows a field: by how far its top moves in the best picture with a stone more.

    Each begins at twice the pixels of the one before, from the width of a sharp edge on (``LIMITS_PX``).
    """

    HIDDEN = 0
    POOR = 1
    FAIR = 2
    PLAIN = 3


LIMITS_PX = (2.5, 5.0, 10.0)
"""Pixels a level of the best camera that sees a field's top, from which on it is poor, fair, plain."""

Composition = tuple[float, ...]
"""Share of a board's fields for each Ease."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Fields told right, told wrong, and left open."""

    right: int = 0
    wrong: int = 0
    open: int = 0

    @property
    def total(self) -> int:
        """Return the number of fields."""
        return self.right + self.wrong + self.open

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.wrong + other.wrong, self.open + other.open)

    def to_json(self) -> list[int]:
        """Return JSON-able values."""
        return [self.right, self.wrong, self.open]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read what ``to_json`` wrote."""
        right, wrong, left_open = (int(each) for each in data)
        if min(right, wrong, left_open) < 0:
            raise ValueError("a number of fields is not negative")
        return cls(right, wrong, left_open)


@dataclass(frozen=True, slots=True)
class LookTally:
    """One look at a known board.

    parts: counts by Ease. wrong: the fields that were told wrong; open: those left open.
    """

    parts: tuple[Counts, ...]
    wrong: tuple[Field, ...] = ()
    open: tuple[Field, ...] = ()

    @property
    def all(self) -> Counts:
        """Return the counts of all fields."""
        return sum(self.parts, Counts())

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        return {
            "parts": [part.to_json() for part in self.parts],
            "wrong": [field.name for field in self.wrong],
            "open": [field.name for field in self.open],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        wrong, left_open = (tuple(Field.from_name(name) for name in data[key]) for key in ("wrong", "open"))
        parts = tuple(Counts.from_json(each) for each in data["parts"])
        if len(parts) != len(Ease):
            raise ValueError("counts of another number of parts")
        return cls(parts, wrong, left_open)


@dataclass(frozen=True, slots=True)
class Group:
    """All looks by the same eyes.

    cameras: which took part. views: pictures a look by each camera in a hand; 0 where none is in a hand. usual: how
    well these eyes see the fields of boards such as play makes, board by board.
    """

    cameras: tuple[str, ...]
    views: int
    looks: tuple[LookTally, ...]
    usual: tuple[Composition, ...]

    @property
    def eyes(self) -> Eyes:
        """Return the cameras and the views a look."""
        return self.cameras, self.views

    @property
    def counts(self) -> Counts:
        """Return the counts over all looks."""
        return sum((look.all for look in self.looks), Counts())

    def part(self, ease: Ease) -> Counts:
        """Sum the counts of fields in this visibility class."""
        return sum((look.parts[ease] for look in self.looks), Counts())

    def usually(self, ease: Ease) -> float:
        """Return the share of the fields of a usual board that is seen so."""
        return sum(each[ease] for each in self.usual) / len(self.usual)

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        return {
            "usual": [list(each) for each in self.usual],
            "cameras": list(self.cameras), "views": self.views, "looks": [look.to_json() for look in self.looks]
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        looks = tuple(LookTally.from_json(each) for each in data["looks"])
        usual = tuple(tuple(float(share) for share in each) for each in data["usual"])
        if not looks or not usual or any(len(each) != len(Ease) for each in usual):
            raise ValueError("a group has looks and usual boards")
        return cls(tuple(str(name) for name in data["cameras"]), int(data["views"]), looks, usual)


Eyes = tuple[tuple[str, ...], int]
"""Cameras, and how many views a look by one in a hand."""


def grouped(
    told: Sequence[Mapping[Eyes, LookTally]], usual: Mapping[Eyes, tuple[Composition, ...]], fewest: int = 1
) -> tuple[Group, ...]:
    """Return the looks by the eyes that saw them: those with the most cameras and views first.

    usual: compositions of usual boards for all these eyes. fewest: eyes with fewer looks are left out.
    """
    often = Counter(key for look in told for key in look)
    eyes = [key for key, looks in often.items() if looks >= fewest]
    order = sorted(eyes, key=lambda key: (-len(key[0]), -key[1], key[0]))
    return tuple(Group(*key, tuple(look[key] for look in told if key in look), usual[key]) for key in order)
