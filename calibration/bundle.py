"""Measures where the frame's markers really lie, from all pictures at once: a bundle adjustment.

Unknown are where each marker lies, the camera's pose in each picture, and by how much bright paper swells over dark
print in it; known are the lenses and that a marker is a square of one size on one plane. Solved together by robust
least squares with a sparse Jacobian (Triggs and others, Bundle Adjustment - A Modern Synthesis, 2000).

Pictures of the frame alone tell its shape, but not where it lies on the table, nor its scale: moving, turning or
growing everything changes no picture. These are fixed by the layout that ``table.json`` gives: each corner of it
counts as measured by hand, to about a millimetre. That is weak beside the pictures, so it does not bend the shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.leastsquares import least_squares
from calibration.lens import Lens, project

SEEN_PX = 0.15
"""Usual error of a refined corner in a picture."""
LAID_MM = 1.0
"""Usual error of a corner laid or measured by hand: what the given layout weighs."""
SWELL = 0.05
"""Usual difference of a marker's seen size from its true one, as a share."""
FLAT_MM = 1.5
"""Markers whose given heights vary by no more than this lie on one plane: paper on a table top does."""
_POSE, _MARKER = 7, 3


@dataclass(frozen=True, eq=False)
class MarkerObservation:
    """The frame as one picture shows it: the camera's lens, a first pose, and (4, 2) pixels of each marker seen.

    rotation: (3, 3), translation_mm: (3,), table to camera.
    """

    lens: Lens
    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]
    seen_px: Mapping[int, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Bundle:
    """The result: corners (4, 3) mm of every marker seen, and the rms error in pixels."""

    corners_mm: Mapping[int, NDArray[np.float64]]
    rms_px: float


def adjust(
    sightings: Sequence[MarkerObservation], layout_mm: Mapping[int, NDArray[np.float64]], size_mm: float
) -> Bundle:
    """Find where the markers lie. layout_mm: (4, 3) corners of each as given. size_mm: a marker's true side.

    Markers no picture shows are not in the answer. Raises CalibrationError when nothing fits.
    """
    problem = _Problem(sightings, layout_mm, size_mm)
    solved = least_squares(problem.residuals, problem.start(), problem.scales(), problem.groups())
    if not np.isfinite(solved.cost):
        raise CalibrationError("the frame's markers fit no layout at all: check the lenses and the markers' size")
    off = (np.linalg.norm(part, axis=-1) for part in problem.off_px(solved.unknowns))
    every = np.concatenate([part.ravel() for part in off])
    return Bundle(problem.corners(solved.unknowns), float(np.sqrt(np.mean(every**2))))


class _Problem:
    """The unknowns in one vector: each picture's small turn (3), shift (3) and swelling; each marker's x, y, turn."""

    def __init__(
        self, sightings: Sequence[MarkerObservation], layout_mm: Mapping[int, NDArray[np.float64]], size_mm: float
    ) -> None:
        seen = {number for sighting in sightings for number in sighting.seen_px}
        self.numbers = sorted(seen & set(layout_mm))
        place = {number: index for index, number in enumerate(self.numbers)}
        self.sightings = sightings
        self.chosen = [
            np.array([place[n] for n in sighting.seen_px if n in place], np.intp) for sighting in sightings
        ]
        self.seen_px = [
            np.stack([at for n, at in sighting.seen_px.items() if n in place]).astype(np.float64)
            for sighting in sightings
        ]
        self.given_mm = np.stack([layout_mm[n] for n in self.numbers])
        self.height_mm = _heights(self.given_mm)
        half = size_mm / 2
        self.square_mm = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        self.pictures = len(sightings)

    def start(self) -> NDArray[np.float64]:
        """Return the first unknowns: poses as given; for each marker the square that fits its given corners best."""
        middles = self.given_mm[:, :, :2].mean(axis=1)
        arms = self.given_mm[:, :, :2] - middles[:, None]
        square = self.square_mm
        sine = (square[:, 0] * arms[..., 1] - square[:, 1] * arms[..., 0]).sum(axis=1)
        cosine = (square * arms).sum(axis=(1, 2))
        laid = np.concatenate([middles, np.arctan2(sine, cosine)[:, None]], axis=1)
        return np.concatenate([np.zeros(_POSE * self.pictures), laid.ravel()])

    def scales(self) -> NDArray[np.float64]:
        """Return a step for each unknown; all of them change the errors about alike."""
        pose = np.tile([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0, 1e-2], self.pictures)
        return np.concatenate([pose, np.tile([1.0, 1.0, 1e-2], len(self.numbers))])

    def laid(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corners of all markers, (n, 4, 3) mm."""
        x, y, turn = unknowns[_POSE * self.pictures :].reshape(-1, _MARKER).T
        cosine, sine = np.cos(turn)[:, None], np.sin(turn)[:, None]
        across, up = self.square_mm[:, 0], self.square_mm[:, 1]
        return np.stack(
            [
                x[:, None] + cosine * across - sine * up,
                y[:, None] + sine * across + cosine * up,
                np.broadcast_to(self.height_mm[:, None], (len(x), 4)),
            ],
            axis=-1,
        )

    def corners(self, unknowns: NDArray[np.float64]) -> dict[int, NDArray[np.float64]]:
        """Return marker id to its corners, (4, 3) mm."""
        return dict(zip(self.numbers, self.laid(unknowns), strict=True))

    def off_px(self, unknowns: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return for each picture how far its markers are seen from where they would be, (m, 4, 2) pixels."""
        laid = self.laid(unknowns)
        poses = unknowns[: _POSE * self.pictures].reshape(-1, _POSE)
        turns = _turns(poses[:, :3])
        off = []
        for index, sighting in enumerate(self.sightings):
            rotation = turns[index] @ sighting.rotation
            translation = sighting.translation_mm + poses[index, 3:6]
            corners = laid[self.chosen[index]]
            middles = corners.mean(axis=1, keepdims=True)
            swollen = middles + (corners - middles) * (1 + poses[index, 6])
            off.append(project(swollen, rotation, translation, sighting.lens) - self.seen_px[index])
        return off

    def residuals(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return all errors in units of what is usual for them: corners in pictures, the layout, the swelling."""
        seen = [np.nan_to_num(part, nan=1e3).ravel() / SEEN_PX for part in self.off_px(unknowns)]
        laid = (self.laid(unknowns)[..., :2] - self.given_mm[..., :2]).ravel() / LAID_MM
        swell = unknowns[6 : _POSE * self.pictures : _POSE] / SWELL
        return np.concatenate([*seen, laid, swell])

    def groups(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Group the unknowns by kind, ten groups: a corner depends on its picture and its marker alone.

        Each group comes with its unknowns, and which of them moves each residual (-1: none of them).
        """
        pictures, markers = np.arange(self.pictures), np.arange(len(self.numbers))
        picture = np.repeat(pictures, [8 * len(chosen) for chosen in self.chosen])
        marker = np.repeat(np.concatenate(self.chosen), 8)
        none = np.full(self.pictures, -1)
        groups = []
        for kind in range(_POSE):
            own = _POSE * pictures + kind
            swell = own if kind == _POSE - 1 else none
            groups.append((own, np.concatenate([own[picture], np.full(8 * len(markers), -1), swell])))
        for kind in range(_MARKER):
            own = _POSE * self.pictures + _MARKER * markers + kind
            groups.append((own, np.concatenate([own[marker], np.repeat(own, 8), none])))
        return groups


def _turns(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rotations (n, 3, 3) of rotation vectors (n, 3): Rodrigues' formula."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    once, twice = np.sinc(angle / np.pi), np.sinc(angle / (2 * np.pi)) ** 2 / 2
    return np.asarray(np.eye(3) + once * cross + twice * (cross @ cross))


def _heights(given_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return heights (n,) in mm: one for all where the markers are given as lying on one plane."""
    own = given_mm[..., 2].mean(axis=1)
    flat = float(np.std(own)) <= FLAT_MM
    return np.full(len(own), float(own.mean())) if flat else own
