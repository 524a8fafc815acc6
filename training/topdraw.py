"""Draws dice as seen on the plane of their tops by marching rays through rounded cubes: many, each of its own kind.

usage: python -m training.topdraw OUT.npz NUMBER [--seed N]
Path tracing shows a few dice of three kinds a second; this draws sixty, each of its own, with hard lamps, soft
shadows, gloss and a neighbour: good enough to learn from beside the traced ones. Lengths in dice, the die's middle
above the origin.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.dice import DIM, LATTICE, PLAIN, two_colours
from training.looks import hsv, noise
from training.topcuts import NOT_TOLD, WIDE_PX
from vision.ledger.topface import FACE_PX

STEPS, SHADOW_STEPS = 18, 9
AT_ONCE = 24
FAR = 50.0
SYMBOL = 7
"""A face with something else than pips on it; in what is written it is shown as ``NOT_TOLD``."""
SYMBOLS, DIM_SHARE, MARBLED = 0.1, 0.35, 0.4
"""Shares of the scenes whose 1s or 6s are symbols, whose pips are dim or of any colour, whose dice are marbled."""
_SIDES = [(1, 6), (2, 5), (3, 4)]


@dataclass(frozen=True, eq=False)
class Drawn:
    """So many scenes, each part (n, ...).

    shown: the face in the middle, 0 where no die lies there. places (n, 2, 2), turns (n, 2): of two dice. faces
    (n, 2, 3, 2): along each axis's ends. thing (n, 5): a counter or pawn: place, radius at the foot and at the top,
    height.
    """

    shown: Tensor
    places: Tensor
    turns: Tensor
    faces: Tensor
    spins: Tensor
    edge: Tensor
    ball: Tensor
    slope: Tensor
    thing: Tensor
    pips: Tensor
    looks: Tensor
    lamps: Tensor


def _pips(rng: np.random.Generator) -> np.ndarray:
    """Draw up to seven pips' x, y and radius for each face and the sign, (8, 7, 3), far away where there is none."""
    out = np.full((8, 7, 3), FAR)
    apart = rng.uniform(0.16, 0.29)
    radius = min(rng.uniform(0.055, 0.13), 0.46 * apart)
    big = rng.uniform(1.2, 1.9) if rng.random() < 0.25 else 1.0
    longer = rng.uniform(0.9, 1.15)
    for face, places in LATTICE.items():
        for k, (x, y) in enumerate(places):
            out[face, k] = (x * apart, y * apart * (longer if face == 6 else 1), radius * (big if face == 1 else 1))
    out[SYMBOL] = _symbol(rng)
    return out


def _symbol(rng: np.random.Generator) -> np.ndarray:
    """Draw a sign of seven spots (7, 3) in a row that winds about the face's middle, too wide for one pip."""
    while True:
        thick, heading, at = rng.uniform(0.05, 0.09), rng.uniform(0, 2 * np.pi), np.zeros(2)
        bend, spots = rng.normal() * 0.7, []
        for _ in range(7):
            spots.append([*at, thick])
            heading += bend + rng.normal() * 0.4
            at = at + 1.3 * thick * np.array([np.cos(heading), np.sin(heading)])
        sign = np.array(spots)
        sign[:, :2] -= sign[:, :2].mean(axis=0)
        if np.ptp(sign[:, :2], axis=0).max() > 0.3 and np.abs(sign[:, :2]).max() < 0.4:
            return sign


def _faces(rng: np.random.Generator, instead: int | None) -> np.ndarray:
    """Draw which faces lie along x, y and z, towards plus and minus, (3, 2); a sign instead of one of them."""
    faces = np.array([rng.permutation(_SIDES[k]) for k in rng.permutation(3)])
    return np.where(faces == instead, SYMBOL, faces)


def _spot(rng: np.random.Generator, turn: float) -> tuple[np.ndarray, float]:
    """Draw where a neighbour lies and how it is turned: often touching, often too far to be seen."""
    if rng.random() < 0.35:
        return np.array([FAR, FAR]), 0.0
    if rng.random() < 0.6:
        along = turn + rng.integers(4) * np.pi / 2
        gap, slide = 1.01 + abs(rng.normal()) * 0.05, rng.uniform(-0.5, 0.5)
        side = np.array([np.cos(along) * gap - np.sin(along) * slide, np.sin(along) * gap + np.cos(along) * slide])
        return side, turn + rng.normal() * 0.02
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(1.42, 2.0)
    return far * np.array([np.cos(angle), np.sin(angle)]), rng.uniform(-np.pi, np.pi)


def _thing(rng: np.random.Generator, slope: np.ndarray, middle: bool) -> np.ndarray:
    """Draw a counter or a pawn, (5,): its top in the middle of the picture, or beside the die, or nowhere."""
    pawn = rng.random() < 0.3
    foot, tall = rng.uniform(0.2, 0.75), rng.uniform(0.7, 1.6) if pawn else rng.uniform(0.04, 0.35)
    top = foot * (rng.uniform(0.25, 0.8) if pawn else 1.0)
    angle, far = rng.uniform(0, 2 * np.pi), abs(rng.normal()) * 0.12 if middle else rng.uniform(0.75, 1.4) + foot
    seen = far * np.array([np.cos(angle), np.sin(angle)]) - slope * (1 - tall) * (1 if middle else 0)
    if not middle and rng.random() < 0.6:
        seen = np.full(2, FAR)
    return np.array([*seen, foot, top, tall])


def _look(rng: np.random.Generator) -> np.ndarray:
    """Draw how things look, (7, 3).

    Rows: colours of body, pips, the neighbour's body; gloss, its sharpness, depth of pips; colours of the thing and
    of veins; how much of these there is, how fine they are, how they run.
    """
    body, pip = two_colours(rng, DIM if rng.random() < DIM_SHARE else PLAIN)
    other = body if rng.random() < 0.7 else two_colours(rng)[0]
    shiny = rng.choice([0.0, rng.uniform(0, 1.5), rng.uniform(1.5, 5.0)], p=[0.35, 0.35, 0.3])
    made = [shiny, np.exp(rng.uniform(1.5, 5)), rng.uniform(0, 1.2)]
    vein = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.02, 0.9))
    runs = [rng.uniform(0.2, 0.8) * (rng.random() < MARBLED), rng.uniform(5, 18), rng.uniform(0, 2 * np.pi)]
    thing = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.98))
    return np.array([body, pip, other, made, thing, vein, runs])


def _lamps(rng: np.random.Generator) -> np.ndarray:
    """Draw two lamps' directions and powers; the sky's power, and how much it gleams: (3, 4)."""
    out = np.zeros((3, 4))
    for k in range(2):
        tilt, turn = np.deg2rad(rng.uniform(20, 88)), rng.uniform(0, 2 * np.pi)
        out[k] = [np.cos(tilt) * np.cos(turn), np.cos(tilt) * np.sin(turn), np.sin(tilt), rng.uniform(0.2, 2.0)]
    out[1, 3] *= rng.choice([0.05, 0.7])
    out[2, :2] = rng.uniform(0.1, 1.0), rng.choice([0.0, rng.uniform(0, 0.4)])
    return out


def _middle(rng: np.random.Generator, no_die: bool) -> tuple[np.ndarray, bool]:
    """Draw where the first die lies, and whether something else lies in the middle instead."""
    if not no_die:
        return rng.normal(size=2) * 0.04, False
    if rng.random() < 0.75:
        return np.full(2, FAR), True
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.3)
    return far * np.array([np.cos(angle), np.sin(angle)]), False


def draw_lots(rng: np.random.Generator, number: int, others: float) -> Drawn:
    """Draw scenes at random; in a share of them, ``others``, no die lies in the middle."""
    kept: list[list[np.ndarray]] = []
    for _ in range(number):
        turn = rng.uniform(-np.pi, np.pi)
        no_die = bool(rng.random() < others)
        first, instead = _middle(rng, no_die)
        spot, beside = _spot(rng, turn)
        steep = np.tan(np.deg2rad(90 - rng.uniform(30, 90)))
        sign = int(rng.choice([1, 1, 6, rng.integers(2, 6)])) if rng.random() < SYMBOLS else None
        slope, faces = np.array([steep * rng.normal() * 0.05, steep]), np.array([_faces(rng, sign) for _ in range(2)])
        kept.append(
            [
                np.array(0.0 if no_die else faces[0, 2, 0]),
                np.array([first, spot]),
                np.array([turn, beside]),
                faces,
                rng.integers(4, size=(2, 3)),
                np.array(0.5 * rng.uniform(0.06, 0.45)),
                np.array(0.5 * (rng.uniform(1.3, 1.6) if rng.random() < 0.5 else 9)),
                slope,
                _thing(rng, slope, instead),
                _pips(rng),
                _look(rng),
                _lamps(rng),
            ]
        )
    parts = [torch.tensor(np.stack(column), dtype=torch.float32) for column in zip(*kept, strict=True)]
    return Drawn(*parts)


def _local(lots: Drawn, points: Tensor) -> Tensor:
    """Return points (n, p, 3) in each of the two dice's own axes, their middles at the origin: (n, p, 2, 3)."""
    flat = points[:, :, None, :2] - lots.places[:, None]
    cos, sin = torch.cos(lots.turns)[:, None], torch.sin(lots.turns)[:, None]
    x = flat[..., 0] * cos + flat[..., 1] * sin
    y = flat[..., 1] * cos - flat[..., 0] * sin
    return torch.stack([x, y, (points[..., 2] - 0.5)[:, :, None].expand_as(x)], -1)


def _far(lots: Drawn, points: Tensor) -> Tensor:
    """Return distances of points from the two dice and the thing, (n, p, 3), less than 0 inside."""
    at = _local(lots, points)
    edge = lots.edge[:, None, None]
    q = at.abs() - (0.5 - edge)[..., None]
    box = q.clamp(min=0).norm(dim=-1) + q.amax(-1).clamp(max=0) - edge
    dice = torch.maximum(box, at.norm(dim=-1) - lots.ball[:, None, None])
    return torch.cat([dice, _far_from_thing(lots, points)[..., None]], -1)


def _far_from_thing(lots: Drawn, points: Tensor) -> Tensor:
    """Return distances from a round thing that grows narrower upwards, (n, p)."""
    x, y, foot, top, tall = (lots.thing[:, None, k] for k in range(5))
    away, high = torch.hypot(points[..., 0] - x, points[..., 1] - y), points[..., 2]
    wide = foot + (top - foot) * (high / tall).clamp(0, 1)
    return torch.maximum((away - wide) * 0.8, (high - tall / 2).abs() - tall / 2)


def _march(lots: Drawn, start: Tensor, way: Tensor, steps: int, reach: float) -> tuple[Tensor, Tensor]:
    """March rays. Return how far they go, and how near they came to a die for the way gone (for soft shadows)."""
    gone = torch.zeros(start.shape[:2])
    near = torch.ones_like(gone)
    for _ in range(steps):
        far = _far(lots, start + way * gone[..., None]).amin(-1)
        near = torch.minimum(near, 12 * far / gone.clamp(min=0.05))
        gone = (gone + far.clamp(min=1e-3)).clamp(max=reach)
    return gone, near.clamp(0, 1)


def _normal(lots: Drawn, points: Tensor) -> Tensor:
    """Return outward directions (n, p, 3) of the nearest die's skin."""
    step = 2e-3
    out = [
        _far(lots, points + step * axis).amin(-1) - _far(lots, points - step * axis).amin(-1) for axis in torch.eye(3)
    ]
    return torch.nn.functional.normalize(torch.stack(out, -1), dim=-1)


def _veins(lots: Drawn, at: Tensor) -> Tensor:
    """Return how much of its veins' colour a marbled die has at points (n, p, 3) of its own axes, (n, p)."""
    much, fine, runs = (lots.looks[:, 6, None, k] for k in range(3))
    x, y, z = (at[..., k] + 0.31 * runs for k in range(3))
    bent = x + 0.16 * torch.sin(0.8 * fine * y + runs) + 0.12 * torch.sin(1.1 * fine * z + 2 * runs)
    wave = torch.sin(fine * bent + 1.5 * torch.sin(0.6 * fine * (y + z)))
    return much * (0.5 + 0.5 * wave) ** 1.5


def _skin(lots: Drawn, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return colours (n, p, 3) of points on a die, and how far the skin leans in pips (n, p)."""
    nearest = _far(lots, points).argmin(-1)
    which = nearest.clamp(max=1)
    n, p = which.shape
    at = _local(lots, points).gather(2, which[..., None, None].expand(n, p, 1, 3))[:, :, 0]
    axis = at.abs().argmax(-1)
    end = (at.gather(2, axis[..., None])[..., 0] < 0).long()
    row = torch.arange(n)[:, None].expand(n, p)
    face = lots.faces[row, which, axis, end].long()
    grown = at * (0.5 / at.abs().amax(-1, keepdim=True).clamp(min=1e-6))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    u, v = (grown.gather(2, k[..., None])[..., 0] for k in (first, second))
    spun = lots.spins[row, which, axis].long() % 2 == 1
    u, v = torch.where(spun, v, u), torch.where(spun, -u, v)
    pips = lots.pips[row, face]
    away = torch.hypot(u[..., None] - pips[..., 0], v[..., None] - pips[..., 1])
    deep = (pips[..., 2] - away).amax(-1)
    share = (deep * FACE_PX * 2 + 0.5).clamp(0, 1)
    looks = lots.looks[row]
    body = torch.where((which == 0)[..., None], looks[:, :, 0], looks[:, :, 2])
    vein = _veins(lots, at)[..., None]
    body = body * (1 - vein) + looks[:, :, 5] * vein
    share = torch.where(nearest == 2, 0.0, share)
    colour = body * (1 - share)[..., None] + looks[:, :, 1] * share[..., None]
    colour = torch.where((nearest == 2)[..., None], looks[:, :, 4], colour)
    return colour, share * lots.looks[:, 3, 2][:, None]


def pictured(lots: Drawn, mats: Tensor, rng: np.random.Generator) -> Tensor:
    """Return the light (n, p, 3) of every pixel of the scenes.

    mats: (n, side, side, 3) the colour of what lies below.
    """
    n = len(mats)
    step = (torch.arange(WIDE_PX) - (WIDE_PX - 1) / 2 + float(rng.uniform(-0.3, 0.3))) / FACE_PX
    x = step[None, :].expand(WIDE_PX, WIDE_PX).reshape(1, -1).expand(n, -1)
    y = step[:, None].expand(WIDE_PX, WIDE_PX).reshape(1, -1).expand(n, -1)
    high = 0.8  # rays begin above the plane of the tops, where pawns may stand
    start = torch.stack(
        [x + lots.slope[:, :1] * high, y + lots.slope[:, 1:] * high, torch.full_like(x, 1 + high)], -1
    )
    # Here y runs down the picture, as rows do: towards the camera.
    way = torch.cat([-lots.slope, -torch.ones(n, 1)], 1)
    long = way.norm(dim=1, keepdim=True) * (1 + high)
    way = (way * (1 + high) / long)[:, None]
    gone, _ = _march(lots, start, way, STEPS, FAR)
    on_mat = gone >= long
    points = start + way * torch.minimum(gone, long.expand_as(gone))[..., None]
    colour, lean = _skin(lots, points)
    normal = torch.where(on_mat[..., None], torch.tensor([0.0, 0.0, 1.0]), _normal(lots, points))
    seen = points[..., :2] * FACE_PX * 0.5 + mats.shape[1] / 2
    at = seen.long().clamp(0, mats.shape[1] - 1)
    below = mats[torch.arange(n)[:, None], at[..., 1], at[..., 0]]
    colour = torch.where(on_mat[..., None], below, colour)
    dull = torch.where(on_mat, 0.0, 1.0)
    light = colour * (lots.lamps[:, 2, 0, None] * (0.45 + 0.55 * normal[..., 2].clamp(min=0)))[..., None]
    for k in range(2):
        lamp, power = lots.lamps[:, k, None, :3], lots.lamps[:, k, 3, None]
        _, open_ = _march(lots, points + normal * 0.02, lamp, SHADOW_STEPS, 2.0) if k == 0 else (None, 1.0)
        tilted = torch.nn.functional.normalize(normal + lean[..., None] * 0.25 * lamp, dim=-1)
        falls = (tilted * lamp).sum(-1).clamp(min=0)
        middle = torch.nn.functional.normalize(lamp - way, dim=-1)
        gleam = (normal * middle).sum(-1).clamp(min=0) ** lots.looks[:, 3, 1, None] * lots.looks[:, 3, 0, None]
        light = light + (open_ * power)[..., None] * (colour * falls[..., None] + (gleam * dull)[..., None])
    return light + (dull * lots.lamps[:, 2, 1, None])[..., None]


def mats_below(rng: np.random.Generator, number: int, side: int = 96) -> Tensor:
    """Draw grounds (number, side, side, 3): plain, grained, with dots and edges."""
    out = np.empty((number, side, side, 3), np.float32)
    y, x = np.indices((side, side)) - side / 2
    for mat in out:
        base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.8), rng.uniform(0.08, 0.95))
        mat[:] = base * (1 + rng.uniform(0, 0.15) * noise(rng, side, 4, 4))[..., None]
        for _ in range(int(rng.choice([0, rng.integers(1, 9)]))):
            tint = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.98))
            at, wide = rng.normal(size=2) * 14, rng.uniform(1.0, 6.0) * rng.choice([1.0, 3.0])
            far = np.hypot(x - at[0], y - at[1]) if rng.random() < 0.6 else np.maximum(abs(x - at[0]), abs(y - at[1]))
            mat[far < wide] = tint
    return torch.from_numpy(np.clip(out, 0.003, 0.95))


def taken(light: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a picture (side, side, 3) uint8 BGR of linear light, exposed now well, now badly."""
    level = np.percentile(light, 90)
    low, high = [(0.35, 0.9), (0.06, 0.35), (0.9, 2.0)][rng.choice(3, p=[0.7, 0.16, 0.14])]
    coded = np.clip(light / level * rng.uniform(low, high), 0, 1) ** (1 / 2.2) * 255
    grain = rng.normal(size=coded.shape) * float(rng.choice([rng.uniform(0, 4), rng.uniform(0, 12)], p=[0.8, 0.2]))
    return np.clip(coded + grain, 0, 255).astype(np.uint8)[..., ::-1]


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--others", type=float, default=0.0, help="share of cuts with no die in the middle")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng = np.random.default_rng([args.seed, 40])
    cuts, slopes, faces = [], [], []
    for _ in range(0, args.number, AT_ONCE):
        lots = draw_lots(rng, AT_ONCE, args.others)
        light = pictured(lots, mats_below(rng, AT_ONCE), rng).reshape(AT_ONCE, WIDE_PX, WIDE_PX, 3).numpy()
        cuts += [taken(one, rng) for one in light]
        slopes.append(lots.slope.numpy())
        faces.append(lots.shown.numpy())
    faced = np.concatenate(faces).astype(np.int64)
    faced[faced == SYMBOL] = NOT_TOLD
    np.savez(args.out, cuts=np.stack(cuts), slopes=np.concatenate(slopes), faces=faced)


if __name__ == "__main__":
    main()
