"""Choices before a game, as the page for a new game shows them: values without any game's rules in them."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.players import Player
from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: its word in formats, its name for people, and what it means for play."""

    id: str
    name: Words
    explains: Words

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the choice as the page gets it."""
        return {"id": self.id, "name": self.name.text(language), "explains": self.explains.text(language)}


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """A question of a game or a variant before play. key: of the choice for a new game it answers.

    kind: ``pairs`` (two teams of neighbours), ``player`` (a colour), ``count`` (a colour and a number up to ``most``)
    or ``number`` (from ``least`` to ``most``, ``usual`` where nobody changes it).
    """

    key: str
    kind: str
    name: Words
    most: int = 0
    least: int = 1
    usual: int = 1

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the question as the page gets it."""
        numbers = {"least": self.least, "most": self.most, "usual": self.usual}
        return {"key": self.key, "kind": self.kind, "name": self.name.text(language), **numbers}


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant, and what it has to be told."""

    choice: Choice
    asks: tuple[SetupQuestion, ...] = ()

    @property
    def id(self) -> str:
        """Return the variant's word in formats."""
        return self.choice.id

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the variant as the page gets it."""
        return self.choice.to_json(language) | {"asks": [ask.to_json(language) for ask in self.asks]}


@dataclass(frozen=True, slots=True)
class Seating:
    """One way to seat so many players. groups: each one's places, in playing order; options: what follows from it."""

    players: int
    groups: tuple[tuple[str, ...], ...]
    name: Words
    options: tuple[tuple[str, str], ...] = ()

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the seating as the page gets it."""
        return {
            "groups": [list(group) for group in self.groups],
            "name": self.name.text(language),
            "options": dict(self.options),
        }


@dataclass(frozen=True, slots=True)
class Option:
    """A question with several answers, the first of which holds unless another is chosen."""

    id: str
    name: Words
    values: tuple[Choice, ...]

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the option as the page gets it."""
        return {
            "id": self.id,
            "name": self.name.text(language),
            "values": [value.to_json(language) for value in self.values],
        }


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the rules. variants: what may be played together, by the number of players."""

    choice: Choice
    variants: tuple[tuple[int, tuple[tuple[str, ...], ...]], ...]

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the edition as the page gets it."""
        allowed = {str(players): [list(ids) for ids in sets] for players, sets in self.variants}
        return self.choice.to_json(language) | {"variants": allowed}


@dataclass(frozen=True, slots=True)
class Choices:
    """All choices for a new game. places: where players sit, in the order in which turns go round.

    asks: what is agreed before every game, whatever the variant.
    """

    game: str
    title: str
    places: tuple[Choice, ...]
    colours: tuple[Player, ...]
    editions: tuple[Edition, ...]
    variants: tuple[Variant, ...]
    options: tuple[Option, ...]
    seatings: tuple[Seating, ...] = ()
    asks: tuple[SetupQuestion, ...] = ()

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the choices as the page gets them."""
        return {
            "game": self.game,
            "title": self.title,
            "places": [place.to_json(language) for place in self.places],
            "colours": [colour.word for colour in self.colours],
            "editions": [edition.to_json(language) for edition in self.editions],
            "variants": [variant.to_json(language) for variant in self.variants],
            "options": [option.to_json(language) for option in self.options],
            "asks": [ask.to_json(language) for ask in self.asks],
            "seatings": {
                str(count): [each.to_json(language) for each in self.seatings if each.players == count]
                for count in sorted({each.players for each in self.seatings})
            },
        }
