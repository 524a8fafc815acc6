"""Puts an earlier turn right on the word of people, and has the later ones judged again. Pure.

A later turn is judged by its own reading, as it would have been had the turn before been known. Where that makes it
no legal turn, it counts as legal if its own changes are, on the board as people told it: nobody is accused by what
may be the same error of the eyes. Fields that were read otherwise are open then.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from referee.games.contract import Position, RequestError
from referee.match.arguments import CommandArguments, CommandError, Judge
from referee.match.events import AnyGame, Event, Illegal, Legal, RuledAgain, TurnPutRight, TurnRuled, Unsure, Verdict
from referee.match.phases import Phase
from referee.match.questions import question_of
from referee.match.rulingagain import judged_again
from referee.match.state import Entry, EntryStatus, TableState, What, turn_after
from referee.match.turn import EndOfTurn
from referee.match.turnkind import places_differing, same_change, with_places
from referee.values.board import Board, BoardError, differing_fields
from referee.values.declaring import DeclarationError, Declared, checked
from referee.values.gameerror import GameError
from referee.values.words import Words, say

MOST_LATER = 30
"""Turns that are judged again at most; together they have the time of one ruling (referee/session)."""

NEWEST_ONLY = say(
    "In this game only the newest turn can be put right: say that its reading is wrong. To change an earlier one, "
    "undo from there."
)


def may_be_put_right(entry: Entry) -> bool:
    """Return whether an entry of the record is a turn that people may put right."""
    return entry.what is What.TURN and entry.counts and entry.ruled is not None


def put_right(arguments: CommandArguments) -> tuple[Event, ...]:
    """Return what follows when people say how an earlier turn was. Raises CommandError."""
    state, game, number = arguments.state, arguments.game, arguments.number("entry")
    entry = state.entry(number)
    if entry is None or not may_be_put_right(entry):
        raise CommandError("arguments", say("Entry {n} of the record is no turn that can be put right.", n=number))
    if sum(map(may_be_put_right, state.history[number:])) > MOST_LATER:
        words = say("More than {n} turns came after it: undo from there instead.", n=MOST_LATER)
        raise CommandError("arguments", words)
    assert arguments.judge is not None, "a game under way has a judge"
    before = entry.before.observed
    if arguments.has("fields"):
        text = with_places(game.kit, before, arguments.texts("fields"))
    else:
        assert entry.after is not None, "a turn that counts leads on"
        text = game.observation(
            arguments.value("board") if arguments.has("board") else entry.after.observed.text
        ).text
    declared = _declared(arguments, entry.before) if arguments.has("declared") else entry.declared
    return (_Again(state, game, arguments.judge).event(arguments.by, entry, text, declared),)


def _declared(arguments: CommandArguments, position: Position) -> Declared:
    """Return what was declared of a turn, where it fits the form. Raises CommandError."""
    try:
        return checked(arguments.game.form(position), arguments.mapping("declared"))
    except DeclarationError as error:
        raise CommandError("arguments", error.words) from None


class _Again:
    """Judges turns of the record again, one after the other. history: as it is known now, up to the next of them."""

    def __init__(self, state: TableState, game: AnyGame, judge: Judge) -> None:
        self._state, self._game, self._judge = state, game, judge
        self._history: list[Entry] = []
        self._told: list[RuledAgain] = []

    def event(self, by: str, first: Entry, text: str, declared: Declared) -> TurnPutRight:
        """Return the event by which a turn is put right. Raises CommandError."""
        state = self._state
        self._history = list(state.history[: first.id - 1])
        said = self._said(first, text, declared)
        self._take(first, said, first.before)
        for entry in state.history[first.id :]:
            if self._as_before(entry):
                return TurnPutRight(by, tuple(self._told), state.position, self._board_that_waits(state.position))
            self._go_on(entry)
        return TurnPutRight(by, tuple(self._told), self._position, self._board_that_waits(self._position))

    def _said(self, first: Entry, text: str, declared: Declared) -> RuledAgain:
        """Return the turn itself as people say it was."""
        ruled = self._ruled(first, first.before, declared, text)
        assert first.ruled is not None, "it is a turn"
        if isinstance(ruled.found, Unsure):
            words = ruled.found.words or say("No turn leads to this board: look at it again.")
            raise CommandError("arguments", words)
        same = first.after is not None and first.after.observed.text == text and ruled.found == first.ruled.found
        if same and declared == first.declared:
            raise CommandError("arguments", say("The turn stands so already: nothing was changed."))
        after = self._accepted(first, first.before, ruled, text)
        return RuledAgain(first.id, after, ruled, True, None if declared == first.declared else declared)

    def _go_on(self, entry: Entry) -> None:
        """Take the next entry of the record as it is now."""
        position = self._position
        if not entry.counts:
            self._take(entry, self._accused(entry, position), position)
            return
        if position.finished or (position.turn, position.to_move) != (entry.turn, entry.before.to_move):
            who = entry.player
            words = say("Then turn {turn} would not be {who}’s: undo from there instead.", turn=entry.turn, who=who)
            raise CommandError("arguments", words)
        match entry.what:
            case What.TURN:
                self._take(entry, self._turn(entry, position), position)
            case What.PASSED:
                self._take(entry, RuledAgain(entry.id, self._game.passed(position)), position)
            case What.RESIGNED:
                out = frozenset({*replace(self._state, history=tuple(self._history)).out, entry.player})
                self._take(entry, RuledAgain(entry.id, self._game.resigned(position, out)), position)
            case What.CORRECTION | What.ENDED:
                after = entry.after if entry.what is What.CORRECTION else position
                self._take(entry, RuledAgain(entry.id, after), position)

    def _turn(self, entry: Entry, position: Position) -> RuledAgain:
        """Return a later turn as it is judged now."""
        ruled, by_hand, text = self._judged(entry, position)
        return RuledAgain(entry.id, self._accepted(entry, position, ruled, text), ruled, by_hand)

    def _judged(self, entry: Entry, position: Position) -> tuple[TurnRuled, bool, str]:
        """Return a ruling on an entry, whether it is on a board people told, and the board it leads to."""
        assert entry.ruled is not None, "it is a turn"
        stood = entry.ruled.observed
        if entry.fate is EntryStatus.ACCEPTED and entry.after is not None:
            stood = entry.after.observed.text
        anew, reading = entry.anew, entry.reading
        read = reading is not None and bool(reading.belief) and not (anew is not None and anew.said)
        told = stood != entry.ruled.observed or not read
        ruled = None if told else self._ruled(entry, position, entry.declared)
        if ruled is not None and ruled.after is not None:
            return ruled, False, ruled.observed
        seen = self._game.observation(anew.given.observed if anew is not None and read else stood)
        boards = self._carried(entry, position, stood, told)
        for board in boards:
            by_hand = self._ruled(entry, position, entry.declared, board)
            if isinstance(by_hand.found, Legal):
                return _left_open(by_hand, seen), True, board
        if ruled is not None and (isinstance(ruled.found, Unsure) or ruled.observed in boards):
            return ruled, False, boards[0] if isinstance(ruled.found, Unsure) else ruled.observed
        return self._ruled(entry, position, entry.declared, boards[0]), True, boards[0]

    def _carried(self, entry: Entry, position: Position, text: str, told: bool = True) -> list[str]:
        """Return the boards with what an entry changed, on what is known to have stood before it.

        What people told of a field is first taken as they said it, what was read as a change of what stood there.
        """
        before, kit = entry.before.observed, self._game.kit
        places, boards = places_differing(kit, before, text), []
        with suppress(BoardError):
            boards.append(text if places is None else with_places(kit, position.observed, places))
        with suppress(BoardError):
            boards.insert(len(boards) if told else 0, same_change(kit, before, text, position.observed))
        if not boards:
            raise self._no_longer(entry, say("no board has these fields."))
        return list(dict.fromkeys(boards))

    def _ruled(self, entry: Entry, position: Position, declared: Declared, board: str | None = None) -> TurnRuled:
        """Rule on an entry's reading, or on a board; nobody is accused who would be asked first."""
        base = replace(self._state, history=tuple(self._history), phase=Phase.RULING, result=None)
        end = EndOfTurn(entry.known, confirmed=True, board=board, stood=frozenset(entry.known))
        turn = replace(turn_after(position, base.last_moved), declared=declared, end=end)
        ruled = self._judge(replace(base, reading=entry.reading, turn=turn))
        judged = replace(entry, before=position, ruled=ruled, declared=declared)
        if isinstance(ruled.found, Illegal) and question_of(judged, self._game) is not None:
            return replace(ruled, found=Unsure(words=say("Something must be asked of that turn first.")))
        return ruled

    def _accepted(self, entry: Entry, position: Position, ruled: TurnRuled, text: str) -> Position | None:
        """Return the position from which the game went on though the turn was none that is legal."""
        if ruled.after is not None:
            return None
        try:
            after: Position = self._game.accepted(position, self._game.observation(text), entry.declared)
        except (RequestError, GameError) as error:
            raise self._no_longer(entry, error.words) from None
        return after

    def _accused(self, entry: Entry, position: Position) -> RuledAgain | None:
        """Return what withdraws the accusation of a turn that was taken back, where it would be legal now."""
        ruled = entry.ruled
        if entry.fate is not EntryStatus.TAKEN_BACK or ruled is None or ruled.verdict is not Verdict.ILLEGAL:
            return None
        again, by_hand, _ = self._judged(entry, position)
        return RuledAgain(entry.id, None, again, by_hand) if isinstance(again.found, Legal) else None

    def _take(self, entry: Entry, again: RuledAgain | None, position: Position) -> None:
        if again is None:
            self._history.append(entry)
            return
        self._told.append(again)
        self._history.append(judged_again(entry, again, position, self._state.look, not self._told[:-1]))

    def _as_before(self, entry: Entry) -> bool:
        """Return whether an entry begins as it did, so that nothing changes from there on."""
        base = replace(self._state, history=tuple(self._history))
        was = replace(self._state, history=self._state.history[: entry.id - 1])
        begins, began = (turn_after(self._position, one.last_moved).left_open for one in (base, was))
        return entry.counts and entry.before == self._position and begins == began

    def _board_that_waits(self, position: Position) -> str | None:
        """Return the board of the turn that waits for the players, where they gave it."""
        waits = self._state.open_turn
        if waits is None or waits.ruled is None or not waits.by_hand:
            return None
        return self._carried(waits, position, waits.ruled.observed)[0]

    @property
    def _position(self) -> Position:
        """Return where the game stands after the entries that were taken."""
        entry = next(entry for entry in reversed(self._history) if entry.counts)
        assert entry.after is not None, "what counts leads on"
        return entry.after

    def _no_longer(self, entry: Entry, why: Words) -> CommandError:
        words = say("Then turn {turn} can’t have been so: {why} Undo from there instead.", turn=entry.turn, why=why)
        return CommandError("arguments", words)


def _left_open(ruled: TurnRuled, seen: Board) -> TurnRuled:
    """Return a legal ruling on a board people told, with the fields open on which something else was seen."""
    assert isinstance(ruled.found, Legal), "it is legal"
    open_ = frozenset(differing_fields(seen.like(ruled.observed), seen))
    left_open = replace(ruled.left_open, lost=ruled.left_open.lost | open_)
    return replace(ruled, found=replace(ruled.found, open=ruled.found.open | open_), left_open=left_open)
