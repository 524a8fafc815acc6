"""``python -m tests.fuzz.hidden [--turns N] [--first SEED]``: whatever looks hide, nobody is accused of a legal turn.

Short games of random legal turns, before some of which a rule is broken, are refereed without pictures: what each
look says of a field is drawn by chance from the model that its log-likelihoods state, and some fields it hides. What
is kept as certain must be what was played. The first turn of which that is not so ends the run with its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from itertools import count

from benchmarks.record import outcomes
from tests.session.hidden import Sight, play_hidden, script

MOST_HIDDEN, MOST_FAINT = 0.15, 0.1
"""Shares of the fields that a look hides, or shows faintly, at most."""


def run(turns: int, first: int) -> Counter[str]:
    """Referee games until there were so many turns; return what became of them, and how often people were asked."""
    found: Counter[str] = Counter()
    for seed in count(first):
        if sum(number for what, number in found.items() if what != "questions") >= turns:
            return found
        rnd = random.Random(seed)
        sight = Sight(rnd.uniform(0.0, MOST_HIDDEN), rnd.uniform(0.0, MOST_FAINT), rnd.random())
        played = script(seed)
        table = play_hidden(played, sight, rnd)
        came = tuple(outcomes(played, table.state))
        missed = {number for number, outcome in came if outcome == "missed"}  # the record holds the breach there
        bad = [
            (number, outcome) for number, outcome in came if outcome in ("accused", "wrong") and number not in missed
        ]
        assert not bad, (seed, sight, bad)
        found.update(outcome for _, outcome in came)
        found["questions"] += table.questions
    raise AssertionError("seeds never end")


def main() -> None:
    """Run and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.hidden", description=__doc__)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=1000, help="seed of the first game")
    args = parser.parse_args()
    found = run(args.turns, args.first)
    sys.stdout.write(", ".join(f"{what} {number}" for what, number in sorted(found.items())) + "\n")


if __name__ == "__main__":
    main()
