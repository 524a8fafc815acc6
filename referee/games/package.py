"""Hold a game with all that belongs to it, as its entry point gives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.games.contract import AnyGame, Observation, Plays
from referee.games.presets import Preset
from referee.games.record import RecordEntry, RecordRules


@dataclass(frozen=True, slots=True)
class GamePackage:
    """game: the rules engine. records: what its records mean. presets: tables to start measuring from.

    playthrough: a record of a short game with legal turns, which every version of the game must play again. breaches:
    a script in which each rule is broken by some turn, ruled illegal by just the rules and fields that stand there.
    answer: rules on a request of ``referee check`` in a language, where the game's requests have a form of their own;
    it raises RequestError for an invalid request. recording: folder of a recorded game to show
    (referee.demo.recording). laid: the observation text after a recorded turn's acts were made by hand, allowed or
    not: with it scripts play the game at a virtual table. It raises RecordError for acts no hand can make.
    plays: chooses turns for seats that nobody has taken. virtual: name of the preset by which a virtual table is
    laid, the first one where none is named.
    """

    game: AnyGame
    records: RecordRules
    presets: tuple[Preset, ...] = ()
    playthrough: Path | None = None
    answer: Callable[[Mapping[str, object], str], dict[str, object]] | None = None
    recording: Path | None = None
    laid: Callable[[Any, RecordEntry], str] | None = None
    plays: Plays[Any, Observation] | None = None
    virtual: str = ""
    breaches: Path | None = None
