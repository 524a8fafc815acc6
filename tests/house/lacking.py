"""Lets the referee's own modules find what Windows has: no fork, no terminals, no locks of Unix, no folder opened.

``python -m tests.house.lacking COMMAND ...`` runs ``referee COMMAND`` so. Libraries and Python's own modules, which
know each system themselves, find what is really here.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from types import ModuleType

OURS = ("referee", "vision", "calibration", "web")
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
FUNCTIONS: dict[ModuleType, tuple[str, ...]] = {
    os: (
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "ST_RDONLY", "chown", "execve", "fchmod", "fchown"),
        *(
            "fork",
            "getegid",
            "geteuid",
            "getgid",
            "getloadavg",
            "getpgid",
            "getpgrp",
            "getuid",
            "killpg",
            "memfd_create",
        ),
        *("mkfifo", "nice", "posix_fallocate", "pread", "pwrite", "register_at_fork", "sched_getaffinity"),
        *("sched_setaffinity", "setpriority", "setsid", "statvfs", "sync", "sysconf", "uname", "wait"),
    ),
    select: ("epoll", "poll"),
    signal: (
        "SIGALRM",
        "SIGCHLD",
        "SIGHUP",
        "SIGKILL",
        "SIGPIPE",
        "SIGSTOP",
        "SIGUSR1",
        "SIGUSR2",
        "pthread_sigmask",
    ),
    socket: ("AF_UNIX", "TCP_USER_TIMEOUT", "recv_fds", "send_fds"),
    time: ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "clock_gettime", "pthread_getcpuclockid", "tzset"),
}


def pretend() -> None:
    """Lack it all from now on, wherever one of our modules asks."""
    for module, names in FUNCTIONS.items():
        _lack(module, names)
    _lack(os, (), {"name": "nt"})
    windows = ModuleType("msvcrt")
    windows.__dict__.update(LK_LOCK=1, LK_NBLCK=2, locking=_locking)
    usual = builtins.__import__

    def find(name: str, *arguments: object, **named: object) -> ModuleType:
        if name in MODULES and _is_ours(2):
            raise ModuleNotFoundError(name)
        return usual(name, *arguments, **named)  # type: ignore[arg-type]

    builtins.__import__ = find  # type: ignore[assignment]
    import importlib

    bring = importlib.import_module

    def found(name: str, package: str | None = None) -> ModuleType:
        if name in MODULES and _is_ours(2):
            raise ModuleNotFoundError(name)
        if name == "msvcrt":  # which Python's own modules would take for a sign of Windows
            return windows
        return bring(name, package)

    importlib.import_module = found


def _lack(module: ModuleType, names: tuple[str, ...], others: dict[str, object] | None = None) -> None:
    """Take names out of a module for our modules. others: what they find instead."""
    kept = {name: module.__dict__.pop(name) for name in (*names, *(others or {})) if name in module.__dict__}
    before: Callable[[str], object] | None = module.__dict__.get("__getattr__")

    def ask(name: str) -> object:
        if name in kept and not _is_ours(2):
            return kept[name]
        if others and name in others:
            return others[name]
        if before is not None and name not in kept:
            return before(name)
        raise AttributeError(name)

    module.__dict__["__getattr__"] = ask


def _is_ours(depth: int) -> bool:
    asking = sys._getframe(depth).f_globals.get("__name__", "")
    return asking.partition(".")[0] in OURS


def _locking(handle: int, mode: int, size: int) -> None:
    """Lock as ``msvcrt.locking`` does."""
    fcntl.lockf(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if mode == 2 else 0), size)


if __name__ == "__main__":
    pretend()
    from referee.cli import first_page

    first_page()
