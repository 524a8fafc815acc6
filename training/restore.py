"""Turns shipped ONNX weights back into a model to go on training with.

usage: python -m training.restore WEIGHTS_FOLDER SCENES_FOLDER OUT.pt
Exported convolutions carry their batch norms inside. To train on, each gets one again that leaves what the network
says as it is: its running mean and variance are measured on scenes, its scale and shift undo them. A head of fewer
classes than the network's now keeps them; the new ones begin as mixtures of the old.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.data import Scenes
from training.net import PIECES, Scorer

PARTS = ("looks", "judge0", "judge1", "judge2", "judge3")
PARENTS = {5: (1, 2), 6: (1, 4), 7: (1, 2, 3, 4), 8: (1, 2, 3, 4), 9: (2,)}
"""Classes from which a new class begins: orange from red and yellow, purple from red and blue, and so on."""
LESS_LIKELY = -2.0
SCENES = 24


def weights_of(folder: Path) -> tuple[list[tuple[Tensor, Tensor]], tuple[Tensor, Tensor]]:
    """Return weight and bias of every convolution in order, and of the head."""
    steps: list[tuple[Tensor, Tensor]] = []
    head: list[Tensor] = []
    for part in PARTS:
        graph = onnx.load(str(folder / f"{part}.onnx")).graph
        by_name = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
        for node in graph.node:
            if node.op_type == "Conv":
                weight, bias = by_name[node.input[1]], by_name[node.input[2]]
                if part == PARTS[-1] and node.input[1].startswith("head"):
                    head = [weight, bias]
                else:
                    steps.append((weight, bias))
    return steps, (head[0], head[1])


def layers(model: Scorer) -> list[nn.Sequential]:
    """Return every convolution with its batch norm, in the order in which they run."""
    judge = model.judge
    beside = zip(judge.mix, judge.look_around, strict=True)
    return [*model.looks.body, *(layer for pair in beside for layer in pair)]


def widened(head: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the head's weight and bias with a row for every class there is now."""
    weight, bias = head
    known = len(weight)
    for kind in range(known, PIECES):
        parents = list(PARENTS[kind])
        weight = torch.cat([weight, weight[parents].mean(0, keepdim=True)])
        bias = torch.cat([bias, bias[parents].mean(0, keepdim=True) + LESS_LIKELY])
    return weight, bias


def measured(model: Scorer, scenes: Scenes) -> None:
    """Give every batch norm the mean and variance its convolution has on these scenes, and undo them in its scale."""
    sums: dict[int, list[tuple[Tensor, Tensor]]] = {}

    def watch(k: int) -> object:
        def hook(_module: nn.Module, _given: object, out: Tensor) -> None:
            flat = out.transpose(0, 1).flatten(1)
            sums.setdefault(k, []).append((flat.mean(1), flat.var(1)))

        return hook

    steps = layers(model)
    handles = [layer[0].register_forward_hook(watch(k)) for k, layer in enumerate(steps)]
    with torch.no_grad():
        for k in range(min(SCENES, len(scenes))):
            model(scenes[k].x)
        for handle in handles:
            handle.remove()
        for k, layer in enumerate(steps):
            mean, var = (torch.stack(part).mean(0) for part in zip(*sums[k], strict=True))
            norm = layer[1]
            norm.weight.copy_((var + norm.eps).sqrt())
            norm.bias.copy_(norm.bias + mean)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)


def main() -> None:
    """Restore, measure, write."""
    folder, scenes, out = (Path(arg) for arg in sys.argv[1:4])
    model = Scorer()
    model.eval()
    steps, head = weights_of(folder)
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers(model), steps, strict=True):
            layer[0].weight.copy_(weight)
            layer[1].bias.copy_(bias)
            layer[1].running_var.fill_(1 - layer[1].eps)
        for ours, given in zip((model.judge.head.weight, model.judge.head.bias), widened(head), strict=True):
            ours.copy_(given)
    data = Scenes(sorted(scenes.glob("*.npz")), True)
    before = model(data[0].x).shape
    measured(model, data)
    print(f"restored: answers {tuple(before)}")
    torch.save(model.state_dict(), out)


if __name__ == "__main__":
    main()
