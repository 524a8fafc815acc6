"""Reports are made once for all who ask, and the cache of them is bounded."""

from __future__ import annotations

from functools import partial

import pytest

from referee.daemon.resultcache import KEPT_BYTES, ResultCache


def test_what_failed_is_made_anew() -> None:
    cache = ResultCache()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.get(1, lambda: bytes(1 // 0))
    assert cache.get(1, lambda: b"made") == b"made"


def test_old_ones_make_room_and_nothing_is_not_kept() -> None:
    cache, times = ResultCache(), []

    def make(key: int, size: int) -> bytes:
        times.append(key)
        return bytes(size)

    for key, size in ((1, KEPT_BYTES // 2), (2, KEPT_BYTES // 2), (1, 0), (3, 10), (2, 0), (1, 1), (4, 0), (4, 0)):
        cache.get(key, partial(make, key, size))
    assert times == [1, 2, 3, 2, 4, 4]
