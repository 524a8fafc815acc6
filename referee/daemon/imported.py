"""A game made from what people kept of it: a record they typed, or photographs they took.

What is written is what a referee at the table would have written had it been told no more than this. A typed turn is
a turn whose board the players gave; a photograph is a look. Nobody is accused on a doubt: where photographs do not
tell what happened, the import ends and says what it needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from referee.daemon.framesource import Pictures
from referee.daemon.kinds import Eyes, onlooker_of
from referee.daemon.onlooker import LookSeen
from referee.daemon.playedgame import PlayedGame
from referee.daemon.session import GameSession
from referee.games import records_named
from referee.games.contract import Position, RequestError
from referee.games.record import Record, RecordEntry, RecordError
from referee.judging.context import Context, TurnSeen
from referee.judging.decision import Judgement
from referee.judging.judge import judge
from referee.match.commands import Command, CommandError, decide
from referee.match.events import (
    AnyGame,
    CalledOff,
    End,
    Event,
    GameEnded,
    LookTaken,
    PutBack,
    ReadingCorrected,
    ReadingMade,
    RulingWithdrawn,
    SetupAccepted,
    TurnDeclared,
    TurnRuled,
    Verdict,
)
from referee.match.phases import Phase
from referee.match.transitions import step
from referee.values.board import Board
from referee.values.partial import PartialBoard
from referee.values.words import Words, say

UNCERTAIN = say("It can’t be told whether the turn before it was taken back.")


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a turn or a look. words: for people. ended: whether the import can't go on from it."""

    words: Words
    ended: bool = False


class RecordImport:
    """Writes a typed record, turn by turn, into a journal as a game whose boards the players gave."""

    def __init__(self, game: AnyGame, session: GameSession, by: str) -> None:
        self._game, self._journal, self._state, self._by = game, session.journal, session.state, by
        if session.state.phase is Phase.SET_UP:
            self._happen(SetupAccepted(by))

    def take(self, entry: RecordEntry, taken_back: bool) -> Taken:
        """Rule on a recorded turn act by act. Raises RecordError for one that can't be read."""
        rules, state = records_named(self._game.name), self._state
        if state.phase is Phase.FINISHED:
            raise RecordError("the game is over before this turn: leave out what follows", entry.line)
        if entry.number != state.position.turn:
            raise RecordError(f"turn {entry.number} stands where turn {state.position.turn} must", entry.line)
        ruling = rules.play(state.position, entry)
        verdict = Verdict.LEGAL if ruling.legal else Verdict.ILLEGAL
        board = ruling.next.observed.text if ruling.next is not None else unseen_text(state.position)
        declared = rules.declared(entry)
        events: list[Event] = [TurnDeclared(self._by, declared)] if declared else []
        events += [
            LookTaken(state.look + 1, by=self._by),
            ReadingMade(unseen_text(state.position), (), (), False, (), (), 0.0),
            RulingWithdrawn(self._by),
            ReadingCorrected(self._by, board),
            TurnRuled(verdict, board, ruling),
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
        if self._state.phase is Phase.FINISHED or how not in set(End):
            return
        try:
            winners = tuple(self._game.player(word) for word in who) if how == End.AGREEMENT else ()
        except RequestError:
            return
        self._happen(GameEnded(self._by, End(how), winners))

    def _happen(self, *events: Event) -> None:
        """Let events happen, all or none."""
        after = self._state
        for event in events:
            after = step(after, event)
        for event in events:
            self._journal.append(event.kind, event.to_json())
        self._state = after


def unseen_text(position: Position) -> str:
    """A board nobody saw, as formats write it; empty for what is no grid of stacks."""
    observed = position.observed
    return PartialBoard.blank(observed).text if isinstance(observed, Board) else ""


class PhotoImport:
    """Reads photographs look by look into a journal. by: who imports them.

    told: by a look's name, what stands on fields of it. accepted: names of looks whose turn the players let stand.
    """

    def __init__(
        self,
        game: AnyGame,
        session: GameSession,
        eyes: Eyes,
        by: str,
        told: Mapping[str, Mapping[str, str]] | None = None,
        accepted: frozenset[str] = frozenset(),
    ) -> None:
        self._game, self._by = game, by
        self._told, self._accepted = told or {}, accepted
        self._broken = False
        watching = partial(onlooker_of, game, eyes, self._judge)
        self._played = PlayedGame(game, session, watching, lambda: None, begun=True)
        observed = session.state.position.observed
        if session.state.phase is Phase.SET_UP and isinstance(observed, Board) and observed.flags.any():
            self._played.happen(SetupAccepted(by))  # a position under way: people said how it stands

    def take(self, name: str, pictures: Pictures) -> Taken:
        """Read one look and rule on it. name: its first photograph's. Raises CalibrationError, JournalError."""
        played = self._played
        state = played.state
        if state.phase is Phase.FINISHED:
            return Taken(say("The game is over before this picture."), ended=True)
        seen = played.read(pictures)
        if seen.lost or not seen.clear:
            lost = say("The frame can’t be seen in it. Take it out of the folder if another shows this board.")
            hand = say("Something stands over the board. Take it out of the folder if another shows this board.")
            return Taken(lost if seen.lost else hand, ended=True)
        played.happen(LookTaken(state.look + 1, setup=state.phase is Phase.SET_UP, by=self._by))
        played.taken(pictures, seen)
        if state.phase is Phase.SET_UP:
            return self._set_up(seen)
        event = played.rule()
        for field, stands in self._told.get(name, {}).items():
            if event.verdict is Verdict.UNSURE and not event.unchanged:
                self._command("tell", {"field": field, "stands": stands})
                event = played.rule()
        return self._ruled(name, event)

    def _set_up(self, seen: LookSeen) -> Taken:
        self._played.begin_from(seen)
        if self._played.state.phase is not Phase.SET_UP:
            return Taken(say("The set-up is right: the game begins."))
        found = self._played.state.setup or ()
        why = " ".join(violation.words.text() for violation in found[:3])
        return Taken(say("This is not the set-up: {why} Give the position with --game.", why=why), ended=True)

    def _ruled(self, name: str, event: TurnRuled) -> Taken:
        turn = self._played.state.position.turn
        if event.verdict is Verdict.LEGAL:
            self._broken = False
            return Taken(say("turn {turn}: legal", turn=turn - 1))
        if event.unchanged:
            self._played.happen(CalledOff(self._by))
            return Taken(say("Nothing has changed on the board."))
        if name in self._accepted:
            self._broken = False
            self._command("accept", {})
            return Taken(say("turn {turn}: let stand by the players", turn=turn))
        if event.verdict is Verdict.ILLEGAL and event.ruling is not None:
            self._broken = True
            rule = ", ".join(violation.rule for violation in event.ruling.violations)
            return Taken(say("turn {turn}: illegal ({rule})", turn=turn, rule=rule))
        if self._broken:
            return Taken(say("{why} If it stood, say so with --accept.", why=UNCERTAIN), ended=True)
        if event.ask is None:
            return Taken(say("turn {turn}: the picture does not tell what was done", turn=turn), ended=True)
        asked = say("turn {turn}: what stands on {field}? Say it with --tell.", turn=turn, field=event.ask.field)
        return Taken(asked, ended=True)

    def _judge(self, game: Any, context: Context, seen: TurnSeen) -> tuple[Judgement, Context]:
        """The judge, who accuses nobody of a turn while it is open whether the one before was taken back."""
        decision, after = judge(game, context, seen)
        if self._broken and decision.kind == "illegal":
            return replace(decision, kind="unsure", ruling=None, ask=None), context
        return decision, after

    def _command(self, name: str, arguments: Mapping[str, object]) -> None:
        """What people said of it beforehand. Raises RequestError where it can't be so."""
        try:
            self._played.happen(*decide(Command(name, arguments, self._by), self._played.state, self._game))
        except CommandError as refused:
            raise RequestError(refused.code, refused.words) from None
