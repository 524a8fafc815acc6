"""Simulates power cuts as a disk may live through them: what was not synced is lost, in part and in any order.

A writer is watched by strace. After any of its calls the power may go: what was synced is there; of writes to a file
that were not, any may be there, torn at a sector; of names made, moved and removed since their folder was synced, the
first so many are. From each such state the journal must open, hold every event that was acknowledged before, hold all
or none of the events that were written together, and have every picture that its events name; a device that was let
in must still be.
"""

from __future__ import annotations

import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from referee.archive.export import pictures_named
from referee.service.pairing import open_auth
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from tests.attacks.outcome import Outcome

SECTOR = 512
EVENTS = 12
WRITER = """
import sys
from contextlib import ExitStack
from pathlib import Path
from referee.service.pairing import open_auth
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal

folder, events = Path(sys.argv[1]), int(sys.argv[2])
with ExitStack() as parts:
    auth = open_auth(folder, parts)
    journal = parts.enter_context(Journal(folder / "games" / "game.journal"))
    store = EvidenceStore(pictures_folder(journal.path), spare_bytes=0)
    for number in range(1, events + 1):
        kept = store.keep({name: f"{name} {number} ".encode() * 700 for name in ("cam0", "cam1")})
        note = {"pictures": kept, "words": "x" * (300 * number)}
        for entry in journal.append_all([("note", note), ("rest", {"words": "y" * (300 * number)})]):
            print("event", entry.number, entry.hash, flush=True)
        if number % 4 == 0:
            print("device", auth.devices.pair(f"Tablet {number}")[1], flush=True)
"""
CALLS = (
    "openat,open,creat,close,write,pwrite64,ftruncate,fsync,fdatasync,lseek,"
    "rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat"
)
_LINE = re.compile(r"(?P<call>\w+)\((?P<args>.*)\)\s+= (?P<result>-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class File:
    """Content as it was synced last, and what was done to it since: (offset, bytes), or a length it was cut to."""

    synced: bytes = b""
    since: list[tuple[int, bytes] | int] = field(default_factory=list)

    def sync(self) -> None:
        self.synced, self.since = _with(self.synced, self.since), []

    def after_a_cut(self, chance: random.Random) -> bytes:
        """Return what is there when the power comes back."""
        came: list[tuple[int, bytes] | int] = []
        for one in self.since:
            if chance.random() < 0.5:
                continue
            if isinstance(one, tuple) and len(one[1]) > SECTOR and chance.random() < 0.5:  # torn
                one = (one[0], one[1][: SECTOR * chance.randrange(1, len(one[1]) // SECTOR + 1)])
            came.append(one)
        return _with(self.synced, came)


def _with(content: bytes, done: list[tuple[int, bytes] | int]) -> bytes:
    made = bytearray(content)
    for one in done:
        if isinstance(one, int):
            made = made[:one] + bytes(max(0, one - len(made)))
        else:
            at, text = one
            made += bytes(max(0, at - len(made)))
            made[at : at + len(text)] = text
    return bytes(made)


Names = dict[str, File | None]
"""Files by path; ``None`` is a folder."""


@dataclass
class Disk:
    """What the system shows, and what of the names has reached the disk."""

    names: Names = field(default_factory=dict)
    synced: Names = field(default_factory=dict)
    since: list[Names] = field(default_factory=list)
    """The names after each change of them that was not synced."""
    opened: dict[int, tuple[str, int]] = field(default_factory=dict)

    def named(self) -> None:
        """Note that a name was made, moved or removed."""
        self.since.append(dict(self.names))

    def sync_names(self, folder: str) -> None:
        """Sync a folder: its names are there; others come as they may (here: with it)."""
        del folder
        self.synced, self.since = dict(self.names), []

    def lay_out(self, folder: Path, chance: random.Random) -> None:
        """Write what is there after a power cut into a folder."""
        names = chance.choice([self.synced, *self.since])
        for path, file in names.items():
            target = folder / path
            if file is None:
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.after_a_cut(chance))


class Replay:
    """The calls of a writer, one after the other."""

    def __init__(self, log: Path, root: Path) -> None:
        self._log, self._root = log, str(root)
        self.disk = Disk()
        self.told: list[str] = []
        self._said = ""

    def steps(self) -> Iterator[None]:
        """Stop after every call that changed something."""
        for line in self._log.read_text(encoding="latin-1").splitlines():
            found = _LINE.match(line)
            if found and int(found["result"]) >= 0 and self._take(found["call"], found["args"], int(found["result"])):
                yield

    def _take(self, call: str, args: str, result: int) -> bool:
        texts = [ast.literal_eval(f'b"{one}"') for one in _TEXT.findall(args)]
        numbers = [int(one) for one in re.findall(r"(?<![\w\"\\])-?\d+(?![\w\"])", _TEXT.sub("", args))]
        if call in ("openat", "open", "creat"):
            return self._open(texts[0].decode(), args, result)
        if call in ("rename", "renameat", "renameat2", "link", "linkat"):
            return self._move(texts[0].decode(), texts[1].decode(), call.startswith("link"))
        if call in ("unlink", "unlinkat", "mkdir", "mkdirat"):
            return self._name(texts[0].decode(), call.startswith("mkdir"))
        handle = numbers[0]
        if call == "write" and handle == 1:
            self._said += texts[0].decode()
            *lines, self._said = self._said.split("\n")
            self.told += lines
            return True
        return self._on_file(call, handle, texts, numbers, result)

    def _on_file(self, call: str, handle: int, texts: list[bytes], numbers: list[int], result: int) -> bool:
        path, at = self.disk.opened.get(handle, ("", 0))
        if not path:
            return False
        file = self.disk.names.get(path)
        if call == "close":
            del self.disk.opened[handle]
        elif call in ("fsync", "fdatasync"):
            self.disk.sync_names(path) if file is None else file.sync()
            return True
        elif call == "lseek":
            self.disk.opened[handle] = (path, result)
        elif isinstance(file, File):
            if call == "ftruncate":
                file.since.append(numbers[1])
            elif call == "pwrite64":
                file.since.append((numbers[-1], texts[0][:result]))
            elif call == "write":
                file.since.append((at, texts[0][:result]))
                self.disk.opened[handle] = (path, at + result)
            return True
        return False

    def _inside(self, path: str) -> str:
        return path[len(self._root) + 1 :] if path.startswith(self._root + "/") else "." if path == self._root else ""

    def _open(self, name: str, args: str, result: int) -> bool:
        path = self._inside(name)
        self.disk.opened.pop(result, None)
        if not path:
            return False
        fresh = path not in self.disk.names and "O_CREAT" in args
        if fresh:
            self.disk.names[path] = File()
            self.disk.named()
        elif "O_DIRECTORY" in args or path == ".":
            self.disk.names.setdefault(path, None)
        if "O_TRUNC" in args and isinstance(file := self.disk.names.get(path), File) and not fresh:
            file.since.append(0)
        self.disk.opened[result] = (path, 0)
        return fresh

    def _move(self, source: str, target: str, keep: bool) -> bool:
        names = self.disk.names
        names[self._inside(target)] = names[self._inside(source)]
        if not keep:
            del names[self._inside(source)]
        self.disk.named()
        return True

    def _name(self, name: str, folder: bool) -> bool:
        path = self._inside(name)
        if not path:
            return False
        if folder:
            self.disk.names[path] = None
        else:
            self.disk.names.pop(path, None)
        self.disk.named()
        return True


def watched_by_strace(folder: Path, events: int) -> Replay:
    """Let the writer write, and return its calls."""
    root, log = folder / "data", folder / "calls"
    root.mkdir()
    command = [
        "strace",
        "-o",
        str(log),
        "-xx",
        "-s",
        "10000000",
        "-e",
        f"trace={CALLS}",
        sys.executable,
        "-c",
        WRITER,
    ]
    subprocess.run([*command, str(root), str(events)], check=True, stdout=subprocess.DEVNULL, timeout=300)
    return Replay(log, root)


def lost(folder: Path, told: list[str]) -> list[str]:
    """Return what is gone of that which was acknowledged."""
    events = {int(words[1]): words[2] for line in told if (words := line.split())[0] == "event"}
    devices = [line.split()[1] for line in told if line.startswith("device")]
    found = []
    with ExitStack() as parts:
        journal = folder / "games" / "game.journal"
        kept = {}
        if journal.exists() or events:
            entries = list(parts.enter_context(Journal(journal)).entries())
            kept = {entry.number: entry.hash for entry in entries}
            store = EvidenceStore(pictures_folder(journal), spare_bytes=0)
            found += [f"rest of event {entries[-1].number}" for _ in range(len(entries) % 2)]
            found += [f"picture {name}" for name in pictures_named(entries) if store.picture(name) is None]
        found += [f"event {number}" for number, digest in events.items() if kept.get(number) != digest]
        if (folder / "devices.db").exists() or devices:
            auth = open_auth(folder, parts)
            found += [f"device {token}" for token in devices if auth.devices.known(token) is None]
    return found


def attack(states: int = 600, events: int = EVENTS, seed: int = 12, each: int = 4) -> Outcome:
    """Cut the power so many times, spread over all the writer did, and so many more after each acknowledgement."""
    outcome = Outcome(f"crash states made by dropping unsynced writes, seed {seed}")
    if shutil.which("strace") is None:
        outcome.note("not tried: there is no strace here")
        return outcome
    chance, failed, tried, moments = random.Random(seed), list[str](), 0, 0
    with tempfile.TemporaryDirectory(prefix="referee-cuts-") as made:
        folder = Path(made)
        moments = sum(1 for _ in watched_by_strace(folder, events).steps())
        replay = Replay(folder / "calls", folder / "data")
        said = 0
        for moment, _ in enumerate(replay.steps()):
            more = each if len(replay.told) > said else 0
            said = len(replay.told)
            for _ in range(states * (moment + 1) // moments - states * moment // moments + more):
                tried += 1
                cut = folder / "cut"
                cut.mkdir()
                replay.disk.lay_out(cut, chance)
                try:
                    failed += [f"after call {moment}: {one} is lost" for one in lost(cut, replay.told)]
                except Exception as error:
                    failed.append(f"after call {moment}: {error!r}")
                shutil.rmtree(cut)
        outcome.note(f"{tried} states over {moments} calls that write, {len(replay.told)} acknowledgements")
    for one in failed[:8]:
        outcome.note(one)
    outcome.holds(not failed and tried >= states, f"{len(failed)} losses")
    return outcome
