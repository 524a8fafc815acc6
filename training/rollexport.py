"""Writes the trained dice network as an ONNX file that OpenCV's dnn module runs.

usage: python -m training.rollexport MODEL.pt vision/weights/dice
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from training.dicenet import DiceNet
from vision.ledger.plane import CHANNELS, DIE_PX


def main() -> None:
    """Export."""
    model = DiceNet()
    model.load_state_dict(torch.load(sys.argv[1]))
    model.eval()
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    side = 5 * DIE_PX
    torch.onnx.export(
        model,
        (torch.zeros(1, CHANNELS, side, side),),
        str(out / "dice.onnx"),
        dynamo=False,
        opset_version=13,
        input_names=["in"],
        output_names=["out"],
        dynamic_axes={"in": {2: "height", 3: "width"}, "out": {2: "rows", 3: "columns"}},
    )


if __name__ == "__main__":
    main()
