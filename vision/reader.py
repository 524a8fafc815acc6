"""Makes a Reading of pictures: poses, stacks and pieces, marker stones, and whether a hand is in the way."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import TableSetup, load_table
from referee.values.belief import BoardBelief, Prior, log_probabilities, posterior
from referee.values.board import Board, Field
from referee.values.kit import Kit
from referee.values.words import say
from vision.explain import explain
from vision.geometry.kept import Space, spaces_over, tallest_mm
from vision.geometry.view import View, roams
from vision.handheld import unfit
from vision.heights.boardscale import board_scale
from vision.heights.change import CameraLook, Look, comparable, unchanged
from vision.heights.contradiction import contradicting
from vision.heights.decode import decode
from vision.heights.drawn import with_drawn
from vision.heights.pieces import pieces_of
from vision.heights.pooled import with_pooled
from vision.heights.portrait import with_portraits
from vision.heights.scorer import extent, levels_to_tell, rectified, score_views, together
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
        self._seen: tuple[_Seen, ...] = ()

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

        pictures: (height, width, 3) BGR by camera, or by their own names where a camera took several from the hand.
        What one of them shows by itself is kept for the next reading, which may have the same and more. expect: what
        the game lets one expect. colours: whose stone stands on a margin track, where known. since: an earlier look,
        and the board that is known by now to have stood then.
        A picture without a frame or colours is left out with its problem told, and so is a poor one from the hand.
        Raises CalibrationError for an unknown or uncalibrated camera and for a picture of another size than its lens.
        """
        began = time.perf_counter()
        seen, cameras = self._seen_in(pictures, levels_to_tell(expect))
        belief, each = self._believed(seen, expect, since)
        foreign = find_foreign([one.view for one in seen], self.table, *what_may_stand(belief, expect, LIKELY_STANDS))
        if spoilt := _spoilt(foreign.seen_in, [one.view.camera for one in seen]):
            for name in spoilt:
                problem = say("Something stands in the way in {camera}’s picture.", camera=name)
                cameras[name] = replace(cameras[name], reprojection_px=None, problem=problem)
            seen = [one for one in seen if one.view.camera not in spoilt]
            belief, each = self._believed(seen, expect, since)
            foreign = replace(foreign, clear=True, blocked=())
        views, look = [one.view for one in seen], _look_of(seen)
        told, confidence = decode(belief, expect, self._pieces, each)
        changed = self._changed(look, each, belief)
        clear, blocked = bool(views) and foreign.clear and not changed, (*foreign.blocked, *changed)
        stones: Mapping[str, int | None] = dict.fromkeys(self.table.margin_fields)
        score: Mapping[str, int] = {}
        if clear:
            may_stand = what_may_stand(belief, expect, MAY_STAND)
            stones = read_stones(views, self.table, *may_stand, colours)
            if self._ring and len(self.table.score_track) == self._ring:
                score = read_score(views, self.table, told, self._players, may_stand)
        same = None if since is None else unchanged(since[0], look, since[1], self.table)
        took_ms = 1000 * (time.perf_counter() - began)
        return Reading(
            belief, told.text, confidence, stones, clear, blocked, cameras, took_ms, look, same, score, changed
        )

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces over the frame and over all that the sweep looks at."""
        return spaces_over(self.table, tallest_mm(self.table), extent(self.table)[:, :2])

    def board_scale(self, view: View) -> float:
        """Return the factor by which a bare board is larger than told, by its set-up; 1.0 where it may be right."""
        return board_scale(view, self.table, self._pieces)

    def explain(
        self, pictures: Mapping[str, NDArray[np.uint8]], reading: Reading, expect: Prior | None = None
    ) -> NDArray[np.uint8]:
        """Draw a reading over the pictures it was made from: (h, w, 3) BGR. Needs a reading that is not ``lost``."""
        belief = reading.belief if expect is None else posterior(reading.belief, expect)
        return explain(self.views(pictures)[0], self.table, reading, belief)

    def _believed(
        self, seen: Sequence[_Seen], expect: Prior | None, since: tuple[Look, Board] | None
    ) -> tuple[BoardBelief, Mapping[str, BoardBelief]]:
        """Return what pictures say together, and the sweep of each by itself."""
        look = _look_of(seen)
        compared = frozenset(comparable(since[0], look)) if since is not None else frozenset[str]()
        each = score_views(look, self.table, expect, self._pieces, compared)
        views = [one.view for one in seen]
        belief = with_drawn(together(each, self.table, self._pieces), views, self.table, expect, self._pieces)
        if not compared:
            belief = with_pooled(belief, each, look, views, self.table, expect, self._pieces)
        return with_portraits(belief, views, self.table, expect, self._pieces), each

    def _changed(self, look: Look, each: Mapping[str, BoardBelief], belief: BoardBelief) -> tuple[Field, ...]:
        """Return the fields in which pictures from the hand show that the board was changed between them."""
        roaming = {name: one for name, one in look.items() if roams(name)}
        return contradicting(roaming, each, belief.heights.argmax(axis=2), self.table)

    def _seen_in(
        self, pictures: Mapping[str, NDArray[np.uint8]], levels: int
    ) -> tuple[list[_Seen], dict[str, CameraView]]:
        """Return what each picture that can be read shows by itself, and how each camera saw the frame."""
        known = {
            one.view.camera: one
            for one in self._seen
            if pictures.get(one.view.camera) is one.view.picture_bgr and len(one.look.sweep.stack) == levels
        }
        views, fresh = self.views({name: picture for name, picture in pictures.items() if name not in known})
        made = {view.camera: _Seen(view, fresh[view.camera], rectified(view, self.table, levels)) for view in views}
        found = known | made
        seen = [found[name] for name in pictures if name in found]
        self._seen = tuple(seen)
        return seen, {name: found[name].how if name in found else fresh[name] for name in pictures}

    def views(self, pictures: Mapping[str, NDArray[np.uint8]]) -> tuple[list[View], dict[str, CameraView]]:
        """Return the pictures that can be read as views, and how each camera saw the frame.

        Raises CalibrationError.
        """
        views, cameras = super().views(pictures)
        for view in tuple(views):
            name, problem = view.camera, None
            if not _has_colours(view.picture_bgr):
                problem = say(
                    "{camera}’s picture has no colours, so flags can’t be told apart: switch its night mode off.",
                    camera=name,
                )
            elif roams(name):
                problem = unfit(view, self.table)
            if problem is not None:
                cameras[name] = replace(cameras[name], reprojection_px=None, problem=problem)
                views.remove(view)
        return views, cameras


@dataclass(frozen=True, eq=False)
class _Seen:
    """What one picture shows by itself: where it was taken from, how its camera saw the frame, its plane sweep."""

    view: View
    how: CameraView
    look: CameraLook


def _look_of(seen: Sequence[_Seen]) -> Look:
    return {one.view.camera: one.look for one in seen}


def _spoilt(foreign: AbstractSet[str], names: Sequence[str]) -> AbstractSet[str]:
    """Return the pictures to leave out because something stands in the way in them alone.

    Somebody's hand over the board is in most pictures of a look, and ends it. What is in a few of those from the hand
    stands between the phone and the board, or looks like something it is not; the others tell without them.
    """
    few = 2 * len(foreign) < sum(map(roams, names)) and all(map(roams, foreign))
    return foreign if few else frozenset()


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
        # History may be wrong, and so may the pictures: what either finds likely may be there.
        expected_heights, expected_flags = _likely(posterior(belief, expect), likelihood)
        heights, flags = np.maximum(heights, expected_heights), flags | expected_flags
    return heights, flags


def _likely(belief: BoardBelief, likelihood: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    likely = np.exp(log_probabilities(belief.heights)) >= likelihood
    heights = np.where(likely, np.arange(likely.shape[2]), 0).max(axis=2)
    flags = np.exp(log_probabilities(belief.flags))[..., 0] <= 1 - likelihood
    return np.asarray(heights, np.int64), np.asarray(flags, np.bool_)
