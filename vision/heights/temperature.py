"""Temperatures that divide the networks' log-likelihoods, so that their probabilities are right.

A network is surer of what it has not seen before than it should be (temperature scaling: Guo et al., On Calibration
of Modern Neural Networks, ICML 2017). All values come from rendered scenes kept out of training
(``training.temper``); for flags the careful end of what was found there, chosen while looking at the photographed
tables as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEEP_SLOPE, OBLIQUE_SLOPE = 0.2, 0.35
"""A field is seen from nearly above where a stone more displaces its top face by less than the first part of a field,
and from the side from the second on."""


@dataclass(frozen=True, slots=True)
class Temperature:
    """Divisors of log-likelihoods: of heights seen from nearly above or from the side, and of pieces."""

    steep: float
    oblique: float
    pieces: float

    def of_heights(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the divisor for each of the slopes (rows, cols), in fields a stone; in between in proportion."""
        share = np.clip((slopes - STEEP_SLOPE) / (OBLIQUE_SLOPE - STEEP_SLOPE), 0.0, 1.0)
        return np.asarray(self.steep + (self.oblique - self.steep) * share, np.float64)


ALONE = {"flags": Temperature(1.4, 1.0, 1.1), "pieces": Temperature(1.2, 1.2, 1.1)}
"""For a look by itself, by the set of weights that is for the table's pieces. On two sets of scenes kept apart the
truth is likeliest at 1.4 and 1.1, and at 1.1 and 1.0, and hardly less so in between: of those the careful end from
above, where errors are the same from one camera's picture to the next."""
COMPARED = {"flags": Temperature(1.3, 1.0, 1.1), "pieces": Temperature(1.2, 1.2, 1.1)}
"""For a look that is compared with an earlier one. Likeliest for flags are 1.1 and 1.0 on worn scenes, 0.9 and 0.9 on
clean ones, and 1.0 for pieces: more than that is caution."""
