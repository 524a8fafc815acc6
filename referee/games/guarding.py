"""Turn whatever goes wrong in a game's own code into one error that names the game, its distribution and the place.

Games are handed out by ``referee.games`` alone, all their functions guarded: one that raises, or answers anything but
what the contract asks for, has failed with a GameError. Nobody else guards against other people's code.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast, get_args, get_origin, get_type_hints

from referee.games.answers import Citation, Explained, RequestError, Seat
from referee.games.contract import ABILITIES, AnyGame, Plays, Rules
from referee.games.fitting import fits
from referee.games.package import GamePackage
from referee.games.record import RecordError, RecordRules
from referee.values.choices import Choices
from referee.values.gameerror import GameError
from referee.values.words import Words, say

_LOG = logging.getLogger(__name__)

_REFUSES = frozenset(
    (
        *("player", "position", "observation", "infer_setup", "initial_prior", "start_from_setup", "new_game"),
        *("check", "is_legal", "insisted", "lacking", "accepted", "corrected", "declarers", "ways", "laid_out"),
        *("new_copy", "checked_copy", "copy_view", "changed_copy"),
        *("start", "headers", "declared", "play", "laid", "answer", "prepared", "set_up", "turns"),
    )
)
"""The functions that may refuse with RequestError or RecordError; any other has failed with it."""

_INSTEAD: Mapping[str, Callable[..., object]] = {
    "seats": lambda game, position: (Seat(position.to_move, ()),),
    "citation": lambda game, position, rule: Citation("", ""),
    "explained": lambda game, position: Explained((), ()),
    "choices": lambda game: Choices(game.name, game.title, (), (), (), (), ()),
}
"""What is shown in place of what a function that failed should have answered, where that is more than nothing."""


class _Guard:
    """Calls one game's functions, and remembers which failed until they answer again. Safe for several threads."""

    def __init__(self, title: str, distribution: str, module: str) -> None:
        self._title, self._distribution, self._module = title, distribution, module
        self._failed: dict[str, GameError] = {}

    @property
    def failures(self) -> tuple[Words, ...]:
        return tuple(error.words for error in self._failed.copy().values())

    def call(self, function: str, hint: Any, work: Callable[[], Any]) -> Any:
        """Return what a function answers. hint: its annotation. Raises GameError, and what it may refuse with."""
        several = get_origin(hint) is Iterator
        try:
            answer = work()
            if not several and not fits(hint)(answer):
                raise _unfit(answer)
        except (KeyboardInterrupt, GeneratorExit, GameError):
            raise
        except BaseException as error:  # other people's code may even ask the process to end
            if function in _REFUSES and isinstance(error, RequestError | RecordError):
                raise
            raise self._error(function, error) from error
        self._failed.pop(function, None)
        return self._each(function, hint, answer) if several else answer

    def _each(self, function: str, hint: Any, found: Iterator[Any]) -> Iterator[Any]:
        end, item = object(), fits(get_args(hint)[0])

        def following() -> Any:
            one = next(found, end)
            if one is not end and not item(one):
                raise _unfit(one)
            return one

        while (one := self.call(function, object, following)) is not end:
            yield one

    def _error(self, function: str, error: BaseException) -> GameError:
        places = [
            f"{frame.f_globals['__name__']} line {line}"
            for frame, line in traceback.walk_tb(error.__traceback__)
            if f"{frame.f_globals.get('__name__')}.".startswith(f"{self._module}.")
        ]
        told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        where = ", ".join((self._distribution, function, *places[-1:], told))
        words = say("The game {game} failed ({where}): tell whoever made it.", game=self._title, where=where)
        if function not in self._failed or self._failed[function].words != words:
            _LOG.error("%s", words)
            _LOG.info("how %s failed", function, exc_info=error)  # for the log of a table; a command says where
        failed = self._failed[function] = GameError(words, where)
        return failed


def _unfit(answer: object) -> TypeError:
    return TypeError(f"{type(answer).__name__} is no answer to it")


class _Guarded:
    """A game, its records, or what plays it, with all functions guarded."""

    _guard: _Guard
    _shown: AnyGame


def guarded(package: GamePackage, distribution: str) -> GamePackage:
    """Return a game with all that belongs to it guarded. distribution: its name and version."""
    game, answer, laid, module = package.game, package.answer, package.laid, type(package.game).__module__
    guard = _Guard(game.title, distribution, module.rpartition(".")[0] or module)
    contracts = (Rules, *(ability for ability in ABILITIES if isinstance(game, ability)))
    whole = _around(game, guard, contracts)
    lenient = _around(game, guard, contracts, forgiving=True)
    whole._shown = lenient._shown = lenient
    return replace(
        package,
        game=cast(AnyGame, whole),
        records=cast(RecordRules, _around(package.records, guard, (RecordRules,))),
        plays=package.plays and cast(Plays[Any, Any], _around(package.plays, guard, (Plays,))),
        answer=answer and (lambda request, language: guard.call("answer", dict, lambda: answer(request, language))),
        laid=laid and (lambda position, entry: guard.call("laid", str, lambda: laid(position, entry))),
    )


def shown(game: AnyGame) -> AnyGame:
    """Return a game for whoever only shows it: a failure counts as nothing told, or as a refusal."""
    return game._shown if isinstance(game, _Guarded) else game


def failures(game: AnyGame) -> tuple[Words, ...]:
    """Return what failed of a game when it was called last."""
    return game._guard.failures if isinstance(game, _Guarded) else ()


def _around(inner: object, guard: _Guard, contracts: tuple[Any, ...], forgiving: bool = False) -> Any:
    """Return an object that is all the contracts that another is, and calls that one."""
    members: dict[str, object] = {"_guard": guard}
    promised = {name: value for contract in contracts for name, value in vars(contract).items()}
    for name in {*dir(inner), *promised}:
        if name.startswith("_"):
            continue
        if isinstance(promised.get(name), property) or not callable(getattr(inner, name, promised.get(name))):
            members[name] = getattr(inner, name)
        else:
            hint = get_type_hints(promised[name])["return"] if name in promised else object
            members[name] = _method(guard, inner, name, hint, forgiving)
    return type("Guarded", (_Guarded, *contracts), members)()


def _method(guard: _Guard, inner: object, name: str, hint: Any, forgiving: bool) -> Callable[..., Any]:
    def strict(_self: object, *given: Any, **named: Any) -> Any:
        return guard.call(name, hint, lambda: getattr(inner, name)(*given, **named))

    def lenient(self: object, *given: Any, **named: Any) -> Any:
        try:
            return strict(self, *given, **named)
        except GameError as failed:
            kind = get_origin(hint) or hint
            if name in _INSTEAD:
                return _INSTEAD[name](self, *given)
            if type(None) in get_args(hint):
                return None
            if kind in (tuple, list, dict, bool):
                return kind()
            if kind is Mapping:
                return {}
            raise RequestError("game", failed.words) from failed

    return lenient if forgiving else strict
