"""Hold a table's certificate as a frozen value that goes to JSON and back: page, paper and log show the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from referee.values.board import BoardError, Field
from referee.values.words import Words, WordsError, say

VERSION = 1
_OWN = frozenset(
    ("certificate", "verdict", "table", "game", "made_at", "half_mm", "checks", "cameras", "maps", "spot")
) | {"differences", "doubtful"}
"""Keys of a certificate's own; under others stands what add-ons state."""


class CertificateError(ValueError):
    """JSON that is no certificate; the message says what is wrong."""


class Grade(StrEnum):
    """How good something is; the worst of all is the table's."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"

    @property
    def words(self) -> Words:
        """Return the table's verdict in the players' words."""
        return _VERDICTS[self]


_VERDICTS = {
    Grade.GOOD: say("Fit for refereeing"),
    Grade.WARNING: say("Fit for refereeing, with warnings"),
    Grade.BAD: say("Not fit for refereeing"),
}
_ORDER = tuple(Grade)


def worst(grades: list[Grade]) -> Grade:
    """Return the worst of some grades; good when there are none."""
    return max(grades, key=_ORDER.index, default=Grade.GOOD)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. what: its name. value: what was found. advice: what to do about it, unless it is good."""

    what: Words
    value: Words
    grade: Grade
    advice: Words | None = None

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        advice = None if self.advice is None else self.advice.to_json()
        return {
            "what": self.what.to_json(), "value": self.value.to_json(), "grade": self.grade.value, "advice": advice
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        advice = None if data["advice"] is None else Words.from_json(data["advice"])
        return cls(Words.from_json(data["what"]), Words.from_json(data["value"]), Grade(data["grade"]), advice)


@dataclass(frozen=True, slots=True)
class CameraPart:
    """One camera: its checks, where it stands, and its picture's size (width, height).

    at_mm: (3,) mm in table axes, ``None`` when it lost the frame.
    """

    name: str
    checks: tuple[Check, ...]
    at_mm: tuple[float, float, float] | None
    size: tuple[int, int]

    @property
    def grade(self) -> Grade:
        """Return the worst grade of its checks."""
        return worst([check.grade for check in self.checks])


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A number for every field, row "1" first. good, bad: the values drawn as all right and as the worst."""

    title: Words
    words: Words
    values: tuple[tuple[float, ...], ...]
    good: float
    bad: float
    digits: int = 0

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Return the numbers as the page and the paper write them: rounded once, so that both say the same."""
        return tuple(tuple(f"{value:.{self.digits}f}" for value in row) for row in self.values)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one more camera would help most: at_mm (3,) in table axes, and the fields hidden without and with it."""

    at_mm: tuple[float, float, float]
    before: float
    after: float
    worthwhile: bool
    words: Words


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a self-test found.

    table: the folder's name. game: the game's title. made_at: local date and time, ISO 8601. half_mm: half the
    playing fields' extent along x and y, for drawing. checks: of the table as a whole. differences: how the set-up as
    read differs from the rules', each with its fields. doubtful: fields that could not be read for sure. stated:
    what add-ons state in it, as JSON-able values by their names.
    """

    table: str
    game: str
    made_at: str
    half_mm: tuple[float, float]
    checks: tuple[Check, ...]
    cameras: tuple[CameraPart, ...]
    maps: tuple[HeatMap, ...]
    spot: Spot | None
    differences: tuple[tuple[tuple[Field, ...], Words], ...]
    doubtful: tuple[Field, ...]
    stated: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def grade(self) -> Grade:
        """Return the verdict: the worst of the table's own checks, which weigh what the cameras' mean together."""
        return worst([check.grade for check in self.checks])

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values; ``verdict`` stands there for programs that look for nothing else."""
        return {
            "certificate": VERSION,
            "verdict": self.grade.value,
            "table": self.table,
            "game": self.game,
            "made_at": self.made_at,
            "half_mm": list(self.half_mm),
            "checks": [check.to_json() for check in self.checks],
            "cameras": [
                {
                    "name": part.name,
                    "checks": [check.to_json() for check in part.checks],
                    "at_mm": None if part.at_mm is None else list(part.at_mm),
                    "size": list(part.size),
                }
                for part in self.cameras
            ],
            "maps": [
                asdict(each)
                | {
                    "title": each.title.to_json(),
                    "words": each.words.to_json(),
                    "values": [list(row) for row in each.values],
                }
                for each in self.maps
            ],
            "spot": None
            if self.spot is None
            else asdict(self.spot) | {"words": self.spot.words.to_json(), "at_mm": list(self.spot.at_mm)},
            "differences": [
                {"fields": [field.name for field in fields], "words": words.to_json()}
                for fields, words in self.differences
            ],
            "doubtful": [field.name for field in self.doubtful],
        } | {name: dict(told) for name, told in self.stated.items()}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` wrote. Raises CertificateError."""
        if not isinstance(data, Mapping) or data.get("certificate") != VERSION:
            raise CertificateError(f"this is no certificate of version {VERSION}")
        try:
            return cls._read(data)
        except (KeyError, TypeError, ValueError, WordsError, BoardError) as error:
            raise CertificateError(f"this certificate cannot be read: {type(error).__name__}: {error}") from None

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            table=str(data["table"]),
            game=str(data["game"]),
            made_at=str(data["made_at"]),
            half_mm=_pair(data["half_mm"]),
            checks=tuple(Check.from_json(each) for each in data["checks"]),
            cameras=tuple(_camera(each) for each in data["cameras"]),
            maps=tuple(_map(each) for each in data["maps"]),
            spot=None if data["spot"] is None else _spot(data["spot"]),
            differences=tuple(
                (tuple(Field.from_name(name) for name in each["fields"]), Words.from_json(each["words"]))
                for each in data["differences"]
            ),
            doubtful=tuple(Field.from_name(name) for name in data["doubtful"]),
            stated={name: told for name, told in data.items() if name not in _OWN and isinstance(told, Mapping)},
        )


def _pair(data: Any) -> tuple[float, float]:
    x, y = data
    return float(x), float(y)


def _place(data: Any) -> tuple[float, float, float]:
    x, y, z = data
    return float(x), float(y), float(z)


def _camera(data: Mapping[str, Any]) -> CameraPart:
    width, height = data["size"]
    at = None if data["at_mm"] is None else _place(data["at_mm"])
    return CameraPart(
        str(data["name"]), tuple(Check.from_json(each) for each in data["checks"]), at, (int(width), int(height))
    )


def _map(data: Mapping[str, Any]) -> HeatMap:
    values = tuple(tuple(float(value) for value in row) for row in data["values"])
    return HeatMap(
        Words.from_json(data["title"]), Words.from_json(data["words"]), values,
        float(data["good"]), float(data["bad"]), int(data["digits"]),
    )  # fmt: skip


def _spot(data: Mapping[str, Any]) -> Spot:
    return Spot(
        _place(data["at_mm"]), float(data["before"]), float(data["after"]), bool(data["worthwhile"]),
        Words.from_json(data["words"]),
    )  # fmt: skip
