"""Print a turn as one line of notation, and parse it.

``-C1`` take, ``+D4`` build, ``B2-B3xB4`` a walk with a step and a capturing step, ``*A1-A2`` a re-entry. A flag is
captured where a walk first comes by its field: ``A2-A3-A4xA3`` is two walks, ``A2-A3-A4 A4xA3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.games.contract import Act
from referee.values.board import BoardError, Field

_WALK = re.compile(r"([A-Z][0-9]+)((?:[-x][A-Z][0-9]+)*)")
_STEP = re.compile(r"([-x])([A-Z][0-9]+)")
_ONE_FIELD = {"-": "take", "+": "build"}
_MARKS = {kind: mark for mark, kind in _ONE_FIELD.items()}


class NotationError(ValueError):
    """Text that is no turn; the message quotes the act that is wrong."""


def act_text(kind: str, fields: tuple[Field, ...], captures: tuple[Field, ...] = ()) -> str:
    """Return an act in turn notation."""
    if kind in _MARKS:
        return _MARKS[kind] + fields[0].name
    text = ("*" if kind == "enter" else "") + fields[0].name
    left = list(captures)
    for place in fields[1:]:
        catches = place in left
        if catches:
            left.remove(place)
        text += ("x" if catches else "-") + place.name
    return text


def make_act(kind: str, fields: tuple[Field, ...], captures: tuple[Field, ...] = ()) -> Act:
    """Return an act with its text."""
    return Act(kind, fields, captures, act_text(kind, fields, captures))


def turn_text(acts: Iterable[Act]) -> str:
    """Return a turn as one line."""
    return " ".join(act_text(act.kind, act.fields, act.captures) for act in acts)


def parse_turn(text: str) -> tuple[Act, ...]:
    """Parse one line of turn notation. Raises NotationError, quoting the act that is wrong."""
    return tuple(_parse_act(word) for word in text.split())


def _parse_act(word: str) -> Act:
    kind = _ONE_FIELD.get(word[0])
    if kind is not None:
        return make_act(kind, (_field(word[1:], word),))
    enters = word.startswith("*")
    match = _WALK.fullmatch(word[1:] if enters else word)
    if match is None:
        raise NotationError(f"{word[:40]!r} is no act: write -C1, +D4, B2-B3xB4 or *A1-A2")
    fields = [_field(match[1], word)]
    captures = []
    for sign, name in _STEP.findall(match[2]):
        field = _field(name, word)
        if sign == "x":
            if field in fields:
                raise NotationError(
                    f"{word[:40]!r} is no act: the walk was on {name} before, begin another one there"
                )
            captures.append(field)
        fields.append(field)
    if len(fields) == 1 and not enters:
        raise NotationError(f"{word[:40]!r} is no act: a walk needs a step, such as B2-B3")
    return make_act("enter" if enters else "move", tuple(fields), tuple(captures))


def _field(name: str, word: str) -> Field:
    try:
        field = Field.from_name(name)
    except BoardError as error:
        raise NotationError(f"{word[:40]!r} is no act: {error}") from error
    if field.row > 9 or not 0 <= field.col <= 9:
        raise NotationError(f"{word[:40]!r} is no act: {name} is no field of the board A1 to J10")
    return field
