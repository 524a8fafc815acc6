"""Turns a good text into a nearly good one."""

from __future__ import annotations

import json
import random
from typing import Any

MARKS = '0123456789ABCDEFGHIJKZrygb/-+x*.{}[]"\\: \n=,?Kk²٣\x00\ud800é\u2028'
_WORDS = """red yellow green blue nw ne se sw team pro handicap burgenland exterior line path forbidden A1 J10 K11 A0
null true false 0 1 -1 6 1e999 NaN 99999999999 kosmos-1990 ludibay-fr terra-turrium legal illegal: unsure: 1. [game"""
WORDS = tuple(_WORDS.split())
VALUES: tuple[Any, ...] = (None, True, False, 0, 1, -1, 5, 6, 7, 10**9, 10**30, 0.5, "", "red", "A1", [], {}, ["red"])
ONE_FIELD = ("-C1", "+D4", "B2-B3xB4", "*A1-A2", "A1xA2-A3xA2", "-", "xA1", "B2-B2")


def mutated(rnd: random.Random, text: str, others: tuple[str, ...]) -> str:
    """Return a text one to six changes away from the given one; ``others`` lend parts."""
    if text[:1] == "{" and rnd.random() < 0.85:
        try:
            return json.dumps(_changed_value(rnd, json.loads(text)))
        except (ValueError, RecursionError):
            pass
    for _ in range(rnd.choice((1, 1, 1, 2, 3, 6))):
        text = _changed_text(rnd, text, others)
    return text


def _changed_text(rnd: random.Random, text: str, others: tuple[str, ...]) -> str:
    at, end = rnd.randrange(len(text) + 1), rnd.randrange(len(text) + 1)
    kind = rnd.randrange(9)
    if kind == 0:
        return text[:at] + rnd.choice(MARKS) + text[at:]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + rnd.choice(MARKS) + text[at + 1 :]
    if kind == 3:
        return text[:at] + rnd.choice((*WORDS, *ONE_FIELD)) + text[at:]
    if kind == 4:
        return text[: min(at, end)] + text[max(at, end) :]
    if kind == 5:
        return text[:at] + text[min(at, end) : min(max(at, end), min(at, end) + 40)] + text[at:]
    if kind == 6:
        other = rnd.choice(others)
        return text[:at] + other[rnd.randrange(len(other) + 1) :]
    if kind == 7:
        return _swapped(text, at, end)
    words = text.split(" ")
    a, b = rnd.randrange(len(words)), rnd.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def _swapped(text: str, a: int, b: int) -> str:
    low, high = min(a, b), max(a, b)
    if high >= len(text) or low == high:
        return text
    return text[:low] + text[high] + text[low + 1 : high] + text[low] + text[high + 1 :]


def _changed_value(rnd: random.Random, value: Any) -> Any:
    """Change a JSON value somewhere inside."""
    if isinstance(value, dict) and value:
        key = rnd.choice(list(value))
        kind = rnd.random()
        if kind < 0.06:
            return {k: v for k, v in value.items() if k != key}
        if kind < 0.1:
            return value | {rnd.choice(WORDS): rnd.choice(VALUES)}
        if kind < 0.14:
            other = rnd.choice(list(value))
            return value | {key: value[other], other: value[key]}
        return value | {key: _changed_value(rnd, value[key])}
    if isinstance(value, list) and value and rnd.random() < 0.8:
        at = rnd.randrange(len(value))
        return [*value[:at], _changed_value(rnd, value[at]), *value[at + 1 + rnd.choice((0, 0, 0, 1)) :]]
    if isinstance(value, str) and value and rnd.random() < 0.8:
        for _ in range(rnd.choice((1, 2))):
            swap = rnd.random() < 0.6
            a, b = rnd.randrange(len(value)), rnd.randrange(len(value))
            value = _swapped(value, a, b) if swap else _changed_text(rnd, value, (value,)) or "x"
        return value
    if type(value) is int and rnd.random() < 0.6:
        return value + rnd.choice((-1, 1, 1, 2))
    return rnd.choice(VALUES)
