"""Hold what a game answers against what the contract asks for, as its annotations say it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from referee.games.answers import Details, Drawn, Observation, Position
from referee.values.players import Player

Fits = Callable[[Any], bool]


@cache
def fits(hint: Any) -> Fits:
    """Return what tells whether a value is what an annotation says; it raises what a broken value raises.

    Positions and observations must print, and what goes to the page or into the journal must be JSON.
    """
    if isinstance(hint, TypeVar):
        return fits(hint.__bound__ or object)
    if isinstance(hint, NewType):
        return fits(hint.__supertype__)
    if hint in _LIVING:
        return _LIVING[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        ways = [fits(one) for one in sorted(inner, key=lambda one: one is not type(None))]
        return lambda value: any(way(value) for way in ways)
    if origin is Literal:
        return lambda value: value in inner
    if origin is tuple and inner[-1] is not ...:
        each = [fits(one) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(each)
            and all(one(part) for one, part in zip(each, value, strict=True))
        )
    if origin in (tuple, list, frozenset, Sequence):
        item = fits(inner[0])
        return lambda value: isinstance(value, origin) and all(item(part) for part in value)
    if origin in (dict, Mapping):
        return lambda value: isinstance(value, Mapping) and _is_json(value)
    if (
        isinstance(hint, type) and is_dataclass(hint) and not hasattr(hint, "__post_init__")
    ):  # one that has it checks itself
        hints = get_type_hints(hint)
        parts = [(one.name, fits(hints[one.name])) for one in fields(hint)]
        return lambda value: isinstance(value, hint) and all(part(getattr(value, name)) for name, part in parts)
    return (lambda value: isinstance(value, hint)) if isinstance(hint, type) else (lambda value: True)


def _is_json(value: object) -> bool:
    json.dumps(value, allow_nan=False)
    return True


def _is_details(value: Details) -> bool:
    return _is_json(value.to_json())


def _is_observation(value: Observation) -> bool:
    return isinstance(value.text, str) and (not isinstance(value, Drawn) or _is_json(value.view("en")))


def _is_player(value: Player) -> bool:
    return isinstance(value.word, str)


def _is_position(value: Position) -> bool:
    return (
        _is_json(value.to_json())
        and _is_observation(value.observed)
        and all(map(_is_player, (value.to_move, *value.winners)))
        and type(value.turn) is int
        and isinstance(value.finished, bool)
    )


_LIVING: Mapping[object, Fits] = {
    Any: lambda value: True,
    object: lambda value: True,
    float: lambda value: isinstance(value, float) or type(value) is int,
    int: lambda value: type(value) is int,
    Position: _is_position,
    Observation: _is_observation,
    Details: _is_details,
    Player: _is_player,
}
"""What is told by more than its class."""
