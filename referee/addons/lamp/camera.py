"""Tell of a camera's picture how good its light is, while somebody sets a table up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.addons.lamp.coach import lamp_checks, lamp_score
from referee.addons.lamp.flicker import flicker
from referee.addons.lamp.measuring import lamp_figures
from referee.certificate.values import Check
from referee.daemon.cameracheck import check_view
from vision.geometry.view import View
from vision.sources.camera import Camera


@dataclass(frozen=True, slots=True)
class LampGlance:
    """The light in a camera's picture. score: 0 to 100. It doesn't change the camera's own light: it is advice."""

    score: int
    checks: tuple[Check, ...]
    name: str = "lamp"

    def view(self, language: str) -> dict[str, object]:
        """Return it as JSON-able values; advice: what to do about the lamp, ``None`` for nothing."""
        advice = next((check.advice for check in self.checks if check.advice is not None), None)
        return {
            "score": self.score,
            "advice": None if advice is None else advice.text(language),
            "checks": [check_view(check, language) for check in self.checks],
        }


def looked(camera: Camera, view: View, table: TableSetup, heights: NDArray[np.int8] | None) -> LampGlance | None:
    """Measure the light in a view, and what it does from picture to picture where a still camera sends a film."""
    found = lamp_figures(view, table, heights)
    if found is None:
        return None
    # In a hand the picture itself moves: that is no flicker.
    if camera.source.live and camera.name not in table.held:
        found = replace(found, flicker=flicker([glimpse.grey for glimpse in camera.since(0)]))
    return LampGlance(lamp_score(found), lamp_checks(found))
