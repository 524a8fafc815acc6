"""Real kills: whatever was acknowledged before a SIGKILL is there afterwards, once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from referee.journal import Journal

KILLS = int(os.environ.get("REFEREE_KILLS", "25"))
WRITER = """
import sys
from pathlib import Path
from referee.journal import Journal

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
