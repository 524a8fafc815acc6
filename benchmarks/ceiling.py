"""Measures how far the judge gets when readers see all that can be seen: the ceiling of all rulings from pictures.

Needs photographed tables with known truth: ``python -m benchmarks --tables FOLDER ceiling``. Every field that some
camera sees is so many nats sure, what none sees is open; every turn is judged from its true position.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Section, table
from benchmarks.truth import tables_in
from referee.games import game_named
from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import judge
from referee.values.belief import BoardBelief
from referee.values.board import Board, Field

NATS = (5.0, 10.0, 25.0)
LEVELS = 12
KINDS = ("right", "unsure", "missed", "accused", "wrong rule")


def measure(tables: Path | None) -> Section:
    """Judge every turn of the tables' games by eyes of several grades."""
    if tables is None:
        raise ValueError("the ceiling needs tables: use --tables FOLDER")
    rows = []
    broken = []
    for folder in tables_in(tables):
        turns = list(_turns(folder))
        for nats in NATS if turns else ():
            counted = Counter(
                _told(game, position, graded(board, hidden, nats), turn)
                for game, position, board, hidden, turn in turns
            )
            rows.append((folder.name, f"{nats:.0f}", *(counted[kind] for kind in KINDS)))
            if counted["accused"]:
                broken.append(f"{folder.name}: nobody is accused wrongly by eyes {nats:.0f} nats sure")
    text = "Rulings by eyes that see all that can be seen, each field so many nats sure; what is hidden is open."
    return Section("The judge's ceiling", (text, "", *table(("table", "nats", *KINDS), rows)), tuple(broken))


def graded(board: Board, hidden: Mapping[str, Any], nats: float) -> BoardBelief:
    """Return a belief that is ``nats`` sure of every field of a board except the hidden ones.

    hidden: as in truth.json.
    """
    heights = np.zeros((*board.heights.shape, LEVELS))
    flags = np.zeros((*board.flags.shape, 1 + len(board.letters)))
    np.put_along_axis(heights, board.heights[..., None].astype(np.intp), nats, 2)
    np.put_along_axis(flags, board.flags[..., None].astype(np.intp), nats, 2)
    for name in hidden.get("stacks", ()):
        place = Field.from_name(name)
        heights[place.row, place.col] = 0.0
        if not board.flags[place.row, place.col]:
            flags[place.row, place.col] = 0.0
    for name in hidden.get("flags", ()):
        place = Field.from_name(name)
        flags[place.row, place.col] = 0.0
    return BoardBelief(heights, flags, board.letters)


def _turns(folder: Path) -> Iterator[tuple[AnyGame, Position, Board, Mapping[str, Any], Mapping[str, Any]]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for one in truth["games"]:
        for frame in one["frames"]:
            turn = frame.get("turn")
            if not turn or frame.get("kind") != "still":
                continue
            try:
                game = game_named(turn["position"]["game"])
                position = game.position(turn["position"])
                board = game.observation(frame["board"])
            except (KeyError, RequestError):
                continue
            yield game, position, board, frame["hidden"]["all"], turn


def _told(game: AnyGame, position: Position, belief: BoardBelief, turn: Mapping[str, Any]) -> str:
    judgement, _ = judge(game, Context.at(position), TurnEvidence(belief, declared=turn.get("declared") or {}))
    return grade(judgement, turn)


def grade(judgement: Judgement, turn: Mapping[str, Any]) -> str:
    """Compare a judgement with the truth of a turn. Return one of KINDS."""
    if judgement.ruling is None:
        return "unsure"
    if turn["legal"]:
        return "right" if judgement.kind == "legal" else "accused"
    if judgement.kind == "legal":
        return "missed"
    named = sorted(violation.rule for violation in judgement.ruling.violations)
    return "right" if named in [sorted(rules) for rules in turn["minimal_sets"]] else "wrong rule"
