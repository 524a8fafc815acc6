"""A game that is turned or mirrored, or played by other colours, and kept after every turn is ruled on alike."""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from referee.games import names, package_named
from referee.games.contract import Ruling
from referee.games.package import GamePackage
from referee.games.record import RecordEntry, parse_record
from tests.games.turned import BOARDS, Turned, Turning, ruled
from tests.virtual.made import breach

PACKAGES: dict[str, GamePackage] = {name: package_named(name) for name in names()}
PACKAGES["three-stones"] = importlib.import_module("three_stones").package()


@cache
def played(name: str) -> list[tuple[RecordEntry, str, list[str], Ruling]]:
    """Return each turn of a game's playthrough, acts that break it and the rules they break, and what is ruled."""
    package, (now, turns) = PACKAGES[name], record(name, str)
    found = []
    for entry in turns:
        wrong = breach(random.Random(entry.number), package, now, entry) if package.laid is not None else None
        rules = _rules(ruled(package, now, wrong[0])) if wrong else []
        right = package.records.play(now, entry)
        found.append((entry, wrong[0].acts if wrong else "", rules, right))
        now = right.next
    return found


def record(name: str, turned: Turned) -> tuple[Any, Sequence[RecordEntry]]:
    """Return the position and the turns of a game's playthrough, turned about."""
    package = PACKAGES[name]
    assert package.playthrough is not None
    read = parse_record(turned(package.playthrough.read_text(encoding="utf-8")))
    return package.records.start(read), read.turns


def _rules(ruling: Ruling) -> list[str]:
    return [str(one.rule) for one in ruling.violations]


@pytest.mark.parametrize(
    "turned",
    [
        *(Turning.swapped(name) for name in PACKAGES),
        *(Turning(name, 2) for name in BOARDS),
        *(Turning(name, 1, name != "terra-turrium") for name in BOARDS),  # mirrored, its seats would play backwards
    ],
    ids=lambda one: f"{one.name}-{one.quarters}{one.mirrored}",
)
def test_a_game_turned_about_is_ruled_on_alike(turned: Turning) -> None:
    name, package = turned.name, PACKAGES[turned.name]
    now, turns = record(name, turned)
    for entry, (_, wrong, rules, right) in zip(turns, played(name), strict=True):
        if wrong:
            assert _rules(ruled(package, now, replace(entry, acts=turned(wrong)))) == rules, entry
        ruling = package.records.play(now, entry)
        assert ruling.legal, entry
        assert ruling.next is not None
        assert right.next is not None
        now = package.game.position(json.loads(json.dumps(ruling.next.to_json())))  # kept, and taken up again
        assert turned(now.to_move.word) == right.next.to_move.word
        assert [turned(one.word) for one in now.winners] == [one.word for one in right.next.winners]
