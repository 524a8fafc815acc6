"""Reports are made one at a time, kept, and refused to more who wait than there are threads to spare for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial

import pytest

from referee.daemon.workshop import KEPT_BYTES, MOST_WAITING, Workshop
from web.tableview import BusyError

ALL = MOST_WAITING + 1


class Held:
    """Something whose making begins and ends when the test says so."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.times = self.at_once = self.most_at_once = 0

    def make(self) -> bytes:
        self.times += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        assert self.go_on.wait(30)
        self.at_once -= 1
        return b"made"


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(ALL) as pool:
        yield pool


def asked(threads: ThreadPoolExecutor, shop: Workshop, held: Held, keys: list[int]) -> list[Future[bytes]]:
    """Ask for each key from a thread of its own; the first has begun when this returns."""
    found = [threads.submit(shop.made, key, held.make) for key in keys]
    assert held.begun.wait(30)
    return found


def test_the_same_is_made_once_and_nothing_beside_it(threads: ThreadPoolExecutor) -> None:
    shop, held = Workshop(), Held()
    futures = asked(threads, shop, held, [1, 1, 2])
    held.go_on.set()
    assert [one.result(30) for one in futures] == [b"made"] * ALL
    assert (held.times, held.most_at_once) == (2, 1)


def test_more_than_may_wait_are_sent_away_at_once(threads: ThreadPoolExecutor) -> None:
    shop, held = Workshop(), Held()
    with ThreadPoolExecutor(2 * ALL) as many:
        futures = asked(many, shop, held, list(range(2 * ALL)))
        sent_away, _ = wait(futures, timeout=30, return_when=FIRST_COMPLETED)
        assert all(isinstance(one.exception(), BusyError) for one in sent_away), "while the first is still made"
        while len([one for one in futures if one.done()]) < ALL:
            wait([one for one in futures if not one.done()], timeout=30, return_when=FIRST_COMPLETED)
        held.go_on.set()
        wait(futures, timeout=30)
    assert sum(one.exception() is None for one in futures) == ALL
    assert shop.made("another", lambda: b"now") == b"now", "the places are free again"


def test_nobody_waits_for_ever(threads: ThreadPoolExecutor) -> None:
    shop, held = Workshop(patience_s=0.01), Held()
    (first,) = asked(threads, shop, held, [1])
    with pytest.raises(BusyError):
        shop.made(2, lambda: b"never")
    held.go_on.set()
    assert first.result(30) == b"made"


def test_what_fails_leaves_the_bench_free() -> None:
    shop = Workshop()
    for _ in range(ALL + 1):
        with pytest.raises(ZeroDivisionError):
            shop.made(1, lambda: bytes(1 // 0))
    assert shop.made(1, lambda: b"made") == b"made"


def test_old_ones_make_room_and_nothing_is_not_kept() -> None:
    shop, times = Workshop(), []

    def make(key: int, size: int) -> bytes:
        times.append(key)
        return bytes(size)

    for key, size in ((1, KEPT_BYTES // 2), (2, KEPT_BYTES // 2), (1, 0), (3, 10), (2, 0), (1, 1), (4, 0), (4, 0)):
        shop.made(key, partial(make, key, size))
    assert times == [1, 2, 3, 2, 4, 4]
