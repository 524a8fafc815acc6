"""Is the record what was played? Games laid on the drawn table, refereed live, and compared turn by turn.

``python -m benchmarks.record FILE [--game G] [--by own|random|erring] [--sight one|two|phone|drawn] [--first N]``

Own opponents, random legal players and players who err play; a turn that breaks a rule is put back and played right.
Every turn has an outcome: as played, open (other than played only in fields that the record leaves open), wrong
(kept as certain and not played), accused (legal, ruled illegal), missed (illegal, ruled legal). FILE gets a line of
JSON a game and is carried on where it ends. Pictures are the referee's own drawings: what fails here fails
everywhere, what holds here proves little. With ``--sight drawn`` there are none: what a look says of each field is
drawn by chance, and some fields it hides.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from referee.demo.scripted import Played, play_script
from referee.games import package_named
from referee.games.answers import Strength
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.games.record import Record, entry_of
from referee.kinds.grid.judging.smoothing import open_fields
from referee.match.events import Verdict
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.opponents import new_position, play_game
from referee.values.board import Board
from referee.virtual.lenses import CAMERAS
from referee.virtual.script import Script, ScriptTurn, parse_script
from tests.session.hidden import Sight, play_hidden
from tests.virtual.made import breach, legal_turn

ERRS = 0.4
"""Share of the turns that players who err play wrongly first."""


def main() -> None:
    """Play the games that FILE lacks, and print what became of all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.record", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--game", default="terra-turrium")
    parser.add_argument("--players", type=int, help="without it as many as can play")
    parser.add_argument("--by", choices=("own", "random", "erring"), default="own")
    parser.add_argument("--strength", choices=[one.value for one in Strength], default="middle")
    parser.add_argument("--sight", choices=("one", "two", "phone", "drawn"), default="two")
    parser.add_argument("--first", type=int, default=1000, help="seed of the first game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--turns", type=int, default=40, help="a game ends after so many")
    args = parser.parse_args()
    known = (
        [GameLine(**json.loads(line)) for line in args.file.read_text().splitlines()] if args.file.exists() else []
    )
    key = args.game, args.by, args.sight
    done = {line.seed for line in known if line.key == key}
    args.file.parent.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.games):
        if seed in done:
            continue
        text = script_text(package_named(args.game), seed, args.by, args.turns, args.players, args.strength)
        script = parse_script(text)
        began = time.monotonic()
        if args.sight == "drawn":
            played = play_hidden(script, Sight(), random.Random(seed)).played()
        else:
            cameras = CAMERAS[:1] if args.sight == "one" else CAMERAS
            phone = args.sight == "phone"
            played = play_script(script, True, threading.Event(), lambda text: None, phone, cameras=cameras)
        line = game_line(key, seed, script, played, round(time.monotonic() - began, 1))
        known.append(line)
        with args.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line)) + "\n")
        sys.stdout.write(f"{asdict(line)}\n")
        sys.stdout.flush()
    sys.stdout.write(_summary([line for line in known if line.key == key]) + "\n")


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game refereed. outcomes: how many turns came out so. bad: the numbers of those that came out wrong.

    ended: whether the script was played to its end. open_at_end: fields open after the last turn. views: pictures a
    ruling rests on, on average. said: what the script's player found wrong first.
    """

    game: str
    by: str
    sight: str
    seed: int
    turns: int
    ended: bool
    outcomes: dict[str, int]
    bad: dict[str, list[int]]
    open_at_end: int
    questions: int
    by_hand: int
    views: float
    seconds: float
    said: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what was played, and how it was seen."""
        return self.game, self.by, self.sight


def script_text(
    package: GamePackage,
    seed: int,
    by: str,
    turns: int,
    players: int | None = None,
    strength: str = Strength.MIDDLE.value,
) -> str:
    """Return the script of a game as text. players: as many as can play where none is given."""
    most = max(count for count, _ in package.game.choices().editions[0].variants)
    start = new_position(package, players or most, None)
    if by == "random":
        rnd = random.Random(seed)
        words = [seat.colour.word for seat in package.game.seats(start)]
        own = play_game(package, start, dict.fromkeys(words, Strength.WEAK), seed, [], len(words))
        begun = package.records.start(own.record)
        return Record(package.records.headers(begun), ()).text + "\n".join(_random(rnd, package, begun, turns))
    words = [seat.colour.word for seat in package.game.seats(start)]
    own = play_game(package, start, dict.fromkeys(words, Strength(strength)), seed, [], turns)
    if by == "own":
        return own.record.text
    return Record(own.record.headers, ()).text + "\n".join(_erring(random.Random(seed), package, own.record))


def _random(rnd: random.Random, package: GamePackage, now: Position, most: int) -> Iterator[str]:
    for _ in range(most):
        ruled = None if now.finished else legal_turn(rnd, package, now)
        if ruled is None or ruled.next is None:
            return
        entry = entry_of(now, ruled)
        yield f"{entry.number}. {entry.player} {entry.acts}"
        now = ruled.next


def _erring(rnd: random.Random, package: GamePackage, record: Record) -> Iterator[str]:
    now = package.records.start(record)
    for entry in record.turns:
        wrong = breach(rnd, package, now, entry) if rnd.random() < ERRS else None
        if wrong is not None:
            yield f"{entry.number}. {entry.player} {wrong[0].acts} {{illegal}}"
        yield f"{entry.number}. {entry.player} {entry.acts}"
        following = package.records.play(now, entry).next
        if following is None:
            return
        now = following


def game_line(key: tuple[str, str, str], seed: int, script: Script, played: Played, seconds: float) -> GameLine:
    """Return what became of each turn of a script."""
    entries = _turns(played.state)
    found: Counter[str] = Counter()
    bad: dict[str, list[int]] = {}
    for number, outcome in outcomes(script, played.state):
        found[outcome] += 1
        if outcome in ("wrong", "accused", "missed"):
            bad.setdefault(outcome, []).append(number)
    views = [len(entry.reading.cameras) for entry in entries if entry.reading is not None and entry.counts]
    last = next((entry for entry in reversed(entries) if entry.counts), None)
    told = played.told
    return GameLine(
        *(*key, seed, len(script.turns), not told.wrong, dict(found), bad),
        *(len(last.open) if last is not None else 0, told.questions, told.by_hand),
        *(round(sum(views) / max(1, len(views)), 2), seconds, told.wrong[0][:200] if told.wrong else ""),
    )


def outcomes(script: Script, state: TableState) -> Iterator[tuple[int, str]]:
    """Yield the number and the outcome of each turn of a script that was refereed."""
    package = package_named(script.record.headers.get("game"))
    now: Position = package.records.start(script.record)
    spoilt = 0
    for turn in script.turns:
        of_it = [entry for entry in _turns(state) if entry.turn == turn.entry.number]
        if spoilt == turn.entry.number:  # how the breach before it was ruled says nothing of the turn played right
            of_it = of_it[_ruled(of_it) :]
        if not of_it:
            return
        outcome, now = _outcome(package, turn, of_it, now)
        yield turn.entry.number, outcome
        spoilt = turn.entry.number if turn.illegal else 0


def _ruled(entries: Sequence[Entry]) -> int:
    """Return how many entries it took until a turn was ruled on."""
    told = (
        one.fate is not EntryStatus.REPLACED and one.ruled is not None and one.ruled.unsure is None for one in entries
    )
    return next((number for number, said in enumerate(told, 1) if said), len(entries))


def _turns(state: TableState) -> list[Entry]:
    return [entry for entry in state.history if entry.what is What.TURN]


def _outcome(package: GamePackage, turn: ScriptTurn, of_it: list[Entry], now: Position) -> tuple[str, Position]:
    """Return the outcome of a turn, and the true position after it."""
    verdicts = [entry.ruled.verdict for entry in of_it if entry.ruled is not None]
    if turn.illegal:
        ruled = Verdict.ILLEGAL in verdicts
        return ("found" if ruled else "missed" if Verdict.LEGAL in verdicts else "unsure"), now
    following = package.records.play(now, turn.entry).next
    kept = next((entry for entry in of_it if entry.counts and entry.after is not None), None)
    if kept is None or kept.after is None or following is None:
        return ("accused" if verdicts[-1] is Verdict.ILLEGAL else "unsure"), following or now
    if (kept.before.observed, kept.after.observed) == (now.observed, following.observed):
        return "as played", following
    boards = kept.before.observed, kept.after.observed, now.observed, following.observed
    told_before, told_after, before, after = (one if isinstance(one, Board) else None for one in boards)
    if told_before is None or told_after is None or before is None or after is None:
        return "wrong", following
    differing = open_fields([(1.0, before, after)], (told_before, told_after))
    return ("open" if differing <= kept.open else "wrong"), following


def _summary(lines: list[GameLine]) -> str:
    outcomes: Counter[str] = Counter()
    for line in lines:
        outcomes.update(line.outcomes)
    whole = sum(line.ended and not {"open", "wrong"} & line.outcomes.keys() for line in lines)
    few = sum(line.ended and "wrong" not in line.outcomes and line.open_at_end <= 3 for line in lines)
    return (
        f"{len(lines)} games, {sum(outcomes.values())} turns: {dict(outcomes)}; ended {sum(x.ended for x in lines)}, "
        f"as played {whole}, open in three fields at most {few}; questions {sum(x.questions for x in lines)}, "
        f"by hand {sum(x.by_hand for x in lines)}, pictures {sum(x.views for x in lines) / max(1, len(lines)):.2f}"
    )


if __name__ == "__main__":
    main()
