"""Measures how long the rules of Turris take for a ruling on a turn: legal, spoilt, rebuilt and half-seen towers.

The positions are made here: games of random legal turns at tables with all kinds of options, the same turns spoilt in
the ways players go wrong, towers many bars of which differ, and towers of which some cells are not seen.
"""

from __future__ import annotations

import gc
import json
import platform
import random
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Section, Times, table
from referee.games.contract import RequestError
from referee.games.turris.completions import PartialTower
from referee.games.turris.engine import GAME
from referee.games.turris.position import TurrisPosition
from tests.games.turris.play import blurred, game, spoilt
from tests.games.turris.positions import some_options

GAMES = 12
MOST_MS = {"legal": (2.0, 20.0), "illegal": (10.0, 500.0)}
"""Promised times of each kind: median and 99th percentile."""
WORST_MS = 3_000.0
"""Promised time of any tower at all."""


def measure(cases: Path | None) -> Section:
    """Measure the engine; ``cases``: a folder of rule cases (``*.jsonl``); those of this game are judged too."""
    legal, illegal, rebuilt, unseen = Times(), Times(), Times(), Times()
    rnd = random.Random("benchmarks")
    for _ in range(GAMES):
        for now, after in game(rnd, some_options(rnd, ())):
            _rule(now, after.text, legal, illegal)
            _rule(now, spoilt(rnd, now, after).text, legal, illegal)
            _rule(now, spoilt(rnd, now, after, 2).text, legal, illegal)
            if now.turn % 4 == 0:
                _rule(now, spoilt(rnd, now, after, 12).text, rebuilt, rebuilt)
                _rule(now, blurred(rnd, after, 0.3), unseen, unseen)
    rows = [
        _row("legal turn", legal),
        _row("illegal turn", illegal),
        _row("tower rebuilt", rebuilt),
        _row("a third not seen", unseen),
    ]
    broken = [*_missed("legal", legal), *_missed("illegal", illegal)]
    broken += [f"any tower within {WORST_MS:.0f} ms: {max(t.ms):.0f} ms" for t in (rebuilt, unseen) if _slow(t)]
    given_legal, given_illegal = Times(), Times()
    for now, text in _given(cases):
        _rule(now, text, given_legal, given_illegal)
    if given_legal.ms and given_illegal.ms:
        rows += [_row("given case, legal", given_legal), _row("given case, illegal", given_illegal)]
    return Section("Rules of Turris", _lines(rows), tuple(broken))


def _lines(rows: list[tuple[object, ...]]) -> tuple[str, ...]:
    return (
        f"One core, on {platform.machine()}, Python {platform.python_version()}; {GAMES} games with options drawn at "
        "random. Cut short: rulings that name only what is certain. Refused: too little is seen for a ruling.",
        "",
        *table(("what", "rulings", "median ms", "99 % within ms", "worst ms", "cut short", "refused"), rows),
    )


def _given(folder: Path | None) -> Iterator[tuple[TurrisPosition, str]]:
    for path in sorted(folder.glob("*.jsonl")) if folder is not None else ():
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if case["position"]["game"] == GAME.name:
                yield GAME.position(case["position"]), case["observed"]


def _row(name: str, times: Times) -> tuple[object, ...]:
    return (*times.row(name), times.refused)


def _rule(now: TurrisPosition, text: str, legal: Times, illegal: Times) -> None:
    """Rule on a turn, in a position the engine has not met before, and note the time."""
    fresh = GAME.position(now.to_json())
    seen: PartialTower = GAME.observation(text)
    gc.collect(0)
    began = time.perf_counter()
    times, cut, refused = illegal, False, False
    try:
        ruling = GAME.check(fresh, seen)
        times, cut = legal if ruling.legal else illegal, not ruling.complete
    except RequestError:
        refused = True
    times.ms.append(1000 * (time.perf_counter() - began))
    times.cut += cut
    times.refused += refused


def _slow(times: Times) -> bool:
    return max(times.ms) > WORST_MS


def _missed(kind: str, times: Times) -> Iterator[str]:
    for part, most in zip((0.5, 0.99), MOST_MS[kind], strict=True):
        if times.share(part) > most:
            yield f"{kind} turns, {part:.0%} within {most:.0f} ms: {times.share(part):.1f} ms"
