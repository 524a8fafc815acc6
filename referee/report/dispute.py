"""One turn of a game for two who disagree: each ruling on it, and who decided what and when.

Nothing is judged anew here: all of it is in the journal. The page is drawn in referee/report/disputepage.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.archive.export import game_of
from referee.games.contract import Position
from referee.games.guarding import shown
from referee.match.events import (
    AnyGame,
    Event,
    EventError,
    PositionCorrected,
    ReadingCorrected,
    ReadingMade,
    Trigger,
    TurnPutRight,
    TurnRuled,
    TurnsRetold,
    event_from_json,
)
from referee.match.state import Dispute, Entry, EntryStatus, TableState
from referee.match.transitions import TableError, begin, step
from referee.report.blocks import Said
from referee.report.drawing import changed_places
from referee.report.kind import report_kind
from referee.report.pieceletters import field_shown
from referee.storage.journal import JournalEntry, JournalError
from referee.values.declaring import Declared
from referee.values.kit import Kit
from referee.values.words import Words, say

_TOLD: Mapping[str, Words] = {
    "game_started": say("The game begins."),
    "look_taken": say("The end of the turn is said: the cameras look."),
    "reading": say("The board is read."),
    "ruling": say("The referee rules."),
    "turns_retold": say("Later pictures show what earlier turns did."),
    "setup_accepted": say("The players begin from the board as agreed."),
    "seats_taken": say("The players take the seats that the set-up shows."),
    "called_off": say("The turn was not over after all."),
    "turn_confirmed": say("The turn is said to be over although nothing changed."),
    "field_told": say("Somebody says what stands on a field."),
    "put_back": say("The board is put back as it was before the turn."),
    "turn_accepted": say("The players let the turn stand by agreement."),
    "ruling_withdrawn": say("The players say that the board was read wrongly."),
    "reading_corrected": say("The players say how the board stands."),
    "declared": say("It is declared what no camera sees."),
    "position_corrected": say("The position is put right by hand."),
    "undone": say("Turns are undone."),
    "ruled_again": say("An earlier turn is put right, and the later ones are judged again."),
    "paused": say("Play is paused."),
    "resumed": say("Play goes on."),
    "disputed": say("The turn is disputed."),
    "resolved": say("A dispute is settled."),
    "resigned": say("A player gives up."),
    "turn_passed": say("The turn is passed over."),
    "game_ended": say("The game is ended by agreement."),
    "time_given": say("A player gets more time."),
    "time_taken": say("An arbiter takes time from a player."),
    "arbiter_ordered": say("An arbiter rules."),
    "clock_aside": say("The clock is laid aside."),
    "source_ended": say("There are no more pictures."),
}
_PASSED_OVER = ("setup_checked", "table_checked", "clock", "drafted")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One event of the turn. number: in the journal; at: ISO 8601, UTC; by: who, empty for the referee itself.

    said: in somebody's own words, what stands on fields, or what is observed as a text; empty where there is none.
    """

    number: int
    at: str
    words: Words
    by: str = ""
    said: Said = ""


@dataclass(frozen=True, slots=True)
class DisputedTurn:
    """A turn with all that was ruled on it.

    begun_at: when the game began. looks: each ruling on the turn, and what became of it, oldest first. head: hash of
    the journal's newest event, by which others can tell that it is the same journal. declared: what was declared of
    a ruling's turn, by the ruling's number in the record.
    """

    game: AnyGame
    turn: int
    begun_at: str
    players: Mapping[str, str]
    looks: tuple[Entry, ...]
    happened: tuple[Occurrence, ...]
    disputes: tuple[Dispute, ...]
    head: str
    declared: Mapping[int, Declared] = field(default_factory=dict)


def disputed_turn(entries: Sequence[JournalEntry], turn: int) -> DisputedTurn:
    """Return a turn of a journal's game.

    Raises JournalError for events that can't be replayed, or for no such turn.
    """
    try:
        game = shown(game_of(entries))
        state, happened, declared = _replayed(entries, game, turn)
    except (TableError, ValueError, LookupError, TypeError) as error:
        raise JournalError(f"the game can't be replayed: {error}") from error
    looks = tuple(entry for entry in state.history if entry.turn == turn)
    if not looks:
        last = max((entry.turn for entry in state.history), default=0)
        raise JournalError(f"there is no turn {turn} in it: the last that was ruled on is turn {last}")
    ids = {entry.id for entry in looks}
    disputes = tuple(dispute for dispute in state.disputes if dispute.entry in ids)
    return DisputedTurn(
        game, turn, entries[0].at, state.players, looks, tuple(happened), disputes, entries[-1].hash, declared
    )


def _replayed(
    entries: Sequence[JournalEntry], game: AnyGame, turn: int
) -> tuple[TableState, list[Occurrence], dict[int, Declared]]:
    """Replay a game. Return its state, the events about the turn, and the declaration of each ruling on the turn."""
    state: TableState | None = None
    happened: list[Occurrence] = []
    declared: dict[int, Declared] = {}
    filling = False
    for entry in entries:
        event = event_from_json(entry.kind, entry.data, game)
        before, state = state, begin(event) if state is None else step(state, event)
        if before is not None and len(state.history) > len(before.history):
            declared[len(state.history)] = before.turn.declared
        if entry.kind not in _PASSED_OVER and turn in _turns(entry, event, before, state):
            if filling and event.trigger is Trigger.ENTERED:
                happened.pop()  # of a form that is being filled in, only its last state is shown
            happened.append(occurrence(entry, event, before, game.kit))
            filling = event.trigger is Trigger.ENTERED
    if state is None:
        raise EventError("no game has begun in it")
    return state, happened, declared


def _turns(entry: JournalEntry, event: Event, before: TableState | None, state: TableState) -> Sequence[int]:
    """Return the turns an event is about: one, or all from the first that it undoes."""
    if before is None:
        return ()
    about = entry.data.get("entry")
    if entry.kind == "resolved":
        about = next((one.entry for one in state.disputes if one.id == entry.data.get("dispute")), None)
    if isinstance(event, TurnsRetold | TurnPutRight):
        numbers = [one.entry for one in (event.turns if isinstance(event, TurnsRetold) else event.entries)]
        return [told.turn for number in numbers if (told := state.entry(number)) is not None]
    told = state.entry(about) if isinstance(about, int) else None
    if told is not None and entry.kind != "undone":
        return (told.turn,)
    first = min(before.position.turn, state.position.turn)
    return range(first, before.position.turn + 1)


def occurrence(entry: JournalEntry, event: Event, before: TableState | None, kit: Kit) -> Occurrence:
    """Return an event in words, with who caused it and what they said. before: the state in which it happened."""
    data = entry.data
    said: Said = str(data.get("words") or "")
    if entry.kind == "field_told":
        others = data.get("others")
        said = _field_told({str(data["field"]): data["stands"], **(others if isinstance(others, dict) else {})}, kit)
    elif before is not None and isinstance(event, ReadingCorrected):
        said = _put_right(_as_read(before), event.board_after(before.position), before, kit)
    elif before is not None and isinstance(event, PositionCorrected):
        said = _put_right(before.position.observed.text, event.position.observed.text, before, kit)
    elif entry.kind == "declared" and isinstance(declared := data.get("declared"), Mapping):
        said = " · ".join(f"{key} = {_plain(value)}" for key, value in declared.items())
    words = _TOLD.get(entry.kind) or Words(entry.kind)
    return Occurrence(entry.number, entry.at, words, str(data.get("by") or ""), said)


def _as_read(state: TableState) -> str:
    """Return the text of what was read of the turn under way; of what stood before it where nothing was read."""
    last = state.last
    read = last is not None and last.turn == state.position.turn and last.fate is EntryStatus.WITHDRAWN
    text: str = last.ruled.observed if read and last and last.ruled else state.position.observed.text
    return text


def _put_right(read: str, told: str, state: TableState, kit: Kit) -> Said:
    """Return the places in which what people said differs from what was read; all of it where no place has a name."""
    like = state.position.observed
    if not report_kind(kit).places(told, like, kit):
        return told
    differs = {name: stands for name, _, stands in changed_places(read, told, like, kit)}
    return _field_told(differs, kit) if differs else say("No field stands otherwise.")


def _field_told(told: Mapping[str, object], kit: Kit) -> Said:
    return lambda t: "; ".join(
        t(say("{name}: {value}", name=field, value=field_shown(str(stands), kit, t)))
        for field, stands in told.items()
    )


def _plain(value: object) -> str:
    """Return what was declared as plain text."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(one)}" for key, one in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, slots=True)
class PlaceRead:
    """A field or cell that differs from before: text of it before and as read (``?`` untold), and how surely."""

    name: str
    before: str
    after: str
    sure: float | None


def places_read(before: Position, ruled: TurnRuled, reading: ReadingMade | None, kit: Kit) -> tuple[PlaceRead, ...]:
    """Return the places where the observation ruled on differs from before, and how surely each was read."""
    like = before.observed
    sure = report_kind(kit).sureness(reading, like) if reading is not None else {}
    changed = changed_places(like.text, ruled.observed, like, kit)
    return tuple(PlaceRead(name, old, new, sure.get(name)) for name, old, new in changed)
