"""The scorer: from a camera's plane sweep to log-likelihoods of (height, piece) for every field.

Two parts, both the same for every level: ``Looks`` sees one rectified picture and tells, field by field, what it
shows; ``Judge`` compares neighbouring levels and fields. Heights are never told apart by their number, only by what
their pictures show, so towers higher than any in training are read the same way.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.heights.scorer import COLOURS

PIECES = 10
"""Classes of what stands on a stack: nothing, eight colours (``training.scenes.HUES``) and the king."""


def conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Return a convolution with batch norm and ReLU."""
    pad = 0 if size == stride else size // 2
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, pad, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Looks(nn.Module):
    """(n, 14, 12 r, 12 c) folded pictures with slopes to (n, features, r, c)."""

    def __init__(self, features: int = 48) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(COLOURS + 2, 24, 2), conv(24, 32, 2), conv(32, 32), conv(32, features, 3, 3))

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the features of every field at one level."""
        out: Tensor = self.body(pictures)
        return out


class Judge(nn.Module):
    """(levels, features, r, c) of one camera to (levels, PIECES, r, c) log-likelihoods.

    A convolution over three neighbouring levels is written as one over channels, with the levels as the batch and
    the neighbours beside them, so that it runs wherever plain convolutions do.
    """

    def __init__(self, features: int = 48, hidden: int = 48, steps: int = 4) -> None:
        super().__init__()
        self.mix = nn.ModuleList([conv((features if k == 0 else hidden) * 3, hidden, size=1) for k in range(steps)])
        self.look_around = nn.ModuleList([conv(hidden, hidden) for _ in range(steps)])
        self.head = nn.Conv2d(hidden, PIECES, 1)

    def forward(self, features: Tensor, levels: int) -> Tensor:
        """Judge ``features`` (views * levels, ...), level running fastest."""
        for mix, look_around in zip(self.mix, self.look_around, strict=True):
            mixed = mix(with_neighbours(features, levels))
            features = mixed + look_around(mixed)
        out: Tensor = self.head(features)
        return out


def with_neighbours(features: Tensor, levels: int) -> Tensor:
    """Put the features of the level below and above beside each level's own; zeros beyond the ends."""
    n, c, r, w = features.shape
    grouped = features.view(n // levels, levels, c, r, w)
    zero = torch.zeros_like(grouped[:, :1])
    below = torch.cat([zero, grouped[:, :-1]], 1)
    above = torch.cat([grouped[:, 1:], zero], 1)
    return torch.cat([below, grouped, above], 2).view(n, 3 * c, r, w)


class Scorer(nn.Module):
    """Sweeps to joint log-likelihoods."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = Looks()
        self.judge = Judge()

    def forward(self, stacks: Tensor) -> Tensor:
        """Map (views, levels, 14, h, w) to (views, levels, PIECES, rows, cols), margins cut off."""
        views, levels = stacks.shape[:2]
        features = self.looks(stacks.flatten(0, 1))
        out = self.judge(features, levels)[..., 1:-1, 1:-1]
        return out.unflatten(0, (views, levels))
