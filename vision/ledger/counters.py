"""Counters on their taught places: of which colour, or none, or something else that lies over them.

A place is compared with how the empty mat looks there and with the colours that were taught. All places lie close
together, so what they have in common is the light's; and around a counter the mat is to be seen: where it is not,
something else covers the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View
from vision.ledger.light import Light, Lit, likeness, log_share, mat_at, relit, shares
from vision.ledger.patches import changed_share, disc, telling
from vision.ledger.places import Places

TOLD = 0.8
"""A count is told from this probability on. It is the product over all places, as if each were wrong by itself; one
light makes them right or wrong together, so it is surer than that: of 540 counts by one camera, rendered in any
light, none that had more than 0.5 was wrong."""
_COVERS = 0.1
"""From this probability on something else may lie over a place."""
_COUNTER_MM = 3.0
_STRANGE = -8.0
"""Log-likelihood of any colour where something else lies."""
_BESIDE = (1.3, 1.5, 1.7)
"""Distances around a counter's place at which the mat is looked at, in the counter's radii."""
_COVERED, _COVERED_NATS = 0.75, 3.5
"""Where more of it than this share looks changed something lies over the place, by so many nats. Around 900 rendered
places with nothing over them more than 0.8 of it was so once in fifty, in hard shadows; under discs of six other
colours always."""
_USUAL, _RARE, _RARELY = 0.5, 1.2, 0.1
"""Usual distance of a place's colour from what is there, rare distance, and the share of rare ones. Of 900 places on
90 rendered pictures half lie within 0.43, nine in ten within 1.1, one in a hundred beyond 2.2."""
_ROUNDS, _STEADY, _MOST_SHIFT = 2, 3.0, 0.4
"""Rounds in which the places' common shift is estimated, places that count for no change, and the largest shift
(natural log)."""


@dataclass(frozen=True, eq=False)
class _Patch:
    """A counter's place in one picture.

    Colours (n, 3) as a counter's top would show them, of the mat under it, and of the empty mat there; colours of the
    mat around it (m, 3), and what they are when nothing lies over it.
    """

    on: NDArray[np.float64]
    under: NDArray[np.float64]
    empty: NDArray[np.float64]
    around: NDArray[np.float64]
    bare: NDArray[np.float64]


def counter_chances(looks: Sequence[Lit], places: Places, table: TableSetup) -> NDArray[np.float64]:
    """Return probabilities (places, 2 + counters) of: empty, each of ``places.counters`` in order, something else."""
    kinds = list(places.counters.values())
    nats = np.zeros((len(places.spots), len(kinds) + 2))
    for view, light in looks:
        nats += _counter_nats([_patch(view, light, places, number, table) for number in range(len(nats))], kinds)
    chance = np.exp(nats - nats.max(axis=1, keepdims=True))
    return np.asarray(chance / chance.sum(axis=1, keepdims=True), np.float64)


def _patch(view: View, light: Light, places: Places, number: int, table: TableSetup) -> _Patch:
    middle, radius = places.spots[number], places.counter_radius_mm
    flat = disc(middle, 0.75 * radius, 0.0)
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    ring = np.concatenate([middle + share * radius * ways for share in _BESIDE])
    others = np.delete(places.spots, number, axis=0)
    away = np.linalg.norm(ring[:, None] - others[None], axis=-1).min(axis=1, initial=np.inf)
    ring = np.column_stack([ring, np.zeros(len(ring))])[away > 1.15 * radius]
    known = [
        np.full((len(at), 3), np.nan) if places.mat is None else mat_at(places.mat, table, at) for at in (flat, ring)
    ]
    top = flat + np.array([0, 0, _COUNTER_MM])
    return _Patch(shares(view, light, top), shares(view, light, flat), known[0], telling(view, light, ring), known[1])


def _counter_nats(patches: Sequence[_Patch], kinds: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the log-likelihoods (places, 2 + kinds), as ``counter_chances``, by one picture.

    All places lie close together under one light: what the mat around them has in common, and then what they have,
    each taken for what it most likely is, is the light's and is taken away.
    """
    rests = [_rest(patch.around, patch.bare) for patch in patches]
    shift = _bounded(np.median([rest for rest in rests if rest is not None] or [np.zeros(3)], axis=0))
    changed = [changed_share(relit(patch.around, shift), patch.bare) for patch in patches]
    strange = np.array([_STRANGE + _COVERED_NATS * (share is not None and share > _COVERED) for share in changed])
    nats = _nats(_all_far(patches, kinds, shift), strange)
    for _ in range(_ROUNDS):
        off, weights = [np.zeros(3)], [_STEADY]
        for patch, row in zip(patches, nats, strict=True):
            kind = int(row.argmax())
            if kind <= len(kinds):
                seen, known = (patch.on, kinds[kind - 1]) if kind else (patch.under, patch.empty)
                rest = _rest(seen, known)
                if rest is not None:
                    off.append(rest)
                    weights.append(float(1 / np.exp(row - row[kind]).sum()))
        nats = _nats(_all_far(patches, kinds, _bounded(np.average(off, axis=0, weights=weights))), strange)
    return nats


def _rest(seen: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return by how much most of what is seen is lighter than what is known, (3,) natural log.

    ``None`` where nothing is seen.
    """
    rest = log_share(seen) - log_share(known)
    fine = np.isfinite(rest).all(axis=1)
    return np.asarray(np.median(rest[fine], axis=0), np.float64) if fine.any() else None


def _bounded(shift: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(shift, -_MOST_SHIFT, _MOST_SHIFT)


def _all_far(
    patches: Sequence[_Patch], kinds: Sequence[NDArray[np.float64]], shift: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far each place's colours are from the empty mat's and the counters', (places, 1 + kinds).

    shift: what the light added, which is taken away first.
    """
    rows = []
    for patch in patches:
        on, under = (relit(seen, shift) for seen in (patch.on, patch.under))
        rows.append([_far(under, patch.empty), *(_far(on, np.broadcast_to(kind, on.shape)) for kind in kinds)])
    return np.array(rows).reshape(len(patches), 1 + len(kinds))


def _nats(far: NDArray[np.float64], strange: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log-likelihoods (places, kinds + 1) of distances (places, kinds), those of something else last.

    Distances are mostly small, now and then large.
    """
    square = np.minimum(far, 8.0) ** 2 / 2
    usual, rare = -square / _USUAL**2 - np.log(_USUAL), -square / _RARE**2 - np.log(_RARE)
    known = np.logaddexp(np.log(1 - _RARELY) + usual, np.log(_RARELY) + rare)
    return np.column_stack([known, strange])


def _far(seen: NDArray[np.float64], known: NDArray[np.float64]) -> float:
    """Return how far a patch's colours are from known ones, in most points; far where nothing is seen or known."""
    fine = np.isfinite(seen).all(axis=1) & np.isfinite(known).all(axis=1)
    if fine.sum() < max(3, len(seen) // 3):
        return 4.0
    return float(np.quantile(likeness(seen[fine], known[fine]), 0.6))


def counted(chances: NDArray[np.float64], words: Sequence[str]) -> dict[str, int | None]:
    """Count the counters of each colour; ``None`` where places leave it open."""
    best = chances.argmax(axis=1)
    last = chances.shape[1] - 1
    out: dict[str, int | None] = {}
    for kind, word in enumerate(words, 1):
        settled = np.where(best == kind, chances[:, kind], 1 - chances[:, kind])
        sure = bool(np.prod(settled) >= TOLD) and bool((chances[:, last] < _COVERS).all())
        out[word] = int((best == kind).sum()) if sure else None
    return out
