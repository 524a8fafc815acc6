"""Find the games the referee knows: each is a package with an entry point, ours and other people's alike.

A distribution names its games in the entry-point group ``tower_referee.games``: the game's name in formats, and a
function without arguments that returns a GamePackage (docs/develop/adding-a-game.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from referee.games.contract import AnyGame, RequestError
from referee.games.package import GamePackage
from referee.games.presets import Preset
from referee.games.record import RecordRules
from referee.kinds import has_platform, platform
from referee.values.kit import Kit

GROUP = "tower_referee.games"


class GameError(RequestError):
    """A game that is installed and can't be used; the message names its distribution and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__("game", message)


def names() -> tuple[str, ...]:
    """Return the names of all games that are installed."""
    return tuple(sorted(_found()))


def package_named(name: object) -> GamePackage:
    """Return a game with all that belongs to it.

    Raises RequestError when no game has this name, GameError, which is one, when it can't be loaded.
    """
    if not isinstance(name, str) or name not in _found():
        known = ", ".join(names())
        raise RequestError("game", f"{str(name)[:40]!r} is no game the referee knows: use one of {known}")
    return _loaded(name)


def packages() -> dict[str, GamePackage]:
    """Return all games that can be used by their names; one that can't is reported when it is asked for."""
    found = {}
    for name in names():
        with suppress(GameError):
            found[name] = package_named(name)
    return found


def game_named(name: object) -> AnyGame:
    """Return the engine of a game. Raises RequestError when no game has this name."""
    return package_named(name).game


def records_named(name: object) -> RecordRules:
    """Return what a game says of its records. Raises RequestError when no game has this name."""
    return package_named(name).records


def presets_named(name: object) -> tuple[Preset, ...]:
    """Return the tables of a game to start measuring from. Raises RequestError when no game has this name."""
    return package_named(name).presets


@cache
def _found() -> Mapping[str, EntryPoint]:
    """Return the games' entry points; of two distributions that bring one name, the first on the path counts."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


@cache
def _loaded(name: str) -> GamePackage:
    point = _found()[name]
    try:
        package = point.load()()
        if isinstance(package, GamePackage):
            check_kit(package.game.kit)
    except Exception as error:  # other people's code: whatever goes wrong in it, the referee says where
        raise GameError(f"the game {name!r} ({point.value}) can't be loaded: {error}") from error
    if not isinstance(package, GamePackage) or package.game.name != name:
        raise GameError(f"the game {name!r}: {point.value} must return a GamePackage of a game with that name")
    return package


def check_kit(kit: Kit) -> None:
    """Raise what its kind of observation raises for a kit that it can't read or draw: KitError, KindError."""
    if has_platform(kit.kind, "kitcheck"):
        platform(kit.kind, "kitcheck").check(kit)
