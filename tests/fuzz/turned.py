"""``python -m tests.fuzz.turned GAME [--turns N] [--seed N]``: random turns, and the same turned about.

A position that is kept and taken up again, turned half round, or played by other colours is ruled on alike, and
ruling changes no position. The first difference ends the run with its position and acts.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.games import names, package_named
from referee.games.record import Record, RecordEntry, entry_of, parse_record
from tests.games.turned import BOARDS, Turned, half_round, recoloured, ruled
from tests.virtual.made import breach, legal_turn, random_start

LONGEST = 12
"""Turns after which another game begins."""


def turned_position(name: str, now: Any, way: Turned) -> Any:
    """Return a position written as a record's head, turned about, and read again."""
    records = package_named(name).records
    return records.start(parse_record(way(Record(records.headers(now), ()).text)))


def verdict(name: str, now: Any, entry: RecordEntry) -> tuple[bool, list[str]]:
    """Return whether a turn is legal, and the rules it breaks."""
    ruling = ruled(package_named(name), now, entry)
    return ruling.legal, sorted(str(one.rule) for one in ruling.violations)


def compared(name: str, now: Any, others: Mapping[Turned, Any], entry: RecordEntry) -> bool:
    """Hold a turn to be ruled on alike however it is turned about; return whether it is legal."""
    said, kept = verdict(name, now, entry), json.dumps(now.to_json(), sort_keys=True)
    again = package_named(name).game.position(json.loads(kept))
    assert verdict(name, again, entry) == said, ("taken up again", kept, entry)
    assert json.dumps(now.to_json(), sort_keys=True) == kept, ("changed by ruling", kept, entry)
    for way, other in others.items():
        assert verdict(name, other, turned_entry(entry, way)) == said, (way.__qualname__, kept, entry)
    return said[0]


def turned_entry(entry: RecordEntry, way: Turned) -> RecordEntry:
    """Return a turn turned about."""
    return replace(entry, player=way(entry.player), acts=way(entry.acts))


def run(name: str, turns: int, seed: int) -> Counter[bool]:
    """Compare so many turns; return how many of them were legal."""
    rnd, package, found, game = random.Random(f"{name} {seed}"), package_named(name), Counter[bool](), 0
    ways = (recoloured(name), *((half_round(name),) if name in BOARDS else ()))
    while found.total() < turns:
        now, game = random_start(rnd, package, game), game + 1
        others = {way: turned_position(name, now, way) for way in ways}
        for _ in range(LONGEST):
            right = None if now.finished else legal_turn(rnd, package, now)
            if right is None or right.next is None:
                break
            entry = entry_of(now, right)
            wrong = breach(rnd, package, now, entry)
            for one in (entry, *((wrong[0],) if wrong else ())):
                found[compared(name, now, others, one)] += 1
            others = {way: package.records.play(at, turned_entry(entry, way)).next for way, at in others.items()}
            now = right.next
    return found


def main() -> None:
    """Run and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.turned", description=__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = run(args.game, args.turns, args.seed)
    sys.stdout.write(f"{args.game}: {found[True]} legal and {found[False]} illegal turns are ruled on alike\n")


if __name__ == "__main__":
    main()
