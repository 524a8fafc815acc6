"""Forms of the pieces that stand on castles: knights and kings, one form a set.

No set is like another: bodies of revolution of many outlines, flat figures, kings with crowns, crosses or balls.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from training.meshes import F32, Mesh, Profile, ball, cut_out, revolve

Maker = Callable[[Mesh, np.random.Generator, F32, F32], None]
"""Puts one piece of a set on a place in a colour."""


def random_knight(rng: np.random.Generator, height: float, radius: float) -> Maker:
    """Return a set's knights: all of one form, each turned at random."""
    r, h = radius, height
    head, waist = r * rng.uniform(0.45, 0.85), r * rng.uniform(0.3, 0.7)
    foot = h * rng.uniform(0.05, 0.14)
    thick, lean = r * rng.uniform(0.6, 1.3), rng.uniform(0.2, 0.6)
    bodies: dict[str, Profile] = {
        "pawn": [
            (r, 0),
            (r, foot),
            (r * 0.8, foot * 1.8),
            (waist, h - 2.3 * head),
            (waist * 1.5, h - 1.9 * head),
            *ball(head, h, 0.6),
        ],
        "cone": [(r, 0), (r, foot * 0.5), (r * rng.uniform(0.1, 0.4), h * 0.96), (0.01, h)],
        "egg": [
            (r * 0.7, 0),
            (r, h * 0.25),
            (r * 0.95, h * 0.5),
            (r * 0.75, h * 0.75),
            (r * 0.4, h * 0.94),
            (0.01, h),
        ],
        "peg": [(r * 0.8, 0), (r * 0.8, h * 0.9), (r * 0.6, h), (0.01, h)],
        "tower": [
            (r, 0),
            (r, foot),
            (waist, foot * 1.5),
            (waist, h * 0.7),
            (r * 0.85, h * 0.75),
            (r * 0.85, h),
            (r * 0.5, h),
            (r * 0.5, h * 0.9),
            (0.01, h * 0.9),
        ],
        "bottle": [(r, 0), (r, h * 0.45), (waist, h * 0.65), (head, h * 0.75), (head, h * 0.96), (0.01, h)],
    }
    horse = [
        (-r, r, 0.0),
        (-r, r, foot),
        (-0.7 * r, 0.5 * r, foot * 1.4),
        (-0.6 * r, (lean - 0.1) * r, h * 0.5),
        (-0.75 * r, (0.5 + lean) * r, h * 0.62),
        (-0.6 * r, (0.6 + lean) * r, h * 0.78),
        (-0.4 * r, 0.3 * r, h * 0.92),
        (-0.2 * r, 0.0, h),
    ]
    meeple = [
        (-r, r, 0.0),
        (-0.8 * r, 0.8 * r, h * 0.3),
        (-0.55 * r, 0.55 * r, h * 0.42),
        (-r, r, h * 0.5),
        (-r, r, h * 0.62),
        (-0.35 * r, 0.35 * r, h * 0.68),
        (-0.45 * r, 0.45 * r, h * 0.85),
        (-0.25 * r, 0.25 * r, h),
    ]
    bodies |= {f"turned{k}": _turned_knight(rng, r, h) for k in range(4)}
    shape = str(rng.choice([*bodies, "horse", "meeple", "rider"]))

    def make(mesh: Mesh, rng: np.random.Generator, at: F32, colour: F32) -> None:
        if shape in bodies:
            revolve(mesh, at, bodies[shape], colour)
            return
        turn = rng.uniform(0, 2 * np.pi)
        cut_out(mesh, at, meeple if shape == "meeple" else horse, thick, turn, colour)
        if shape == "rider":
            revolve(mesh, at, [(r, 0), (r, foot), (r * 0.8, foot * 1.6), (0.01, foot * 1.6)], colour)

    return make


def _column(rng: np.random.Generator, r: float, low: float, high: float, thin: float) -> Profile:
    """Return a turned column between two heights, mm.

    Its radii lie between ``thin`` and 0.9 of ``r``, here and there it has a collar.
    """
    out: Profile = []
    steps = np.sort(rng.uniform(low, high, size=int(rng.integers(2, 6))))
    radii = r * rng.uniform(thin, min(0.9, thin + rng.uniform(0.1, 0.5)), size=len(steps))
    for z, radius in zip(steps, radii, strict=True):
        out.append((float(radius), float(z)))
        if rng.random() < 0.3:
            wide = float(min(r, radius * rng.uniform(1.15, 1.7)))
            out += [(wide, float(z + 0.01 * high)), (wide, float(z + 0.03 * high)), (float(radius), z + 0.04 * high)]
    return sorted(out, key=lambda point: point[1])


def _turned_knight(rng: np.random.Generator, r: float, h: float) -> Profile:
    """Return any turned body: a foot, a column, and a head that is a ball, a point, a stump or a hat."""
    foot = h * rng.uniform(0.03, 0.16)
    head = r * rng.uniform(0.4, 0.9)
    neck = h - 2 * head * rng.uniform(0.8, 1.2)
    column = _column(rng, r, foot * 1.3, max(foot * 1.6, neck), rng.uniform(0.3, 0.6))
    tops: dict[str, Profile] = {
        "ball": ball(head, h, 0.6),
        "point": [(head, neck), (head * 0.8, (neck + h) / 2), (0.01, h)],
        "stump": [(head, neck), (head, h * 0.97), (0.01, h)],
        "hat": [(head * 1.2, neck), (head * 1.2, neck + 0.05 * h), (head * 0.6, h * 0.96), (0.01, h)],
    }
    top = tops[str(rng.choice(list(tops)))]
    return [(r, 0), (r, foot), *(p for p in column if p[1] < top[0][1]), *top]


def random_king(rng: np.random.Generator, height: float, radius: float) -> Maker:
    """Return a set's king: a body with a crown, a ring, a cross or a ball on top, now and then a flat figure."""
    r, h = radius, height
    crown, neck = r * rng.uniform(0.5, 1.0), h * rng.uniform(0.5, 0.75)
    lower = _king_body(rng, r, neck, h)
    top = str(rng.choice(["cup", "ring", "points", "cross", "ball", "dome"], p=[0.24, 0.2, 0.18, 0.16, 0.12, 0.1]))
    points = int(rng.integers(4, 8))
    rim = h * rng.uniform(0.88, 1.0)
    wall, floor = crown * rng.uniform(0.6, 0.85), (neck + rim) / 2
    flare = crown * rng.uniform(0.6, 1.0)
    tops: dict[str, Profile] = {
        "cup": [(crown * 0.6, neck + 0.05 * h), (crown, rim), (wall, rim), (crown * 0.5, floor), (0.01, floor)],
        "ring": [(flare, neck + 0.03 * h), (flare, rim), (flare * 0.75, rim), (flare * 0.75, floor), (0.01, floor)],
        "dome": [(crown, h * 0.82), (crown * 0.6, h * 0.95), (0.01, h)],
        "stub": [(crown, h * 0.82), (crown * 0.6, h * 0.88), (0.01, h * 0.9)],
    }
    tops["points"] = tops["cup"]
    profile = [*lower, *tops.get(top, tops["stub"])]
    knob = crown * rng.uniform(0.3, 0.55)

    def make(mesh: Mesh, rng: np.random.Generator, at: F32, colour: F32) -> None:
        revolve(mesh, at, profile, colour)
        if top == "points":
            for t in np.linspace(0, 2 * np.pi, points, endpoint=False) + rng.uniform(0, 6):
                aside = np.array([np.cos(t), np.sin(t), 0]) * crown * 0.88
                tip = (at + aside + np.array([0, 0, rim * 0.98])).astype(np.float32)
                revolve(mesh, tip, [(crown * 0.2, 0), (0.01, h * 0.1)], colour, 6)
        elif top == "cross":
            _cross(mesh, rng, at, r * 0.4, h, colour)
        elif top == "ball":
            revolve(mesh, at, ball(knob, h), colour, 10)

    return make


def _king_body(rng: np.random.Generator, r: float, neck: float, h: float) -> Profile:
    """Return what carries the crown: a foot and a waist, or a turned column."""
    foot = h * rng.uniform(0.04, 0.12)
    feet: Profile = [(r, 0), (r, foot), (r * rng.uniform(0.6, 0.9), foot * 1.6)]
    if rng.random() < 0.5:
        return [*feet, *_column(rng, r, foot * 1.7, neck, rng.uniform(0.22, 0.6))]
    waist = r * rng.uniform(0.25, 0.8)
    return [*feet, (waist, h * 0.4), (waist, neck)]


def _cross(mesh: Mesh, rng: np.random.Generator, at: F32, arm: float, h: float, colour: F32) -> None:
    bars = [
        (-arm / 3, arm / 3, h * 0.85),
        (-arm / 3, arm / 3, h * 0.91),
        (-arm, arm, h * 0.915),
        (-arm, arm, h * 0.955),
        (-arm / 3, arm / 3, h * 0.96),
        (-arm / 3, arm / 3, h),
    ]
    cut_out(mesh, at, bars, arm * 0.8, rng.uniform(0, np.pi), colour)
