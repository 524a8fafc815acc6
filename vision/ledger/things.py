"""Reads what lies and stands on a mat's taught places: counters, pawns, cards; each with a probability.

Everything is compared with what was taught: how the empty mat looks there, and the colours of counters and pawns, as
shares of white paper (vision/ledger/light.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View
from vision.ledger.counters import counted, counter_chances
from vision.ledger.light import Light, Lit, agreed, likeness, mat_at, shares
from vision.ledger.patches import changed_share, disc, telling
from vision.ledger.places import Places


@dataclass(frozen=True, slots=True)
class Laid:
    """The things on the taught places; ``None`` where it is not sure.

    pawns: space by colour, from 0. counters: number by colour. cards: number by player.
    """

    pawns: Mapping[str, int | None]
    counters: Mapping[str, int | None]
    cards: Mapping[str, int | None]


def laid(looks: Sequence[Lit], places: Places, table: TableSetup) -> Laid:
    """Read everything on the taught places from the pictures of one moment."""
    if not looks or places.mat is None:
        return Laid(dict.fromkeys(places.pawns), dict.fromkeys(places.counters), dict.fromkeys(places.cards))
    looks = [(view, agreed(view, light, places.mat, table)) for view, light in looks]
    return Laid(
        pawn_spaces(pawn_chances(looks, places, table)),
        counted(counter_chances(looks, places, table), list(places.counters)),
        laid_out(card_chances(looks, places, table)),
    )


TOLD = 0.9
"""Least probability of what is told."""
LEAST_FIT, MOST_BESIDE = 0.2, 0.4
"""A pawn is told where it fits at least so well, and nowhere else more than this share as well."""
_ASIDE = (-1.6, -0.8, 0.0, 0.8, 1.6)
_TWO_PLACES = 3.0
"""Distance, in its radii, from which on a pawn between two places is seen in neither: a part reaches 0.55 beside."""
_PARTS = ((0.1, 1.0), (0.45, 0.6), (0.8, 0.6))
"""Parts of a pawn: how high they lie, and how wide, as shares of its height and radius."""
_SPREAD = 1.2
"""Distance from its taught colour at which a pawn's colour still fits well."""
_UNLIKE = 0.25
"""Where more than this share of half of the mat looks changed it is the light or the camera that has changed. On 45
pictures of rendered mats it was 0.11 at most, and 0.5 on two of a deep green one whose red and blue are all noise."""
_CHANGED = 1.0
"""The mat looks changed where it is this far from what it was."""


def pawn_chances(looks: Sequence[Lit], places: Places, table: TableSetup) -> Mapping[str, NDArray[np.float64]]:
    """Return by colour how well a pawn of it fits each space, (spaces,) from 0 to 1.

    A pawn may stand up to its own width beside a space's middle. It fits as well as its least fitting part; less what
    fits in two places at once that are further apart than a pawn is wide: that is the space's own colour.
    """
    height, radius = places.pawn_mm
    steps = np.array([(a, b, 0.0) for a in _ASIDE for b in _ASIDE]) * radius
    middles = np.column_stack([places.track, np.zeros(len(places.track))])
    parts = np.array([disc(np.zeros(2), 0.55 * radius * wide, share * height) for share, wide in _PARTS])
    points = middles[:, None, None, None] + steps[None, :, None, None] + parts[None, None]
    fits = {word: np.zeros(points.shape[:3]) for word in places.pawns}
    for view, light in looks:
        flat = points.reshape(-1, 3)
        seen = shares(view, light, flat)
        behind = np.full(seen.shape, np.nan) if places.mat is None else mat_at(places.mat, table, _on_mat(view, flat))
        with np.errstate(invalid="ignore"):
            same = likeness(seen, behind) < _CHANGED
        for word, colour in places.pawns.items():
            like = np.exp(-0.5 * (likeness(seen, np.broadcast_to(colour, seen.shape)) / _SPREAD) ** 2)
            like = np.where(same | ~np.isfinite(like), 0.0, like)
            fits[word] += like.reshape(points.shape[:4]).mean(axis=3) / len(looks)
    apart = np.linalg.norm(steps[:, None] - steps[None], axis=-1) >= _TWO_PLACES * radius
    return {word: _standing_out(fit.min(axis=2), apart) for word, fit in fits.items()}


def _standing_out(fit: NDArray[np.float64], apart: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how much better a pawn fits at its best place than in two places at once, (spaces,).

    fit: (spaces, steps). apart: (steps, steps), which of them one pawn can't reach both.
    """
    one, other = np.nonzero(np.triu(apart))
    return np.asarray(fit.max(axis=1) - np.minimum(fit[:, one], fit[:, other]).max(axis=1), np.float64)


def _on_mat(view: View, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places on the mat's surface that points over it hide from the camera."""
    eye = view.pose.centre_mm
    return np.asarray(eye + (points - eye) * (eye[2] / (eye[2] - points[:, 2]))[:, None], np.float64)


def pawn_spaces(fits: Mapping[str, NDArray[np.float64]]) -> dict[str, int | None]:
    """Return the space each pawn stands on; ``None`` where it is not found or another space is nearly as likely."""
    out: dict[str, int | None] = {}
    for word, fit in fits.items():
        order = np.argsort(-fit)
        next_best = fit[order[1]] if len(order) > 1 else 0.0
        sure = fit[order[0]] >= LEAST_FIT and next_best <= MOST_BESIDE * fit[order[0]]
        out[word] = int(order[0]) if sure else None
    return out


def card_chances(looks: Sequence[Lit], places: Places, table: TableSetup) -> Mapping[str, NDArray[np.float64]]:
    """Return by player the probability of a card in each place, (places,)."""
    out = {}
    across, deep = np.meshgrid(np.linspace(-0.42, 0.42, 8), np.linspace(-0.42, 0.42, 10))
    grid = np.stack([across.ravel() * places.card_mm[0], deep.ravel() * places.card_mm[1]], axis=1)
    looks = [(view, light) for view, light in looks if _as_taught(view, light, places, table)]
    for word, middles in places.cards.items():
        chances = []
        for middle in middles:
            points = np.column_stack([grid + middle, np.zeros(len(grid))])
            empty = np.full((len(points), 3), np.nan) if places.mat is None else mat_at(places.mat, table, points)
            changed = [changed_share(telling(view, light, points), empty) for view, light in looks]
            known = [share for share in changed if share is not None]
            odds = (np.mean(known) - 0.35) / 0.05 if known else 0.0
            chances.append(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
        out[word] = np.array(chances)
    return out


def _as_taught(view: View, light: Light, places: Places, table: TableSetup) -> bool:
    """Return whether most of the mat looks as it did empty; where it does not, changed colours prove nothing."""
    if places.mat is None:
        return False
    half_x, half_y = table.half_size_mm
    across, deep = np.meshgrid(
        np.linspace(-0.9 * half_x, 0.9 * half_x, 9), np.linspace(-0.85 * half_y, 0.85 * half_y, 7)
    )
    steps = np.linspace(-12.0, 12.0, 6)
    patch = np.array([(x, y) for x in steps for y in steps])
    found = []
    for x, y in zip(across.ravel(), deep.ravel(), strict=True):
        points = np.column_stack([patch + np.array([x, y]), np.zeros(len(patch))])
        found.append(changed_share(telling(view, light, points), mat_at(places.mat, table, points)))
    known = [share for share in found if share is not None]
    return bool(known) and float(np.median(known)) < _UNLIKE


def laid_out(chances: Mapping[str, NDArray[np.float64]]) -> dict[str, int | None]:
    """Count the cards before each player; ``None`` where places leave it open."""
    out: dict[str, int | None] = {}
    for word, chance in chances.items():
        sure = float(np.prod(np.maximum(chance, 1 - chance))) >= TOLD
        out[word] = int((chance > 0.5).sum()) if sure else None
    return out
