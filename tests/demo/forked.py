"""Processes of the ``referee`` command that are forked from one which has loaded its modules.

Loading takes two seconds of a processor's time, most of what the start of a referee takes. All else is as where the
command is called: arguments, environment, folder, streams, signals and the end are of a process of its own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOADED = ("referee.cli.run", "referee.cli.demo", "referee.cli.demo_play", "referee.cli.demo_declared")
PROGRAM = "from tests.demo.forked import begun; begun({}); from referee.cli import main; main()"
POSSIBLE = hasattr(os, "pidfd_open")
"""Elsewhere than on Linux a process is started anew."""


class Forked:
    """A running command; what a test asks of ``subprocess.Popen``. What it prints can be read from ``stdout``."""

    def __init__(self, words: list[str], stdin: int | None = None) -> None:
        asked = json.dumps([words, dict(os.environ), str(Path.cwd())]).encode()
        read, write = os.pipe()
        self._status, theirs = socket.socketpair()
        with theirs:
            handed = [0 if stdin is None else stdin, write, write, theirs.fileno()]
            socket.send_fds(_source(os.getpid()), [len(asked).to_bytes(4, "big")], handed)
            _source(os.getpid()).sendall(asked)
        os.close(write)
        self.pid = int.from_bytes(self._status.recv(4), "big")
        self.stdout = open(read, encoding="utf-8")  # noqa: SIM115, PTH123
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Return the status when it has ended. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            self.returncode = int.from_bytes(self._status.recv(4), "big", signed=True)
            self._status.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return the status, or ``None`` while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


@cache
def _source(owner: int) -> socket.socket:
    """Return the line to the process that forks; it ends with its owner, this process."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", PROGRAM.format(theirs.fileno())], cwd=ROOT, pass_fds=[theirs.fileno()]
        )

    def end() -> None:
        ours.close()
        process.wait(60)

    atexit.register(end)
    return ours


def begun(line_fd: int) -> None:
    """Fork for whoever asks, for ever; return in each process that was forked, once it stands as it was asked for."""
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, tuple[int, socket.socket]] = {}
    line = socket.socket(fileno=line_fd)
    while True:
        watched: list[socket.socket | int] = [line, *running]
        for ready in select.select(watched, [], [])[0]:
            if isinstance(ready, int):
                pid, told = running.pop(ready)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with told, suppress(OSError):
                    told.send(status.to_bytes(4, "big", signed=True))
                os.close(ready)
                continue
            head, handed, *_ = socket.recv_fds(line, 4, 4)
            if not head:
                os._exit(0)
            content = b""
            while len(content) < int.from_bytes(head, "big"):
                content += line.recv(1 << 16)
            pid, told = os.fork(), socket.socket(fileno=handed[3])
            if not pid:
                for other in (line, told, *(other for _, other in running.values())):
                    other.close()
                for number, stream in enumerate(handed[:3]):
                    os.dup2(stream, number)
            for stream in (*handed[:3], *(() if pid else running)):
                os.close(stream)
            if not pid:
                return _become(*json.loads(content))
            with suppress(OSError):  # nobody waits for it any more
                told.send(pid.to_bytes(4, "big"))
            running[os.pidfd_open(pid)] = pid, told


def _become(words: list[str], environ: dict[str, str], folder: str) -> None:
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = words
