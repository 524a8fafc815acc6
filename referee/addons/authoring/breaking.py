"""Break a game's rules: turns of its own opponents are spoilt at random, and the rulings on them are looked at.

Nobody knows a game's rules here. What is asked of a ruling all the same: that it is the same when asked again, that
it points at fields that the turn touched and its sentence names, and that it is what the author's breaches say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from referee.addons.authoring.conformance import own_game
from referee.addons.authoring.subject import Subject, words_in
from referee.games.answers import HasFields, Strength, Violation
from referee.games.contract import Position, RequestError, Ruling, TellsLegal
from referee.games.record import RecordEntry, RecordError
from referee.opponents import OpponentError
from referee.values.board import BoardError, Field
from referee.virtual.script import Script, checked, parse_script

GAMES = 2
MOST_TURNS = 24
TRIES = 40
"""So often each turn is spoilt."""
_PLACE = re.compile(r"[A-Z][1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class BrokenTurn:
    """A turn that was ruled illegal. game: the number of the game it was tried in."""

    game: int
    position: Position
    entry: RecordEntry
    ruling: Ruling

    @property
    def rules(self) -> frozenset[str]:
        """Return the rules that it breaks."""
        return frozenset(one.rule for one in self.ruling.violations)

    @property
    def text(self) -> str:
        """Return the turn as a script has it."""
        told = "; ".join(" ".join((one.rule, *(at.name for at in one.fields))) for one in self.ruling.violations)
        return f"{self.entry.number}. {self.entry.player} {self.entry.acts} {{illegal: {told}}}"


@cache
def own_games(subject: Subject) -> tuple[tuple[tuple[Position, RecordEntry], ...], ...]:
    """Return games of the game's own opponents, or else the playthrough: positions, and what was played from each."""
    try:
        records = [own_game(subject, Strength.MIDDLE, seed, MOST_TURNS).record for seed in range(GAMES)]
    except OpponentError:
        return (tuple((position, entry) for position, entry, _ in subject.played),)
    found = []
    for record in records:
        position, turns = subject.package.records.start(record), list[tuple[Position, RecordEntry]]()
        for entry in record.turns:
            turns.append((position, entry))
            after = subject.package.records.play(position, entry).next
            if after is None:
                break
            position = after
        found.append(tuple(turns))
    return tuple(found)


@cache
def broken_turns(subject: Subject) -> tuple[BrokenTurn, ...]:
    """Return spoilt turns that are illegal, those that hands can make."""
    return tuple(turn for turn in _spoilt_turns(subject) if turn.ruling.violations)


def _spoilt_turns(subject: Subject) -> Iterator[BrokenTurn]:
    package = subject.package
    if package.laid is None:
        return
    for number, turns in enumerate(own_games(subject)):
        chance = Random(number)
        others = [entry.acts for _, entry in turns]
        known = set[tuple[int, str]]()
        for position, entry in turns:
            for _ in range(TRIES):
                acts = _spoilt(entry.acts, chance.choice(others), subject, chance)
                if (entry.number, acts) in known:
                    continue
                known.add((entry.number, acts))
                try:
                    spoilt = RecordEntry(entry.number, entry.player, acts)
                    observed = package.game.observation(package.laid(position, spoilt))
                    ruling = package.game.check(position, observed, (), package.records.declared(spoilt))
                except (RecordError, RequestError, BoardError):
                    continue
                if not ruling.legal:
                    yield BrokenTurn(number, position, spoilt, ruling)


def _spoilt(acts: str, other: str, subject: Subject, chance: Random) -> str:
    """Return a turn with one act left out, doubled, elsewhere, or more."""
    kit, words = subject.package.game.kit, acts.split()
    at = chance.randrange(len(words)) if words else 0
    way = chance.randrange(5)
    if way == 0:
        del words[at : at + 1]
    elif way == 1:
        words += words[at : at + 1]
    elif way == 2:
        words += chance.sample(other.split(), min(1, len(other.split())))
    else:
        place = Field(chance.randrange(kit.rows), chance.randrange(kit.columns)).name
        word = "".join(words[at : at + 1])
        places = list(_PLACE.finditer(word))
        if places:
            hit = chance.choice(places)
            moved = f"{word[: hit.start()]}{place}{word[hit.end() :]}"
            words[at : at + 1] = [moved] if way == 3 else [word, moved]
    return " ".join(words)


def breaches(subject: Subject) -> Script | None:
    """Return the author's script of breaches, None without one. Raises RecordError."""
    path = subject.package.breaches
    if path is None:
        return None
    script = parse_script(path.read_text(encoding="utf-8"))
    checked(script, subject.package)
    return script


def rules_written(subject: Subject) -> dict[str, str]:
    """Return the ids of rules that stand in the game's code, and where."""
    found: dict[str, str] = {}
    for name, text in subject.sources:
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id="RuleId"), args=[ast.Constant(value=str() as rule)]):
                    found[rule] = f"{name}, line {node.lineno}"
    return found


def stated_breaches_are_ruled_so(subject: Subject) -> Iterator[str]:
    """Say where a turn of the author's breaches is ruled to break other rules, or on other fields."""
    try:
        script = breaches(subject)
    except RecordError as error:
        yield f"breaches: {error}"
        return
    if script is None:
        return
    for turn in _stated(subject, script):
        if told := differs(turn.entry.ruling, turn.ruling.violations):
            yield f"breaches, turn {turn.entry.number} {turn.entry.acts}: ruled {told}, stated {turn.entry.ruling}"
    game = subject.package.game
    setup = {one.rule for at, _, after in subject.played if after.next is not None
             for one in game.setup_differences(at, after.next.observed)}  # fmt: skip
    named = {rule for turn in script.turns for rule in parsed(turn.entry.ruling)} | setup
    for rule, where in rules_written(subject).items():
        if rule not in named:
            yield f"breaches: no turn breaks {rule} ({where})"


def _stated(subject: Subject, script: Script) -> Iterator[BrokenTurn]:
    """Yield the turns that the author states to be illegal, as the engine rules on them."""
    package = subject.package
    position = package.records.start(script.record)
    for turn in script.turns:
        ruling = package.records.play(position, turn.entry)
        if turn.illegal:
            yield BrokenTurn(0, position, turn.entry, ruling)
        if turn.goes == "accepted" and package.laid is not None:
            observed = package.game.observation(package.laid(position, turn.entry))
            position = package.game.accepted(position, observed, package.records.declared(turn.entry))
        elif ruling.next is not None:
            position = ruling.next


def parsed(ruling: str) -> dict[str, set[str]]:
    """Return the rules that the ruling of a script names, each with its fields."""
    found: dict[str, set[str]] = {}
    for part in ruling.partition(":")[2].split(";"):
        for rule, *fields in [part.split()] if part.strip() else []:
            found.setdefault(rule, set()).update(fields)
    return found


def differs(stated: str, violations: tuple[Violation, ...]) -> str:
    """Return what was ruled where it is not just what is stated: the same rules, each on the same fields."""
    said: dict[str, set[str]] = {}
    for one in violations:
        said.setdefault(one.rule, set()).update(at.name for at in one.fields)
    told = "; ".join(" ".join((rule, *sorted(at))) for rule, at in said.items())
    return "" if parsed(stated) == said else told or "legal"


def violations_point_where_it_happened(subject: Subject) -> Iterator[str]:
    """Say which violations don't point at what their sentence names, or at fields that the author does not state."""
    known = set[str]()
    for turn in broken_turns(subject):
        for one in turn.ruling.violations:
            named = {place for words in words_in(one.words) for _, value in words.values for place in _places(value)}
            missed = sorted(place.name for place in named - set(one.fields))
            if missed and one.rule not in known:
                known.add(one.rule)
                yield f"{one.rule}, turn {turn.text}: its sentence names {', '.join(missed)}, it does not point there"
    if subject.package.breaches is not None:
        yield from pointing_elsewhere(subject)


def pointing_elsewhere(subject: Subject) -> Iterator[str]:
    """Say which rules point at fields that a turn left as they were, but for those of which the author states it."""
    script, known = breaches(subject), set[str]()
    for turn in _stated(subject, script) if script is not None else ():
        known |= {rule for rule, _ in _untouched(subject, turn)}
    for turn in broken_turns(subject):
        for rule, off in _untouched(subject, turn):
            if rule not in known:
                known.add(rule)
                yield f"{rule}, turn {turn.text}: it points at {off}, where nothing changed: state it if it is meant"


def _places(value: object) -> tuple[Field, ...]:
    if isinstance(value, Field):
        return (value,)
    return tuple(one for one in value if isinstance(one, Field)) if isinstance(value, tuple) else ()


def _untouched(subject: Subject, turn: BrokenTurn) -> Iterator[tuple[str, str]]:
    """Yield the rules that point at fields which the turn left as they were, with these fields.

    None where a kind of observation has no fields, or nothing was done.
    """
    package = subject.package
    assert package.laid is not None
    before, after = turn.position.observed, package.game.observation(package.laid(turn.position, turn.entry))
    if isinstance(before, HasFields) and before.text != after.text:
        for one in turn.ruling.violations:
            if off := sorted(at.name for at in one.fields if before.stands(at) == after.stands(at)):
                yield one.rule, ", ".join(off)


def rulings_hold_together(subject: Subject) -> Iterator[str]:
    """Say which rulings on spoilt turns contradict themselves."""
    game, known = subject.package.game, set[str]()
    for turn in _spoilt_turns(subject):
        ruling = turn.ruling
        if not ruling.violations and not ruling.questions and ruling.complete:
            told = "it is illegal, but breaks no rule"
        elif ruling.next is not None:
            told = "it is illegal, but a position comes after it"
        else:
            data, entry = turn.position.to_json(), turn.entry
            assert subject.package.laid is not None
            observed = game.observation(subject.package.laid(turn.position, entry))
            again = game.check(game.position(data), observed, (), subject.package.records.declared(entry))
            told = "" if again.to_json() == ruling.to_json() else "asked again it is ruled otherwise"
            if isinstance(game, TellsLegal) and game.is_legal(
                turn.position, observed, subject.package.records.declared(entry)
            ):
                told = "is_legal says that it is legal, check that it is not"
        if told and told not in known:
            known.add(told)
            yield f"turn {turn.text}: {told}"


CHECKS = (stated_breaches_are_ruled_so, violations_point_where_it_happened, rulings_hold_together)
