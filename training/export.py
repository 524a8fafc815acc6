"""Writes a trained scorer as ONNX files that OpenCV's dnn module runs.

usage: python -m training.export MODEL.pt OUT_FOLDER
One file a step: what puts neighbouring levels beside each other runs in numpy (vision.heights.scorer), so that any
number of levels can be scored and every file is made of plain convolutions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import Tensor, nn

from training.net import Scorer
from vision.heights.scorer import COLOURS


class _Step(nn.Module):
    """One step of the judge after the neighbours are in place; the last one brings the head."""

    def __init__(self, mix: nn.Module, look_around: nn.Module, head: nn.Module | None) -> None:
        super().__init__()
        self.mix, self.look_around, self.head = mix, look_around, head

    def forward(self, features: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        """Map (levels, 3 features, r, c) to (levels, hidden, r, c), the last step to its head's answers and these."""
        mixed = self.mix(features)
        out: Tensor = mixed + self.look_around(mixed)
        return out if self.head is None else (self.head(out), out)


def main() -> None:
    """Export every part."""
    model = Scorer()
    model.load_state_dict(torch.load(sys.argv[1]))
    model.eval()
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    parts: dict[str, tuple[nn.Module, Tensor]] = {"looks": (model.looks, torch.zeros(11, COLOURS + 2, 144, 144))}
    steps = list(zip(model.judge.mix, model.judge.look_around, strict=True))
    for k, (mix, look_around) in enumerate(steps):
        head = model.judge.head if k == len(steps) - 1 else None
        width = mix[0].in_channels
        parts[f"judge{k}"] = (_Step(mix, look_around, head), torch.zeros(11, width, 12, 12))
    for name, (part, example) in parts.items():
        torch.onnx.export(
            part,
            (example,),
            str(out / f"{name}.onnx"),
            dynamo=False,
            opset_version=13,
            input_names=["in"],
            output_names=["out", "features"][: 2 if name == f"judge{len(steps) - 1}" else 1],
            dynamic_axes={"in": {0: "levels"}, "out": {0: "levels"}, "features": {0: "levels"}},
        )


if __name__ == "__main__":
    main()
