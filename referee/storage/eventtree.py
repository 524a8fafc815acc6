"""The Merkle tree over a journal's events: one hash for all of them, and short proofs that it only grew.

It is the tree of RFC 6962, as transparency logs have it (https://c2sp.org/tlog-checkpoint). A leaf is an event's own
hash, 32 bytes, which is chained to all before. A chain alone would do to tell two journals apart; the tree tells a
device with a dozen hashes that a journal of thousands of events still begins with those that the device signed.
"""

from __future__ import annotations

import hashlib

EMPTY = hashlib.sha256(b"").digest()
"""Root of the tree without a leaf."""


class EventTree:
    """A tree that leaves are added to. Hashes are 32 bytes."""

    def __init__(self) -> None:
        self._leaves: list[bytes] = []
        self._whole: dict[tuple[int, int], bytes] = {}
        """Roots of subtrees that are full, by first leaf and end: they never change."""

    @property
    def size(self) -> int:
        """Return the number of leaves."""
        return len(self._leaves)

    def add(self, event_hash: str) -> None:
        """Add an event's hash, 64 hexadecimal digits."""
        self._leaves.append(hashlib.sha256(b"\0" + bytes.fromhex(event_hash)).digest())

    def root(self, size: int) -> bytes:
        """Return the root of the tree as it was with so many leaves. Raises IndexError for more than there are."""
        if not 0 <= size <= self.size:
            raise IndexError(f"the tree has {self.size} leaves, not {size}")
        return self._root(0, size) if size else EMPTY

    def proof(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the tree with ``new`` leaves begins with that of ``old`` (RFC 6962, 2.1.2).

        Empty where there is nothing to prove: for an empty tree, and for the same one. Raises IndexError.
        """
        if not 0 <= old <= new <= self.size:
            raise IndexError(f"no tree of {self.size} leaves grows from {old} to {new}")
        return self._proof(old, 0, new, True) if 0 < old < new else []

    def _proof(self, old: int, start: int, end: int, known: bool) -> list[bytes]:
        """Return the proof for the first ``old`` leaves of a subtree; known: the asker has the root of those."""
        if old == end - start:
            return [] if known else [self._root(start, end)]
        half = _half(end - start)
        if old <= half:
            return [*self._proof(old, start, start + half, known), self._root(start + half, end)]
        return [*self._proof(old - half, start + half, end, False), self._root(start, start + half)]

    def _root(self, start: int, end: int) -> bytes:
        if end - start == 1:
            return self._leaves[start]
        found = self._whole.get((start, end))
        if found is None:
            middle = start + _half(end - start)
            found = hashlib.sha256(b"\1" + self._root(start, middle) + self._root(middle, end)).digest()
            if (end - start).bit_count() == 1:
                self._whole[start, end] = found
        return found


def _half(size: int) -> int:
    """Return the largest power of two below a size of at least 2."""
    half: int = 1 << (size - 1).bit_length() - 1
    return half
