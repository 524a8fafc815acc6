"""Print and parse turns: the acts as words, ``roll 3+4; catastrophe; blue pours yellow``.

An act is a verb and what it is about; somebody else's act begins with the colour, and its verb ends in s. A space
the pawn reached may stand between the acts as a word of its own; it says nothing that is not known. Ids of cards are
written as in a web address, so that they hold no spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote, unquote

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.data import SPACES, GameCopy
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Choose,
    Count,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    Repay,
    Roll,
    TakeLoan,
)
from referee.games.terrabilis.declared.reading import parse_acts
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import COUNTERS

SEPARATOR = ";"
_COLOURS = {colour.word: colour for colour in Country}


class ActsTextError(ValueError):
    """Text that is no turn; the message quotes the act that is wrong."""


def turn_text(acts: Iterable[Declared]) -> str:
    """Return a turn as one line."""
    return f"{SEPARATOR} ".join(act_text(act) for act in acts)


def act_text(act: Declared) -> str:
    """Return one act in words."""
    verb, about = _verb_and_object(act)
    words = (verb, about) if act.by is None else (act.by.word, f"{verb}s", about)
    return " ".join(word for word in words if word)


def _verb_and_object(act: Declared) -> tuple[str, str]:
    match act:
        case Roll():
            return "roll", "+".join(map(str, act.dice))
        case Draw():
            return "draw", act.pile
        case Install() | Discard():
            return "install" if isinstance(act, Install) else "discard", _ident(act.card)
        case HazardDrawn():
            return "meet", _ident(act.hazard)
        case Join():
            return ("join", "") if act.joins else ("decline", "")
        case Quiz():
            return "answer", f"{act.level} {act.prize if act.right else 'wrong'}"
        case Choose():
            return "pour" if act.what in COUNTERS else "pay", act.what
    return _verb_and_object_at_any_time(act)


def _verb_and_object_at_any_time(act: PourOrder | TakeLoan | Repay | Abandon | Count) -> tuple[str, str]:
    match act:
        case PourOrder():
            return "order", act.counters
        case TakeLoan():
            return "borrow", ""
        case Repay():
            return "repay", ""
        case Abandon():
            return "abandon", "+".join(map(_ident, act.cards))
    return "count", "+".join(f"{name}={n}" for name, n in act.values)


def _ident(text: str) -> str:
    return re.sub(r"[.~]", lambda found: f"%{ord(found[0]):02X}", quote(text, safe=""))


def parse_turn(text: str, players: tuple[Country, ...], copy: GameCopy) -> tuple[Declared, ...]:
    """Parse one line of turn notation. Raises ActsTextError, quoting the act that is wrong."""
    acts = []
    for part in text.split(SEPARATOR):
        words = part.split()
        if not words or (len(words) == 1 and words[0] in SPACES):
            continue
        acts.append(_act(words, part.strip()))
    try:
        return parse_acts(acts, players, copy)
    except RequestError as error:
        raise ActsTextError(str(error)) from error


def _act(words: list[str], part: str) -> dict[str, object]:
    by: dict[str, object] = {}
    if words[0] in _COLOURS:
        by = {"by": words.pop(0)}
        if words:
            words[0] = words[0].removesuffix("s")
    verb, *about = words or [""]
    reader = _READERS.get(verb)
    if reader is None:
        raise ActsTextError(f"{part[:40]!r} is no act: begin with one of {', '.join(_READERS)}")
    try:
        return reader(about) | by
    except ValueError:
        raise ActsTextError(f"{part[:40]!r} can't be read: write such as {_EXAMPLES[verb]!r}") from None


def _one(about: list[str]) -> str:
    (word,) = about
    return word


def _none(about: list[str], key: str, value: object) -> dict[str, object]:
    if about:
        raise ValueError(about)
    return {key: value}


def _answered(about: list[str]) -> dict[str, object]:
    level, prize = about
    return {"quiz": level, "right": False} if prize == "wrong" else {"quiz": level, "right": True, "prize": prize}


def _counted(about: list[str]) -> dict[str, object]:
    pairs = [pair.partition("=") for pair in _one(about).split("+")]
    return {"count": {name: int(n) for name, _, n in pairs}}


_READERS: Mapping[str, Callable[[list[str]], dict[str, object]]] = {
    "roll": lambda about: {"roll": [int(die) for die in _one(about).split("+")]},
    "draw": lambda about: {"draw": _one(about)},
    "install": lambda about: {"install": unquote(_one(about))},
    "discard": lambda about: {"discard": unquote(_one(about))},
    "meet": lambda about: {"hazard": unquote(_one(about))},
    "join": lambda about: _none(about, "join", value=True),
    "decline": lambda about: _none(about, "join", value=False),
    "answer": _answered,
    "pour": lambda about: {"choose": _one(about)},
    "pay": lambda about: {"choose": _one(about)},
    "order": lambda about: {"order": _one(about)},
    "borrow": lambda about: _none(about, "loan", value=True),
    "repay": lambda about: _none(about, "repay", value=True),
    "abandon": lambda about: {"abandon": [unquote(card) for card in _one(about).split("+")]},
    "count": _counted,
}
_EXAMPLES: Mapping[str, str] = {
    "roll": "roll 3+4",
    "draw": "draw economic",
    "install": "install factory",
    "discard": "discard factory",
    "meet": "meet storm",
    "join": "join",
    "decline": "decline",
    "answer": "answer expert money",
    "pour": "blue pours yellow",
    "pay": "pay energy",
    "order": "order gyg",
    "borrow": "borrow",
    "repay": "repay",
    "abandon": "abandon factory+mill",
    "count": "count money=12000",
}
