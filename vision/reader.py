"""Makes a Reading of pictures: poses, stacks and pieces, marker stones, and whether a hand is in the way."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from referee.values.board import Board, Field
from referee.values.kit import Kit
from vision.explain import explain
from vision.geometry.view import View
from vision.heights.change import Look, unchanged
from vision.heights.decode import decode
from vision.heights.pieces import pieces_of
from vision.heights.portrait import with_portraits
from vision.heights.scorer import levels_to_tell, rectified, score_board
from vision.markers.score import read_score
from vision.markers.tracks import read_stones
from vision.obstruction.obstruction import find_foreign
from vision.posefinder import PoseFinder
from vision.reading import CameraView, Reading

MAY_STAND = 0.05
"""A stack this likely to be so high, or a flag this likely to stand, may hide a marker stone."""
LIKELY_STANDS = 0.25
"""From this likelihood on it explains what covers the frame. Under an arm stacks are guessed, so few are believed."""


class TableReader(PoseFinder):
    """Reads one table's board of stacks and pieces."""

    def __init__(
        self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None, kit: Kit | None = None
    ) -> None:
        """Take a table and its folder. kit: what is played with; without one, stacks with flags of four colours."""
        super().__init__(table, folder, lenses)
        self._pieces = pieces_of(kit)
        kinds = () if kit is None else kit.pieces
        self._ring = 0 if kit is None else kit.ring
        self._players = {code: piece.word for code, piece in enumerate(kinds, 1) if piece.owner}

    @classmethod
    def open(cls, folder: Path, cameras: Sequence[str] = (), kit: Kit | None = None) -> TableReader:
        """Open a table folder and the lenses of the cameras named; ``kit`` as for the class itself.

        Raises CalibrationError, saying what to do, for a folder without a valid table.json, a named camera without a
        lens, or a table none of whose cameras was ever calibrated.
        """
        reader = cls(load_table(folder), folder, kit=kit)
        reader.require_lenses()
        for camera in cameras:
            reader.lens(camera)
        return reader

    def read(
        self,
        pictures: Mapping[str, NDArray[np.uint8]],
        expect: Prior | None = None,
        colours: Mapping[str, str] | None = None,
        since: tuple[Look, Board] | None = None,
    ) -> Reading:
        """Read one look at the table.

        pictures: camera to (height, width, 3) BGR. expect: what the game lets one expect. colours: whose stone stands
        on a margin track, where known. since: an earlier look, and the board that is known by now to have stood then.
        A camera that sees no frame, or no colours, is left out with its problem told.
        Raises CalibrationError for an unknown or uncalibrated camera and for a picture of another size than its lens.
        """
        began = time.perf_counter()
        views, cameras = self.views(pictures)
        levels = levels_to_tell(expect)
        look = {view.camera: rectified(view, self.table, levels) for view in views}
        belief = score_board(look, self.table, expect, self._pieces, since is not None)
        belief = with_portraits(belief, views, self.table, expect, self._pieces)
        told, confidence = decode(belief, expect, self._pieces)
        if views:
            foreign = find_foreign(views, self.table, *what_may_stand(belief, expect, LIKELY_STANDS))
            clear, blocked = foreign.clear, foreign.blocked
        else:
            clear, blocked = False, tuple[Field, ...]()
        stones: Mapping[str, int | None] = dict.fromkeys(self.table.margin_fields)
        score: Mapping[str, int] = {}
        if clear:
            may_stand = what_may_stand(belief, expect, MAY_STAND)
            stones = read_stones(views, self.table, *may_stand, colours)
            if self._ring and len(self.table.score_track) == self._ring:
                score = read_score(views, self.table, told, self._players, may_stand)
        same = None if since is None else unchanged(since[0], look, since[1], self.table)
        took_ms = 1000 * (time.perf_counter() - began)
        return Reading(belief, told.text, confidence, stones, clear, blocked, cameras, took_ms, look, same, score)

    def explain(
        self, pictures: Mapping[str, NDArray[np.uint8]], reading: Reading, expect: Prior | None = None
    ) -> NDArray[np.uint8]:
        """Draw a reading over the pictures it was made from: (h, w, 3) BGR. Needs a reading that is not ``lost``."""
        belief = reading.belief if expect is None else posterior(reading.belief, expect)
        return explain(self.views(pictures)[0], self.table, reading, belief)

    def views(self, pictures: Mapping[str, NDArray[np.uint8]]) -> tuple[list[View], dict[str, CameraView]]:
        """Return the cameras that see the frame in colours as views, and how each saw it. Raises CalibrationError."""
        views, cameras = super().views(pictures)
        for view in [one for one in views if not _has_colours(one.picture_bgr)]:
            name = view.camera
            problem = f"{name}'s picture has no colours, so flags can't be told: switch its night mode off"
            cameras[name] = CameraView(cameras[name].markers, None, problem)
            views.remove(view)
        return views, cameras


def _has_colours(picture_bgr: NDArray[np.uint8]) -> bool:
    """Return whether any of a picture's pixels is not grey; a few thousand are looked at."""
    some = picture_bgr[::8, ::8]
    return bool((some != some[..., :1]).any())


def what_may_stand(
    belief: BoardBelief, expect: Prior | None, likelihood: float
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the highest stack and the flag that each field may have with this likelihood, (rows, columns) each."""
    heights, flags = _likely(belief, likelihood)
    if expect is not None:
        # History may be wrong, and so may the eyes: what either of them finds likely may be there.
        expected_heights, expected_flags = _likely(posterior(belief, expect), likelihood)
        heights, flags = np.maximum(heights, expected_heights), flags | expected_flags
    return heights, flags


def _likely(belief: BoardBelief, likelihood: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    likely = np.exp(log_probabilities(belief.heights)) >= likelihood
    heights = np.where(likely, np.arange(likely.shape[2]), 0).max(axis=2)
    flags = np.exp(log_probabilities(belief.flags))[..., 0] <= 1 - likelihood
    return np.asarray(heights, np.int64), np.asarray(flags, np.bool_)
