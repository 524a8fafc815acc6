"""Scripts of games at a virtual table, records with stage directions in comments (docs/develop/virtual-table.md).

A record's turns are laid by hand and ended; a comment that begins with ``!`` is a direction, carried out when the
acts of its turn have been laid, in order. Before the first turn, directions befall the set-up.

    1. blue -G4 +H4 {!bump left} {!pause 0.5}
    2. red -A1 {illegal: take.count A1}
    2. red -F1 -A5 -E10 +F6 +F6 +F7
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.games.answers import Violation
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry, RecordError, parse_record
from referee.match.turnkind import needs_pictures

_MARK = "!"
_SECONDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Direction:
    """do: a word of DIRECTIONS. words: what stands after it."""

    do: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    """A turn of a script. goes: ``put-back``, ``accepted`` or ``stands``: what becomes of it."""

    entry: RecordEntry
    directions: tuple[Direction, ...] = ()
    goes: str = "stands"

    @property
    def illegal(self) -> bool:
        """Return whether the turn is to be ruled illegal."""
        return self.entry.ruled_illegal

    def ruled_otherwise(self, violations: Sequence[Violation]) -> str:
        """Return what was ruled, where that is not what the script names: the rules, and the fields beside a rule."""
        told = (part.split() for part in self.entry.ruling.partition(":")[2].split(";"))
        wanted = _by_rule((words[0], words[1:]) for words in told if words)
        said = _by_rule((one.rule, [place.name for place in one.fields]) for one in violations)
        same = wanted.keys() == said.keys() and all(wanted[rule] in (set(), said[rule]) for rule in said)
        return "" if same or not wanted else "; ".join(" ".join((rule, *sorted(at))) for rule, at in said.items())


def _by_rule(breaches: Iterable[tuple[str, Iterable[str]]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for rule, fields in breaches:
        found.setdefault(rule, set()).update(fields)
    return found


@dataclass(frozen=True, slots=True)
class Script:
    """record: the game without its directions. before: directions ahead of the first turn."""

    record: Record
    turns: tuple[ScriptTurn, ...]
    before: tuple[Direction, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


def _none(words: tuple[str, ...]) -> bool:
    return not words


def _one(words: tuple[str, ...]) -> bool:
    return len(words) == 1


def _at_most_one(words: tuple[str, ...]) -> bool:
    return len(words) <= 1


def _seconds(words: tuple[str, ...]) -> bool:
    return len(words) == 1 and _SECONDS.fullmatch(words[0]) is not None


DIRECTIONS: Mapping[str, tuple[Callable[[tuple[str, ...]], bool], str]] = {
    "pause": (_seconds, "pause 1.5"),
    "hand": (_one, "hand D4"),
    "bump": (_at_most_one, "bump, or bump left"),
    "unplug": (_one, "unplug left"),
    "plug": (_none, "plug"),
    "dim": (_seconds, "dim 0.5"),
    "bright": (_none, "bright"),
    "cup": (_none, "cup"),
    "uncup": (_none, "uncup"),
    "topple": (_at_most_one, "topple, or topple D4"),
    "restore": (_none, "restore"),
    "end": (_none, "end"),
}
"""Directions by their word: a check of their words, and how they are written."""
_WITHOUT_EYES = ("pause", "end")
"""Directions that mean something where all is declared."""


def parse_script(text: str) -> Script:
    """Read a script. Raises RecordError, naming the line and what to do."""
    record = parse_record(text)
    turns = []
    for number, entry in enumerate(record.turns):
        directions, comments = _split(entry.comments, entry.line)
        bare = replace(entry, comments=comments)
        later = record.turns[number + 1].number if number + 1 < len(record.turns) else entry.number + 1
        goes = "stands" if not entry.ruled_illegal else "put-back" if later == entry.number else "accepted"
        turns.append(ScriptTurn(bare, directions, goes))
    before, comments = _split(record.comments, 0)
    return Script(replace(record, turns=tuple(turn.entry for turn in turns), comments=comments), tuple(turns), before)


def _split(comments: tuple[str, ...], line: int) -> tuple[tuple[Direction, ...], tuple[str, ...]]:
    directions, others = [], []
    for text in comments:
        if not text.startswith(_MARK):
            others.append(text)
            continue
        do, *words = text[len(_MARK) :].split() or [""]
        known = DIRECTIONS.get(do)
        if known is None:
            raise RecordError(f"!{do[:20]} is no direction: use one of {', '.join(DIRECTIONS)}", line)
        if not known[0](tuple(words)):
            raise RecordError(f"{text[:40]!r} can't be carried out: write {{!{known[1]}}}", line)
        directions.append(Direction(do, tuple(words)))
    return tuple(directions), tuple(others)


def checked(script: Script, package: GamePackage) -> None:
    """Raise RecordError where a script can't be played: no such game for hands, or acts that can't be made."""
    if package.laid is None:
        raise RecordError(f"{package.game.title} can't be played by hand at a virtual table")
    _directed(script, package)
    position = package.records.start(script.record)
    for turn in script.turns:
        observed = package.game.observation(package.laid(position, turn.entry))
        declared = package.records.declared(turn.entry)
        if turn.illegal and package.game.check(position, observed, (), declared).legal:
            raise RecordError(
                f"turn {turn.entry.number} is legal: what lies there can come about so", turn.entry.line
            )
        if turn.goes == "stands":
            ruling = package.records.play(position, turn.entry)
            if ruling.next is None:
                broken = ", ".join(violation.rule for violation in ruling.violations)
                raise RecordError(
                    f"turn {turn.entry.number} breaks {broken}: say so with {{illegal: {broken}}}", turn.entry.line
                )
            position = ruling.next
        elif turn.goes == "accepted":
            position = package.game.accepted(position, observed, declared)


def _directed(script: Script, package: GamePackage) -> None:
    """Raise RecordError for a direction that means nothing where nobody looks at the table."""
    if needs_pictures(package.game.kit):
        return
    for directions, line in [(script.before, 0), *((turn.directions, turn.entry.line) for turn in script.turns)]:
        for direction in directions:
            if direction.do not in _WITHOUT_EYES:
                use = ", ".join(f"!{name}" for name in _WITHOUT_EYES)
                raise RecordError(f"!{direction.do}: no camera looks on at {package.game.title}: use {use}", line)
