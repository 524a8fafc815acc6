"""Reading JSON values: each check names the key and says what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.games.contract import RequestError
from referee.games.terrabilis.players import Country
from referee.values.board import BoardError

MOST = 10**9
"""No amount of the game comes near it."""
MOST_COUNTERS = 1000
"""No card moves as many counters."""
LONGEST = 1000
"""No list of the game is as long."""

_WORDS = {None: "null", True: "true", False: "false"}


def show(value: object) -> str:
    """Return a short quotation of a JSON value for a message."""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= 48 else text[:45] + "..."
    return "a list" if isinstance(value, list) else "an object"


def an_object(value: object, key: str, known: Iterable[str] | None = None) -> Mapping[str, object]:
    """Return a JSON object whose keys are all known. Raises RequestError."""
    if not isinstance(value, Mapping):
        raise RequestError(code_of(key), f"{key} is an object {{...}}, not {show(value)}")
    if known is not None:
        words = tuple(known)
        for name in value:
            if name not in words:
                raise RequestError(code_of(key), f"{key}: unknown key {show(name)}, use {', '.join(words)}")
    return value


def a_list(value: object, key: str, most: int = LONGEST) -> Sequence[object]:
    """Return a JSON list. Raises RequestError."""
    if not isinstance(value, list | tuple):
        raise RequestError(code_of(key), f"{key} is a list [...], not {show(value)}")
    if len(value) > most:
        raise RequestError(code_of(key), f"{key} has {len(value)} parts: give at most {most}")
    return value


def a_number(value: object, key: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number. Raises RequestError."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        bounds = f"from {least}" if most == MOST else f"from {least} to {most}"
        raise RequestError(code_of(key), f"{key} is {show(value)}: give a whole number {bounds}")
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


def a_colour(value: object, key: str) -> Country:
    """Return a colour. Raises RequestError."""
    try:
        return Country.from_word(value)
    except BoardError:
        words = ", ".join(colour.word for colour in Country)
        raise RequestError(code_of(key), f"{key}: {show(value)} is not a colour, use one of {words}") from None


def a_player(value: object, players: Sequence[Country], key: str) -> Country:
    """Return the colour of somebody who plays. Raises RequestError."""
    colour = a_colour(value, key)
    if colour not in players:
        words = ", ".join(player.word for player in players)
        raise RequestError(code_of(key), f"{key}: {colour.word} does not play, use one of {words}")
    return colour


def code_of(key: str) -> str:
    """The word by which programs know an error: the first key."""
    return key.split(":")[0].split(",")[0].split(" ")[0]
