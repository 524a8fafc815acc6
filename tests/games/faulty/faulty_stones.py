"""Three Stones with every ability of the contract, of which any function can be made to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from three_stones.game import ThreeStones
from three_stones.position import Position
from three_stones.record import Records

from referee.games.answers import Explained
from referee.games.contract import (
    Accounts,
    AsksBefore,
    Banking,
    DoubtsFirst,
    Explains,
    HasDetails,
    InfersSetup,
    OwnActs,
    Prompts,
    TellsWhy,
    TurnsOn,
)
from referee.games.package import GamePackage


def _deeper(*_: object) -> object:
    return _deeper()


WAYS: Mapping[str, Callable[..., object]] = {
    "raises": lambda *_: 1 // 0,
    "leaves": lambda *_: sys.exit(3),
    "recurses": _deeper,
    "is junk": lambda *_: {1: object()},
}
FAILS: dict[str, str] = {}
"""Which function fails, and in which way."""


class Stones(
    ThreeStones,
    Prompts[Position],
    Explains[Position],
    TellsWhy[Position],
    Accounts[Position],
    AsksBefore[Position],
    TurnsOn[Position],
    HasDetails,
    DoubtsFirst[Position, Any],
    OwnActs[Position],
    InfersSetup[Position, Any],
    Banking[Position, Any],
):
    """The game: the abilities say nothing."""

    def prompt(self, position: Any) -> Any: ...
    def why_over(self, position: Any) -> Any: ...
    def account(self, position: Any, ruling: Any) -> Any: ...
    def question(self, position: Any, ruling: Any, declared: Any) -> Any: ...
    def details(self, answer: Any) -> Any: ...
    def declarers(self, position: Any, before: Any, after: Any) -> Any: ...
    def other_setup(self, position: Any, observed: Any) -> Any: ...

    def explained(self, position: Any) -> Any:
        return Explained((), ())

    def turns_on(self, position: Any, ruling: Any) -> Any:
        return False

    def lacking(self, position: Any, declared: Any) -> Any:
        return ()

    def insisted(self, position: Any, observed: Any, declared: Any) -> Any:
        return self.check(position, observed, (), declared)

    def ledger(self, position: Any, declared: Any, language: str, seen: Any, names: Any) -> Any:
        return {}

    def bookings(self, turn: Any, language: str) -> Any:
        return []

    def ways(self, position: Any, declared: Any, offers: Any, language: str, names: Any) -> Any:
        return []


def _may_fail(kind: type, name: str) -> None:
    works = getattr(kind, name)

    def function(self: object, *given: object, **named: object) -> object:
        return WAYS[FAILS[name]]() if name in FAILS else works(self, *given, **named)

    setattr(kind, name, function)


FUNCTIONS = tuple(name for name in dir(Stones) if not name.startswith("_") and callable(getattr(Stones, name)))
for _name in FUNCTIONS:
    _may_fail(Stones, _name)
for _name in ("start", "headers", "declared", "play"):
    _may_fail(Records, _name)


def package() -> GamePackage:
    """Return the game, for the entry point."""
    if "import" in FAILS:
        sys.exit("no licence")
    return GamePackage(Stones(), Records())
