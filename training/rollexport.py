"""Writes the trained dice network as an ONNX file that OpenCV's dnn module runs.

usage: python -m training.rollexport MODEL.pt vision/weights/dice
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from training.cutnet import write_onnx
from training.dicenet import DiceNet
from vision.ledger.plane import CHANNELS, DIE_PX


def main() -> None:
    """Export."""
    model = DiceNet()
    model.load_state_dict(torch.load(sys.argv[1]))
    side = 5 * DIE_PX
    axes = {"in": {2: "height", 3: "width"}, "out": {2: "rows", 3: "columns"}}
    write_onnx(model, torch.zeros(1, CHANNELS, side, side), Path(sys.argv[2]) / "dice.onnx", axes)


if __name__ == "__main__":
    main()
