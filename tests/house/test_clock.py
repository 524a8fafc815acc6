"""The machine's clock set back for real, under a running referee's feet."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from referee.storage.journal import Journal, elapsed_s

LIBRARY = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
WRITER = """
import sys
from pathlib import Path
from referee.storage.journal import Journal

with Journal(Path(sys.argv[1])) as journal:
    for line in sys.stdin:
        journal.append("note", {})
        print("written", flush=True)
"""


@pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not here")
def test_set_back_an_hour_while_it_runs(tmp_path: Path) -> None:
    told = tmp_path / "clock"
    told.write_text("+0")
    environ = os.environ | {
        "LD_PRELOAD": str(LIBRARY),
        "FAKETIME_TIMESTAMP_FILE": str(told),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # nobody can set that one
    }
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "j")],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdin is not None
    assert writer.stdout is not None
    with writer.stdin as ask, writer.stdout as answers:
        for number in range(6):
            if number == 3:
                told.write_text("-3600")
                time.sleep(0.05)
            ask.write("next\n")
            ask.flush()
            assert answers.readline() == "written\n"
    assert writer.wait(30) == 0
    with Journal(tmp_path / "j") as journal:  # and the right time is back when it is opened again
        journal.append("note", {})
        entries = list(journal.entries())
    assert [entry.number for entry in entries] == list(range(1, 8))
    times = [datetime.fromisoformat(entry.at) for entry in entries]
    assert 3500 < (times[2] - times[3]).total_seconds() < 3601
    for earlier, later in pairwise(entries):
        assert 0 <= elapsed_s(earlier, later) < 60
    assert elapsed_s(entries[2], entries[3]) >= 0.05
