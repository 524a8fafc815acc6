"""Print turns in the notation of records, and parse them.

``+D7`` build, ``@C5`` place a knight, ``C6-C7`` step, ``C5=D6`` through doors, ``[jump]D6-D4``, ``[under]+D7`` and
``[ap6]`` cards (``[leap]`` alone: declared, but nothing was done on it), ``kD7`` the king, ``*D8`` a start block.
What was declared besides: ``$1`` cards bought, ``#2`` AP spent on the score track, ``^3`` size of the supply stack
used, ``~3+2`` the stacks left over (``~`` for none), ``>red`` who starts the next phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.games.contract import Act as PageAct
from referee.games.torres.geometry import FIELDS, INDEX, NAMES
from referee.games.torres.position.position import Declared
from referee.games.torres.ruleset import CARD_RULE, KINDS
from referee.games.torres.search.task import Act

_MARKS: Mapping[str, str] = {"build": "+", "place": "@", "king": "k", "castle": "*"}
_KINDS = {mark: kind for kind, mark in _MARKS.items()}
_SHOWN: Mapping[str, str] = {"place": "enter", "door": "move", "castle": "build"}
"""How the page draws an act that it has no picture of its own for."""
_BLOCK_CARDS = ("extra", "under")
_WORD = re.compile(r"([-+@k*])?([A-H][1-8])|([A-H][1-8])([-=])([A-H][1-8])")
_CARD = re.compile(r"\[([a-z0-9]+)\](?:([A-H][1-8])-([A-H][1-8])|\+([A-H][1-8]))?")
_SAID = re.compile(r"([$#^])([0-9]{1,6})|(~)((?:[0-9]{1,2}(?:\+[0-9]{1,2})*)?)|(>)([a-z]+)")
_COUNTS: Mapping[str, str] = {"$": "bought", "#": "points", "^": "stack"}


class TorresNotationError(ValueError):
    """Text that is no turn; the message quotes the act that is wrong."""


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn as it is written: its acts, and what was declared, as formats write it."""

    acts: tuple[Act, ...]
    declared: Mapping[str, object]


def act_text(act: Act) -> str:
    """Return an act in turn notation."""
    kind, a, b = act
    if kind in _MARKS:
        return _MARKS[kind] + NAMES[a]
    if kind.startswith("card."):
        card = kind.removeprefix("card.")
        return f"[{card}]+{NAMES[a]}" if card in _BLOCK_CARDS else f"[{card}]{NAMES[a]}-{NAMES[b]}"
    return NAMES[a] + ("=" if kind == "door" else "-") + NAMES[b]


def page_acts(acts: Iterable[Act], declared: Declared) -> tuple[PageAct, ...]:
    """Return acts, and what was declared, as the page draws them and records keep them."""
    found = []
    used = set()
    for act in acts:
        kind, a, b = act
        card = kind.removeprefix("card.") if kind.startswith("card.") else ""
        used.add(card)
        shown = ("build" if card in _BLOCK_CARDS else "move") if card else _SHOWN.get(kind, kind)
        fields = (FIELDS[a],) if kind in _MARKS or card in _BLOCK_CARDS else (FIELDS[a], FIELDS[b])
        found.append(PageAct(shown, fields, (), act_text(act)))
    said = [] if declared.card is None or declared.card in used else [f"[{declared.card}]"]
    said += [f"${declared.bought}"] if declared.bought else []
    said += [f"#{declared.points}"] if declared.points else []
    said += [f"^{declared.stack}"] if declared.stack is not None else []
    said += ["~" + "+".join(map(str, declared.leftover))] if declared.leftover is not None else []
    said += [f">{declared.start}"] if declared.start is not None else []
    return (*found, *(PageAct("declared", (), (), text) for text in said))


def parse_turn(text: str) -> WrittenTurn:
    """Parse one line of turn notation. Raises TorresNotationError, quoting the act that is wrong."""
    acts: list[Act] = []
    declared: dict[str, object] = {}
    for word in text.split():
        if word.startswith("["):
            acts += _card(word, declared)
        elif word[0] in "$#^~>":
            _said(word, declared)
        else:
            acts.append(_act(word))
    return WrittenTurn(tuple(acts), declared)


def _act(word: str) -> Act:
    match = _WORD.fullmatch(word)
    if match is None or match[1] == "-" or (match[2] and not match[1]):
        raise TorresNotationError(
            f"{word[:40]!r} is no act: write +D7, @C5, C6-C7, C5=D6, [jump]D6-D4, kD7 or *D8, on fields A1 to H8"
        )
    if match[1]:
        field = INDEX[match[2]]
        return (_KINDS[match[1]], field, field)
    return ("door" if match[4] == "=" else "move", INDEX[match[3]], INDEX[match[5]])


def _card(word: str, declared: dict[str, object]) -> list[Act]:
    match = _CARD.fullmatch(word)
    if match is None or match[1] not in KINDS:
        raise TorresNotationError(
            f"{word[:40]!r} is no card: write [jump]D6-D4, [under]+D7 or [ap6], one of {_kinds()}"
        )
    kind = match[1]
    # A second card stays in the acts; the first one is what was declared.
    declared.setdefault("card", kind)
    if match[4]:
        if kind not in _BLOCK_CARDS:
            raise TorresNotationError(
                f"{word[:40]!r} is no card: {kind} goes from a field to another, such as [{kind}]D6-D4"
            )
        return [(CARD_RULE[kind], INDEX[match[4]], INDEX[match[4]])]
    if not match[2]:
        return []
    if kind in (*_BLOCK_CARDS, "ap6", "ap7"):
        raise TorresNotationError(f"{word[:40]!r} is no card: {kind} goes to no other field")
    return [(CARD_RULE[kind], INDEX[match[2]], INDEX[match[3]])]


def _kinds() -> str:
    return ", ".join(KINDS)


def _said(word: str, declared: dict[str, object]) -> None:
    match = _SAID.fullmatch(word)
    if match is None:
        raise TorresNotationError(f"{word[:40]!r} says nothing: write $1, #2, ^3, ~3+2 or >red")
    if match[1]:
        declared[_COUNTS[match[1]]] = int(match[2])
    elif match[3]:
        declared["leftover"] = [int(n) for n in match[4].split("+") if n]
    else:
        declared["start"] = match[6]
