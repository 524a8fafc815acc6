"""Measures how long the ledger of Terrabilis takes for a ruling on a turn, and for the banker's buttons.

Games are played at random by the banker's options under every combination of options, from positions where little is
left; the same turns are disturbed: acts dropped, doubled, exchanged and added, pawns and Zone seen otherwise.
"""

from __future__ import annotations

import json
import platform
import random
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from benchmarks.measure import Section, table
from referee.games.contract import RequestError
from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.banker.asking import Audience
from referee.games.terrabilis.banker.view import ledger_view
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.ruleset import OPTIONS
from tests.games.terrabilis.play import acts_of, disturbed, game, seen_after
from tests.games.terrabilis.positions import COPY, TRACK, position, the_copy

TURNS = 25
"""Turns played under each combination of options."""
MOST_MS = {"legal": (5.0, 50.0), "illegal": (5.0, 200.0), "buttons": (30.0, 100.0)}
"""Promised times of each kind: median and 99th percentile."""

Times = dict[str, list[float]]


def measure(cases: Path | None) -> Section:
    """Measure the engine; ``cases``: a folder of rule cases (``*.jsonl``) of this game to rule on as well."""
    times: Times = {"legal": [], "illegal": [], "buttons": []}
    cut = 0
    for request in [*_games(times), *_given(cases)]:
        cut += _rule(request, times)
    rows = [
        (what, len(ms), *(f"{share:.2f}" for share in (*_shares(ms), max(ms)))) for what, ms in times.items() if ms
    ]
    broken = [
        f"{what}, {name} within {most:.0f} ms: {took:.1f} ms"
        for what, ms in times.items()
        for name, most, took in zip(("half", "99 %"), MOST_MS[what], _shares(ms), strict=True)
        if took > most
    ]
    lines = (
        f"One core, on {platform.machine()}, Python {platform.python_version()}; games under every combination of "
        f"options, their turns disturbed as well. Rulings cut short: {cut}.",
        "",
        *table(("what", "how many", "median ms", "99 % within ms", "worst ms"), rows),
    )
    return Section("The ledger of Terrabilis", lines, tuple(broken))


def _games(times: Times) -> Iterator[dict[str, object]]:
    """Yield requests of games played at random, as they were and disturbed; time the banker's buttons on the way."""
    for number, values in enumerate(product(*OPTIONS.values())):
        rng = random.Random(number)
        lines = {
            who: {
                "money": 9000,
                "green": 4,
                "yellow": 5,
                "pawn": rng.randrange(len(TRACK)),
                "member": rng.random() < 0.5,
            }
            for who in ("red", "blue", "green")
        }
        options = dict(zip(OPTIONS, values, strict=True))
        start = parse_position(position(lines, "red blue green", target=5, options=options), the_copy())
        for case in game(start, the_copy(), number, TURNS):
            began = time.perf_counter()
            ledger_view(case, Audience("en", {}))
            times["buttons"].append(1000 * (time.perf_counter() - began))
            seen, acts = seen_after(case), acts_of(case)
            request = {"position": case.position.to_json(), "copy": COPY, "observed": seen}
            yield request | {"declared": acts}
            for ways in (1, 2, 4):
                for _ in range(ways):
                    acts = disturbed(acts, rng, ["red", "blue", "green"])
                yield request | {"declared": acts}
            yield request | {"declared": acts_of(case), "observed": seen | {"zone": {"green": 3, "yellow": 1}}}


def _given(folder: Path | None) -> Iterator[dict[str, object]]:
    """Yield requests of a folder of cases; the copies lie beside them."""
    for path in sorted(folder.glob("*.jsonl")) if folder is not None else ():
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            copy = path.with_name(f"copy-{case['position'].get('copy')}.json")
            if copy.exists():
                request = {key: case[key] for key in ("position", "declared", "observed")}
                yield request | {"copy": json.loads(copy.read_text(encoding="utf-8"))}


def _rule(request: dict[str, object], times: Times) -> bool:
    """Rule on a request and note the time; returns whether the ruling was cut short."""
    began = time.perf_counter()
    try:
        found = answer(request)
    except RequestError:
        return False
    times["legal" if found["legal"] else "illegal"].append(1000 * (time.perf_counter() - began))
    return found.get("complete") is False


def _shares(ms: list[float]) -> tuple[float, float]:
    ordered = sorted(ms)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
