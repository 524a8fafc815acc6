"""Measures how long the rules engine takes for a turn: legal, illegal and knocked-over boards of every rule set.

The positions are made here: games of random legal turns at every kind of table, the same turns spoilt in the ways
players go wrong, and boards scrambled out of all recognition. Small positions, where a brute-force enumerator of all
turns can judge as well, give the ratio.
"""

from __future__ import annotations

import gc
import json
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Section, Times, table
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from referee.values.board import Board
from tests.games.terra_turrium.brute import nearly, some_world
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import position
from tests.games.terra_turrium.spoil import scrambled, spoilt
from tests.games.terra_turrium.tables import EVERY_TABLE

TURNS = 40
"""Turns played at each table."""
WORLDS = 60
"""Small positions compared with the enumerator."""
MOST_MS = {"legal": (1.0, 20.0), "illegal": (20.0, 500.0)}
"""Promised times of each kind: median and 99th percentile."""
WORST_MS = 10_000.0
"""Promised time of any board at all."""
RATIO = 20.0
"""Factor by which the engine must be faster than the enumerator."""

Case = tuple[TerraPosition, Board]


REQUESTS = 3000
"""Requests sent to one ``referee check``."""
MOST_GROWTH_MB = 8.0
"""Growth of ``referee check`` from the first tenth of them to the last, at most."""


def measure(cases: Path | None) -> Section:
    """Measure the engine; ``cases``: a folder of rule cases (``*.jsonl``) to rule on as well."""
    legal, illegal, knocked = Times(), Times(), Times()
    rnd = random.Random("benchmarks")
    for name in sorted(EVERY_TABLE):
        for now, board in _played(rnd, GAME.position(position(**EVERY_TABLE[name]))):
            _rule(now, board, legal, illegal)
            _rule(now, spoilt(rnd, now), legal, illegal)
            _rule(now, spoilt(rnd, now, ways=2), legal, illegal)
            if now.turn % 4 == 0:
                for share in (0.1, 0.4, 0.9):
                    _rule(now, scrambled(rnd, board, share), legal, knocked)
    rows = [legal.row("legal turn"), illegal.row("illegal turn"), knocked.row("scrambled board")]
    broken = [*_missed("legal", legal), *_missed("illegal", illegal)]
    if max(knocked.ms) > WORST_MS:
        broken.append(f"a scrambled board within {WORST_MS:.0f} ms: {max(knocked.ms):.0f} ms")
    if cases is not None:
        given_legal, given_illegal = Times(), Times()
        for now, board in _given(cases):
            _rule(now, board, given_legal, given_illegal)
        rows += [given_legal.row("given case, legal"), given_illegal.row("given case, illegal")]
        broken += [*_missed("legal", given_legal), *_missed("illegal", given_illegal)]
    ratios = _against_the_enumerator()
    grown_mb, per_second = _streamed(rnd)
    if grown_mb > MOST_GROWTH_MB:
        broken.append(f"`referee check` grows by at most {MOST_GROWTH_MB:.0f} MB: {grown_mb:.1f} MB")
    broken += [f"{kind}: {RATIO:.0f} times faster: {ratio:.0f}" for kind, ratio in ratios.items() if ratio < RATIO]
    streamed = (
        "",
        f"`referee check`, {REQUESTS} requests through one pipe, each answer read before the next is sent: "
        f"{per_second:.0f} a second, the process grew by {grown_mb:.1f} MB from number {REQUESTS // 10} to the last.",
    )
    return Section("Rules engine", (*_lines(rows, ratios), *streamed), tuple(broken))


def _lines(rows: Sequence[tuple[object, ...]], ratios: dict[str, float]) -> tuple[str, ...]:
    told = ", ".join(f"{ratio:.0f} times on {kind} boards" for kind, ratio in ratios.items())
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"One core, on {platform.machine()}, Python {platform.python_version()}; {len(EVERY_TABLE)} tables: both "
        f"editions, 2, 3 and 4 players, every variant and option. Cut short: rulings that name only what is certain.",
        "",
        *table(("what", "rulings", "median ms", "99 % within ms", "worst ms", "cut short"), rows),
        "",
        f"Faster than the enumerator that tries every turn, on {WORLDS} small positions both can judge: {told}.",
        "",
        f"Peak memory of the process, the enumerator's included: {peak_mb:.0f} MB.",
    )


def _played(rnd: random.Random, now: TerraPosition) -> Iterator[Case]:
    """Play random legal turns; yield the position before each and the board after it."""
    for _ in range(TURNS):
        turn = Turn(rnd, now)
        board = turn.play()
        if not turn.complete:
            continue
        yield now, board
        after = GAME.check(now, board).next
        if isinstance(after, TerraPosition):
            now = after
        if now.finished:
            return


def _given(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield GAME.position(case["position"]), parse_board(case["observed"])


def _rule(now: TerraPosition, board: Board, legal: Times, illegal: Times) -> None:
    """Rule on a turn, in a position the engine has not met before, and note the time."""
    fresh = GAME.position(now.to_json())
    gc.collect(0)
    began = time.perf_counter()
    ruling = GAME.check(fresh, board)
    took = 1000 * (time.perf_counter() - began)
    times = legal if ruling.legal else illegal
    times.ms.append(took)
    times.cut += not ruling.complete


def _missed(kind: str, times: Times) -> Iterator[str]:
    for part, most in zip((0.5, 0.99), MOST_MS[kind], strict=True):
        if times.share(part) > most:
            yield f"{kind} turns, {part:.0%} within {most:.0f} ms: {times.share(part):.1f} ms"


def _against_the_enumerator() -> dict[str, float]:
    """Return how many times faster the engine judges boards of small positions than the enumerator does."""
    slow, fast = dict.fromkeys(("legal", "illegal"), 0.0), dict.fromkeys(("legal", "illegal"), 0.0)
    for seed in range(WORLDS):
        rnd = random.Random(seed)
        world = some_world(rnd, EVERY_TABLE[rnd.choice(sorted(EVERY_TABLE))])
        ends = sorted(world.ends())
        way = world.random_way(rnd, phases=True)
        for board in (way[-1], nearly(rnd, way[-1])) if way else ():
            kind = "legal" if board in ends else "illegal"
            began = time.perf_counter()
            assert (board in world.ends()) is (kind == "legal")
            between = time.perf_counter()
            assert GAME.check(world.position, world.board(board)).legal is (kind == "legal")
            slow[kind] += between - began
            fast[kind] += time.perf_counter() - between
    return {kind: slow[kind] / fast[kind] for kind in slow}


def _streamed(rnd: random.Random) -> tuple[float, float]:
    """Hold a conversation with ``referee check``; return how many MB it grew by and the requests a second."""
    start = GAME.position(position())
    turns = [(now, board) for now, board in _played(rnd, start)]
    lines = []
    for number in range(REQUESTS):
        now, board = turns[number % len(turns)]
        observed = (board, scrambled(rnd, board, 0.02))[number % 2]
        lines.append(json.dumps({"id": number, "position": now.to_json(), "observed": observed.text}) + "\n")
    command = [sys.executable, "-c", "from referee.cli import main; main()", "check"]
    sizes_mb = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        began = time.perf_counter()
        for number, line in enumerate(lines, 1):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number - 1
            if number in (REQUESTS // 10, REQUESTS):
                sizes_mb.append(_resident_mb(process.pid))
        took = time.perf_counter() - began
        process.stdin.close()
    return sizes_mb[1] - sizes_mb[0], REQUESTS / took


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
