"""A command's process ends with the command's status, whatever its threads still do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUSY = """
import sys, threading
import cv2, numpy as np
from referee.cli import main

def work():
    picture = np.zeros((300, 300, 3), np.uint8)
    while True:
        cv2.GaussianBlur(picture, (0, 0), 9)
        begun.release()

begun = threading.Semaphore(0)
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
    begun.acquire()
sys.argv[:1] = ["referee"]
main()
"""


@pytest.mark.process
@pytest.mark.parametrize(("words", "status"), [(("games",), 0), (("games", "--nonsense"), 2), (("check", "gone"), 2)])
def test_threads_at_work_do_not_abort_the_process(tmp_path: Path, words: tuple[str, ...], status: int) -> None:
    environment = os.environ | {"REFEREE_DATA_FOLDER": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", BUSY, *words], capture_output=True, text=True, env=environment, timeout=120
    )
    assert ended.returncode == status, ended.stderr
    assert ended.stdout + ended.stderr
