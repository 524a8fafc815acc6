"""Turns looks at the table into events: readings (without what can be computed again), set-ups and rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.games.answers import OtherSetup
from referee.games.contract import InfersSetup, Position, RequestError
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.settingup import setup_questions
from referee.kinds.grid.misreadings import misreadings
from referee.match.events import (
    AnyGame,
    CameraNote,
    Illegal,
    LeftOpen,
    Legal,
    ReadingMade,
    SetupChecked,
    TurnRuled,
    Unsure,
    Verdict,
    WhyUnsure,
)
from referee.match.hypotheses import Hypotheses
from referee.match.standing import board_of
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.session.capture import Pictures
from referee.values.belief import (
    Prior,
    ReferenceLook,
    Standing,
    log_probabilities,
    packed,
    packed_unchanged,
    posterior,
)
from referee.values.board import Board, Field
from referee.values.fieldmask import mask_text
from referee.values.partial import UNKNOWN, PartialBoard
from vision.heights.change import CameraLook, Look
from vision.reading import Reading

USUAL_LEVELS = 5
"""Nearly all stacks are lower than this."""
SURE = 0.9
"""Probability with which a field must be read to call the set-up wrong there."""


class BoardReader(Protocol):
    """Reads the table's pictures."""

    def read(
        self, pictures: Pictures, expect: Prior | None = None, *, since: tuple[Look, Board] | None = None
    ) -> Reading:
        """Read one look at the table. since: an earlier look, and the board known to have stood then."""


Judge = Callable[[Any, Context, TurnEvidence], tuple[Judgement, Context]]
"""Rules on a turn: game, what is known before it, and what was seen at its end."""


def expectation(game: AnyGame, position: Position) -> Any:
    """Return what readers may expect: the board before, or, while no piece has been set up, only who plays."""
    if board_of(position).flags.any():
        return game.prior_after(position)
    data = position.to_json()
    said: dict[str, object] = {key: data[key] for key in ("seats", "players", "edition") if key in data}
    rows, cols = board_of(position).heights.shape
    return game.initial_prior(said, (rows, cols))


def reading_made(reading: Reading, frames: Sequence[Standing] = ()) -> ReadingMade:
    """Return a reading as an event, with the boards seen standing still before it."""
    return ReadingMade(
        text=reading.text,
        confidence=tuple(tuple(round(float(p), 3) for p in row) for row in reading.confidence[::-1]),
        tracks=tuple(reading.stones.items()),
        clear=reading.clear,
        blocked=reading.blocked,
        cameras=tuple(
            CameraNote(
                name,
                view.markers,
                None if view.reprojection_px is None else round(float(view.reprojection_px), 2),
                view.problem,
                tuple(round(float(mm), 1) for mm in reading.look[name].centre_mm) if name in reading.look else (),
                view.outline,
                _part_text(reading.look.get(name)),
            )
            for name, view in reading.cameras.items()
        ),
        duration_ms=round(float(reading.duration_ms), 1),
        belief=packed(reading.belief) if reading.clear and not reading.lost else "",
        frames=tuple(frame_text(frame) for frame in frames),
        unchanged=packed_unchanged(reading.unchanged) if reading.unchanged is not None else "",
        score=tuple(reading.score.items()),
    )


def _part_text(look: CameraLook | None) -> str:
    """Return the fields that lie in a picture with stacks of usual height, as text; empty where all do."""
    if look is None or look.part is None:
        return ""
    return mask_text(np.asarray(look.part[..., :USUAL_LEVELS].all(axis=2), np.bool_))


def blind_reading(like: Board) -> ReadingMade:
    """Return the reading of a look in which nothing is seen."""
    rows, cols = like.heights.shape
    return ReadingMade(
        text=PartialBoard.blank(like).text,
        confidence=((0.0,) * cols,) * rows,
        clear=False,
    )


def frame_text(frame: Standing) -> str:
    """Return a board seen during a turn as text, with ``?`` where it was not seen."""
    board = frame.board
    heights = np.where(frame.unknown, UNKNOWN, board.heights)
    flags = np.where(frame.unknown, UNKNOWN, board.flags)
    return PartialBoard(heights.astype(np.int8), flags.astype(np.int8), board.letters).text


def standing_frames(reading: ReadingMade, before: Board) -> tuple[Standing, ...]:
    """Return the boards seen standing still during a turn, from the journal's texts.

    A field that a text leaves open is as before.
    """
    rows, cols = before.heights.shape
    found = []
    for text in reading.frames:
        seen = PartialBoard.parse(text, rows, cols, before.letters)
        unknown = seen.heights == UNKNOWN
        heights = np.where(unknown, before.heights, seen.heights)
        flags = np.where(unknown, before.flags, seen.pieces)
        found.append(Standing(Board(heights.astype(np.int8), flags.astype(np.int8), before.letters), unknown))
    return tuple(found)


def sure_board(reading: Reading, expected: Board) -> Board:
    """Return the board as read where the reading is sure, and as expected elsewhere, in the players' favour."""
    told, sure = _told(reading, expected)
    heights = np.where(sure, told.heights, expected.heights)
    flags = np.where(sure & (told.pieces != UNKNOWN), told.pieces, expected.flags)
    return Board(heights.astype(np.int8), flags.astype(np.int8), expected.letters)


def _told(reading: Reading, like: Board) -> tuple[PartialBoard, NDArray[np.bool_]]:
    """Return the board as read, and (rows, cols) where it is sure how high the stack is."""
    rows, cols = like.heights.shape
    told = PartialBoard.parse(reading.text, rows, cols, like.letters)
    return told, (told.heights != UNKNOWN) & (reading.confidence >= SURE)


def unseen_fields(reading: Reading, like: Board) -> tuple[Field, ...]:
    """Return the fields whose height or piece the reading does not surely tell."""
    told, sure = _told(reading, like)
    return tuple(Field(int(row), int(col)) for row, col in np.argwhere(~sure | (told.pieces == UNKNOWN)))


def setup_asked(game: AnyGame, state: TableState, reading: Reading) -> SetupChecked:
    """Compare a board still to be set up with the game's set-up, and list what players must tell of it first."""
    position: Position = state.position
    board, unseen = sure_board(reading, board_of(position)), unseen_fields(reading, board_of(position))
    known = known_fields(state.turn.end.known, board.letters)
    for place in unseen:
        if place in known:
            board = board.with_field(place, *known[place])
    unseen = tuple(place for place in unseen if place not in known)
    belief = posterior(reading.belief, expectation(game, position))
    found = setup_questions(game, position, board, unseen, belief)
    if found.differences or found.asks:
        other = _other_setup(game, state, reading) if found.differences else None
        return SetupChecked(found.differences, asks=() if found.differences else found.asks, other=other)
    return setup_checked(game, position, board)


def _other_setup(game: AnyGame, state: TableState, reading: Reading) -> OtherSetup | None:
    """Return the set-up that is seen instead of the agreed one, whoever was to play, or ``None``.

    A set-up with other players than the clock's does not count.
    """
    if not isinstance(game, InfersSetup):
        return None
    board = sure_board(reading, board_of(state.position))
    chances = np.exp(log_probabilities(reading.belief.flags))
    flags = np.where(chances.max(axis=2) >= SURE, chances.argmax(axis=2), 0)
    other = game.other_setup(state.position, Board(board.heights, flags.astype(np.int8), board.letters))
    if other is None or state.clock is None:
        return other
    players = [{seat.colour.word for seat in game.seats(each)} for each in (state.position, other.position)]
    return other if players[0] == players[1] else None


def setup_checked(game: AnyGame, position: Position, seen: Board) -> SetupChecked:
    """Compare a set-up with the game's; where they agree, the game begins with the pieces where they were seen."""
    differences = tuple(game.setup_differences(position, seen))
    if differences or seen == board_of(position):
        return SetupChecked(differences)
    try:
        return SetupChecked((), game.start_from_setup(position, seen))
    except RequestError:
        return SetupChecked(())  # the agreed position stays


def context_of(game: AnyGame, state: TableState, reference: ReferenceLook | None) -> Context:
    """Return what is known before a turn; positions in which a player who gave up is to move are passed on."""

    def passed_on(position: Position) -> Position:
        for _ in state.out:
            if position.to_move in state.out and not position.finished:
                position = game.passed(position)
        return position

    left = state.turn.left_open
    track = tuple((passed_on(position), score) for position, score in left.track)
    suspicions = tuple(replace(one, position=passed_on(one.position)) for one in left.suspicions)
    hypotheses = Hypotheses(track) if track else Hypotheses.at(state.position)
    misread = misreadings(state, [position for position, _ in hypotheses.positions])
    return Context(hypotheses, reference, suspicions, left.lost, misread=misread)


def reference_of(state: TableState) -> ReferenceLook | None:
    """Return the belief about the last board known for certain, ``None`` where the journal has none."""
    known = _known(state)
    if known is None:
        return None
    reading, board, ruled = known
    # Of a legal turn each position that may stand is compared with its own board (``judging.evidence``).
    open_ = frozenset[Field]() if ruled.verdict is Verdict.LEGAL else ruled.open
    return ReferenceLook(reading.unpacked_belief(board.letters), board, open=open_)


def known_look(state: TableState) -> tuple[ReadingMade, Board] | None:
    """Return the last look whose board is known for certain, and that board; ``None`` where the journal has none."""
    known = _known(state)
    return None if known is None else known[:2]


def _known(state: TableState) -> tuple[ReadingMade, Board, TurnRuled] | None:
    for entry in reversed(state.history):
        ruled, reading = entry.ruled, entry.reading
        if entry.what is What.CORRECTION and entry.after is not None and entry.counts:
            if board_of(entry.before) != board_of(entry.after):
                return None  # what was read before was read wrongly, or no longer stands
        elif ruled is not None and reading is not None and reading.belief and ruled.verdict is not Verdict.UNSURE:
            board = board_of(entry.before).like(ruled.observed)
            if not _contradicted(entry, board):
                return reading, board, ruled
    return None


def _contradicted(entry: Entry, board: Board) -> bool:
    """Return whether players said that the board differed from what was read."""
    accepted = entry.after if entry.fate is EntryStatus.ACCEPTED else None
    said_otherwise = entry.by_hand or entry.fate is EntryStatus.WITHDRAWN
    return said_otherwise or (accepted is not None and board_of(accepted) != board)


def turn_ruled(decision: Judgement, before: Context, after: Context) -> TurnRuled:
    """Return a judge's decision as an event, with the positions that remain possible after it."""
    positions, links = after.hypotheses.positions, after.hypotheses.links
    left_open = LeftOpen(
        positions if len(positions) > 1 else (),
        after.suspicions,
        after.lost,
        links if decision.kind == "legal" and len(before.hypotheses.positions) > 1 else (),
        after.dropped,
    )
    return TurnRuled(decision.observed, _found(decision), left_open, decision.late)


def _found(decision: Judgement) -> Legal | Illegal | Unsure:
    if decision.ruling is None:
        why = WhyUnsure.SWEPT if decision.swept else WhyUnsure.OPEN
        return Unsure(why, None, tuple(decision.doubts), decision.ask, decision.candidates)
    if decision.kind == "legal":
        return Legal(decision.ruling, decision.assumed, decision.open)
    return Illegal(decision.ruling, decision.open)


def known_fields(said: Mapping[str, str], letters: str) -> dict[Field, tuple[int, int]]:
    """Return the witnesses' statements as the judge takes them: field to height and code of the piece."""
    found = {}
    for name, text in said.items():
        one = Board.parse(text, 1, 1, letters)
        found[Field.from_name(name)] = int(one.heights[0, 0]), int(one.flags[0, 0])
    return found
