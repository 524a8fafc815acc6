"""Judge an archive of exports again; keep results as they come, so that the work can be interrupted and resumed.

Each export's rows lie in a Parquet file of their own, named by the export and the version that judged it; what is
there is not done again. At the end all rows together make one file. Who does the work is chosen by the caller
(referee/addons/archives/workers.py).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from calibration.files import write_atomic
from referee.addons.archives.exports import COLUMNS, ERROR, AuditRow, build
from referee.values.words import Words, say, say_n

PARTS, RULINGS, SUMMARY = "parts", "rulings.parquet", "summary.json"
_SCHEMA = pa.schema([(name, pa.int64() if name in ("event", "turn") else pa.string()) for name in COLUMNS])
_SEAL_BYTES = 71


@dataclass(frozen=True, slots=True)
class Task:
    """An export to judge. name: below the archive's folder; key: of its part, by name, content and version."""

    path: Path
    name: str
    key: str


Work = Callable[[Sequence[Task]], Iterator[tuple[Task, list[AuditRow]]]]
"""Judges exports, in any order, and hands each one's rows out as soon as they are known."""


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """How far the work is. done, of: exports; fresh: those of them done now; elapsed_s: since the work began."""

    done: int
    of: int
    fresh: int
    elapsed_s: float

    @property
    def left_s(self) -> float | None:
        """Return the seconds left, if the rest takes as long as what was done; ``None`` before anything was."""
        return None if not self.fresh else self.elapsed_s / self.fresh * (self.of - self.done)

    @property
    def words(self) -> Words:
        """Say how far the work is."""
        if self.left_s is None:
            return say("{done} of {n} exports", done=self.done, n=self.of)
        return say("{done} of {n} exports, about {left} left", done=self.done, n=self.of, left=_duration(self.left_s))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def tasks_of(folder: Path) -> list[Task]:
    """Return the exports in a folder or below, by name."""
    paths = sorted(folder.rglob("*.zip"))
    return [_task(path, os.fsencode(path.relative_to(folder)).decode(errors="backslashreplace")) for path in paths]


def _task(path: Path, name: str) -> Task:
    """Name an export's task by its seal, which stands for its content; without one, by its size and date."""
    try:
        found = path.stat()
        with path.open("rb") as file:
            file.seek(max(0, found.st_size - _SEAL_BYTES))
            seal = file.read()
    except OSError as error:  # a link that leads nowhere, a folder of that name: whoever judges it says what it is
        return Task(path, name, _key(name, str(error.errno).encode()))
    content = seal if seal.startswith(b"sha256:") else f"{found.st_size} {found.st_mtime_ns}".encode()
    return Task(path, name, _key(name, content))


def _key(name: str, content: bytes) -> str:
    return hashlib.sha256(b"\0".join((name.encode(), content, build().encode()))).hexdigest()[:32]


class ArchiveAudit:
    """The audit of an archive's exports. out: folder of the results."""

    def __init__(self, tasks: Sequence[Task], out: Path) -> None:
        self._tasks, self._parts, self._out = tasks, out / PARTS, out

    def run(self, work: Work, tell: Callable[[int, int, int], None]) -> None:
        """Do what is not done yet. tell: exports done, of how many, how many of them now. Raises OSError."""
        self._parts.mkdir(parents=True, exist_ok=True)
        open_tasks = [task for task in self._tasks if not self._part(task).is_file()]
        done, fresh = len(self._tasks) - len(open_tasks), 0
        tell(done, len(self._tasks), fresh)
        for task, rows in work(open_tasks) if open_tasks else ():
            write_atomic(self._part(task), _parquet(rows))
            done, fresh = done + 1, fresh + 1
            tell(done, len(self._tasks), fresh)

    def finish(self) -> Summary:
        """Put all rows into one file, by export and event, with a summary beside it. Raises OSError."""
        tables = [pq.read_table(self._part(task), schema=_SCHEMA) for task in self._tasks]
        rows = pa.concat_tables(tables) if tables else _SCHEMA.empty_table()
        rows = rows.sort_by([("export", "ascending"), ("event", "ascending")])
        write_atomic(self._out / RULINGS, _buffer(rows))
        told = summary([AuditRow(**row) for row in rows.to_pylist()])
        write_atomic(self._out / SUMMARY, (json.dumps(told.to_json(), indent=1) + "\n").encode())
        return told

    def _part(self, task: Task) -> Path:
        return self._parts / f"{task.key}.parquet"


def _parquet(rows: Iterable[AuditRow]) -> bytes:
    return _buffer(pa.Table.from_pylist([row.to_json() for row in rows], schema=_SCHEMA))


def _buffer(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue().to_pybytes())


@dataclass(frozen=True, slots=True)
class Summary:
    """What this version reads and rules otherwise. causes: by cause; turned: by ``then > now``, where they differ.

    accused: rulings that were legal then and are illegal now, as (export, turn); missed: the other way round.
    """

    exports: int
    rulings: int
    causes: Mapping[str, int]
    turned: Mapping[str, int]
    accused: tuple[tuple[str, int], ...]
    missed: tuple[tuple[str, int], ...]
    failed: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, object]:
        """Return the summary as a JSON object."""
        return {
            "build": build(),
            "exports": self.exports,
            "rulings": self.rulings,
            "causes": dict(self.causes),
            "turned": dict(self.turned),
            "accused": [list(one) for one in self.accused],
            "missed": [list(one) for one in self.missed],
            "failed": [list(one) for one in self.failed],
        }

    @property
    def lines(self) -> list[Words]:
        """Return the summary for people, line by line."""
        cause = Counter(self.causes)
        lines = [
            say_n(
                "{n} ruling in {exports} exports",
                "{n} rulings in {exports} exports",
                self.rulings,
                exports=self.exports,
            ),
            say(
                "{same} the same, {reading} read otherwise, {rule} ruled otherwise, {unread} not read",
                same=cause["same"],
                reading=cause["reading"],
                rule=cause["rule"] + cause["both"],
                unread=cause["unread"],
            ),
        ]
        lines += [
            say_n("{change}: {n} time", "{change}: {n} times", count, change=change)
            for change, count in self.turned.items()
        ]
        lines += [
            say("Legal then, illegal now: {export}, turn {turn}", export=export, turn=turn)
            for export, turn in self.accused
        ]
        lines += [
            say("Illegal then, legal now: {export}, turn {turn}", export=export, turn=turn)
            for export, turn in self.missed
        ]
        lines += [say("{export} can’t be audited: {why}", export=export, why=why) for export, why in self.failed]
        return lines


def summary(rows: Sequence[AuditRow]) -> Summary:
    """Count what came of an archive. rows: by export and event."""
    failed = [row for row in rows if row.cause == ERROR]
    judged = [row for row in rows if row.cause != ERROR]
    turned = Counter(f"{row.then} > {row.now}" for row in judged if row.now and row.now != row.then)
    return Summary(
        len({row.export for row in rows}),
        len(judged),
        dict(sorted(Counter(row.cause for row in judged).items())),
        dict(sorted(turned.items())),
        tuple((row.export, row.turn) for row in judged if (row.then, row.now) == ("legal", "illegal")),
        tuple((row.export, row.turn) for row in judged if (row.then, row.now) == ("illegal", "legal")),
        tuple((row.export, row.problem) for row in failed),
    )
