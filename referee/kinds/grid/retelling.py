"""Tells the earlier turns of a game on a grid anew, by what the newest look shows of where it began."""

from __future__ import annotations

import numpy as np

from referee.games.contract import Position, RequestError, Ruling
from referee.kinds.grid.judging.smoothing import (
    LatticeLayer,
    LatticeStep,
    alike,
    likeliest_path,
    open_fields,
    steps_back,
)
from referee.match.events import AnyGame, TurnRetold, TurnsRetold, Verdict
from referee.match.standing import board_of
from referee.match.state import Entry, TableState
from referee.values.board import Board, Field, differing_fields


def retold(game: AnyGame, state: TableState) -> TurnsRetold | None:
    """Return the turns to be told anew once the newest was ruled legal; ``None`` where they stand as they are."""
    newest = state.history[-1] if state.history else None
    if newest is None or state.turn.since != newest.id:
        return None
    if changed := _changed_before(newest):
        return _reopened(state, newest, changed)
    entries, layers = _lattice(game, state, newest)
    if not entries:
        return None
    scores = np.array([score for _, score in state.turn.left_open.track] or [0.0])
    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    path, ways = likeliest_path(layers), steps_back(layers, shares.tolist())
    turns = []
    for number, entry in enumerate(entries, 1):
        before = layers[number - 1].positions[path[number - 1]]
        after = layers[number].positions[path[number]]
        turn = _told(game, entry, (before, after), _boards(layers, number, ways[number - 1]))
        if turn is not None:
            turns.append(turn)
    return TurnsRetold(tuple(turns)) if turns else None


def _changed_before(newest: Entry) -> frozenset[Field]:
    """Return the fields that earlier turns must have changed, though the record says otherwise.

    A turn that was ruled legal from a dropped position (decision 0061) shows so: what no act of it did was done
    before. Empty for a turn from a position that was kept, and for a game that tells no acts. Where a turn began at
    the only position kept, its event does not say whether it was ruled from that one.
    """
    ruled = newest.ruled
    if not _counts(newest) or ruled is None or ruled.ruling is None or newest.after is None:
        return frozenset()
    starts = [start for link in ruled.left_open.links for start, _ in link]
    if not ruled.ruling.acts or ruled.late is not None or not starts or max(starts) >= 0:
        return frozenset()
    acted = {place for act in ruled.ruling.acts for place in act.fields}
    return frozenset(differing_fields(board_of(newest.before), board_of(newest.after)) - acted)


def _reopened(state: TableState, newest: Entry, changed: frozenset[Field]) -> TurnsRetold:
    """Return the turns back to the last position known for certain, with changed fields open in each of them.

    Nobody knows which of them changed those. Nor is it known what the newest did on fields that were open
    when it began.
    """
    earlier = state.entry(newest.since)
    turns = [_with_open(newest, changed | (earlier.open if earlier is not None else frozenset()))]
    while earlier is not None and _counts(earlier) and earlier.ruled is not None and earlier.ruled.left_open.track:
        if not changed <= earlier.open:
            turns.insert(0, _with_open(earlier, changed))
        earlier = state.entry(earlier.since)
    return TurnsRetold(tuple(turns))


def _with_open(entry: Entry, open_: frozenset[Field]) -> TurnRetold:
    assert entry.ruled is not None, "a turn that counts was ruled on"
    assert entry.ruled.ruling is not None, "a legal turn has a ruling"
    return TurnRetold(entry.id, entry.before, entry.ruled.ruling, entry.open | open_)


def _lattice(game: AnyGame, state: TableState, newest: Entry) -> tuple[list[Entry], list[LatticeLayer]]:
    """Return the turns back to the last position known for certain, and the positions before and after each."""
    entries: list[Entry] = []
    layers: list[LatticeLayer] = []
    entry: Entry | None = newest
    while entry is not None and _counts(entry):
        ruled = entry.ruled
        assert ruled is not None, "a turn that counts was ruled on"
        left = ruled.left_open
        positions = tuple(position for position, _ in left.track) or ((entry.after,) if entry.after else ())
        if len(positions) == 1 and entry is not newest:
            break  # known for certain: nothing seen later tells of what was before
        earlier = state.entry(entry.since)
        starts = _starts(game, entry, earlier)
        links = left.links or tuple(((0, 1.0),) for _ in positions)
        known = all(0 <= start < len(starts) for link in links for start, _ in link)
        if not known or (len(starts) > 1 and not left.links):
            break  # it began where players went on from a turn that nobody settled, or after a breach found late
        entries.insert(0, entry)
        layers.insert(0, LatticeLayer(positions, links, tuple(link for link in left.dropped if link[0] >= 0)))
        if len(starts) == 1:
            layers.insert(0, LatticeLayer(starts))
            return entries, layers
        entry = earlier
    if not entries:
        return [], []
    # What stood before the first of them is not known any more: it stays as it is told.
    return entries[1:], layers


def _counts(entry: Entry) -> bool:
    return entry.counts and entry.ruled is not None and entry.ruled.verdict is Verdict.LEGAL


def _starts(game: AnyGame, entry: Entry, earlier: Entry | None) -> tuple[Position, ...]:
    """Return the positions from which a turn may have begun, those who gave up passed over."""
    if earlier is None or earlier.ruled is None or not earlier.ruled.left_open.track:
        return (entry.before,)
    found = []
    for position, _ in earlier.ruled.left_open.track:
        one = position
        while not one.finished and one.turn < entry.before.turn:
            one = game.passed(one)
        found.append(one)
    return tuple(found)


def _boards(layers: list[LatticeLayer], number: int, ways: list[LatticeStep]) -> list[tuple[float, Board, Board]]:
    starts, ends = layers[number - 1].positions, layers[number].positions
    return [(way.share, board_of(starts[way.before]), board_of(ends[way.after])) for way in ways]


def _told(
    game: AnyGame,
    entry: Entry,
    path: tuple[Position, Position],
    ways: list[tuple[float, Board, Board]],
) -> TurnRetold | None:
    """Return a turn as it is known now; ``None`` where that is how it is told."""
    before, after = path
    ruled = entry.ruled
    assert ruled is not None, "a turn that counts was ruled on"
    assert ruled.ruling is not None, "a legal turn has a ruling"
    assert entry.after is not None, "a legal turn leads on"
    same = alike(before, entry.before) and alike(after, entry.after)
    kept = board_of(before), board_of(after)
    open_ = open_fields(ways, kept) | ruled.left_open.lost
    if ruled.left_open.dropped:  # what was dropped then may have been what was played
        open_ |= ruled.open
    if same and open_ == ruled.open:
        return None
    ruling = ruled.ruling if same else _ruling(game, entry, before, after)
    return None if ruling is None else TurnRetold(entry.id, before, ruling, open_)


def _ruling(game: AnyGame, entry: Entry, before: Position, after: Position) -> Ruling | None:
    try:
        ruling = game.check(before, board_of(after), (), entry.declared)
    except RequestError:
        return None
    return ruling if ruling.legal and ruling.next is not None and alike(ruling.next, after) else None
