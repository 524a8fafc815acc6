"""Changes from one state of the table to the next: members set, members gone, and of the record only what is new.

A state that is sent holds the end of the record alone, so that it does not grow with the game.
"""

from __future__ import annotations

from collections.abc import Mapping

RECORD = "history"
"""The one member that grows with the game: a list of entries, each with its number under ``entry``, in order."""
NEWEST = 50
"""Entries of the record that a state is sent with."""


def shortened(state: Mapping[str, object]) -> Mapping[str, object]:
    """Return a state with the newest entries of its record alone, from the last one that counts on at least."""
    record = state.get(RECORD)
    if not isinstance(record, list) or len(record) <= NEWEST:
        return state
    counting = next((at for at in reversed(range(len(record))) if record[at].get("counts")), len(record))
    return {**state, RECORD: record[min(counting, len(record) - NEWEST) :]}


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Compare two states: ``from`` and ``version``; ``set``: members with another value; ``gone``: their names.

    ``history``, where the record changed: ``first``, the number of the first entry still shown (0 for none), and
    ``entries``: the new ones and those that differ, each to be put in the place its number gives it.
    """
    told: dict[str, object] = {
        "from": before["version"],
        "version": after["version"],
        "set": {
            name: value
            for name, value in after.items()
            if name not in (RECORD, "version") and (name not in before or before[name] != value)
        },
        "gone": [name for name in before if name not in after],
    }
    old, new = entries_of(before), entries_of(after)
    if RECORD in after and (old is None or new is None or _left_out(old, new)):
        told["set"] = {**_mapping(told["set"]), RECORD: after[RECORD]}
    elif old is not None and new is not None and old != new:
        fresh = [entry for number, entry in new.items() if old.get(number) is not entry and old.get(number) != entry]
        told[RECORD] = {"first": next(iter(new), 0), "last": next(reversed(new), 0), "entries": fresh}
    return told


def entries_of(state: Mapping[str, object]) -> dict[int, Mapping[str, object]] | None:
    """Return the record's entries by number, in order; ``None`` where there is no such record."""
    record = state.get(RECORD)
    if not isinstance(record, list) or not all(isinstance(entry, Mapping) and "entry" in entry for entry in record):
        return None
    return {entry["entry"]: entry for entry in record}


def _left_out(old: Mapping[int, object], new: Mapping[int, object]) -> bool:
    """Return whether entries went from the record's middle, or their order changed."""
    numbers = list(new)
    kept = [number for number in old if numbers and numbers[0] <= number <= numbers[-1]]
    return numbers != sorted(numbers) or any(number not in new for number in kept)


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}
