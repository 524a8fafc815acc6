"""The dice's network: from a picture of the plane of their top faces to where one lies and what it shows."""

from __future__ import annotations

from torch import Tensor, nn

from training.net import conv
from vision.ledger.plane import CHANNELS

FACES = 7
"""Classes of a place: no die's middle, or one with 1 to 6 on top."""


class DiceNet(nn.Module):
    """(n, 14, h, w) folded pictures to (n, 7, h / 2, w / 2) scores."""

    def __init__(self, features: int = 32) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(CHANNELS, 24),
            conv(24, 32, 2),
            conv(32, features),
            conv(features, features),
            _wide(features, 2),
            _wide(features, 3),
            conv(features, features),
        )
        self.head = nn.Conv2d(features, FACES, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the scores of every place."""
        out: Tensor = self.head(self.body(pictures))
        return out


def _wide(features: int, reach: int) -> nn.Sequential:
    """Return a convolution that looks ``reach`` places away."""
    return nn.Sequential(
        nn.Conv2d(features, features, 3, padding=reach, dilation=reach, bias=False),
        nn.BatchNorm2d(features),
        nn.ReLU(inplace=True),
    )
