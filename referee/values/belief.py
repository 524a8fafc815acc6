"""A reading as a belief: for every field, how likely each height and each flag made the pictures.

Also what a game lets readers expect. Both readers and rules use these values and know nothing of each other.
"""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.values.board import Board, Field

_MOST_NUMBERS = 1_000_000
"""Numbers in one belief, at most: a board of 100 fields has 1,500."""


@dataclass(frozen=True, eq=False)
class BoardBelief:
    """The pictures' evidence on every field, before any rule or history is asked.

    heights: (rows, cols, levels) natural-log likelihoods of height 0, 1, ... levels - 1. Only differences within
        a field matter; a field no camera can see is flat.
    flags: (rows, cols, 1 + pieces) natural-log likelihoods of no piece and of each code.
    letters: the pieces' letters in board text, as in a board.
    """

    heights: NDArray[np.float64]
    flags: NDArray[np.float64]
    letters: str

    def __post_init__(self) -> None:
        for name in ("heights", "flags"):
            grid = np.array(getattr(self, name), dtype=np.float64)
            if grid.ndim != 3 or not np.isfinite(grid).all():
                raise ValueError(f"{name} must be a finite (rows, cols, n) array")
            grid.setflags(write=False)
            object.__setattr__(self, name, grid)
        if self.heights.shape[:2] != self.flags.shape[:2] or self.flags.shape[2] != 1 + len(self.letters):
            raise ValueError(f"heights {self.heights.shape} and flags {self.flags.shape} don't fit")

    @property
    def likeliest(self) -> Board:
        """Return the likeliest board, field by field, without any rule or history."""
        heights, flags = self.heights.argmax(axis=2), self.flags.argmax(axis=2)
        return Board(heights.astype(np.int8), flags.astype(np.int8), self.letters)


def packed(belief: BoardBelief) -> str:
    """Pack a belief as text for a journal: about 4 kB for a board of 100 fields; ``unpacked`` reads it.

    Scores are relative to each field's best, which is all that matters, and rounded to half precision.
    """
    parts = [scores - scores.max(axis=2, keepdims=True) for scores in (belief.heights, belief.flags)]
    rows, cols, levels = belief.heights.shape
    raw = b"".join(np.clip(part, -_DEEPEST, 0).astype("<f2").tobytes() for part in parts)
    return f"{rows}x{cols}x{levels}:" + base64.b64encode(zlib.compress(raw)).decode()


def unpacked(text: str, letters: str) -> BoardBelief:
    """Return the belief that ``packed`` wrote of a board with such letters. Raises ValueError for anything else."""
    shape, _, data = text.partition(":")
    try:
        rows, cols, levels = (int(size) for size in shape.split("x"))
        pieces = len(letters) + 1
        scores = _inflated(data, rows * cols * (levels + pieces))
        heights, flags = np.split(scores, [rows * cols * levels])
        return BoardBelief(heights.reshape(rows, cols, levels), flags.reshape(rows, cols, pieces), letters)
    except (ValueError, zlib.error, binascii.Error) as error:
        raise ValueError(f"{text[:20]!r} is no belief") from error


def _inflated(data: str, count: int) -> NDArray[np.float64]:
    """Return ``count`` half-precision numbers from text. Raises ValueError for any other number of them.

    No more is inflated than that, whatever a stranger's journal holds.
    """
    if not 0 < count <= _MOST_NUMBERS:
        raise ValueError("a board of another size")
    raw = zlib.decompressobj().decompress(base64.b64decode(data, validate=True), 2 * count + 1)
    if len(raw) != 2 * count:
        raise ValueError("another number of scores")
    return np.frombuffer(raw, "<f2").astype(np.float64)


@dataclass(frozen=True, slots=True)
class Habits:
    """A game's habits: how its turns change a board, where that is not as in most games.

    rises: the chances of a stack to stay as it is, to be one higher, two higher and so on. falls: of being lower.
    still_nats: how much rarer than a turn that changes something is one that changes nothing, natural logarithm.
    most_fields: no legal turn changes more fields; 0 where that is not known.
    """

    rises: tuple[float, ...]
    falls: float
    still_nats: float = 0.0
    most_fields: int = 0

    def nats(self, change: NDArray[np.int_]) -> NDArray[np.float64]:
        """Return the natural-log chances of changes in height."""
        known = np.array([*self.rises, self.rises[-1] / 10])[np.clip(change, 0, len(self.rises))]
        return np.asarray(np.log(np.where(change < 0, self.falls * 0.1 ** (-change - 1.0), known)), np.float64)


@dataclass(frozen=True, slots=True)
class Prior:
    """A game's prior for a reader; it may always be wrong.

    colours: codes of the pieces that can stand on the board. flags_each: how many of each code at most. previous: the
    board known to have stood before. outside: fields out of play. tracks: name of each margin track in use and the
    place (1 upward, 0 for off the track) where its marker stone should stand. cubes: how many stones lie on the
    board if none was lost or added; several where that is not known, empty where nothing is. habits: how a turn
    changes the board; ``None`` as in most games.
    """

    colours: frozenset[int]
    flags_each: int
    previous: Board | None = None
    outside: frozenset[Field] = frozenset()
    tracks: tuple[tuple[str, int], ...] = ()
    cubes: frozenset[int] = frozenset()
    habits: Habits | None = None


_DEEPEST = 100.0
"""Nats below a field's best that make no difference any more."""
# How likely a turn leaves a field's stack as it was, one higher or lower, and anything else; likewise its flag. A
# turn touches about six fields of a hundred; the rest keeps an illegal turn visible in clear pictures.
_STACK_SAME, _STACK_NEAR, _STACK_FAR = 0.95, 0.02, 0.002
_FLAG_SAME, _FLAG_OTHER = 0.92, 0.02
FLAG_CHANGE_NATS = math.log(_FLAG_SAME / _FLAG_OTHER)
"""What a field costs a board whose piece is another than before."""
# Without history: a flag stands on a stack, and nothing stands on fields out of play.
_UNLIKELY = -5.0
_NOT_PLAYING = -40.0


def posterior(belief: BoardBelief, prior: Prior) -> BoardBelief:
    """Add to every field's log-likelihoods what the game lets one expect, field by field.

    Colours that do not play are excluded, fields out of play are likely empty, and with a previous board each
    field most likely still shows what it showed. Clear pictures overrule all of it.
    """
    heights, flags = belief.heights.copy(), belief.flags.copy()
    for colour in range(1, flags.shape[2]):
        if colour not in prior.colours:
            flags[..., colour] += _NOT_PLAYING
    for field in prior.outside:
        heights[field.row, field.col, 1:] += _UNLIKELY
        flags[field.row, field.col, 1:] += _UNLIKELY
    if prior.previous is not None:
        before = prior.previous
        change = np.arange(heights.shape[2]) - before.heights[..., None].astype(int)
        heights += _usual(change) if prior.habits is None else prior.habits.nats(change)
        same = np.arange(flags.shape[2]) == before.flags[..., None]
        flags += np.log(np.where(same, _FLAG_SAME, _FLAG_OTHER))
    return replace(belief, heights=heights, flags=flags)


def _usual(change: NDArray[np.int_]) -> NDArray[np.float64]:
    far = np.abs(change)
    return np.asarray(
        np.log(np.where(far == 0, _STACK_SAME, np.where(far == 1, _STACK_NEAR, _STACK_FAR))), np.float64
    )


def log_probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normalise log scores over the last axis to natural-log probabilities."""
    top = scores.max(axis=-1, keepdims=True)
    total: NDArray[np.float64] = scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))
    return total


@dataclass(frozen=True, eq=False)
class Unchanged:
    """Evidence of two looks for a field being as it was: (rows, cols) nats for its stack and for its flag."""

    stacks: NDArray[np.float64]
    flags: NDArray[np.float64]


def packed_unchanged(unchanged: Unchanged) -> str:
    """Pack ``Unchanged`` as text for a journal; ``unpacked_unchanged`` reads it."""
    rows, cols = unchanged.stacks.shape
    raw = b"".join(part.astype("<f2").tobytes() for part in (unchanged.stacks, unchanged.flags))
    return f"{rows}x{cols}:" + base64.b64encode(zlib.compress(raw)).decode()


def unpacked_unchanged(text: str) -> Unchanged:
    """Return what ``packed_unchanged`` wrote. Raises ValueError for anything else."""
    shape, _, data = text.partition(":")
    try:
        rows, cols = (int(size) for size in shape.split("x"))
        stacks, flags = _inflated(data, 2 * rows * cols).reshape(2, rows, cols)
    except (ValueError, zlib.error, binascii.Error) as error:
        raise ValueError(f"{text[:20]!r} is no packed Unchanged") from error
    return Unchanged(stacks, flags)


@dataclass(frozen=True, eq=False)
class Standing:
    """A board that surely stood still during a turn. unknown: (rows, cols) bool, the fields nobody could see."""

    board: Board
    unknown: NDArray[np.bool_]

    def fits(self, before: Board, after: Board) -> bool:
        """Return whether it can say anything of a turn between two boards: nothing changes where it was not seen."""
        changed = (before.heights != after.heights) | (before.flags != after.flags)
        return not bool((changed & self.unknown).any())


@dataclass(frozen=True, eq=False)
class ReferenceLook:
    """A look at a board that is known by now: what was believed of it then, and what stood there.

    unchanged: how the newest look compares with that one, where the eyes could tell. open: the fields on which
    something else may have stood; of those the look says nothing later.
    """

    belief: BoardBelief
    board: Board
    unchanged: Unchanged | None = None
    open: frozenset[Field] = frozenset()

    @property
    def settled(self) -> NDArray[np.bool_]:
        """Return a mask (rows, cols) of the fields of which it is known what stood there."""
        found = np.ones(self.board.heights.shape, np.bool_)
        for place in self.open:
            found[place.row, place.col] = False
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Misreadings:
    """By how many nats looks preferred each value of each field to what stands there; 0 where they did not.

    heights: (rows, cols, levels). flags: (rows, cols, pieces and none).
    """

    heights: NDArray[np.float64]
    flags: NDArray[np.float64]

    def on(self, fields: NDArray[np.bool_]) -> Misreadings:
        """Return those on some fields, (rows, cols)."""
        return Misreadings(self.heights * fields[..., None], self.flags * fields[..., None])

    def or_worse(self, other: Misreadings) -> Misreadings:
        """Return the worse of two looks, field by field and value by value."""
        return Misreadings(np.maximum(self.heights, other.heights), np.maximum(self.flags, other.flags))


def misreadings_of(belief: BoardBelief, board: Board) -> Misreadings:
    """Return what a look got wrong of a board that is known."""
    return Misreadings(_mistaken(belief.heights, board.heights), _mistaken(belief.flags, board.flags))


def corrected(belief: BoardBelief, reference: ReferenceLook, earlier: Misreadings | None = None) -> BoardBelief:
    """Take back what the eyes are known to get wrong here, by the last known look or by those before it.

    Where an earlier look at a known board preferred something else over what stood there, the same preference now
    is no sign of a change: a shadow, a grain or a tower in the way is still where it was. Only what speaks for a
    change beyond that is kept. And where the pictures themselves show that nothing changed, what stood there then
    is likelier for it.
    """
    wrong = misreadings_of(reference.belief, reference.board).on(reference.settled)
    wrong = wrong if earlier is None else wrong.or_worse(earlier)
    heights, flags = belief.heights - wrong.heights, belief.flags - wrong.flags
    if reference.unchanged is not None:
        row, col = np.nonzero(reference.settled)
        heights[row, col, _known(reference.board.heights, heights)[row, col]] += reference.unchanged.stacks[row, col]
        flags[row, col, _known(reference.board.flags, flags)[row, col]] += reference.unchanged.flags[row, col]
    return BoardBelief(heights, flags, belief.letters)


def _known(truth: NDArray[np.int8], scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the index of each field's true value among those that have a score."""
    return np.clip(truth.astype(np.intp), 0, scores.shape[2] - 1)


def _mistaken(scores: NDArray[np.float64], truth: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return by how many nats each value was preferred to the true one, zero where it was not."""
    known = _known(truth, scores)[..., None]
    excess: NDArray[np.float64] = np.maximum(0.0, scores - np.take_along_axis(scores, known, axis=2))
    return excess


_AS_MANY, _NEARLY_AS_MANY = 0.97, 0.03
"""Probability that a board holds just the cubes it should, and a few more or less; reserves and breaches are rare."""
_MISTAKEN_SHARE = 0.0005
"""Share of fields that pictures show wrongly, however sure a reading is."""


def conserving(heights: NDArray[np.float64], totals: frozenset[int]) -> NDArray[np.float64]:
    """Add to every field's log-likelihoods what all the others and the number of cubes say of it.

    heights: (rows, cols, levels) log-likelihoods, taken as independent. totals: the numbers of cubes that may lie on
    the board, each as likely as the others. Every sum over the other fields is counted exactly, by adding up fields
    from either end (the forward-backward scheme: Rabiner, Proceedings of the IEEE 77, 1989).
    """
    if not totals:
        return heights
    rows, cols, levels = heights.shape
    chances = np.exp(log_probabilities(heights)).reshape(-1, levels)
    chances = (1 - _MISTAKEN_SHARE) * chances + _MISTAKEN_SHARE / levels
    most = len(chances) * (levels - 1)
    sums = np.arange(most + 1)
    away = np.min([np.abs(sums - total) for total in totals], axis=0)
    weight = np.where(away == 0, _AS_MANY, _NEARLY_AS_MANY * 0.5**away) + 1e-6
    # after[s]: weight of all ways to go on from s cubes on the fields so far.
    after = [weight]
    for chance in chances[:0:-1]:
        after.append(np.correlate(np.concatenate([after[-1], np.zeros(levels - 1)]), chance, "valid"))
    out = np.empty_like(chances)
    before = np.ones(1)
    for k, (chance, ahead) in enumerate(zip(chances, reversed(after), strict=True)):
        out[k] = np.correlate(ahead[: len(before) + levels - 1], before, "valid")
        before = np.convolve(before, chance)
    added = np.log(np.maximum(out, 1e-300)).reshape(rows, cols, levels)
    return np.asarray(heights + added - added.max(axis=2, keepdims=True), np.float64)
