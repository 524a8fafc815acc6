"""The match's contract with a kind of observation: what must be seen of a turn, and what a set-up still lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from referee.kinds import platform
from referee.values.board import BoardError
from referee.values.kit import Kit


class TurnKind(Protocol):
    """A kind's module ``turn``."""

    NEEDS_PICTURES: bool
    """Whether a turn is ruled on by what is seen; else players declare all of it, and what is seen adds to that."""
    BOARD_IS_TURNED: bool
    """Whether players turn the board so that the cameras see it from all sides."""
    NOTHING_SEEN: str
    """The text of an observation of which nothing is seen, where no pictures are needed."""

    def awaits_pieces(self, observed: Any) -> bool:
        """Return whether pieces are still to be set up for the game to begin from what is seen."""


@runtime_checkable
class NamesPlaces(Protocol):
    """What a kind's module ``turn`` may have besides: an observation told by the places that differ from another."""

    def places_differing(self, before: Any, text: str) -> Mapping[str, str]:
        """Return what stands at each place in which a text differs from the observation before."""

    def with_places(self, before: Any, places: Mapping[str, str]) -> str:
        """Return the text of the observation before with something else at some places. Raises BoardError."""


@runtime_checkable
class CarriesChanges(Protocol):
    """What a kind's module ``turn`` has besides where earlier turns can be put right."""

    def same_change(self, before: Any, text: str, now: Any) -> str:
        """Return an observation with what changed from ``before`` to a text. Raises BoardError where it can't be."""


def turn_kind(kit: Kit) -> TurnKind:
    """Return the module of a kit's kind that serves the match."""
    found: Any = platform(kit.kind, "turn")
    made: TurnKind = found
    return made


def places_differing(kit: Kit, before: Any, text: str) -> Mapping[str, str] | None:
    """Return what stands at each place in which a text differs from the observation before.

    ``None`` where places don't tell the text: of other kinds, or in a text that is written otherwise.
    """
    kind = turn_kind(kit)
    if not isinstance(kind, NamesPlaces):
        return None
    places = kind.places_differing(before, text)
    return places if kind.with_places(before, places) == text else None


def judges_again(kit: Kit) -> bool:
    """Return whether earlier turns can be put right, and the later ones judged again."""
    return isinstance(turn_kind(kit), CarriesChanges)


def same_change(kit: Kit, before: Any, text: str, now: Any) -> str:
    """Return the text of an observation with what changed from ``before`` to a text. Raises BoardError."""
    kind = turn_kind(kit)
    if not isinstance(kind, CarriesChanges):
        raise BoardError("what is observed in this game is not told by places")
    return kind.same_change(before, text, now)


def with_places(kit: Kit, before: Any, places: Mapping[str, str]) -> str:
    """Return the text of the observation before with something else at some places. Raises BoardError."""
    kind = turn_kind(kit)
    if not isinstance(kind, NamesPlaces):
        raise BoardError("what is observed in this game is not told by places")
    return kind.with_places(before, places)


def needs_pictures(kit: Kit) -> bool:
    """Return whether turns of a kit's kind are ruled on by what is seen."""
    return turn_kind(kit).NEEDS_PICTURES
