"""One virtual camera: it keeps the picture of what lies still, draws anew only where that changed, and lays the hand
and the noise of a frame over it.

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
from referee.virtual.drawing.hands import draw_hand
from referee.virtual.drawing.prints import Layer, Picture, grain, layers_of
from referee.virtual.drawing.solids import SMOOTH, Column, Face, columns_of
from referee.virtual.lenses import lens_of, pose_of
from referee.virtual.scene import TableScene

Floats = NDArray[np.float64]
_FINE = 2
"""Solids are drawn so many times larger."""
_PATCH_PX = 40
_SUN = np.array([0.42, -0.34])
"""How far the shadow of a point falls along x and y, for each mm of its height."""
_SHADOW = 0.34
_SOFT_MM = 3.2
_SHADE_MM = 640
"""Side of the square around the board's middle on which shadows fall."""
_BLUR_PX = 0.55
_NOISE = 1.9
_NOISES = 7
_VIGNETTE = 0.22
_WHOLE = np.zeros(0, np.float32)
"""Both coordinates stand in the first map."""
Roi = tuple[int, int, int, int]
"""Left, top, right, bottom, pixels."""


class _ShadeExtent:
    """Where shadows are kept."""

    low = np.full(2, -_SHADE_MM / 2)
    high = np.full(2, _SHADE_MM / 2)
    z_mm = 0.0
    picture = np.zeros((_SHADE_MM, _SHADE_MM), np.uint8)


class DrawnCamera:
    """The pictures of one camera."""

    def __init__(self, camera: str, table: TableSetup, kit: Kit) -> None:
        self._camera, self._table, self._kit = camera, table, kit
        self._lens: Lens = lens_of(camera)
        self._layers = layers_of(table, kit)
        self._noises = _noises(self._lens.size)
        self._rays = _rays(self._lens)
        self._patches = _patches()
        self._paints: dict[tuple[BGR, int, bool, float], Picture] = {}
        self._scene: TableScene | None = None
        self._columns: dict[str, Column] = {}
        self._turn = 0
        self._noisy: list[Picture | None] = [None] * _NOISES

    def picture(self, scene: TableScene) -> Picture:
        """The next frame, (960, 1280, 3) BGR."""
        self._look(scene)
        self._turn = (self._turn + 1) % _NOISES
        if scene.hand is not None:
            over = draw_hand(self._still, scene.hand, self._pose, self._lens, scene.light)
            return _noised(over, self._noises[self._turn])
        found = self._noisy[self._turn]
        if found is None:
            found = self._noisy[self._turn] = _noised(self._still, self._noises[self._turn])
        return found

    @property
    def pose(self) -> Pose:
        """Where it stands now."""
        return self._pose

    def _look(self, scene: TableScene) -> None:
        """Draw what changed since the last frame."""
        before, now = self._scene, scene.still
        if before is not None and before == now:
            return
        columns = {column.key: column for column in columns_of(now, self._table, self._kit)}
        roi: Roi = (0, 0, *self._lens.size)
        moved = before is None or before.bumps.get(self._camera) != now.bumps.get(self._camera)
        if moved:
            self._stand(now.bumps.get(self._camera, 0))
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

    def _stand(self, bumps: int) -> None:
        self._pose = pose_of(self._camera, self._table, bumps)
        width, height = self._lens.size
        self._still: Picture = np.zeros((height, width, 3), np.uint8)
        directions = self._rays @ self._pose.rotation
        self._slopes = directions[..., :2] / directions[..., 2:]
        across = np.linspace(-1, 1, width)[None, :] ** 2 + (np.linspace(-1, 1, height)[:, None] * 0.75) ** 2
        self._vignette = (1 - _VIGNETTE * across / 1.56).astype(np.float32)[..., None]
        self._shade_map = self._map(_ShadeExtent(), 0.0)

    def _on_plane(self, z_mm: float) -> Floats:
        """Where each pixel's line of sight meets a height, (h, w, 2) mm."""
        centre = self._pose.centre_mm
        return np.asarray(centre[:2] + self._slopes * (z_mm - centre[2]), np.float64)

    def _map(self, layer: Layer | _ShadeExtent, turn: float) -> NDArray[np.float32]:
        points = self._on_plane(layer.z_mm)
        if turn:
            cos, sin = np.cos(-turn), np.sin(-turn)
            points = np.stack(
                [cos * points[..., 0] - sin * points[..., 1], sin * points[..., 0] + cos * points[..., 1]], axis=-1
            )
        px_a_mm = layer.picture.shape[1] / (layer.high[0] - layer.low[0])
        places = np.stack([points[..., 0] - layer.low[0], layer.high[1] - points[..., 1]], axis=-1)
        return np.asarray(places * px_a_mm - 0.5, np.float32)

    def _flat(self, turn: float) -> Picture:
        """All that lies flat, without shadows."""
        width, height = self._lens.size
        ground: Picture = np.zeros((height, width, 3), np.uint8)
        for number, layer in enumerate(self._layers):
            places = self._map(layer, turn if layer.turns else 0.0)
            mode = cv2.BORDER_REFLECT if number == 0 else cv2.BORDER_TRANSPARENT
            if number:
                _edge(ground, layer, self._pose, self._lens, turn if layer.turns else 0.0)
            cv2.remap(layer.picture, places, _WHOLE, cv2.INTER_LINEAR, dst=ground, borderMode=mode)
        return ground

    def _around(self, columns: list[Column]) -> Roi:
        """The part of the picture that some columns and their shadows may touch."""
        width, height = self._lens.size
        left, top, right, bottom = width, height, 0, 0
        for column in columns:
            points = np.concatenate([part for body in column.bodies for part in (body.shadow, _cast(body.shadow))])
            faces = np.concatenate([face.corners for body in column.bodies for face in body.faces])
            places = self._pose.project(np.concatenate([points, faces]), self._lens)
            low, high = places.min(axis=0) - 26, places.max(axis=0) + 26
            left, top = min(left, int(low[0])), min(top, int(low[1]))
            right, bottom = max(right, int(high[0])), max(bottom, int(high[1]))
        return max(left, 0), max(top, 0), min(right, width), min(bottom, height)

    def _draw(self, roi: Roi, light: float) -> None:
        left, top, right, bottom = roi
        shade = self._shadows()
        places = self._shade_map[top:bottom, left:right]
        dark = cv2.remap(shade, places, _WHOLE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=1.0)
        part = self._ground[top:bottom, left:right].astype(np.float32) * np.asarray(dark)[..., None]
        size = ((right - left) * _FINE, (bottom - top) * _FINE)
        fine = np.asarray(cv2.resize(part.astype(np.uint8), size, interpolation=cv2.INTER_LINEAR), np.uint8)
        self._solids(fine, roi)
        small = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        lit = (
            np.asarray(cv2.GaussianBlur(small, (0, 0), _BLUR_PX), np.float32) * self._vignette[top:bottom, left:right]
        )
        self._still[top:bottom, left:right] = np.clip(lit * light, 0, 255).astype(np.uint8)

    def _shadows(self) -> NDArray[np.float32]:
        """How light the ground is, (h, w) 0 to 1, a pixel a mm."""
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
    """Where the shadows of points fall on the board."""
    return np.column_stack([points_mm[:, :2] + np.maximum(points_mm[:, 2:], 0) * _SUN, np.zeros(len(points_mm))])


def _noised(picture: Picture, noise: NDArray[np.int16]) -> Picture:
    return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=2)
def _noises(size: tuple[int, int]) -> list[NDArray[np.int16]]:
    """Noise of a sensor for several frames, (h, w, 3) each: parts of one field, so that they cost little."""
    rng = np.random.default_rng(5)
    width, height = size
    field = np.round(rng.standard_normal((height + 97, width + 97, 3), np.float32) * _NOISE).astype(np.int16)
    corners = rng.integers(0, 97, (_NOISES, 2)).tolist()
    return [np.ascontiguousarray(field[y : y + height, x : x + width]) for x, y in corners]


def _rays(lens: Lens) -> Floats:
    """The direction each pixel looks into, (h, w, 3) in the camera's axes."""
    width, height = lens.size
    step = 8
    xs, ys = np.meshgrid(np.arange(-step, width + 2 * step, step), np.arange(-step, height + 2 * step, step))
    straight = undistort_points(np.stack([xs, ys], axis=-1).reshape(-1, 2).astype(np.float64), lens)
    coarse = straight.reshape(*xs.shape, 2)
    # Smooth enough to be interpolated from every eighth pixel.
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    place = [((axis + step) / step).astype(np.float32) for axis in (x, y)]
    full = np.stack(
        [cv2.remap(coarse[..., axis].astype(np.float32), place[0], place[1], cv2.INTER_LINEAR) for axis in (0, 1)],
        axis=-1,
    )
    focal, middle = np.array([lens.matrix[0, 0], lens.matrix[1, 1]]), lens.matrix[:2, 2]
    flat = (full - middle) / focal
    return np.concatenate([flat, np.ones((height, width, 1))], axis=-1)


def _patches() -> list[NDArray[np.float32]]:
    """Grains of wood, (px, px) about 1, darker along the edges."""
    rng = np.random.default_rng(11)
    shape = (_PATCH_PX, _PATCH_PX)
    edge = np.minimum.outer(*(np.minimum(np.arange(_PATCH_PX), np.arange(_PATCH_PX)[::-1]),) * 2)
    rim = np.where(edge < 1, 0.86, 1.0).astype(np.float32)
    found = []
    for number in range(8):
        tone = 1 + 0.05 * grain(rng, shape, 40, 3) + 0.04 * grain(rng, shape, 60, 9) + 0.03 * float(rng.normal())
        found.append(np.asarray((tone.T if number % 2 else tone) * rim, np.float32))
    return found


def _arch(picture: Picture) -> None:
    """An open door in a side."""
    px = _PATCH_PX
    inside = (picture[px // 2, px // 2].astype(float) * 0.34).tolist()
    cv2.rectangle(picture, (round(px * 0.32), round(px * 0.5)), (round(px * 0.68), px), inside, -1)
    cv2.ellipse(picture, (px // 2, round(px * 0.5)), (round(px * 0.18), round(px * 0.22)), 0, 180, 360, inside, -1)


def _edge(ground: Picture, layer: Layer, pose: Pose, lens: Lens, turn: float) -> None:
    """The cut edge of what lies a little higher: a dark rim below it."""
    lowest = 0.0 if layer.turns else min(layer.z_mm, -3.0 if layer.z_mm > -1 else layer.z_mm)
    if lowest >= layer.z_mm:
        return
    corners = np.array(
        [(layer.low[0], layer.low[1]), (layer.high[0], layer.low[1]), layer.high, (layer.low[0], layer.high[1])]
    )
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = corners @ spin.T
    for z in np.linspace(lowest, layer.z_mm, 4):
        ring = np.column_stack([corners, np.full(4, z)])
        dense = np.concatenate(
            [a + (b - a) * np.linspace(0, 1, 12)[:, None] for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)]
        )
        places = pose.project(dense, lens)
        cv2.fillPoly(ground, [np.round(places * 16).astype(np.int32)], (52, 60, 58), cv2.LINE_AA, 4)
