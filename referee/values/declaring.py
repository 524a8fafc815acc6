"""What no camera sees is declared: the game describes the form, the page draws it, the journal keeps what is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.values.words import Words

FieldKind = Literal["choice", "count", "flag", "counts", "text"]
"""One of several; a number; yes or no; a list of numbers; words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers of a choice: its word in formats, its name, what it means."""

    id: str
    name: Words
    explains: Words | None = None

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The answer as the page gets it."""
        explains = self.explains.text(language) if self.explains else ""
        return {"id": self.id, "name": self.name.text(language), "explains": explains}


@dataclass(frozen=True, slots=True)
class FormField:
    """One question of a form.

    id: key of the declaration in formats. answers: of a choice; the empty answer (nothing declared) is always
    possible. least, most: of a count and of every number of ``counts``.
    """

    id: str
    kind: FieldKind
    name: Words
    answers: tuple[Answer, ...] = ()
    least: int = 0
    most: int = 0

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The question as the page gets it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "name": self.name.text(language),
            "answers": [answer.to_json(language) for answer in self.answers],
            "least": self.least,
            "most": self.most,
        }


@dataclass(frozen=True, slots=True)
class Form:
    """What may be declared of a turn, all of it optional: nothing declared is the default, at one press."""

    fields: tuple[FormField, ...]

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The form as the page gets it."""
        return {"fields": [field.to_json(language) for field in self.fields]}


Declared = Mapping[str, object]
"""What was declared of a turn, by the ids of its form; absent keys were not declared."""

NOTHING_DECLARED: Declared = {}
