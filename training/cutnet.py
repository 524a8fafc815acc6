"""Shared parts of the networks of cut-outs: their layers, and the file OpenCV reads.

Needs torch; not in the product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

HIDDEN = 64


def cut_layers(inputs: int, steps: Sequence[tuple[int, int]], places: int, classes: int) -> nn.Sequential:
    """Return convolutions, each (outputs, stride), then two full layers.

    places: how many values the last convolution leaves.
    """
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


def restore(body: nn.Sequential, path: Path, given: Tensor) -> None:
    """Fill the layers with an ONNX file's weights, to go on training with.

    Exported convolutions carry their batch norms inside: each gets one again that leaves what the network says as it
    is, with the mean and variance its convolution has on ``given``, a batch of inputs.
    """
    graph = onnx.load(str(path)).graph
    by_name = {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in graph.initializer}
    weighed = [by_name[node.input[k]] for node in graph.node if node.op_type in ("Conv", "Gemm") for k in (1, 2)]
    parts = iter(weighed)
    body.eval()
    flowing = given
    with torch.no_grad():
        for layer, norm in zip(body, [*body[1:], body[-1]], strict=True):
            if isinstance(layer, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                layer.weight.copy_(next(parts))
                flat = layer(flowing).transpose(0, 1).flatten(1)
                mean, var = flat.mean(1), flat.var(1)
                norm.weight.copy_((var + norm.eps).sqrt())
                norm.bias.copy_(next(parts) + mean)
                norm.running_mean = mean
                norm.running_var = var
            elif isinstance(layer, nn.Linear):
                layer.weight.copy_(next(parts))
                layer.bias.copy_(next(parts))
            flowing = layer(flowing)
