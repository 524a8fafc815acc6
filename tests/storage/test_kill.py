"""Real kills: whatever was acknowledged before a SIGKILL is there afterwards, once."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.storage.journal import Journal, JournalError, read_journal

KILLS = int(os.environ.get("REFEREE_KILLS", "25"))
WRITER = """
import sys
from pathlib import Path
from referee.storage.journal import Journal

journal = Journal(Path(sys.argv[1]))
while True:
    entry = journal.append("tick", {"token": journal.last + 1})
    sys.stdout.write(f"{entry.number} {entry.hash}\\n")
    sys.stdout.flush()
"""


def killed_writer(path: Path, delay_s: float) -> list[tuple[int, str]]:
    """Let a child write for a moment, kill it, and return what it had acknowledged."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        first = child.stdout.readline()  # a slow machine may not come to it in the time given below
        time.sleep(delay_s)
        child.send_signal(signal.SIGKILL)
        lines = (first + child.stdout.read()).split(b"\n")[:-1]  # the part after the last newline was cut by the kill
    assert child.wait() == -signal.SIGKILL
    return [(int(number), digest.decode()) for number, digest in (line.split() for line in lines)]


def test_no_acknowledged_event_is_lost_or_doubled(tmp_path: Path) -> None:
    chance = random.Random(20)
    path = tmp_path / "killed.journal"
    acknowledged: dict[int, str] = {}
    for _ in range(KILLS):
        for number, digest in killed_writer(path, chance.uniform(0.0, 0.05)):
            assert number not in acknowledged
            acknowledged[number] = digest
        with Journal(path) as journal:  # opening verifies the chain
            kept = {entry.number: entry.hash for entry in journal.entries()}
        assert acknowledged.items() <= kept.items()
        # An event may have reached the disk although the word of it did not get out: at most one a kill.
        assert len(kept) <= len(acknowledged) + KILLS
    assert acknowledged


def test_what_a_kill_left_half_written_is_read_once_it_is_put_right(tmp_path: Path) -> None:
    """SQLite's own file beside the journal, as it lies there when a commit was cut off."""
    path = tmp_path / "cut.journal"
    with Journal(path) as journal:
        journal.append("note", {"n": 1})
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")  # so that pages reach the file before the commit
    db.execute("BEGIN")
    db.execute("INSERT INTO events VALUES (2, ?, '')", ("x" * 200_000,))
    for name in (path.name, f"{path.name}-journal"):
        shutil.copy(tmp_path / name, tmp_path / f"copy-{name}")
    db.rollback()
    db.close()
    (tmp_path / f"copy-{path.name}").rename(tmp_path / "dead.journal")
    (tmp_path / f"copy-{path.name}-journal").rename(tmp_path / "dead.journal-journal")
    dead = tmp_path / "dead.journal"
    with pytest.raises(JournalError, match="can't be read"):
        read_journal(dead, recover=False)
    assert [entry.data for entry in read_journal(dead)] == [{"n": 1}]
    assert [entry.data for entry in read_journal(dead, recover=False)] == [{"n": 1}]
