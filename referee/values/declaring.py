"""Declarations of what no camera sees: a form of the game, drawn by the page, kept by the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.values.words import Words, say

FieldKind = Literal["choice", "count", "flag", "counts", "text"]
"""One of several; a number; yes or no; a list of numbers; words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers of a choice: its word in formats, its name, what it means."""

    id: str
    name: Words
    explains: Words | None = None

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the answer as the page gets it."""
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
        """Return the question as the page gets it."""
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
    """The form of a turn's declarations, all of them optional: nothing declared is the default, at one press."""

    fields: tuple[FormField, ...]

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the form as the page gets it."""
        return {"fields": [field.to_json(language) for field in self.fields]}


Declared = Mapping[str, object]
"""A declaration on a turn, by the ids of its form; absent keys were not declared."""

NOTHING_DECLARED: Declared = {}


class DeclarationError(ValueError):
    """A declaration that does not fit its form; ``words`` say which key and what to do."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.text())
        self.words = words


def checked(form: Form | None, said: object) -> Declared:
    """Return what was declared, without keys that say nothing.

    Raises DeclarationError for what does not fit the form.
    """
    if not isinstance(said, Mapping) or not all(isinstance(key, str) for key in said):
        raise DeclarationError(say("{key} must be an object.", key="declared"))
    fields = {} if form is None else {field.id: field for field in form.fields}
    given = {key: value for key, value in said.items() if value is not None}
    for key, value in given.items():
        if key not in fields:
            raise DeclarationError(say("Nothing called {key} can be declared here.", key=repr(key)[:40]))
        if not _fits(fields[key], value):
            raise DeclarationError(say("{name}: this is no answer to it.", name=fields[key].name))
    return given


def typed(form: Form | None, declared: Declared) -> dict[str, object]:
    """Return a declaration as people fill in a form: lists are typed into fields of text. Without a form: empty."""
    if form is None:
        return {}
    texts = {field.id for field in form.fields if field.kind == "text"}
    lists = {key: value for key, value in declared.items() if key in texts and isinstance(value, list | tuple)}
    return {**declared, **{key: " ".join(map(str, value)) for key, value in lists.items()}}


def next_said(form: Form | None, said: Declared, question: int = 0) -> tuple[str, object] | None:
    """Return the question a button steps on, and the next answer to it: ``None`` after the last one.

    question: which, from 0, of those answered by a choice or a number. ``None`` where the form has no such question,
    or no answer to it.
    """
    steps = [(field.id, values) for field in (form.fields if form else ()) if (values := _steps(field)) is not None]
    if question >= len(steps) or not steps[question][1]:
        return None
    key, values = steps[question]
    answer = said.get(key)
    at = values.index(answer) + 1 if answer in values else 0
    return key, values[at] if at < len(values) else None


def _steps(field: FormField) -> list[object] | None:
    """Return the answers to a question in their order; ``None`` for one that can't be answered step by step."""
    if field.kind == "choice":
        return [answer.id for answer in field.answers]
    return [*range(max(field.least, 1), field.most + 1)] if field.kind == "count" else None


def _fits(field: FormField, value: object) -> bool:
    match field.kind:
        case "choice":
            return value in [answer.id for answer in field.answers]
        case "flag":
            return isinstance(value, bool)
        case "count":
            return type(value) is int and field.least <= value <= field.most
        case "counts":
            return isinstance(value, list) and all(type(n) is int and field.least <= n <= field.most for n in value)
        case "text":
            return isinstance(value, str) and len(value) <= (field.most or LONGEST_TEXT)


LONGEST_TEXT = 200
"""Characters of a declared text, where the form says nothing else."""
