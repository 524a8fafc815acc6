"""Make a game from what people kept of it: a record they typed, or photographs they took.

What is written is what a referee at the table would have written had it been told no more than this. A typed turn is
a turn whose board the players gave; a photograph is a look. Nobody is accused on a doubt: where photographs do not
tell what happened, the import ends and says what it needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.daemon.gamejournal import GameJournal
from referee.games import records_named
from referee.games.contract import RequestError
from referee.games.record import Record, RecordEntry, RecordError
from referee.match.beginning import awaits_setup
from referee.match.commands import Command, CommandError
from referee.match.events import (
    AnyGame,
    CalledOff,
    End,
    Event,
    GameEnded,
    Illegal,
    LookTaken,
    PutBack,
    ReadingCorrected,
    ReadingMade,
    RulingWithdrawn,
    SetupAccepted,
    TurnDeclared,
    TurnRuled,
    Unsure,
    Verdict,
    WhyUnsure,
)
from referee.match.phases import Phase
from referee.session.adapter import UNCLEAR, adapter_of
from referee.session.capture import Capture, Pictures
from referee.session.driving import FileDriver
from referee.session.engine import Session
from referee.session.said import CommandGiven, EventNoted, LookGiven
from referee.values.words import Words, say

UNCERTAIN = say("It can’t be told whether the turn before it was taken back.")


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a turn or a look. words: for people. ended: whether the import can't go on from it."""

    words: Words
    ended: bool = False


class RecordImport:
    """Write a typed record, turn by turn, into a journal as a game whose boards the players gave."""

    def __init__(self, game: AnyGame, journal: GameJournal, by: str) -> None:
        self._game, self._by = game, by
        adapter = adapter_of(game, None)
        self._session = Session(game, journal.state, adapter)
        self._unseen: str = adapter.read(journal.state, None, ()).reading.text
        self._driver = FileDriver(self._session, journal)
        if journal.state.phase is Phase.SET_UP:
            self._happen(SetupAccepted(by))

    def take(self, entry: RecordEntry, taken_back: bool) -> Taken:
        """Rule on a recorded turn act by act. Raises RecordError for one that can't be read."""
        rules, state = records_named(self._game.name), self._session.state
        if state.phase is Phase.FINISHED:
            raise RecordError("the game is over before this turn: leave out what follows", entry.line)
        if entry.number != state.position.turn:
            raise RecordError(f"turn {entry.number} stands where turn {state.position.turn} must", entry.line)
        ruling = rules.play(state.position, entry)
        board = ruling.next.observed.text if ruling.next is not None else self._unseen
        declared = rules.declared(entry)
        events: list[Event] = [TurnDeclared(self._by, declared)] if declared else []
        events += [
            LookTaken(state.look + 1, by=self._by),
            ReadingMade(self._unseen, (), (), False, (), (), 0.0),
            RulingWithdrawn(self._by),
            ReadingCorrected(self._by, board),
            TurnRuled.by_rules(board, ruling),
        ]
        if taken_back and not ruling.legal:
            events.append(PutBack(self._by))
        self._happen(*events)
        if ruling.legal:
            return Taken(say("turn {turn}: legal", turn=entry.number))
        rule = ", ".join(violation.rule for violation in ruling.violations)
        words = say("turn {turn}: illegal ({rule})", turn=entry.number, rule=rule)
        return Taken(words, ended=not taken_back)

    def finish(self, record: Record) -> None:
        """End the game as the record says it was ended by agreement, where the rules had not ended it."""
        how, *who = record.headers.get("result", "").split()[:9] or [""]
        if self._session.state.phase is Phase.FINISHED or how not in set(End):
            return
        try:
            winners = tuple(self._game.player(word) for word in who) if how == End.AGREEMENT else ()
        except RequestError:
            return
        self._happen(GameEnded(self._by, End(how), winners))

    def _happen(self, *events: Event) -> None:
        self._driver.receive(EventNoted(events))


class PhotoImport:
    """Read photographs look by look into a journal. by: who imports them.

    told: by a look's name, what stands on fields of it. accepted: names of looks whose turn the players let stand.
    """

    def __init__(
        self,
        game: AnyGame,
        journal: GameJournal,
        reader: object,
        by: str,
        told: Mapping[str, Mapping[str, str]] | None = None,
        accepted: frozenset[str] = frozenset(),
    ) -> None:
        self._by = by
        self._told, self._accepted = told or {}, accepted
        self._broken = False
        self._session = session = Session(
            game,
            journal.state,
            adapter_of(game, reader),
            begun=True,
            review=self._reviewed,
            asking=False,
        )
        self._driver = FileDriver(session, journal)
        if session.state.phase is Phase.SET_UP and not awaits_setup(game, session.state.position):
            self._driver.receive(EventNoted((SetupAccepted(by),)))  # a position under way: people said how it stands

    def take(self, name: str, pictures: Pictures) -> Taken:
        """Read one look and rule on it. name: its first photograph's. Raises CalibrationError, JournalError."""
        state = self._session.state
        if state.phase is Phase.FINISHED:
            return Taken(say("The game is over before this picture."), ended=True)
        self._driver.receive(LookGiven(Capture.of(pictures, 0.0), self._by, setup=state.phase is Phase.SET_UP))
        seen = None if self._driver.read is None else self._driver.read.seen
        if seen is None or seen.lost or not seen.clear:
            lost = say("The frame can’t be seen in it. Take it out of the folder if another shows this board.")
            hand = say("Something stands over the board. Take it out of the folder if another shows this board.")
            if seen is None or seen.lost:
                return Taken(lost, ended=True)
            return Taken(hand if seen.unclear == UNCLEAR else seen.unclear, ended=True)
        if state.phase is Phase.SET_UP:
            return self._set_up()
        for field, stands in self._told.get(name, {}).items():
            event = self._ruled_last
            if event.why not in (None, WhyUnsure.UNCHANGED):
                self._command("tell", {"field": field, "stands": stands})
        return self._ruled(name, self._ruled_last)

    @property
    def _ruled_last(self) -> TurnRuled:
        last = self._session.state.last
        assert last is not None
        assert last.ruled is not None
        return last.ruled

    def _set_up(self) -> Taken:
        state = self._session.state
        if state.phase is not Phase.SET_UP:
            return Taken(say("The set-up is right: the game begins."))
        why = " ".join(violation.words.text() for violation in (state.turn.differences or ())[:3])
        return Taken(say("This is not the set-up: {why} Give the position with --game.", why=why), ended=True)

    def _ruled(self, name: str, event: TurnRuled) -> Taken:
        turn = self._session.state.position.turn
        if event.verdict is Verdict.LEGAL:
            self._broken = False
            return Taken(say("turn {turn}: legal", turn=turn - 1))
        if event.why is WhyUnsure.UNCHANGED:
            self._driver.receive(EventNoted((CalledOff(self._by),)))
            return Taken(say("Nothing has changed on the board."))
        if name in self._accepted:
            self._broken = False
            self._command("accept", {})
            return Taken(say("turn {turn}: let stand by the players", turn=turn))
        if isinstance(event.found, Illegal):
            self._broken = True
            rule = ", ".join(violation.rule for violation in event.found.ruling.violations)
            return Taken(say("turn {turn}: illegal ({rule})", turn=turn, rule=rule))
        if self._broken:
            return Taken(say("{why} If it stood, say so with --accept.", why=UNCERTAIN), ended=True)
        ask = None if event.unsure is None else event.unsure.ask
        if ask is None:
            return Taken(say("turn {turn}: the picture does not tell what was done", turn=turn), ended=True)
        asked = say("turn {turn}: what stands on {field}? Say it with --tell.", turn=turn, field=ask.field)
        return Taken(asked, ended=True)

    def _reviewed(self, event: TurnRuled) -> TurnRuled:
        """Accuse nobody of a turn while it is open whether the one before was taken back."""
        if self._broken and event.verdict is Verdict.ILLEGAL:
            return replace(event, found=Unsure())
        return event

    def _command(self, name: str, arguments: Mapping[str, object]) -> None:
        """Give a command for what people said beforehand. Raises RequestError where it can't be so."""
        try:
            self._driver.receive(CommandGiven(Command(name, arguments, self._by), 0.0))
        except CommandError as refused:
            raise RequestError(refused.code, refused.words) from None
