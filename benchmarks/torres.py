"""Measures how long the engine of Torres takes for a ruling on a turn: legal, spoilt and scrambled boards.

The turns are made up here, by playing random acts with every card and reading and spoiling some; a referee that tries
every act by itself gives the ratio on legal turns.
"""

from __future__ import annotations

import contextlib
import gc
import json
import platform
import random
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import Section, Times, table
from referee.games.contract import Ruling
from referee.games.torres.engine import GAME
from referee.games.torres.terrain import connected, terrain
from tests.games.torres.fields import FIELDS, read, write
from tests.games.torres.play import case
from tests.games.torres.reference import explains

TURNS = 240
"""Turns made up."""
SMALL = 24
"""Legal turns of a few action points, and a quarter as many illegal ones, which the slow referee judges as well."""
SCRAMBLED = 30
MOST_MS = {"legal": (2.0, 50.0), "illegal": (50.0, 1000.0)}
"""Promised times of each kind: median and 99th percentile."""
RATIO = 10.0
"""Factor by which the engine must be faster than the slow referee."""


def measure(cases: Path | None) -> Section:
    """Measure the engine; ``cases``: a folder whose folder ``torres`` holds rule cases to rule on as well."""
    made = _judged([case(seed, most=5 if seed % 2 else 3) for seed in range(TURNS)])
    wild = Times()
    for seed in range(SCRAMBLED):
        _rule(_scrambled(seed), wild)
    rows = [*(times.row(f"{kind} turn") for kind, times in made.items()), wild.row("scrambled board")]
    broken = _missed(made)
    if cases is not None and (cases / "torres").is_dir():
        given = _judged(_given(cases / "torres"))
        rows += [times.row(f"given case, {kind}") for kind, times in given.items()]
        broken += _missed(given)
    ratios = _ratios()
    broken += [f"{kind}: {RATIO:.0f} times faster: {ratio:.0f}" for kind, ratio in ratios.items() if ratio < RATIO]
    told = ", ".join(f"{ratio:.0f} times on {kind} turns" for kind, ratio in ratios.items())
    lines = (
        f"One core, on {platform.machine()}, Python {platform.python_version()}; 2, 3 and 4 players, every card and "
        f"reading of doors; time of the processor. Cut short: rulings that name only what is certain.",
        "",
        *table(("what", "rulings", "median ms", "99 % within ms", "worst ms", "cut short"), rows),
        "",
        f"Faster than a referee that tries every act towards the board seen, on turns of few action points: {told}.",
    )
    return Section("Rules engine of Torres", lines, tuple(broken))


def _given(folder: Path) -> list[dict[str, Any]]:
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [json.loads(line) for line in lines]


def _judged(requests: list[dict[str, Any]]) -> dict[str, Times]:
    found = {"legal": Times(), "illegal": Times()}
    for request in requests:
        times = Times()
        ruling = _rule(request, times)
        kind = found["legal" if ruling.legal else "illegal"]
        kind.ms += times.ms
        kind.cut += times.cut
    return found


def _rule(request: Mapping[str, Any], times: Times) -> Ruling:
    """Rule on a turn as ``referee check`` does, on heights the engine has not met before, and note the time."""
    terrain.cache_clear()
    connected.cache_clear()
    gc.collect(0)
    began = time.thread_time()
    position = GAME.position(request["position"])
    ruling = GAME.check(position, GAME.observation(request["observed"]), (), request.get("declared") or {})
    times.ms.append(1000 * (time.thread_time() - began))
    times.cut += not ruling.complete
    return ruling


def _scrambled(seed: int) -> dict[str, Any]:
    """Return a turn after which a tenth to most of the fields differ."""
    rng = random.Random(seed)
    request = case(seed, most=5)
    heights, pieces = read(request["observed"])
    for name in rng.sample(FIELDS, rng.choice((6, 20, 50))):
        heights[name] = rng.randrange(4)
        if name in pieces and rng.random() < 0.3:
            del pieces[name]
    return request | {"observed": write(heights, pieces)}


def _missed(kinds: Mapping[str, Times]) -> list[str]:
    return [
        f"{kind} turns, {part:.0%} within {most:.0f} ms: {times.share(part):.1f} ms"
        for kind, times in kinds.items()
        for part, most in zip((0.5, 0.99), MOST_MS[kind], strict=True)
        if times.share(part) > most
    ]


def _ratios() -> dict[str, float]:
    """Return how many times faster the engine rules on turns than the slow referee finds whether they are legal.

    Where the slow one gives up after many boards, the time until then counts; the engine also names the rules.
    """
    slow, fast = dict.fromkeys(MOST_MS, 0.0), dict.fromkeys(MOST_MS, 0.0)
    left = {"legal": SMALL, "illegal": SMALL // 4}
    for seed in range(4 * SMALL):
        request, times = case(seed, most=3), Times()
        ruling = _rule(request, times)
        kind = "legal" if ruling.legal else "illegal"
        if not left[kind]:
            continue
        left[kind] -= 1
        began = time.thread_time()
        with contextlib.suppress(OverflowError):
            known = explains(request, request["position"]["to_move"], frozenset())
            assert (known is not None) is ruling.legal
        slow[kind] += 1000 * (time.thread_time() - began)
        fast[kind] += times.ms[0]
    return {kind: slow[kind] / max(fast[kind], 1e-6) for kind in MOST_MS}
