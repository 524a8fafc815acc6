"""Following a game through turns that were not plain to see.

A stack behind a tower may have changed unseen, and a turn that could not be ruled on may have stood or been taken
back. So several positions may stand before a turn, each with a score. A turn is judged from all of them: it is legal
if it is legal from one, and nobody is accused unless it breaks the same rules from every one. Later pictures weed
them out.

Source of the idea: D. B. Reid, An algorithm for tracking multiple targets, IEEE Transactions on Automatic Control
24 (1979), which keeps several hypotheses for the same reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.games.contract import Game, Position
from referee.judging.adjudicate import ACCUSE_NATS, Judgement, adjudicate, differing_fields
from referee.values.belief import BoardBelief, Memory, Standing
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared

MOST_POSITIONS = 6
"""Positions kept at most; each is another board to judge from."""
LENIENT_NATS = 2.0
"""A turn that is legal from a position stands even if another one, from which it is not, is so much likelier."""
KEEP_NATS = 7.0
"""Positions this much less likely than the likeliest are forgotten."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The positions that may stand now, each with its natural-log score, the likeliest (0) first."""

    positions: tuple[tuple[Position, float], ...]

    @classmethod
    def at(cls, position: Position) -> Hypotheses:
        """The track that begins at a position known for certain."""
        return cls(((position, 0.0),))

    @property
    def likeliest(self) -> Position:
        """The likeliest position."""
        return self.positions[0][0]


def follow(
    game: Game[Position],
    track: Hypotheses,
    belief: BoardBelief,
    memory: Memory | None,
    frames: Sequence[Standing] = (),
    declared: Declared = NOTHING_DECLARED,
) -> tuple[Judgement, Hypotheses]:
    """Rule on a turn and return the verdict and the track after it. frames: boards seen standing still during it;
    declared: what players said of it.

    After a legal turn the track holds where it may have led; after an illegal one, which is taken back, where it
    began; after one that could not be ruled on, both.
    """
    open_ = [(position, score) for position, score in track.positions if not position.finished]
    judged = [
        (adjudicate(game, position, belief, _as_it_stood(memory, track, position), frames, declared), position, score)
        for position, score in open_
    ]
    best = max(verdict.score + score for verdict, _, score in judged)
    judged = [one for one in judged if one[0].score + one[2] > best - KEEP_NATS]
    before = [(position, verdict.score + score) for verdict, position, score in judged]
    after = [(position, ahead + score) for verdict, _, score in judged for position, ahead in verdict.may_follow]
    verdict = _joint([(verdict, verdict.score + score) for verdict, _, score in judged])
    if verdict.kind == "unsure" and not verdict.doubts:
        verdict = replace(verdict, doubts=_differing([position.observed for _, position, _ in judged]))
    if verdict.ruling is not None and verdict.ruling.next is not None:
        # What was ruled is what the game goes on from; the others stay in mind behind it.
        ruled = (verdict.ruling.next, max(score for _, score in after))
        return verdict, _kept([ruled, *after])
    if verdict.kind == "illegal":
        return verdict, _kept(before)
    return verdict, _kept([*before, *after])


def _as_it_stood(memory: Memory | None, track: Hypotheses, position: Position) -> Memory | None:
    """The memory as it looks from one of several positions: after a turn that stood, the board then was its board."""
    if memory is None or memory.board != track.likeliest.observed:
        return memory
    return replace(memory, board=position.observed)


def _joint(judged: list[tuple[Judgement, float]]) -> Judgement:
    """One verdict from those reached from every position, weighed as a single position's boards are."""
    judged = sorted(judged, key=lambda item: -item[1])
    first, top = judged[0]
    legal = next((item for item in judged if item[0].kind == "legal"), None)
    against = next((score for verdict, score in judged if verdict.kind != "legal"), None)
    if legal is not None and (against is None or legal[1] >= against - LENIENT_NATS):
        return legal[0]
    near = [verdict for verdict, score in judged if top - score < ACCUSE_NATS]
    rules = {frozenset(v.rule for v in verdict.ruling.violations) for verdict in near if verdict.ruling}
    if all(verdict.kind == "illegal" for verdict in near) and len(rules) == 1:
        return first
    return replace(first, kind="unsure", ruling=None)


def _differing(boards: list[Board]) -> tuple[Field, ...]:
    """The fields in which boards differ from the first."""
    return tuple(sorted(set().union(*(differing_fields(boards[0], board) for board in boards[1:]))))


def _kept(scored: Iterable[tuple[Position, float]]) -> Hypotheses:
    """The likeliest few, each once, scores relative to the best."""
    best: dict[str, tuple[Position, float]] = {}
    for position, score in sorted(scored, key=lambda item: -item[1]):
        best.setdefault(json.dumps(position.to_json(), sort_keys=True), (position, score))
    ranked = list(best.values())
    top = ranked[0][1]
    return Hypotheses(tuple((p, score - top) for p, score in ranked if top - score < KEEP_NATS)[:MOST_POSITIONS])
