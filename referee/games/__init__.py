"""Find the games the referee knows: each is a package with an entry point, ours and other people's alike.

A distribution names its games in the entry-point group ``tower_referee.games``: the game's name in formats, and a
function without arguments that returns a GamePackage (docs/develop/adding-a-game.md).
"""

from __future__ import annotations

import logging
from functools import cache

from referee.games.contract import AnyGame, RequestError
from referee.games.guarding import guarded
from referee.games.package import GamePackage
from referee.games.presets import Preset
from referee.games.record import RecordRules
from referee.kinds import has_platform, platform
from referee.values.gameerror import GameError
from referee.values.installed import entries
from referee.values.kit import Kit
from referee.values.words import say

_LOG = logging.getLogger(__name__)
GROUP = "tower_referee.games"


def names() -> tuple[str, ...]:
    """Return the names of all games that are installed, those that come with the referee first."""
    found = entries(GROUP)
    return tuple(sorted(found, key=lambda name: (not found[name].value.startswith(f"{__name__}."), name)))


def packages() -> dict[str, GamePackage]:
    """Return all games that can be loaded, by name: one that can't be keeps no other from being played."""
    loaded = {}
    for name in names():
        try:
            loaded[name] = package_named(name)
        except GameError as error:
            _LOG.warning("%s", error)
    return loaded


def package_named(name: object) -> GamePackage:
    """Return a game with all that belongs to it.

    Raises RequestError when no game has this name, GameError when it can't be loaded.
    """
    if not isinstance(name, str) or name not in entries(GROUP):
        known = ", ".join(names())
        told = "no game is named" if name is None else f"{str(name)[:40]!r} is no game the referee knows"
        raise RequestError("game", f"{told}: use one of {known}")
    return _loaded(name)


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
def _loaded(name: str) -> GamePackage:
    point = entries(GROUP)[name]
    distribution = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    try:
        package = point.load()()
        if not isinstance(package, GamePackage) or package.game.name != name:
            raise TypeError(f"{point.value} must return a GamePackage of a game with that name")
        check_kit(package.game.kit)
        return guarded(package, distribution)
    except (Exception, SystemExit) as error:  # other people's code: whatever goes wrong in it, the referee says where
        where = " ".join(f"{distribution}, {point.value}, {type(error).__name__}: {error}".split())[:300]
        words = say("The game {game} can't be loaded ({where}): repair it, or uninstall it.", game=name, where=where)
        raise GameError(words, where) from error


def check_kit(kit: Kit) -> None:
    """Raise what its kind of observation raises for a kit that it can't read or draw: KitError, KindError."""
    if has_platform(kit.kind, "kitcheck"):
        platform(kit.kind, "kitcheck").check(kit)
