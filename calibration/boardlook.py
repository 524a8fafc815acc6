"""What a board without a printed frame looks like, and where a camera stands by its rim.

The rim is the strip between the playing fields and the board's edge: nothing stands on it but marker stones. Across
every stretch of the edge the rim's colours end at one place; where they end most likely (a change point of likelihood
ratios; Page, Continuous Inspection Schemes, 1954) is where the edge lies. Places of the edge give the pose, and the
focal length within what is known of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.leastsquares import least_squares
from calibration.lens import Lens
from calibration.masked import FLAT
from calibration.pose import Pose
from calibration.rimcolours import RimColours, learn_colours

_STEP_MM = 0.5
_ALONG_MM = 2.0
"""Distance of the places at which the edge is looked for."""
_SURE_NATS = 0.7
"""On its side of the edge a pixel speaks for the rim, beyond it against it, by this much on average."""
_LEAST_SIDE_MM = 2.0
_EDGE_MM = 0.3
"""How well one place of the edge is found; larger errors count less than their square."""
_ALIKE = 10
"""So many neighbouring places of the edge err alike: a shadow, a worn corner, a bent lens."""
_LEAST_PLACES = 40
_FOCAL_SPREADS = 2.5
"""No focal length lies further off than so many of its spreads."""
_SOFT_PX = 1.0
_LABEL_SOFT_PX = 2.0
_TEXTURE_MM, _BLOCK_MM = 1.0, 8
_RIM_PIXELS = 12_000
"""Pixels of the rim from which its colours are learnt, about."""
_MASKED = 0.7
"""A picture less of whose surroundings is not flat was cut down to the board: no grey table is so even."""
_ON_BOARD = 0.3
"""What stands on the fields counts at most so much as the table around them."""


@dataclass(frozen=True, slots=True)
class Focal:
    """What is known of a focal length before a picture is looked at: a factor of the lens's own, give or take."""

    factor: float = 1.0
    spread: float = 0.011


@dataclass(frozen=True, eq=False)
class Fit:
    """A pose found by the rim. lens: with the focal length found. places: of the edge that carry it.

    off_px: how far they lie off, a robust standard deviation. unsure_mm: standard deviation of the worst placed field
    on the board.
    """

    pose: Pose
    lens: Lens
    places: int
    off_px: float
    unsure_mm: float


@dataclass(frozen=True, eq=False)
class BoardLook:
    """half_mm: half the board's width and depth. rim_mm: the least width of its rim.

    at_mm: (n, 2) places on the rim, which: (n, 2) colours each may have. edge: (m, 2) the same just within the edge.
    texture: (h, w) grey, the board from above with its rim alone, a pixel a millimetre. over_mm: how high a row of
    stones may stand on the fields beside the rim. known: which of the places (n,), of the edge's (m,) and of the
    texture (h, w) no such row hid in the pictures that tell.
    """

    half_mm: tuple[float, float]
    rim_mm: float
    colours: RimColours
    at_mm: NDArray[np.float64]
    which: NDArray[np.intp]
    edge: NDArray[np.intp]
    texture: NDArray[np.float32]
    over_mm: float
    known: tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]

    def hidden(self, places_mm: NDArray[np.float64], pose: Pose) -> NDArray[np.bool_]:
        """Return which places (..., 2) of the rim a row of stones may hide from a camera."""
        reach = np.array(self.half_mm) - self.rim_mm
        away = pose.centre_mm[:2] - places_mm
        away = np.where(np.abs(away) < 1e-9, 1e-9, away)
        one, two = (-reach - places_mm) / away, (reach - places_mm) / away
        enters, leaves = np.minimum(one, two).max(axis=-1), np.maximum(one, two).min(axis=-1)
        meets = (enters < leaves) & (leaves > 0) & (enters < 1)
        return np.asarray(meets & (enters * pose.centre_mm[2] < self.over_mm), np.bool_)

    def tests(self, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return places (n, 2) on the rim and beside the board, and which colours each has, (n, 2)."""
        inner = np.concatenate([ring(self.half_mm, share * self.rim_mm, step_mm)[0] for share in (0.2, 0.5, 0.8)])
        outer = np.concatenate([ring(self.half_mm, -share * self.rim_mm, step_mm)[0] for share in (0.25, 0.6)])
        nearest = np.linalg.norm(inner[:, None] - self.at_mm[None], axis=-1).argmin(axis=1)
        none = np.full((len(outer), 2), len(self.colours.nats))
        return np.concatenate([inner, outer]), np.concatenate([self.which[nearest], none])


def ring(
    half_mm: tuple[float, float], inset_mm: float, step_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places (n, 2) along an outline and which way is out, (n, 2). inset_mm: negative beyond the edge."""
    reach = np.array(half_mm) - inset_mm
    places, out = [], []
    for axis in (0, 1):
        along = np.arange(-reach[1 - axis] + step_mm / 2, reach[1 - axis], step_mm)
        for sign in (-1, 1):
            at, way = np.zeros((len(along), 2)), np.zeros((len(along), 2))
            at[:, axis], at[:, 1 - axis], way[:, axis] = sign * reach[axis], along, sign
            places.append(at)
            out.append(way)
    return np.concatenate(places), np.concatenate(out)


def soft_lab(picture_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture's colours, (h, w, 3) CIELAB, without its noise."""
    lab = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2LAB)
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), _SOFT_PX), np.uint8)


def zoomed(lens: Lens, factor: float) -> Lens:
    """Return a lens with another focal length."""
    return Lens(lens.size, lens.matrix * [[factor, 1, 1], [1, factor, 1], [1, 1, 1]], lens.distortion, lens.rms_px)


def fit(
    lab: NDArray[np.uint8], look: BoardLook, start: Pose, lens: Lens, focal: Focal, reaches_mm: tuple[float, ...]
) -> Fit | None:
    """Find the pose near another one by the board's edge; ``None`` where too little of that is seen.

    lab: as ``soft_lab`` makes it. reaches_mm: how far around the edge is looked for, each time.
    """
    pose, factor, found = start, focal.factor, None
    for reach_mm in reaches_mm:
        found = _fit_once(lab, look, pose, lens, factor, focal, reach_mm)
        if found is None:
            return None
        pose, factor = found.pose, float(found.lens.matrix[0, 0] / lens.matrix[0, 0])
    return found


def _fit_once(
    lab: NDArray[np.uint8], look: BoardLook, start: Pose, lens: Lens, factor: float, focal: Focal, reach_mm: float
) -> Fit | None:
    here = zoomed(lens, factor)
    at, out, away_mm, good = _edge_seen(lab, look, start, here, reach_mm)
    if good.sum() < _LEAST_PLACES:
        return None
    at, out, away_mm = at[good], out[good], away_mm[good]
    along = np.stack([-out[:, 1], out[:, 0]], axis=-1)
    seen_px = start.project(_flat(at + out * away_mm[:, None]), here)
    way_px = start.project(_flat(at + along / 2), here) - start.project(_flat(at - along / 2), here)
    mm_px = np.linalg.norm(way_px, axis=1, keepdims=True)
    across = np.stack([-way_px[:, 1], way_px[:, 0]], axis=-1) / mm_px
    sigma_px = _EDGE_MM * float(np.median(mm_px))
    points = _flat(at)

    def moved(step: NDArray[np.float64]) -> tuple[Pose, Lens]:
        turn = np.asarray(cv2.Rodrigues(step[:3])[0], np.float64)
        return Pose(turn @ start.rotation, start.translation_mm + step[3:6], 0, 0.0), zoomed(lens, factor + step[6])

    def off(step: NDArray[np.float64]) -> NDArray[np.float64]:
        pose, nearby = moved(step)
        edge = ((pose.project(points, nearby) - seen_px) * across).sum(axis=1) / sigma_px
        return np.append(edge, (factor + step[6] - focal.factor) / focal.spread * np.sqrt(_ALIKE))

    scales = np.array([1e-3, 1e-3, 1e-3, 0.3, 0.3, 0.3, 1e-3])
    groups = [(np.array([index]), np.full(len(points) + 1, index)) for index in range(7)]
    step = least_squares(off, np.zeros(7), scales, groups, most_rounds=20).unknowns
    bound = _FOCAL_SPREADS * focal.spread
    step[6] = np.clip(factor + step[6], focal.factor - bound, focal.factor + bound) - factor
    pose, nearby = moved(step)
    rest = off(step)[:-1]
    spread = max(1.4826 * float(np.median(np.abs(rest))), 0.3)
    jacobian = np.stack([off(step + one) - off(step) for one in np.diag(scales)], axis=1)
    jacobian[:-1] /= spread
    doubt = np.asarray(np.linalg.pinv(jacobian.T @ jacobian) * _ALIKE, np.float64)
    unsure_mm = _unsure_mm(lambda move: moved(step + move), doubt, scales, look.half_mm)
    told = Pose(pose.rotation, pose.translation_mm, 0, spread * sigma_px)
    return Fit(told, nearby, len(points), spread * sigma_px, unsure_mm)


def _unsure_mm(
    moved: Callable[[NDArray[np.float64]], tuple[Pose, Lens]],
    doubt: NDArray[np.float64],
    scales: NDArray[np.float64],
    half_mm: tuple[float, float],
) -> float:
    """Return the standard deviation on the board, mm, of the place that is told worst. doubt: (7, 7) covariance.

    moved: the pose and lens after a step of the seven unknowns, whose units are ``scales``.
    """
    places = _flat(np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1)]) * half_mm)

    def shown(step: NDArray[np.float64], shift_mm: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float64]:
        pose, lens = moved(step)
        return pose.project(places + np.array([*shift_mm, 0.0]), lens)

    none = np.zeros(len(scales))
    still = shown(none)
    by_mm = np.stack([shown(none, shift) - still for shift in ((1.0, 0.0), (0.0, 1.0))], axis=-1)
    by_step = np.stack([shown(step) - still for step in np.diag(scales)], axis=-1)
    if not (np.isfinite(by_mm).all() and np.isfinite(by_step).all()):
        return float("inf")
    on_board = np.linalg.pinv(by_mm) @ by_step
    spread = on_board @ doubt @ on_board.transpose(0, 2, 1)
    return float(np.sqrt(np.trace(spread, axis1=1, axis2=2).max()))


def _edge_seen(
    lab: NDArray[np.uint8], look: BoardLook, pose: Pose, lens: Lens, reach_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return places of the edge (n, 2), which way is out, how far out it is seen, mm, and whether it surely is."""
    at, out = ring(look.half_mm, 0.0, _ALONG_MM)
    steps = np.arange(-reach_mm, reach_mm + _STEP_MM / 2, _STEP_MM)
    grid = at[:, None] + out[:, None] * steps[None, :, None]
    colours, inside = _sampled(lab, pose.project(_flat(grid), lens))
    told = np.take_along_axis(look.colours.told(colours), look.edge.T[:, :, None], axis=0).max(axis=0)
    sums = np.concatenate([np.zeros((len(at), 1)), np.cumsum(told, axis=1)], axis=1)
    row, count = np.arange(len(at)), len(steps)
    ends = (2 * sums - sums[:, -1:]).argmax(axis=1)
    within = sums[row, ends]
    beyond = sums[:, -1] - within
    before, after = told[row, np.clip(ends - 1, 0, count - 1)], told[row, np.clip(ends, 0, count - 1)]
    part = np.clip(before / np.maximum(before - after, 1e-3), 0.0, 1.0)
    least = _LEAST_SIDE_MM / _STEP_MM
    good = inside.all(axis=1) & (ends > least) & (ends < count - least)
    good &= (within > _SURE_NATS * ends) & (beyond < -_SURE_NATS * (count - ends))
    return at, out, -reach_mm + (ends - 1 + part) * _STEP_MM, good


def _sampled(
    picture: NDArray[np.uint8], places_px: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return a picture's colours at places (n, m, 2), (n, m, 3), and which of them lie in it, (n, m)."""
    size = np.array(picture.shape[1::-1])
    fits = np.isfinite(places_px) & (places_px > 1) & (places_px < size - 2)
    inside = np.asarray(fits.all(axis=-1), np.bool_)
    where = np.where(inside[..., None], places_px, -10.0).astype(np.float32)
    seen = cv2.remap(picture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), inside


def _flat(places_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([places_mm, np.zeros((*places_mm.shape[:-1], 1))], axis=-1)


def likeness_nats(lab: NDArray[np.uint8], look: BoardLook, pose: Pose, lens: Lens) -> float:
    """Return how much likelier rim and surroundings look like the board than not, nats a place."""
    seen, share = seen_likeness(lab, look, pose, lens)
    return seen * share


def seen_likeness(lab: NDArray[np.uint8], look: BoardLook, pose: Pose, lens: Lens) -> tuple[float, float]:
    """Return the same by the places that lie in the picture alone, and the share of those."""
    places, which = look.tests(4.0)
    colours, inside = _sampled(lab, pose.project(_flat(places), lens)[None])
    told = np.take_along_axis(look.colours.told(colours[0]), which.T, axis=0).max(axis=0)
    share = float(inside[0].mean())
    return float((told * inside[0]).mean()) / max(share, 1e-9), share


class Turns:
    """What a picture says of how the board is turned in it, by a pose that may be the wrong way round."""

    def __init__(self, lab: NDArray[np.uint8], look: BoardLook, pose: Pose, lens: Lens) -> None:
        """Look at the rim. lab: as ``soft_lab`` makes it."""
        self._look = look
        self._places = np.concatenate([ring(look.half_mm, share * look.rim_mm, 4.0)[0] for share in (0.2, 0.5, 0.8)])
        colours, inside = _sampled(lab, pose.project(_flat(self._places), lens)[None])
        self._told = look.colours.told(colours[0])
        self._shown = inside[0] & ~look.hidden(self._places, pose)
        self._print = _from_above(lab, look.half_mm, look.rim_mm, pose, lens)
        self._print[look.hidden(_grid(look.half_mm), pose)] = 0.0

    def nats(self, one: int, other: int) -> NDArray[np.float64]:
        """Return how much likelier places of the rim are in one turn than in another, (n,).

        Turns are quarters, counter-clockwise. Only places count that are known in both and not hidden here.
        """
        told, known = zip(*(self._by_colour(turn) for turn in (one, other)), strict=True)
        return np.asarray((told[0] - told[1])[self._shown & known[0] & known[1]], np.float64)

    def prints(self, one: int, other: int) -> NDArray[np.float64]:
        """Return how much more blocks of the rim look like its print in one turn than in another, (n,)."""
        known = [self._textured(turn) for turn in (one, other)]
        both = known[0][1] & known[1][1]
        seen = np.where(both, self._print, 0.0)
        light = _blocks(np.asarray(seen**2, np.float32))
        found, there = [], light > 0
        for texture, _ in known:
            print_ = np.where(both, texture, 0.0)
            own = _blocks(np.asarray(print_**2, np.float32))
            there &= own > 0
            found.append(_blocks(np.asarray(seen * print_, np.float32)) / np.sqrt(np.maximum(light * own, 1e-12)))
        return np.asarray((found[0] - found[1])[there])

    def _by_colour(self, turn: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        look = self._look
        nearest = np.linalg.norm(_turned(self._places, -turn)[:, None] - look.at_mm[None], axis=-1).argmin(axis=1)
        return np.take_along_axis(self._told, look.which[nearest].T, axis=0).max(axis=0), look.known[0][nearest]

    def _textured(self, turn: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        look = self._look
        at = _turned(_grid(look.half_mm), -turn) + look.half_mm
        x, y = (
            np.clip((at[..., axis] / _TEXTURE_MM).astype(int), 0, look.texture.shape[1 - axis] - 1) for axis in (0, 1)
        )
        return look.texture[y, x], look.known[2][y, x]


def _blocks(image: NDArray[np.float32]) -> NDArray[np.float64]:
    height, width = (side // _BLOCK_MM * _BLOCK_MM for side in image.shape)
    cut = image[:height, :width].astype(np.float64)
    return np.asarray(cut.reshape(height // _BLOCK_MM, _BLOCK_MM, width // _BLOCK_MM, _BLOCK_MM).mean(axis=(1, 3)))


def _turned(places_mm: NDArray[np.float64], quarters: int) -> NDArray[np.float64]:
    cosine, sine = round(np.cos(quarters * np.pi / 2)), round(np.sin(quarters * np.pi / 2))
    return places_mm @ np.array([[cosine, sine], [-sine, cosine]], np.float64)


def _grid(half_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the places of a texture's pixels, (h, w, 2) mm."""
    xs, ys = (np.arange(-half + _TEXTURE_MM / 2, half, _TEXTURE_MM) for half in half_mm)
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def _from_above(
    lab: NDArray[np.uint8], half_mm: tuple[float, float], rim_mm: float, pose: Pose, lens: Lens
) -> NDArray[np.float32]:
    """Return the fine print of the rim as seen from above, (h, w): light without what changes slowly; 0 elsewhere."""
    grid = _grid(half_mm)
    colours, inside = _sampled(lab, pose.project(_flat(grid), lens))
    light = colours[..., 0].astype(np.float32)
    fine = np.asarray(light - cv2.GaussianBlur(light, (0, 0), _BLOCK_MM / 2), np.float32)
    edge_mm = np.minimum(half_mm[0] - np.abs(grid[..., 0]), half_mm[1] - np.abs(grid[..., 1]))
    fine[(edge_mm > rim_mm - 2) | (edge_mm < 2) | ~inside] = 0.0
    return fine


def learn(
    picture_bgr: NDArray[np.uint8],
    start: Pose,
    lens: Lens,
    focal: Focal,
    half_mm: tuple[float, float],
    rim_mm: float,
    over_mm: float,
) -> tuple[BoardLook, Fit] | None:
    """Learn what a board looks like from a picture in which it is known about where it lies.

    ``None`` where its edge is not seen there. The colours are learnt well within the edge first, and again from where
    it was found.
    """
    lab = soft_lab(picture_bgr)
    pose, zoom, found = start, zoomed(lens, focal.factor), None
    for slack_mm, reaches_mm in (
        (rim_mm / 2 - 2.0, (0.7 * rim_mm, 0.5 * rim_mm, 8.0)),
        (4.0, (8.0, 5.0, 4.0)),
        *((1.5, (5.0, 4.0, 3.0)),) * 3,
    ):
        look = _looked(lab, pose, zoom, half_mm, rim_mm, slack_mm, over_mm)
        found = fit(lab, look, pose, lens, focal, reaches_mm)
        if found is None:
            return None
        pose, zoom = found.pose, found.lens
    return None if found is None else (_looked(lab, pose, zoom, half_mm, rim_mm, 1.5, over_mm), found)


def _looked(
    lab: NDArray[np.uint8],
    pose: Pose,
    lens: Lens,
    half_mm: tuple[float, float],
    rim_mm: float,
    slack_mm: float,
    over_mm: float,
) -> BoardLook:
    """Return what the board looks like if it lies just there, give or take ``slack_mm``."""
    apart_mm = float(np.sqrt(4 * sum(half_mm) * (rim_mm - 2 * slack_mm) / _RIM_PIXELS))
    insets = np.arange(slack_mm, rim_mm - slack_mm + 0.1, apart_mm)
    rim = np.concatenate([ring(half_mm, inset, apart_mm)[0] for inset in insets])
    colours, inside = _sampled(lab, pose.project(_flat(rim), lens)[None])
    known = learn_colours(colours[inside], _elsewhere(lab, pose, lens, half_mm, rim_mm, slack_mm))
    smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), _LABEL_SOFT_PX), np.uint8)

    def named(places: NDArray[np.float64]) -> NDArray[np.intp]:
        return known.nearest(_sampled(smooth, pose.project(_flat(places), lens)[None])[0][0].astype(np.float32))

    at = np.concatenate([ring(half_mm, share * rim_mm, 6.0)[0] for share in (0.12, 0.37, 0.63, 0.88)])
    edge, out = ring(half_mm, 0.0, _ALONG_MM)
    any_ = np.tile(np.arange(len(known.nats)), (len(edge), 1))
    just_within = any_ if slack_mm > 5.0 else named(edge - out * min(3.0, rim_mm / 3))
    texture = _from_above(lab, half_mm, rim_mm, pose, lens)
    none = np.zeros(0, np.bool_)
    found = BoardLook(half_mm, rim_mm, known, at, named(at), just_within, texture, over_mm, (none, none, none))
    return replace(found, known=_shown(found, pose, lens, lab))


def _shown(
    look: BoardLook, pose: Pose, lens: Lens, lab: NDArray[np.uint8]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which places of a look, of its edge and of its texture a picture shows."""
    edge = ring(look.half_mm, 0.0, _ALONG_MM)[0]
    at, along, above = (
        _sampled(lab, pose.project(_flat(places), lens))[1] & ~look.hidden(places, pose)
        for places in (look.at_mm[None], edge[None], _grid(look.half_mm))
    )
    return at[0], along[0], above


def learnt_more(look: BoardLook, picture_bgr: NDArray[np.uint8], pose: Pose, lens: Lens) -> BoardLook:
    """Return a look with what another picture, by a pose that is known, shows and those before hid."""
    lab = soft_lab(picture_bgr)
    smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), _LABEL_SOFT_PX), np.uint8)
    edge, out = ring(look.half_mm, 0.0, _ALONG_MM)
    within = edge - out * min(3.0, look.rim_mm / 3)
    shown = _shown(look, pose, lens, lab)
    fresh = [new & ~old for new, old in zip(shown, look.known, strict=True)]

    def named(places: NDArray[np.float64]) -> NDArray[np.intp]:
        return look.colours.nearest(
            _sampled(smooth, pose.project(_flat(places), lens)[None])[0][0].astype(np.float32)
        )

    return replace(
        look,
        which=np.where(fresh[0][:, None], named(look.at_mm), look.which),
        edge=np.where(fresh[1][:, None], named(within), look.edge),
        texture=np.where(fresh[2], _from_above(lab, look.half_mm, look.rim_mm, pose, lens), look.texture),
        known=(look.known[0] | shown[0], look.known[1] | shown[1], look.known[2] | shown[2]),
    )


def _elsewhere(
    lab: NDArray[np.uint8], pose: Pose, lens: Lens, half_mm: tuple[float, float], rim_mm: float, slack_mm: float
) -> NDArray[np.uint8]:
    """Return colours (n, 3) of the table around the board, and of what stands on its fields, that one fewer."""
    small = lab[::4, ::4]

    def covers(grown_mm: float) -> NDArray[np.bool_]:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (np.array(half_mm) + grown_mm)
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.rint(pose.project(_flat(corners), lens) / 4).astype(np.int32)], 1)
        return mask.astype(bool)

    beside = ~covers(slack_mm + 4)
    flat = cv2.cvtColor(np.full((1, 1, 3), FLAT, np.uint8), cv2.COLOR_BGR2LAB)[0, 0].astype(np.int16)
    kept = (np.abs(small.astype(np.int16) - flat) > 1).any(axis=-1)
    if kept[beside].mean() < _MASKED:  # what is flat was not kept of the picture
        beside &= kept
    around, on = small[beside], small[covers(-rim_mm - slack_mm)]
    few = np.linspace(0, len(on) - 1, min(len(on), int(_ON_BOARD * len(around)))).astype(int)
    return np.concatenate([around, on[few]])
