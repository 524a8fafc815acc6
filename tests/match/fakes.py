"""The simplest working neighbours of the table: a game of single steps, and eyes that see what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Act, Citation, Counter, Progress, RequestError, RuleId, Ruling, Seat, Violation
from referee.games.terra_turrium.colours import LETTERS, Colour
from referee.games.terra_turrium.kit import KIT
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.session import GridAdapter
from referee.match.decision import Ask
from referee.match.live import CameraState, Framing, Waiting
from referee.session.capture import Capture as StillLook
from referee.values.belief import BoardBelief, Prior
from referee.values.board import Board, BoardError, Field
from referee.values.choices import Choice, Choices, Edition
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.words import say, verbatim
from tests.untyped import untyped
from vision.heights.change import Look
from vision.reading import CameraView, Reading

START = "11r/1y1"
ORDER = (Colour.RED, Colour.YELLOW)


@dataclass(frozen=True, slots=True)
class StepPosition:
    """A 2 x 2 board on which every turn must add one stone; a stack of four ends the game."""

    board: Board
    to_move: Colour = Colour.RED
    turn: int = 1
    winners: tuple[Colour, ...] = ()

    @property
    def observed(self) -> Board:
        return self.board

    @property
    def finished(self) -> bool:
        return bool(self.winners)

    def to_json(self) -> dict[str, object]:
        return {
            "game": "steps",
            "board": self.board.text,
            "to_move": self.to_move.word,
            "turn": self.turn,
            "winners": [colour.word for colour in self.winners],
        }


class StepGame:
    """A game small enough to be checked by eye."""

    name = "steps"
    title = "Steps"
    kit = replace(KIT, columns=2, rows=2)

    def form(self, position: StepPosition) -> Form | None:
        return None

    def player(self, word: object) -> Colour:
        try:
            return Colour.from_word(word)
        except BoardError as error:
            raise RequestError("players", str(error)) from None

    def observation(self, text: object) -> Board:
        try:
            return Board.parse(text, 2, 2, LETTERS)
        except BoardError as error:
            raise RequestError("board", str(error)) from None

    def position(self, data: Any) -> StepPosition:
        try:
            winners = tuple(Colour.from_word(word) for word in data.get("winners", []))
            board = Board.parse(data["board"], 2, 2, LETTERS)
            return StepPosition(board, Colour.from_word(data["to_move"]), data["turn"], winners)
        except KeyError as error:
            raise RequestError("position", f"{error} is missing") from None

    def setup_differences(self, position: StepPosition, observed: Board) -> tuple[Violation, ...]:
        return tuple(
            Violation(RuleId("set.up"), (place,), say("{at} looks different.", at=place))
            for place in changed(position.board, observed)
        )

    def check(
        self,
        position: StepPosition,
        observed: Board,
        frames: Sequence[Board] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        rise = observed.heights.astype(int) - position.board.heights
        places = changed(position.board, observed)
        acts = tuple(Act("build", (place,), text=f"+{place.name}") for place in places)
        if int(np.abs(rise).sum()) != 1 or rise.min() < 0:
            broken = Violation(RuleId("step.one"), places, say("Exactly one stone is added in a turn."))
            return Ruling(False, (broken,), (), acts, {"player": position.to_move.word}, None)
        won = (position.to_move,) if observed.heights.max() >= 4 else ()
        after = replace(
            position,
            board=observed,
            to_move=ORDER[position.turn % 2],
            turn=position.turn + 1,
            winners=won,
        )
        return Ruling(True, (), (), acts, {"player": position.to_move.word}, after, won, bool(won))

    def seats(self, position: StepPosition) -> tuple[Seat, ...]:
        return tuple(
            Seat(colour, ("nw",), (Counter("stones", say("stones"), 1, 5),), say("on the way")) for colour in ORDER
        )

    def prior_after(self, position: StepPosition) -> Prior:
        return Prior(frozenset(ORDER), 1, position.board)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
        return Prior(frozenset(ORDER), 1)

    def start_from_setup(self, position: StepPosition, observed: Board) -> StepPosition:
        return replace(position, board=observed)

    def accepted(
        self, position: StepPosition, observed: Board, declared: Declared = NOTHING_DECLARED
    ) -> StepPosition:
        """Accept any board but one without a flag; a stack of four still wins."""
        if not observed.flags.any():
            raise RequestError("flags", "board: the flags are missing: put them back")
        won = (position.to_move,) if observed.heights.max() >= 4 else ()
        after = ORDER[position.turn % 2]
        return replace(position, board=observed, to_move=after, turn=position.turn + 1, winners=won)

    def corrected(self, position: StepPosition, changes: Mapping[str, object]) -> StepPosition:
        return self.position(position.to_json() | dict(changes))

    def resigned(self, position: StepPosition, out: frozenset[Colour]) -> StepPosition:
        left = tuple(colour for colour in ORDER if colour not in out)
        return replace(position, winners=left if len(left) == 1 else ())

    def passed(self, position: StepPosition) -> StepPosition:
        return self.accepted(position, position.board)

    def choices(self) -> Choices:
        only = Choice("plain", say("Red"), say("Yellow"))
        return Choices("steps", "Steps", (only,), ORDER, (Edition(only, ((2, ((),)),)),), (), ())

    def new_game(self, choice: Mapping[str, object]) -> StepPosition:
        if choice.get("edition") != "plain":
            raise RequestError("edition", "edition: use plain")
        return start()

    def citation(self, position: StepPosition, rule: RuleId) -> Citation:
        return Citation("Steps", "The turn")

    def progress(self, position: StepPosition, seen: Sequence[Board]) -> tuple[Progress, ...]:
        placed = int(seen[-1].heights.sum() - position.board.heights.sum()) if seen else 0
        return (Progress("placed", verbatim("placed"), placed, 1),)


def changed(before: Board, after: Board) -> tuple[Field, ...]:
    rows, cols = np.nonzero((before.heights != after.heights) | (before.flags != after.flags))
    return tuple(Field(int(row), int(col)) for row, col in zip(rows, cols, strict=True))


def start(**changes: Any) -> StepPosition:
    return replace(StepPosition(Board.parse(START, 2, 2, LETTERS)), **changes)


Pictures = Mapping[str, NDArray[np.uint8]]


def picture_of(text: str) -> Pictures:
    """Return a "picture" for FakeEyes: the board text as bytes."""
    return {"cam0": np.frombuffer(text.encode(), dtype=np.uint8)}


def _view(lost: bool) -> CameraView:
    """Return a view of a picture that shows nothing but the board, or of one without it."""
    whole = ((0, 0), (999, 0), (999, 999), (0, 999))
    return CameraView(0, None) if lost else CameraView(8, 0.31, outline=(whole,))


class FakeEyes:
    """Reads a picture made by ``picture_of``. ``lost`` and ``covered`` stand for views without a board."""

    def read(
        self, pictures: Pictures, expect: Prior | None = None, *, since: tuple[Look, Board] | None = None
    ) -> Reading:
        *_, newest = pictures.values()
        text = newest.tobytes().decode()
        lost, covered = text == "lost", text == "covered"
        shown = "??/??" if lost or covered else text
        board = Board.parse(shown.replace("?", "0"), 2, 2, LETTERS)
        heights = np.where(np.arange(8) == board.heights[..., None], 0.0, -9.0)
        flags = np.where(np.arange(5) == board.flags[..., None], 0.0, -9.0)
        return Reading(
            belief=BoardBelief(heights, flags, "rygb"),
            text=shown,
            confidence=np.full((2, 2), 0.99),
            stones={"nw": 1},
            clear=not covered,
            blocked=(Field(0, 1),) if covered else (),
            cameras={name: _view(lost) for name in pictures},
            duration_ms=12.5,
        )


def judge(game: Any, context: Context, seen: TurnEvidence) -> tuple[Judgement, Context]:
    """Rule on the likeliest board; a stack that looks seven high stands for a doubt, which a witness can settle."""
    board = seen.belief.likeliest
    if board.heights.max() == 7:
        place = Field(1, 0)
        if place not in seen.known:
            why = say("It hangs on {at}.", at=place)
            ask = Ask(place, why, ((1, 0), (2, 0)))
            return Judgement("unsure", board.text, None, (place,), ask), context
        heights = board.heights.copy()
        heights[place.row, place.col] = seen.known[place][0]
        board = Board(heights, board.flags, board.letters)
    position = context.hypotheses.likeliest
    ruling = game.check(position, board, [frame.board for frame in seen.frames], seen.declared)
    decision = Judgement("legal" if ruling.legal else "illegal", board.text, ruling)
    return decision, Context.at(ruling.next) if ruling.next else context


class FakeSight:
    """Cameras that show what they are told: boards for the looks in ``looks``, else the newest of ``boards``."""

    def __init__(self, looks: Sequence[str] = (), patience_s: float = 0.0) -> None:
        self.looks = list(looks)
        self.patience_s = patience_s
        self.board: str | None = None
        self.moving = False
        self.blind_s = 0.0
        self._shown: str | None = None

    def wait(self, timeout_s: float) -> None:
        """Never wait."""

    def wake(self) -> None:
        """Never sleep, so do nothing."""

    def fresh(self, since_s: float, look: int) -> StillLook | None:
        if self.moving or self.blind_s:
            return None
        if self.board is not None:
            return StillLook.of(picture_of(self.board), since_s)
        return StillLook.of(picture_of(self.looks[look - 1]), since_s) if 0 < look <= len(self.looks) else None

    def changed(self) -> StillLook | None:
        if self.moving or self.board is None or self.board == self._shown:
            return None
        self._shown = self.board
        return StillLook.of(picture_of(self.board), 0.0)

    held = False

    def view(self, after_s: float | None) -> StillLook | None:
        return None

    def coming(self) -> bool:
        return False

    def framing(self) -> Framing:
        return Framing()

    def trusted(self, seen: StillLook) -> None:
        """Remember nothing: the pictures stand still."""

    def blind_for_s(self) -> float:
        return self.blind_s

    def alone(self) -> str:
        """Follow no hands."""
        return ""

    def board_looked_at(self, levels: NDArray[np.int8] | None) -> None:
        """Remember nothing."""

    def board_agreed(self) -> None:
        """Remember nothing."""

    def waiting(self) -> Waiting | None:
        return Waiting("still", say("Red")) if self.moving else None

    def cameras(self) -> tuple[CameraState, ...]:
        return ()

    def ended(self, look: int) -> str:
        return "over" if self.looks and look >= len(self.looks) else ""


def step_adapter(reader: object, game: StepGame | None = None) -> GridAdapter:
    """Return the adapter of the game of single steps, whose turns the fake judge rules on."""
    return GridAdapter(game or StepGame(), untyped(reader), judge)
