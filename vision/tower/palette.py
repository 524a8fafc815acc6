"""Learns the two colours of the bars at hand from the pictures themselves.

A cell shows faces in several pictures, all of one colour; a face's brightness depends on how the light falls on that
side in that picture. So colours and shades are told apart by what the cells share: found by alternating between which
colour each cell has, the two colours, and the shade of each side (expectation maximisation: Dempster, Laird and
Rubin, Maximum Likelihood from Incomplete Data, 1977, with hard assignments).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS
from vision.tower.rays import FACES

LIGHT, DARK = 0, 1
_FLARE = 0.02
"""Linear light, of full scale, that glare and noise add everywhere: keeps the logarithm of black tame."""
_ROUNDS = 12
_SHADE_SPREAD, _TINT_SPREAD = 0.45, 0.15
"""Spread of the sides of one colour in brightness and tint (natural logarithms) before the light is known."""
_LEAST_GAP = 0.5
"""Light and dark bars differ at least by this factor's logarithm in brightness or tint (e ** 0.5 = 1.6)."""
_USUAL = np.array([[-0.7, 0.0, 0.0], [-2.4, 0.0, 0.0]])
"""Light and dark against white paper (0.5 and 0.09 of its brightness): used as far as the pictures leave it open."""
_USUAL_SPREAD = np.array([0.6, 0.4, 0.4])
_HEAVY = 12.0
"""Deviation from which on costs grow less than a Gaussian's: glare and hard shadows fall on single faces."""


@dataclass(frozen=True, eq=False)
class Palette:
    """colours: (2, 3) light and dark, as ``features``. shades: (looks, FACES) brightness added on each side.

    spread: (3,) standard deviations about them. told: whether both colours were seen, so that they are learnt.
    """

    colours: NDArray[np.float64]
    shades: NDArray[np.float64]
    spread: NDArray[np.float64]
    told: bool


def features(colours: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return colours (..., 3) BGR 0 to 1 as natural logs: brightness, red against green, blue against green."""
    coded = np.clip(np.asarray(colours, np.float64), 0, 1)
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    blue, green, red = np.moveaxis(np.log(linear + _FLARE), -1, 0)
    return np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)


def misfit(seen: NDArray[np.float64], palette: Palette) -> NDArray[np.float64]:
    """Return the cost of taking faces for light or dark ones, nats.

    seen: (k, looks, FACES, 3) features. Returns (k, looks, FACES, 2); heavy-tailed, as glare and shadow are.
    """
    shades = np.broadcast_to(palette.shades, seen.shape[:3]).reshape(-1)
    return misfit_of(seen.reshape(-1, 3), shades, palette).reshape(*seen.shape[:3], 2)


def misfit_of(seen: NDArray[np.float64], shades: NDArray[np.float64], palette: Palette) -> NDArray[np.float64]:
    """Return the cost of taking each of some faces for a light or a dark one, (k, 2) nats, as ``misfit`` does.

    seen: (k, 3) features. shades: (k,) of the sides that they are on.
    """
    expected = np.repeat(palette.colours[None], len(seen), axis=0)
    expected[..., 0] += shades[:, None]
    off = (seen[:, None, :] - expected) / palette.spread
    return np.asarray(_HEAVY / 2 * np.log1p((off**2).sum(axis=-1) / _HEAVY), np.float64)


def learn(
    seen: NDArray[np.float64], weights: NDArray[np.float64], white: float, known: NDArray[np.int8] | None = None
) -> Palette:
    """Learn the colours from the faces of the cells that are filled.

    seen: (CELLS, looks, FACES, 3) features of faces. weights: (CELLS, looks, FACES), 0 where a face is not seen.
    white: brightness of white paper in this light. known: (CELLS,) LIGHT or DARK where a cell's colour is known from
    before, else -1.
    """
    cells = np.flatnonzero(weights.reshape(CELLS, -1).sum(axis=1) > 0)
    looks = seen.shape[1]
    usual = _USUAL + np.array([white, 0.0, 0.0])
    spread = np.array([_SHADE_SPREAD, _TINT_SPREAD, _TINT_SPREAD])
    best = Palette(usual, np.zeros((looks, FACES)), spread, False)
    if not len(cells):
        return best
    x, w = seen[cells], weights[cells]
    fixed = np.full(len(cells), -1) if known is None else known[cells].astype(np.int64)
    shares = w.reshape(len(cells), -1)
    means = np.einsum("cp,cpf->cf", shares, x.reshape(len(cells), -1, 3)) / shares.sum(axis=1, keepdims=True)
    found: tuple[float, Palette] | None = None
    for start in _starts(means, usual, fixed):
        palette, cost = _settle(x, w, start, usual, fixed)
        if found is None or cost < found[0]:
            found = cost, palette
    return found[1] if found is not None else best


def _starts(
    means: NDArray[np.float64], usual: NDArray[np.float64], fixed: NDArray[np.int64]
) -> list[NDArray[np.float64]]:
    """Return first guesses (2, 3) of the colours: the usual ones, the extremes in brightness and in each tint."""
    out = [usual]
    if all((fixed == which).any() for which in (LIGHT, DARK)):
        return [np.stack([np.median(means[fixed == which], axis=0) for which in (LIGHT, DARK)])]
    for axis in range(3):
        low, high = np.percentile(means[:, axis], (12, 88))
        ends = [means[means[:, axis] >= high].mean(axis=0), means[means[:, axis] <= low].mean(axis=0)]
        ends.sort(key=lambda end: -end[0])
        out.append(np.stack(ends))
    return out


def _settle(
    x: NDArray[np.float64],
    w: NDArray[np.float64],
    start: NDArray[np.float64],
    usual: NDArray[np.float64],
    fixed: NDArray[np.int64],
) -> tuple[Palette, float]:
    """Alternate between the cells' colours, the two colours and the shades.

    Returns the palette and its cost, nats.
    """
    looks = x.shape[1]
    palette = Palette(start, np.zeros((looks, FACES)), np.array([_SHADE_SPREAD, _TINT_SPREAD, _TINT_SPREAD]), False)
    which = np.zeros(len(x), np.int64)
    for turn in range(_ROUNDS):
        costs = np.einsum("clfk,clf->ck", misfit(x, palette), w)
        which = np.where(fixed >= 0, fixed, costs.argmin(axis=1))
        palette = _refit(x, w, which, palette, usual, tighten=turn >= 4)
    costs = np.einsum("clfk,clf->ck", misfit(x, palette), w)
    chosen = costs[np.arange(len(x)), which]
    away = ((palette.colours - usual) / _USUAL_SPREAD) ** 2 / 2
    gap = float(np.linalg.norm((palette.colours[LIGHT] - palette.colours[DARK]) * (1.0, 1.5, 1.5)))
    loose = float(w.sum()) * float(np.log(palette.spread).sum())
    return palette, float(chosen.sum() + away.sum() + loose + 50 * max(0.0, _LEAST_GAP - gap))


def _refit(
    x: NDArray[np.float64],
    w: NDArray[np.float64],
    which: NDArray[np.int64],
    old: Palette,
    usual: NDArray[np.float64],
    tighten: bool,
) -> Palette:
    """Fit colours, shades and spreads to given colours of the cells; faces far off count less."""
    q = (((x - _expected(old, which)) / old.spread) ** 2).sum(axis=-1)
    trust = w / (1 + q / _HEAVY)
    colours = np.empty((2, 3))
    levelled = x.copy()
    levelled[..., 0] -= old.shades[None]
    for kind in (LIGHT, DARK):
        own = trust[which == kind]
        prior = old.spread**2 / _USUAL_SPREAD**2
        total = np.einsum("clf,clfk->k", own, levelled[which == kind]) + prior * usual[kind]
        colours[kind] = total / (own.sum() + prior)
    off = x[..., 0] - colours[which][:, None, None, 0]
    share = trust.sum(axis=0)
    # A side seen in few faces is taken to be as bright as the others.
    shades = (trust * off).sum(axis=0) / (share + old.spread[0] ** 2 / _SHADE_SPREAD**2 + 0.5)
    spread = old.spread
    fresh = Palette(colours, shades, spread, bool(all((which == kind).any() for kind in (LIGHT, DARK))))
    if tighten:
        off2 = (x - _expected(fresh, which)) ** 2
        mean = np.einsum("clf,clfk->k", trust, off2) / max(float(trust.sum()), 1e-6)
        floor, ceiling = np.array([0.1, 0.05, 0.05]), np.array([_SHADE_SPREAD, _TINT_SPREAD, _TINT_SPREAD])
        # Few faces tell little of their spread.
        share_known = trust.sum() / (trust.sum() + 5)
        spread = np.clip(np.sqrt(share_known * mean + (1 - share_known) * ceiling**2), floor, ceiling)
    return Palette(fresh.colours, fresh.shades, spread, fresh.told)


def _expected(palette: Palette, which: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the features (k, looks, FACES, 3) of faces of cells of given colours."""
    looks = palette.shades.shape[0]
    out = np.broadcast_to(palette.colours[which][:, None, None], (len(which), looks, FACES, 3)).copy()
    out[..., 0] += palette.shades[None]
    return out
