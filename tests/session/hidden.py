"""Plays scripts without pictures: what each look says of the board is drawn, and much of it is hidden."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np

from referee.archive.export import record_of_state
from referee.demo.actor import Told
from referee.demo.scripted import Played
from referee.games import package_named
from referee.games.contract import AnyGame, Position
from referee.games.record import Record, entry_of
from referee.kinds.grid.readings import known_look
from referee.kinds.grid.session import GridAdapter, GridSightings
from referee.match.events import (
    CameraNote,
    Event,
    GameStarted,
    LookTaken,
    PositionCorrected,
    PutBack,
    ReadingCorrected,
    RulingWithdrawn,
    SetupAccepted,
    TurnConfirmed,
    TurnDeclared,
    TurnRuled,
    Verdict,
    WhyUnsure,
)
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.match.transitions import begin, step, went_on, witnessed
from referee.session.capture import Capture
from referee.session.driving import FileDriver
from referee.session.engine import Session
from referee.session.said import EventNoted, LookGiven, Said
from referee.values.belief import BoardBelief
from referee.values.board import Board
from referee.values.declaring import Declared
from referee.values.problems import NO_PICTURES
from referee.virtual.script import Script, parse_script
from tests.games.terra_turrium.positions import position
from tests.virtual.made import breach, legal_turn
from vision.reading import CameraView, Reading

LEVELS = 11
CLEAR, FAINT = 5.0, 1.5
"""How many standard deviations what stands on a field in sight, or half in sight, leads anything else by."""
MOST_QUESTIONS = 3
TURNS = 4
"""Turns of a game, besides those put back."""


@dataclass(frozen=True)
class Sight:
    """How much looks hide. hidden, faint: shares of the fields of which a look says nothing, or little.

    lasting: chance that a field which was hidden stays so at the next look: whatever hides it stands there longer.
    """

    hidden: float = 0.1
    faint: float = 0.05
    lasting: float = 0.7


class HiddenTable:
    """A game whose looks are drawn by chance from the true board.

    What a field shows is drawn from the model that its log-likelihoods state: each height's score is normal, and the
    true one's mean is higher, so that a belief says neither more nor less than it may.
    """

    def __init__(self, game: AnyGame, start: Position, sight: Sight, rnd: random.Random) -> None:
        self._sight, self._rnd = sight, np.random.default_rng(rnd.getrandbits(32))
        self._game, self.questions, self.by_hand = game, 0, 0
        state = step(begin(GameStarted(start)), SetupAccepted(""))
        self.driver = FileDriver(Session(game, state, GridAdapter(game, self)))
        assert isinstance(start.observed, Board)
        self._hidden = np.zeros(start.observed.heights.shape, np.bool_)
        self._seen = self._belief(start.observed)

    def read(self, pictures: object, expect: object = None, *, since: object = None) -> Reading:
        """Return what was drawn for the look."""
        view = {"cam0": CameraView(8, 0.3), "cam1": CameraView(8, 0.3)}
        board = self._seen.likeliest
        sure = np.full(board.heights.shape, 0.99)
        return Reading(self._seen, board.text, sure, {}, True, (), view, 1.0)

    @property
    def session(self) -> Session:
        """Return the session, which may be put in another's place."""
        return self.driver.session

    @session.setter
    def session(self, session: Session) -> None:
        self.driver.session = session

    @property
    def state(self) -> TableState:
        """Return the game as it stands."""
        return self.session.state

    def played(self) -> Played:
        """Return the game as after a script."""
        told = Told(questions=self.questions, by_hand=self.by_hand)
        return Played(record_of_state(self.state, ""), told, self.state)

    def turn(self, board: Board, declared: Declared) -> Verdict:
        """End a turn at a true board; answer what is asked; tell the whole board where that does not help."""
        self._hidden &= self._rnd.random(self._hidden.shape) < self._sight.lasting
        self._hidden |= self._rnd.random(self._hidden.shape) < self._sight.hidden * (1 - self._sight.lasting)
        self._seen = self._belief(board)
        if self.state.phase is Phase.VIOLATION:
            self._receive(EventNoted((PutBack(""),)))
        if declared:
            self._receive(EventNoted((TurnDeclared("", declared),)))
        before, known = self.session, dict[str, str]()
        for _ in range(MOST_QUESTIONS):
            self.session = before.at(witnessed(before.state, known, known.keys()))
            self._look()
            ruled = self._ruled()
            if ruled.why is WhyUnsure.UNCHANGED and ruled.ruling is None:
                self._receive(EventNoted((TurnConfirmed(""),)))
                ruled = self._ruled()
            ask = None if ruled.unsure is None else ruled.unsure.ask
            if ask is None:
                break
            self.questions += 1
            known |= {ask.field.name: board.stands(ask.field)}
        if ruled.verdict is Verdict.UNSURE:
            self.by_hand += 1
            known = {place.name: board.stands(place) for place in board.fields}
            self.session = before.at(witnessed(before.state, known, known.keys()))
            self._look()
            ruled = self._ruled()
        return ruled.verdict

    def draw(self, board: Board) -> None:
        """Draw what the next looks show of a board."""
        self._seen = self._belief(board)

    def looked(self) -> TurnRuled:
        """Rule on a look at what was drawn."""
        self._look()
        return self._ruled()

    def given(self, text: str) -> TurnRuled:
        """Rule on a board that players give, after a look that showed nothing."""
        nothing = GridAdapter(self._game, self).read(self.state, GridSightings(), ()).reading
        blind = replace(nothing, cameras=(CameraNote("cam0", 0, None, NO_PICTURES),))
        look = LookTaken(self.state.look + 1)
        self._receive(EventNoted((look, blind, RulingWithdrawn(""), ReadingCorrected("", text))))
        return self.rule()

    def rule(self) -> TurnRuled:
        """Return the ruling on what was said."""
        return self._ruled()

    def begin(self, before: TableState) -> None:
        """Begin another game in the middle: with the turn under way, and the last look at a known board before it."""
        known = known_look(before)
        looks = tuple(entry for entry in before.history if known is not None and entry.reading is known[0])
        state = begin(GameStarted(before.position))
        state = replace(state, phase=Phase.PLAYING, turn=before.turn, history=looks)
        self.session = Session(self._game, state, GridAdapter(self._game, self))

    @property
    def newest(self) -> Entry:
        """Return the newest entry of the record."""
        return self.state.history[-1]

    def happen(self, *events: Event) -> None:
        """Let something happen."""
        self._receive(EventNoted(events))

    def _ruled(self) -> TurnRuled:
        ruled = self.state.history[-1].ruled
        assert ruled is not None, "the look is over"
        return ruled

    def go_on_from(self, position: Position) -> None:
        """Let the players say how the game stands."""
        if self.state.phase is Phase.VIOLATION:
            self._receive(EventNoted((PutBack(""),)))
        elif self.state.phase is Phase.UNSURE:
            self.session = self.session.at(went_on(self.state))
        self._receive(EventNoted((PositionCorrected("", position),)))

    def _look(self) -> None:
        self._receive(LookGiven(Capture.of({"cam0": np.zeros((1, 1), np.uint8)}, 0.0)))

    def _receive(self, said: Said) -> None:
        self.driver.receive(said)

    def _belief(self, board: Board) -> BoardBelief:
        """Draw what a look says of a board."""
        faint = self._rnd.random(self._hidden.shape) < self._sight.faint
        lead = np.where(self._hidden, 0.0, np.where(faint, FAINT, CLEAR))[..., None]
        scores = []
        for true, values in ((board.heights, LEVELS), (board.flags, 1 + len(board.letters))):
            noise = self._rnd.standard_normal((*true.shape, values))
            means = lead * (np.arange(values) == true[..., None])
            scores.append(lead * (noise + means))
        return BoardBelief(scores[0], scores[1], board.letters)


def play_hidden(script: Script, sight: Sight, rnd: random.Random) -> HiddenTable:
    """Play a script's legal turns, and those that break a rule and are put back; return the table at its end."""
    package = package_named(script.record.headers.get("game"))
    now: Position = package.records.start(script.record)
    table = HiddenTable(package.game, now, sight, rnd)
    assert package.laid is not None
    for turn in script.turns:
        board = package.game.observation(package.laid(now, turn.entry))
        verdict = table.turn(board, package.records.declared(turn.entry))
        if table.state.phase is Phase.FINISHED:
            break
        if turn.illegal:
            if verdict is not Verdict.ILLEGAL:
                table.go_on_from(now)
            continue
        following = package.records.play(now, turn.entry).next
        assert following is not None, "a script's legal turns are legal"
        if verdict is not Verdict.LEGAL:
            table.go_on_from(following)
        now = following
    return table


def script(seed: int) -> Script:
    """Return a short game of random legal turns, before some of which a rule is broken."""
    rnd, package = random.Random(seed), package_named("terra-turrium")
    now: Position = package.game.position(position())
    text = Record(package.records.headers(now), ()).text
    for _ in range(TURNS):
        ruled = legal_turn(rnd, package, now)
        assert ruled is not None
        assert ruled.next is not None
        entry = entry_of(now, ruled)
        wrong = breach(rnd, package, now, entry) if rnd.random() < 0.5 else None
        if wrong is not None:
            text += f"{entry.number}. {entry.player} {wrong[0].acts} {{illegal}}\n"
        text += f"{entry.number}. {entry.player} {entry.acts}\n"
        now = ruled.next
    return parse_script(text)
