"""What the networks of cut-outs share: their layers, and the file OpenCV reads. Needs torch; not in the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

HIDDEN = 64


def cut_layers(inputs: int, steps: Sequence[tuple[int, int]], places: int, classes: int) -> nn.Sequential:
    """Convolutions, each (outputs, stride), then two full layers. places: what the last convolution leaves in all."""
    layers: list[nn.Module] = []
    for outputs, stride in steps:
        layers += [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]
        inputs = outputs
    full = [nn.Linear(inputs * places, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, classes)]
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.2), *full)


def write_onnx(model: nn.Module, example: Tensor, path: Path, axes: Mapping[str, Mapping[int, str]]) -> None:
    """Write a network of one input, ``in``, and one output, ``out``. axes: their sizes that may differ, by name."""
    model.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (example,),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["in"],
        output_names=["out"],
        dynamic_axes={name: dict(sizes) for name, sizes in axes.items()},
    )
