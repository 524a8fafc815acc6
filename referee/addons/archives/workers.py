"""Judge an archive's exports with processes on this machine or workers of a Dask cluster: same code, same rows.

A worker that dies takes nothing along: what it was at is done again by another. An export that ends every worker it
is given to gets a row of its own.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from referee.addons.archives.archive import Task
from referee.addons.archives.exports import AuditRow, audit_export, build

DIED = "the worker that judged it was ended from outside, more than once: too little memory?"
MOST_TRIES = 3
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Judged = Iterator[tuple[Task, list[AuditRow]]]


def single_threaded() -> None:
    """Keep a worker to one core: as many of them as there are cores are faster than threads that wait."""
    import cv2

    cv2.setNumThreads(1)


class LocalWork:
    """Processes on this machine."""

    def __init__(self, processes: int) -> None:
        self._processes = processes

    def __call__(self, tasks: Sequence[Task]) -> Judged:
        """Judge exports, handing each one's rows out as they come."""
        left = list(tasks)
        tries: dict[str, int] = {}
        processes = self._processes
        while left:
            done: set[str] = set()
            try:
                for task, rows in self._round(left, processes, tries):
                    done.add(task.key)
                    yield task, rows
            except BrokenProcessPool:
                processes = 1  # one at a time, so that it shows which export ends its worker
            left = [task for task in left if task.key not in done]
            for task in [task for task in left if tries.get(task.key, 0) >= MOST_TRIES]:
                left.remove(task)
                yield task, [AuditRow(task.name, problem=DIED, build=build())]
            if processes == 1 and left and not any(tries.get(task.key) for task in left):
                processes = self._processes

    def _round(self, tasks: Sequence[Task], processes: int, tries: dict[str, int]) -> Judged:
        """Judge exports until all are done, or a worker dies. tries: how often each was begun and not finished."""
        waiting = iter(tasks)
        with (
            _one_thread_each(),
            ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), single_threaded) as pool,
        ):
            running: dict[Future[list[AuditRow]], Task] = {}

            def begin() -> None:
                for task in waiting:
                    tries[task.key] = tries.get(task.key, 0) + 1
                    running[pool.submit(audit_export, str(task.path), task.name)] = task
                    return

            for _ in range(processes):
                begin()
            while running:
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    rows = future.result()
                    task = running.pop(future)
                    tries.pop(task.key, None)
                    yield task, rows
                    begin()


class ClusterWork:
    """Workers of a Dask cluster that see the archive's folder under the same path.

    scheduler: address, such as tcp://10.0.0.1:8786. Whoever can reach a scheduler can run programs on its workers:
    keep it in a network of your own. patience_s: how long an answer is waited for.
    """

    def __init__(self, scheduler: str, patience_s: float = 20.0) -> None:
        self._scheduler, self._patience_s = scheduler, patience_s

    def __call__(self, tasks: Sequence[Task]) -> Judged:
        """Judge exports, handing each one's rows out as they come. Raises OSError where nobody answers."""
        from distributed import Client, KilledWorker, as_completed

        with Client(self._scheduler, timeout=self._patience_s) as client:
            if (theirs := set(client.run(build).values())) - {build()}:
                raise OSError(0, f"the workers run another version of the referee ({', '.join(sorted(theirs))})")
            client.run(single_threaded)
            running = {
                client.submit(audit_export, str(task.path), task.name, key=f"audit-{task.key}", pure=False): task
                for task in tasks
            }
            for future in as_completed(list(running)):
                task = running.pop(future)
                try:
                    rows = future.result()
                except KilledWorker:
                    rows = [AuditRow(task.name, problem=DIED, build=build())]
                future.release()
                yield task, rows


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Keep children to one thread each, by their environment, before their libraries count the cores."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
