"""A virtual camera: it keeps the picture of what lies still, redraws changed parts, and adds the hand and the noise.

The solids are drawn far ones first (painter's algorithm: Newell, Newell, Sancha, 1972) at twice the size, so that
edges are smooth; what is flat is looked up along each pixel's line of sight.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, undistort_points
from calibration.pose import Pose
from calibration.table import TableSetup
from referee.values.kit import Kit
from referee.virtual.drawing.colours import BGR
from referee.virtual.drawing.hands import draw_hand, in_shadow
from referee.virtual.drawing.prints import Layer, Picture, grain, layers_of
from referee.virtual.drawing.solids import GRAINS, SMOOTH, Column, Face, bodies_kind, columns_of
from referee.virtual.lenses import lens_of, pose_of
from referee.virtual.scene import TableScene

Floats = NDArray[np.float64]
_FINE = 2
"""Factor by which solids are drawn larger."""
_PATCH_PX = 40
_SUN = np.array([0.38, 0.32])
"""Length of a point's shadow along x and y, for each mm of its height."""
_SHADOW = 0.34
_SOFT_MM = 3.2
_SHADE_MM = 640
"""Side of the square around the board's middle on which shadows fall."""
_BLUR_PX = 0.55
_BORDER_PX = 6
"""Drawn around a part that is drawn anew, and left out again: what is blurred at its rim belongs to it."""
_NOISE = 1.9
_NOISES = 7
_VIGNETTE = 0.22
Map = NDArray[np.float32]
Noise = tuple[Picture, Picture]
"""Noise that is added to each pixel of a frame, and noise taken off: whole bytes are added four times as fast."""
Roi = tuple[int, int, int, int]
"""Left, top, right, bottom, pixels."""


class _ShadeExtent:
    """The area of the shadow map."""

    low = np.full(2, -_SHADE_MM / 2)
    high = np.full(2, _SHADE_MM / 2)
    z_mm = 0.0
    picture = np.zeros((_SHADE_MM, _SHADE_MM), np.uint8)


class DrawnCamera:
    """Draws the pictures of one camera."""

    def __init__(self, camera: str, table: TableSetup, kit: Kit) -> None:
        self._camera, self._table, self._kit = camera, table, kit
        self._lens: Lens = lens_of(camera)
        self._layers = layers_of(table, bodies_kind(kit).ground(table, kit))
        self._noises = _noises(self._lens.size)
        self._rays = _rays(self._lens)
        self._patches = _patches()
        self._paints: dict[tuple[BGR, int, bool, float], Picture] = {}
        self._scene: TableScene | None = None
        self._columns: dict[str, Column] = {}
        self._turn = 0
        self._noisy: list[Picture | None] = [None] * _NOISES
        self._shaded: list[Picture] = []

    def picture(self, scene: TableScene) -> Picture:
        """Draw the next frame, (960, 1280, 3) BGR."""
        self._look(scene)
        self._turn = (self._turn + 1) % _NOISES
        if scene.hand is not None:
            self._shaded = self._shaded or in_shadow(self._still)
            over = draw_hand(self._still, self._shaded, scene.hand, self._pose, self._lens, scene.light)
            return _noised(over, self._noises[self._turn])
        found = self._noisy[self._turn]
        if found is None:
            found = self._noisy[self._turn] = _noised(self._still, self._noises[self._turn])
        return found

    @property
    def pose(self) -> Pose:
        """Return the camera's pose now."""
        return self._pose

    def _look(self, scene: TableScene) -> None:
        """Draw what changed since the last frame."""
        before, now = self._scene, scene.still
        if before is not None and before == now:
            return
        columns = {column.key: column for column in columns_of(now, self._table, self._kit, self._columns)}
        roi: Roi = (0, 0, *self._lens.size)
        held = now.held.get(self._camera)
        moved = before is None or before.bumps.get(self._camera) != now.bumps.get(self._camera)
        moved = moved or before is None or before.held.get(self._camera) != held
        if moved:
            self._stand(now.bumps.get(self._camera, 0), held)
        if moved or before is None or before.turned_deg != now.turned_deg:
            self._ground = self._flat(np.radians(now.turned_deg))
        elif before.light == now.light:
            changed = [c for key, c in self._columns.items() if key not in columns]
            changed += [c for key, c in columns.items() if key not in self._columns]
            roi = self._around(changed)
        self._columns, self._scene = columns, now
        if roi[0] < roi[2] and roi[1] < roi[3]:
            self._draw(roi, now.light)
            self._noisy = [None] * _NOISES
            self._shaded = []

    def _stand(self, bumps: int, held: tuple[float, ...] | None) -> None:
        self._pose = pose_of(self._camera, self._table, self._kit, bumps, held)
        width, height = self._lens.size
        self._still: Picture = np.zeros((height, width, 3), np.uint8)
        turned = self._pose.rotation.astype(np.float32)
        across, down = self._rays
        x, y, z = (turned[0, k] * across + turned[1, k] * down + turned[2, k] for k in range(3))
        self._slopes = x / z, y / z
        edge = np.linspace(-1, 1, width)[None, :] ** 2 + (np.linspace(-1, 1, height)[:, None] * 0.75) ** 2
        self._vignette = (1 - _VIGNETTE * edge / 1.56).astype(np.float32)[..., None]
        self._shade_maps = self._maps(_ShadeExtent(), 0.0, (0, 0, width, height))
        wood = self._layers[0]
        self._wood = np.asarray(
            cv2.remap(
                wood.picture, *self._maps(wood, 0.0, (0, 0, width, height)), cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT,
            ),
            np.uint8,
        )  # fmt: skip

    def _maps(self, layer: Layer | _ShadeExtent, turn: float, roi: Roi) -> tuple[Map, Map]:
        """Return where the pixels of a part of the picture see a layer: columns and rows of its picture."""
        left, top, right, bottom = roi
        centre = self._pose.centre_mm
        drop = np.float32(layer.z_mm - centre[2])
        x, y = (np.float32(centre[axis]) + self._slopes[axis][top:bottom, left:right] * drop for axis in (0, 1))
        if turn:
            cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
            x, y = cos * x + sin * y, cos * y - sin * x
        px_a_mm = np.float32(layer.picture.shape[1] / (layer.high[0] - layer.low[0]))
        half = np.float32(0.5)
        return (x - np.float32(layer.low[0])) * px_a_mm - half, (np.float32(layer.high[1]) - y) * px_a_mm - half

    def _flat(self, turn: float) -> Picture:
        """Draw all that lies flat, without shadows."""
        ground = self._wood.copy()
        for layer in self._layers[1:]:
            own = turn if layer.turns else 0.0
            roi = self._reached(_corners(layer, own))
            _edge(ground, layer, self._pose, self._lens, own)
            part = np.ascontiguousarray(ground[roi[1] : roi[3], roi[0] : roi[2]])
            across, down = self._maps(layer, own, roi)
            cv2.remap(layer.picture, across, down, cv2.INTER_LINEAR, dst=part, borderMode=cv2.BORDER_TRANSPARENT)
            ground[roi[1] : roi[3], roi[0] : roi[2]] = part
        return ground

    def _reached(self, points_mm: Floats) -> Roi:
        """Return the part of the picture that some points lie in, with a margin."""
        width, height = self._lens.size
        places = self._pose.project(points_mm, self._lens)
        low, high = places.min(axis=0) - 26, places.max(axis=0) + 26
        return max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), width), min(int(high[1]), height)

    def _around(self, columns: list[Column]) -> Roi:
        """Return the part of the picture that some columns and their shadows may touch."""
        if not columns:
            return 0, 0, 0, 0
        points = [part for column in columns for body in column.bodies for part in (body.shadow, _cast(body.shadow))]
        points += [face.corners for column in columns for body in column.bodies for face in body.faces]
        return self._reached(np.concatenate(points))

    def _draw(self, wanted: Roi, light: float) -> None:
        width, height = self._lens.size
        left, top, right, bottom = roi = (
            max(wanted[0] - _BORDER_PX, 0),
            max(wanted[1] - _BORDER_PX, 0),
            min(wanted[2] + _BORDER_PX, width),
            min(wanted[3] + _BORDER_PX, height),
        )
        shade = self._shadows()
        across, down = (axis[top:bottom, left:right] for axis in self._shade_maps)
        dark = cv2.remap(shade, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=1.0)
        part = self._ground[top:bottom, left:right].astype(np.float32) * np.asarray(dark)[..., None]
        size = ((right - left) * _FINE, (bottom - top) * _FINE)
        fine = np.asarray(cv2.resize(part.astype(np.uint8), size, interpolation=cv2.INTER_LINEAR), np.uint8)
        self._solids(fine, roi)
        small = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        lit = (
            np.asarray(cv2.GaussianBlur(small, (0, 0), _BLUR_PX), np.float32) * self._vignette[top:bottom, left:right]
        )
        drawn = np.clip(lit * light, 0, 255).astype(np.uint8)
        inner = drawn[wanted[1] - top : wanted[3] - top, wanted[0] - left : wanted[2] - left]
        self._still[wanted[1] : wanted[3], wanted[0] : wanted[2]] = inner

    def _shadows(self) -> NDArray[np.float32]:
        """Return how light the ground is, (h, w) from 0 to 1, one pixel a mm."""
        mask = np.zeros((_SHADE_MM, _SHADE_MM), np.uint8)
        contact = np.zeros_like(mask)
        middle = np.array([_SHADE_MM / 2, _SHADE_MM / 2])
        for column in self._columns.values():
            for body in column.bodies:
                hull = cv2.convexHull((_cast(body.shadow)[:, :2] * (1, -1) + middle).astype(np.float32))
                cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            foot = cv2.convexHull((column.bodies[0].shadow[:, :2] * (1, -1) + middle).astype(np.float32))
            cv2.fillConvexPoly(contact, np.round(foot * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), _SOFT_MM), np.float32) / 255
        near = np.asarray(cv2.GaussianBlur(contact, (0, 0), 5.0), np.float32) / 255
        return np.asarray((1 - _SHADOW * soft) * (1 - 0.3 * near), np.float32)

    def _solids(self, fine: Picture, roi: Roi) -> None:
        eye = self._pose.centre_mm
        order = sorted(self._columns.values(), key=lambda c: -float(np.hypot(c.x_mm - eye[0], c.y_mm - eye[1])))
        faces: list[Face] = []
        for column in order:
            for body in column.bodies:
                corners = np.stack([face.corners for face in body.faces])
                out = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
                middles = corners.mean(axis=1)
                seen = np.flatnonzero(((eye - middles) * out).sum(axis=1) > 0)
                far = np.linalg.norm(middles - eye, axis=1)
                faces += [body.faces[k] for k in sorted(seen.tolist(), key=lambda k: -far[k])]
        if not faces:
            return
        places = self._pose.project(np.stack([face.corners for face in faces]), self._lens)
        places = (places + 0.5 - np.array(roi[:2])) * _FINE - 0.5
        low, high = places.min(axis=1), places.max(axis=1)
        touching = (high >= 0).all(axis=1) & (low[:, 0] < fine.shape[1]) & (low[:, 1] < fine.shape[0])
        for k in np.flatnonzero(touching):
            face, outline = faces[k], places[k]
            if face.inner is not None:
                rim = tuple(value * 0.5 for value in face.paint)
                cv2.fillConvexPoly(fine, np.round(outline * 16).astype(np.int32), rim, shift=4)
                outline = (self._pose.project(face.inner, self._lens) + 0.5 - np.array(roi[:2])) * _FINE - 0.5
            self._face(fine, face, outline)

    def _face(self, fine: Picture, face: Face, places: Floats) -> None:
        if face.look == SMOOTH:
            cv2.fillConvexPoly(fine, np.round(places * 16).astype(np.int32), face.paint, shift=4)
            return
        low = np.maximum(np.floor(places.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(places.max(axis=0)).astype(int) + 1, (fine.shape[1], fine.shape[0]))
        if (high <= low).any():
            return
        patch = self._painted(face.paint, face.look, face.door, face.foot)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        own = places - low
        square = np.array([[1, 0], [0, 0], [0, 1], [1, 1]], np.float32) * _PATCH_PX - 0.5
        warp = cv2.getPerspectiveTransform(square, own.astype(np.float32))
        drawn = cv2.warpPerspective(patch, warp, size, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round(own * 16).astype(np.int32), 255, shift=4)
        cv2.copyTo(drawn, mask, fine[low[1] : high[1], low[0] : high[0]])

    def _painted(self, paint: BGR, look: int, door: bool, foot: float) -> Picture:
        key = (paint, look, door, foot)
        found = self._paints.get(key)
        if found is None:
            tone = self._patches[look].copy()
            tone *= np.linspace(1.0, foot, _PATCH_PX, dtype=np.float32)[:, None]
            picture = np.clip(np.array(paint, np.float32) * tone[..., None], 0, 255).astype(np.uint8)
            if door:
                _arch(picture)
            found = self._paints[key] = picture
        return found


def _cast(points_mm: Floats) -> Floats:
    """Return where the shadows of points fall on the board."""
    return np.column_stack([points_mm[:, :2] + np.maximum(points_mm[:, 2:], 0) * _SUN, np.zeros(len(points_mm))])


def _noised(picture: Picture, noise: Noise) -> Picture:
    lighter = cv2.add(picture, noise[0])
    return np.asarray(cv2.subtract(lighter, noise[1], dst=lighter), np.uint8)


@lru_cache(maxsize=2)
def _noises(size: tuple[int, int]) -> list[Noise]:
    """Return a sensor's noise for several frames, (h, w, 3) each: views into one field, so that they cost little."""
    rng = np.random.default_rng(5)
    width, height = size
    field = np.round(rng.standard_normal((height + 97, width + 97, 3), np.float32) * _NOISE)
    more, less = (np.asarray(np.maximum(one, 0), np.uint8) for one in (field, -field))
    cuts = [np.s_[y : y + height, x : x + width] for x, y in rng.integers(0, 97, (_NOISES, 2)).tolist()]
    return [(more[cut], less[cut]) for cut in cuts]


@lru_cache(maxsize=4)
def _rays_of(size: tuple[int, int], matrix: bytes, distortion: bytes) -> tuple[Map, Map]:
    """Return the direction each pixel looks into, x and y for a depth of 1, (h, w) each."""
    lens = Lens(size, np.frombuffer(matrix).reshape(3, 3), np.frombuffer(distortion), 0.0)
    step = 8
    xs, ys = np.meshgrid(np.arange(-step, size[0] + 2 * step, step), np.arange(-step, size[1] + 2 * step, step))
    straight = undistort_points(np.stack([xs, ys], axis=-1).reshape(-1, 2).astype(np.float64), lens)
    flat = (straight - lens.matrix[:2, 2]) / np.array([lens.matrix[0, 0], lens.matrix[1, 1]])
    coarse = flat.astype(np.float32).reshape(*xs.shape, 2)
    # Smooth enough to be interpolated from every eighth pixel.
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    place = (x + step) / np.float32(step), (y + step) / np.float32(step)
    across, down = (
        np.asarray(cv2.remap(np.ascontiguousarray(coarse[..., axis]), *place, cv2.INTER_LINEAR), np.float32)
        for axis in (0, 1)
    )
    return across, down


def _rays(lens: Lens) -> tuple[Map, Map]:
    return _rays_of(lens.size, lens.matrix.tobytes(), lens.distortion.tobytes())


def _patches() -> list[NDArray[np.float32]]:
    """Return grains of wood and then as many of plastic, (px, px) about 1, darker along the edges."""
    rng = np.random.default_rng(11)
    shape = (_PATCH_PX, _PATCH_PX)
    edge = np.minimum.outer(*(np.minimum(np.arange(_PATCH_PX), np.arange(_PATCH_PX)[::-1]),) * 2)
    rim = np.where(edge < 1, 0.86, 1.0).astype(np.float32)
    found = []
    for number in range(GRAINS):
        tone = 1 + 0.05 * grain(rng, shape, 40, 3) + 0.04 * grain(rng, shape, 60, 9) + 0.03 * float(rng.normal())
        found.append(np.asarray((tone.T if number % 2 else tone) * rim, np.float32))
    for _ in range(GRAINS):
        tone = 1 + 0.012 * grain(rng, shape, 2, 2) + 0.02 * grain(rng, shape, 20, 20) + 0.03 * float(rng.normal())
        found.append(np.asarray(tone * rim, np.float32))
    return found


def _arch(picture: Picture) -> None:
    """Draw an open door in a side."""
    px = _PATCH_PX
    inside = (picture[px // 2, px // 2].astype(float) * 0.34).tolist()
    cv2.rectangle(picture, (round(px * 0.32), round(px * 0.5)), (round(px * 0.68), px), inside, -1)
    cv2.ellipse(picture, (px // 2, round(px * 0.5)), (round(px * 0.18), round(px * 0.22)), 0, 180, 360, inside, -1)


def _corners(layer: Layer, turn: float) -> Floats:
    """Return the corners of a layer, (4, 3) mm, turned as it lies."""
    (west, south), (east, north) = layer.low, layer.high
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    flat = np.array([(west, south), (east, south), (east, north), (west, north)]) @ spin.T
    return np.column_stack([flat, np.full(4, layer.z_mm)])


def _edge(ground: Picture, layer: Layer, pose: Pose, lens: Lens, turn: float) -> None:
    """Draw the cut edge of what lies a little higher: a dark rim below it."""
    lowest = 0.0 if layer.turns else min(layer.z_mm, -3.0 if layer.z_mm > -1 else layer.z_mm)
    if lowest >= layer.z_mm:
        return
    ring = _corners(layer, turn)
    shares = np.linspace(0, 1, 12)[:, None]
    for z in np.linspace(lowest, layer.z_mm, 4):
        ring[:, 2] = z
        sides = [a + (b - a) * shares for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)]
        places = pose.project(np.concatenate(sides), lens)
        cv2.fillPoly(ground, [np.round(places * 16).astype(np.int32)], (52, 60, 58), cv2.LINE_AA, 4)
