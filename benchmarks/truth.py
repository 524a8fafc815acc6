"""Photographed tables with known truth, as the accuracy benchmarks read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.games import game_named
from referee.games.terra_turrium.colours import LETTERS
from referee.values.belief import Prior
from referee.values.board import Board, Field
from vision.reader import TableReader

Pictures = Mapping[str, NDArray[np.uint8]]


@dataclass(frozen=True, eq=False)
class Shot:
    """One board seen by all cameras. hidden: the fields whose stack no camera can see. expect: what its seats say."""

    pictures: Pictures
    board: Board
    hidden: frozenset[str]
    expect: Prior

    def seen(self) -> NDArray[np.bool_]:
        """Return whether a stack can be seen at all, (rows, cols)."""
        out = np.ones(self.board.heights.shape, np.bool_)
        for name in self.hidden:
            field = Field.from_name(name)
            out[field.row, field.col] = False
        return out


def tables_in(folder: Path) -> list[Path]:
    """Return the table folders with a truth.json in a folder, or the folder itself."""
    found = sorted(path.parent for path in folder.glob("*/truth.json"))
    return found or [folder]


def shots(table: Path, reader: TableReader, every: int = 1) -> Iterator[Shot]:
    """Yield every still board of a table's games."""
    truth = json.loads((table / "truth.json").read_text(encoding="utf-8"))
    setup = reader.table
    game = game_named(setup.game)
    number = 0
    for one in truth["games"]:
        expect = game.initial_prior({"seats": one["seats"]}, (setup.rows, setup.columns))
        for frame in one["frames"]:
            files = {c: table / one["name"] / name for c, name in zip(setup.cameras, frame["files"], strict=True)}
            if frame["kind"] != "still" or not all(path.exists() for path in files.values()):
                continue
            number += 1
            if number % every == 0:
                pictures = {c: np.asarray(cv2.imread(str(path)), np.uint8) for c, path in files.items()}
                hidden = frozenset(frame.get("hidden", {}).get("all", {}).get("stacks", ()))
                yield Shot(pictures, Board.parse(frame["board"], setup.rows, setup.columns, LETTERS), hidden, expect)
