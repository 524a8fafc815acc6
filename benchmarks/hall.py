"""Measures a hall of 200 tables on one machine, then breaks it and compares what was heard with the journals.

The broker is Mosquitto with the organiser's files, the desk is ``referee hall``'s own, and the tables publish by the
referee's publisher out of real journals; only what is played is recorded. REFEREE_BENCH_TABLES=20 makes it small.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cameras import cpu_s
from benchmarks.hallcheck import (
    Findings,
    HeardLine,
    Place,
    compared,
    excused,
    games_begun,
    heard_of,
    journals_of,
    to_know,
    whole_lines,
    written_of,
)
from benchmarks.hallpage import DeskPage
from benchmarks.hallparts import BenchHall, wait_for
from benchmarks.measure import Section, table
from referee.addons.hall.desk.seen import MOST_GAMES
from tests.attacks.longgame import memory_mb

TABLES = int(os.environ.get("REFEREE_BENCH_TABLES", "200"))
QUICK = TABLES < 200
PROCESSES = 4
CUT = 20
EVERY_S = 20.0
MEASURED_S = 20.0 if QUICK else 60.0
DOWN_S = 5.0
ASKED_S = 20.0
"""A desk has asked for what it missed of a game within this."""
CUT_S = 20.0 if QUICK else 60.0
BETWEEN_S = 5.0 if QUICK else 10.0
SOON_MS = 1000.0
"""A ruling is to be on the desk's page within this, for 99 of 100."""
LEAST_PLAYED = 0.8
"""So much of the turns that are due must be played, else the hall was not under the load that is told."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a process used while it was measured. cpu: part of a core; memory_mb: the most it held until the end."""

    cpu: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class Late:
    """How late rulings came, ms, in order: to the bare listener, to the desk, to an open page of the desk."""

    listener: list[float]
    desk: list[float]
    page: list[float]


def measure(cases: Path | None) -> Section:
    """Measure the hall; it needs no cases."""
    del cases
    load = os.getloadavg()[0]
    ahead = ", this work ahead of theirs" if os.nice(0) < 0 else ""
    with tempfile.TemporaryDirectory(prefix="referee-hall-") as folder, ExitStack() as parts:
        hall = BenchHall(Path(folder), TABLES, PROCESSES, min(CUT, TABLES // 2), EVERY_S, parts)
        late, loads = _measured(hall, parts)
        broken = _broken(hall, parts)
        findings = _ended(hall)
    rows = [
        (what, *(f"{value:.0f}" for value in (statistics.median(ms), _share(ms, 0.99), ms[-1])), _ratio(ms, late))
        for what, ms in (
            ("a bare MQTT client (the reference)", late.listener),
            ("the desk", late.desk),
            ("an open page of the desk, by the state that holds the ruling", late.page),
        )
    ]
    bare = loads["listener"]
    used = [
        (
            what,
            f"{100 * loads[name].cpu:.1f} %",
            f"{loads[name].memory_mb:.0f} MB",
            f"{loads[name].cpu / bare.cpu:.1f}",
        )
        for name, what in (
            ("listener", "the bare MQTT client (the reference)"),
            ("broker", "Mosquitto"),
            ("desk", "the desk, with an open page"),
            ("tables", f"all {TABLES} tables together, in {PROCESSES} processes"),
        )
    ]
    return Section(
        "A hall of tables",
        (
            f"{TABLES} tables that play recorded games, a turn every {EVERY_S:.0f} s each, for {MEASURED_S:.0f} s: "
            f"{len(late.page)} rulings. On {platform.machine()}, Python {platform.python_version()}, "
            f"{os.cpu_count()} cores for tables, broker, desk and listeners together (load average {load:.1f} at the "
            f"start: others use the machine as well{ahead}). A ruling's time runs from before it is written into the "
            "table's journal. The bare client subscribes to the same and makes nothing of it.",
            "",
            *table(("a ruling reaches", "median ms", "99 % within ms", "longest ms", "times the reference"), rows),
            "",
            *table(("what", "of one core", "most memory", "times the reference"), used),
            "",
            f"Then the hall was broken while all played on: {'; '.join(broken)}. Compared event by event with the "
            f"journals of all tables: {findings.events} events, {len(findings.lost)} lost, {len(findings.lacking)} "
            f"that the desk lacks at the end, {len(findings.overtaken)} out of order, {len(findings.foreign)} that "
            f"stand in no journal; {findings.copies} came once more and changed nothing. Not counted are "
            f"{findings.unheard} events written within {ASKED_S:.0f} s before the desk was killed or before it was "
            "back, in games of which it heard nothing then: one that is opened asks for the games that are played.",
        ),
        tuple(_promises(late, findings)),
    )


def _measured(hall: BenchHall, parts: ExitStack) -> tuple[Late, dict[str, Load]]:
    """Let everybody come in, then measure."""
    wait_for(lambda: _heard_all(hall, 1), "not every table is heard", hall.said)
    page = DeskPage(hall.folder / "desk", hall.desk_port)
    parts.callback(page.close)
    time.sleep(EVERY_S / 2)
    pids = {"broker": [hall.broker.pid], "desk": [hall.desk.pid], "listener": [hall.listener.pid]}
    pids["tables"] = [process.pid for process in hall.processes]
    before = {name: sum(map(cpu_s, found)) for name, found in pids.items()}
    began_s = time.monotonic()
    time.sleep(MEASURED_S)
    passed_s = time.monotonic() - began_s
    loads = {
        name: Load(
            (sum(map(cpu_s, found)) - before[name]) / passed_s, sum(memory_mb(pid, key="VmHWM") for pid in found)
        )
        for name, found in pids.items()
    }
    time.sleep(2 * SOON_MS / 1000)
    return _late(hall, page, began_s, began_s + passed_s), loads


def _late(hall: BenchHall, page: DeskPage, from_s: float, until_s: float) -> Late:
    desk = dict[tuple[str, str, int], float]()
    for line in whole_lines(hall.desk_log(1)):
        at_s, leaf, *place = line.split()
        if leaf == "ruling":
            desk.setdefault((place[0], place[1], int(place[2])), float(at_s))
    bare = dict[tuple[str, str, int], float]()
    for line in whole_lines(hall.folder / "listener.log"):
        at, name, game, number = line.split()
        bare.setdefault((name, game, int(number)), float(at))
    found = Late([], [], [])
    for line in whole_lines(hall.rulings):
        at, name, game, number = line.split()
        made_s, event = float(at), int(number)
        if not from_s <= made_s < until_s:
            continue
        for came_s, into in (
            (bare.get((name, game, event)), found.listener),
            (desk.get((name, game, event)), found.desk),
            (page.when(name, game, event), found.page),
        ):
            into.append(1000 * (came_s - made_s) if came_s is not None else float("inf"))
    return Late(*map(sorted, (found.listener, found.desk, found.page)))


def _broken(hall: BenchHall, parts: ExitStack) -> list[str]:
    """Break the hall in three ways; return what was done and how long it took until the desk knew all again."""
    told = []
    hall.broker.kill()
    time.sleep(DOWN_S)
    hall.broker.start()
    took_s = _whole_again(hall)
    told.append(f"the broker killed and started again {DOWN_S:.0f} s later (the desk knew all after {took_s:.0f} s)")
    time.sleep(BETWEEN_S)
    hall.desk.kill()
    hall.desk_killed_s = time.monotonic()
    time.sleep(DOWN_S)
    hall.open_desk()
    took_s = _whole_again(hall)
    told.append(f"the desk killed and started again {DOWN_S:.0f} s later ({took_s:.0f} s)")
    time.sleep(BETWEEN_S)
    hall.relay.signal(signal.SIGSTOP)
    time.sleep(CUT_S)
    hall.relay.signal(signal.SIGCONT)
    took_s = _whole_again(hall)
    told.append(f"{len(hall.cut)} tables cut off for {CUT_S:.0f} s without a word to anybody ({took_s:.0f} s)")
    return told


def _whole_again(hall: BenchHall) -> float:
    """Wait until the desk has heard all that stands in the journals now.

    Of the first desk that is every game, those that ended while the broker was away among them. A desk that was
    opened anew learns of no game that was over before a table could tell it of that: of it the games count that are
    played, and all of which it has heard anything.
    """
    journals, playing = journals_of(hall.folders)
    begun = games_begun(hall.folders)
    all_of = {
        (name, game, number)
        for name, games in journals.items()
        for game, events in games.items()
        for number in events
    }
    wanted = lacks = all_of

    def heard() -> bool:
        nonlocal lacks, wanted
        lines = heard_of(hall.desk_log(hall.desks))
        if hall.desks > 1:
            games, now = {(line.table, line.game) for line in lines}, games_begun(hall.folders)
            games |= {(name, game) for name, game in playing.items() if now[name] == begun[name]}
            wanted = {one for one in all_of if one[:2] in games}
        lacks = wanted - {(line.table, line.game, line.number) for line in lines}
        return not lacks

    def said() -> str:
        first = [f"{hall.folders[name].name}: {number} of {game}" for name, game, number in sorted(lacks)[:20]]
        return "\n".join((f"{len(lacks)} of {len(wanted)}:", *first, hall.said()))

    return wait_for(heard, "the desk lacks events", said)


def _ended(hall: BenchHall) -> Findings:
    """End play, wait until everything has come, and compare."""
    hall.halt()
    _whole_again(hall)
    time.sleep(2.0)
    hall.desk.signal(signal.SIGTERM)
    hall.desk.process.wait(60)
    known = json.loads((hall.folder / "end.json").read_text(encoding="utf-8"))
    desks = [heard_of(hall.desk_log(number)) for number in range(1, hall.desks + 1)]
    knows = {name: _pairs(games) for name, games in known.items()}
    journals, playing = journals_of(hall.folders)
    wanted = to_know(journals, playing, desks[-1], MOST_GAMES)
    return compared(journals, wanted, desks, knows, _unheard(hall, desks[-1]))


def _unheard(hall: BenchHall, lines: Sequence[HeardLine]) -> set[Place]:
    """Return the events written while no desk was open, or so soon before that it could not ask any more."""
    unix_s = time.time() - time.monotonic()
    written_s = {place: at_s - unix_s for place, at_s in written_of(hall.folders).items()}
    return excused(written_s, hall.desk_killed_s - ASKED_S, lines)


def _pairs(games: dict[str, list[list[object]]]) -> dict[str, list[tuple[int, str]]]:
    return {game: [(int(str(number)), str(digest)) for number, digest in events] for game, events in games.items()}


def _heard_all(hall: BenchHall, desk: int) -> bool:
    return len({line.table for line in heard_of(hall.desk_log(desk))}) == len(hall.folders)


def _share(values: Sequence[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))]


def _ratio(ms: Sequence[float], late: Late) -> str:
    return f"{statistics.median(ms) / statistics.median(late.listener):.1f}"


def _promises(late: Late, findings: Findings) -> list[str]:
    broken = findings.wrong
    if len(late.page) < LEAST_PLAYED * TABLES * MEASURED_S / EVERY_S:
        due = TABLES * MEASURED_S / EVERY_S
        broken.append(f"the tables play ({len(late.page)} rulings, and {due:.0f} turns were due)")
    if _share(late.page, 0.99) > SOON_MS:
        broken.append(f"a ruling is on the desk's page within {SOON_MS:.0f} ms (99 %)")
    for whom, ms in (("the bare client", late.listener), ("the desk", late.desk), ("the page", late.page)):
        if missed := ms.count(float("inf")):
            broken.append(f"every ruling reaches {whom} ({missed} did not)")
    return broken
