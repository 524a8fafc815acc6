"""Many threads share few pools of memory, as the C library itself tells."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from referee.service.memory import ARENAS, HANDLES, nothing_to_collect

SCRIPT = """
import ctypes, sys, threading
from referee.service.memory import bound_memory
if sys.argv[1] == "bound":
    assert bound_memory()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.fopen.restype = ctypes.c_void_p, ctypes.c_void_p
together = threading.Barrier(40)
def work():
    together.wait()
    for _ in range(50):
        libc.malloc(1000)
    together.wait()
threads = [threading.Thread(target=work) for _ in range(40)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


def pools(how: str, out: Path) -> int:
    subprocess.run([sys.executable, "-c", SCRIPT, how, str(out)], check=True)
    return out.read_text().count("<heap nr=")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another C library")
def test_forty_threads_share_few_pools(tmp_path: Path) -> None:
    assert pools("bound", tmp_path / "bound") <= ARENAS < pools("free", tmp_path / "free")


def test_what_was_read_in_is_looked_through_no_more() -> None:
    before = gc.get_freeze_count()
    with nothing_to_collect():
        assert not gc.isenabled()
        kept = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(kept)
    gc.unfreeze()


@pytest.mark.parametrize(("may", "most", "then"), [(256, 8192, HANDLES), (256, 1000, 1000), (6000, 8192, 6000)])
def test_handles_are_enough_as_far_as_the_system_lets(may: int, most: int, then: int) -> None:
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({may}, {most}))\n"
        "from referee.service.memory import enough_handles\n"
        f"assert enough_handles() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] == {then}"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
