"""Read JSON values: each check names the key and says what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.games.contract import RequestError
from referee.values.words import say

MOST = 10**9
"""No amount of any game comes near it."""
LONGEST = 1000
"""No list of any game is as long."""

_WORDS = {None: "null", True: "true", False: "false"}


def show(value: object) -> str:
    """Return a short quotation of a JSON value for a message."""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= 48 else text[:45] + "..."
    return "a list" if isinstance(value, list) else "an object"


def an_object(
    value: object, key: str, known: Iterable[str] | None = None, what: str = "an object {...}"
) -> Mapping[str, object]:
    """Return a JSON object whose keys are all known. what: belongs there. Raises RequestError."""
    if not isinstance(value, Mapping):
        raise RequestError(code_of(key), f"{key} is {what}, not {show(value)}")
    if known is not None:
        words = tuple(known)
        for name in value:
            if name not in words:
                raise RequestError(code_of(key), f"{key}: unknown key {show(name)}, use {', '.join(words)}")
    return value


def a_list(value: object, key: str, most: int = LONGEST, what: str = "a list [...]") -> Sequence[object]:
    """Return a JSON list. what: belongs there. Raises RequestError."""
    if not isinstance(value, list | tuple):
        raise RequestError(code_of(key), f"{key} is {what}, not {show(value)}")
    if len(value) > most:
        raise RequestError(code_of(key), f"{key} has {len(value)} parts: give at most {most}")
    return value


def a_number(value: object, key: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number. Raises RequestError."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RequestError(code_of(key), f"{key} is {show(value)}: give a whole number from {least} to {most}")
    return value


def a_truth(value: object, key: str) -> bool:
    """Return true or false. Raises RequestError."""
    if not isinstance(value, bool):
        raise RequestError(code_of(key), f"{key} is {show(value)}: give true or false")
    return value


def a_text(value: object, key: str) -> str:
    """Return a text that is not empty. Raises RequestError."""
    if not isinstance(value, str) or not value.strip():
        raise RequestError(code_of(key), f"{key} is {show(value)}: give a text")
    return value


def one_of(value: object, words: Iterable[str], key: str) -> str:
    """Return one of some words. Raises RequestError."""
    known = tuple(words)
    if not isinstance(value, str) or value not in known:
        raise RequestError(code_of(key), f"{key} is {show(value)}: use one of {', '.join(known)[:300]}")
    return value


def code_of(key: str) -> str:
    """Return the word by which programs know an error: the first key."""
    return key.split(":")[0].split(",")[0].split(" ")[0]


def keys_checked(data: object, known: Iterable[str], required: Iterable[str], game: str) -> Mapping[str, object]:
    """Return a position's JSON form once its keys are known, none is missing and it is of this game.

    Raises RequestError whose message names the key and what to do.
    """
    if not isinstance(data, Mapping):
        raise RequestError("position", f"position is an object {{...}}, not {show(data)}")
    names = tuple(known)
    for key in data:
        if key not in names:
            raise RequestError("key", f"unknown key {show(key)} in the position: leave it out")
    for key in required:
        if key not in data:
            raise RequestError("key", f"key {key!r} is missing in the position: give it")
    if data["game"] != game:
        raise RequestError("game", f"game is {show(data['game'])}, not {game!r}")
    return data


def choice_checked(choice: Mapping[str, object], known: Iterable[str], required: Iterable[str] = ()) -> None:
    """Raise RequestError where a choice for a new game says something else, or leaves something out."""
    names = tuple(known)
    for key in choice:
        if key not in names:
            words = say("unknown key {key} for a new game: use {known}", key=show(key), known=", ".join(names))
            raise RequestError("key", words)
    for key in required:
        if key not in choice:
            raise RequestError("key", f"key {key!r} is missing for a new game: give it")


def changes_checked(changes: Mapping[str, object], settled: Iterable[str]) -> None:
    """Raise RequestError where something is put right by hand that holds for the whole game."""
    if fixed := sorted(set(changes) & set(settled)):
        words = say("{key} is settled for the whole game: begin a new game to change it", key=fixed[0])
        raise RequestError("key", words)


def left_checked(left: Iterable[object]) -> None:
    """Raise RequestError where all players have given up."""
    if not tuple(left):
        words = say("somebody must be left to win: end the game by agreement instead")
        raise RequestError("resigned", words)
