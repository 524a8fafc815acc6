"""Mixes two states of one network, weight by weight: before and after it was trained on other scenes.

usage: python -m training.mixed START.pt END.pt SHARE OUT.pt
SHARE of END, the rest of START. What is learned anew is kept, and what the first state knew of scenes of another kind
is lost less (Wortsman et al., Robust fine-tuning of zero-shot models, CVPR 2022).
"""

from __future__ import annotations

import sys

import torch


def main() -> None:
    """Mix and write."""
    start, end = (torch.load(name) for name in sys.argv[1:3])
    share = float(sys.argv[3])
    mixed = {
        name: start[name] * (1 - share) + value * share if value.is_floating_point() else value
        for name, value in end.items()
    }
    torch.save(mixed, sys.argv[4])


if __name__ == "__main__":
    main()
