"""Step over the event that puts an earlier turn right: what was ruled stays known beside what is ruled now."""

from __future__ import annotations

from dataclasses import replace

from referee.games.contract import Position
from referee.match.events import Legal, RuledAgain, TurnPutRight, TurnRuled, Unsure
from referee.match.events.ruled import CERTAIN
from referee.match.state import Anew, Entry, EntryStatus, TableError, TableState, What, turn_after


def turn_put_right(state: TableState, moved: TableState, event: TurnPutRight) -> TableState:
    """Return the state in which an earlier turn stands as people say, and the later ones as they are ruled now.

    Raises TableError for entries that do not follow from each other.
    """
    told = {one.entry: one for one in event.entries}
    first = state.entry(event.entries[0].entry)
    if first is None or not first.counts or first.ruled is None or max(told) > len(state.history):
        raise TableError(f"entry {event.entries[0].entry} of the record is no turn that can be put right")
    position, history = first.before, list(state.history[: first.id - 1])
    for entry in state.history[first.id - 1 :]:
        again = told.get(entry.id)
        since = turn_after(position, replace(state, history=tuple(history)).last_moved).since
        known = entry if again is None else judged_again(entry, again, position, state.look, entry is first)
        if again is not None and known.counts and known.what is What.TURN:
            known = replace(known, since=since, by=event.by if entry is first else known.by)
        history.append(known)
        if entry.counts:
            if position.finished or (again is None and entry.before != position):
                raise TableError(f"entry {entry.id} of the record does not follow from the one before")
            position = history[-1].after or position
    if position != event.position:
        raise TableError("the game stands otherwise after these entries")
    now = replace(moved, history=tuple(map(_no_longer_open, history)))
    turn, end = state.turn, replace(state.turn.end, board=event.board)
    begun = turn_after(position, now.last_moved)
    kept = replace(
        begun, declared=turn.declared, drafts=turn.drafts, unseen=turn.unseen, checked=turn.checked, end=end
    )
    return replace(now, turn=kept)


def judged_again(entry: Entry, again: RuledAgain, position: Position, look: int, said: bool) -> Entry:
    """Return an entry of the record as it is judged now. position: before it. Raises TableError."""
    ruled, given = again.ruled, entry.ruled
    if ruled is None or given is None:
        if entry.what is What.TURN or ruled is not None or again.after is None:
            raise TableError(f"entry {entry.id} of the record can't be judged so")
        return replace(entry, before=position, after=again.after)
    if entry.anew is not None:
        given, said = entry.anew.given, said or entry.anew.said
    anew = Anew(look, given, ruled, said)
    if not entry.counts:
        if entry.fate is not EntryStatus.TAKEN_BACK or not isinstance(ruled.found, Legal):
            raise TableError(f"entry {entry.id} of the record waits for nothing")
        return replace(entry, fate=EntryStatus.WITHDRAWN, anew=anew)
    after = again.after or ruled.after
    if after is None:
        raise TableError(f"nothing follows from entry {entry.id} of the record")
    if isinstance(ruled.found, Unsure):
        ruled = _as_given(given, ruled, after)
    accepted = not isinstance(given.found, Legal)
    fate = EntryStatus.ACCEPTED if accepted else EntryStatus.FOUND_LATE
    if isinstance(ruled.found, Legal):
        fate = EntryStatus.STANDS
    known = replace(entry, before=position, after=after, fate=fate, ruled=ruled, anew=anew)
    declared = entry.declared if again.declared is None else again.declared
    by = entry.by if fate is entry.fate else ""
    return replace(known, by_hand=again.by_hand or entry.reading is None, declared=declared, by=by)


def _as_given(given: TurnRuled, judged: TurnRuled, after: Position) -> TurnRuled:
    """Return a ruling that can't be given anew as it was given, on the board that is known now."""
    if not isinstance(given.found, Legal):
        return given
    found = replace(given.found, ruling=replace(given.found.ruling, next=after), open=frozenset(judged.doubts))
    return replace(given, observed=after.observed.text, found=found, left_open=CERTAIN, late=None)


def _no_longer_open(entry: Entry) -> Entry:
    """Return an entry of which nobody waits for a decision: what it was ruled on was not known as it is now."""
    return replace(entry, fate=EntryStatus.WITHDRAWN) if entry.fate is EntryStatus.OPEN else entry
