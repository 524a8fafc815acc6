"""Trains a network that is shown all pictures of a field together, and measures it. Needs torch; not in the product.

usage: python -m training.pooled read LOOKS_FOLDER EXAMPLES_FOLDER [--wear N] [--first]
       python -m training.pooled train EXAMPLES_FOLDER ... --kept EXAMPLES_FOLDER --out MODEL.pt [--minutes M] [...]
       python -m training.pooled measure MODEL.pt EXAMPLES_FOLDER ...
       python -m training.pooled export MODEL.pt vision/weights/pooled
Looks are those of ``training.render --phone 1 --views 5 --mixed 1``. ``read`` goes on where it stopped, a file a
look. The networks that read each picture stay as they are: their last features, what each picture says, how much it
sees of each height, how far a stone displaces a top face in it, and what drawings tell go through two convolutions
over heights; gated, they are pooled over the pictures by mean, sum and maximum, and correct the sum of all pictures'
log-likelihoods.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from referee.values.belief import log_probabilities
from training.measure import shown
from training.visible import SEEN
from vision.geometry.visibility import seen_share, tops_seen
from vision.heights.decode import TOLD, TOLD_ALONE
from vision.heights.drawn import drawings, height_nats
from vision.heights.pooled import FEWEST, IN_DOUBT, SURER, Shows, common
from vision.heights.scorer import LEAST_TRUST, LEVELS, as_far_as_seen, camera_says, slopes
from vision.heights.sweep import CELL_PX

FEATURES = 48
"""Of each set of weights, a height."""
LEAST_SURE = math.log(IN_DOUBT)
HIDDEN_WEIGHT = 0.3
"""Weight of a stack that no picture shows: enough to learn to leave it open."""
MOST_ASTRAY = 4.0
"""Poses of looks worn again are off by up to so many times what ``training.measure`` has for one."""
MOST = 5
"""Pictures of a look."""
BESIDE, SHARED = 9, 3
"""Channels beside the features, and those common to all pictures: see ``vision.heights.pooled``."""


def subsets(count: int, rng: np.random.Generator) -> list[list[int]]:
    """Return pictures chosen at random: once each of 1 to all, and one pair more, taken for fixed cameras."""
    sizes = [*range(1, count + 1), 2]
    return [sorted(int(k) for k in rng.permutation(count)[:size]) for size in sizes]


def read_look(path: Path, number: int, first: bool, light: bool, astray: float = 0.0) -> dict[str, NDArray]:
    """Return the examples of one look, worn by a number.

    first: by the first one to all pictures, as ``handmeasure`` reads, all fields; else random subsets, and only
    fields that some of them leave in doubt. Arrays by name: truth (f,); features (pictures, f, LEVELS, 96) float16;
    said (pictures, f, LEVELS); place (pictures, f, 2) slope and resolution; pictures (s, MOST) of each subset, -1
    for none; weighed, tops (s, MOST, f, LEVELS); total, drawn (s, f, LEVELS); seen, empty (s, f).
    """
    with np.load(path) as data:
        count = sum(name.startswith("jpg") for name in data.files)
    at = shown(path, number, count, light, astray)
    rng = np.random.default_rng([number, 7])
    truth = at.heights.reshape(at.table.rows, at.table.columns).astype(np.int8)
    looks = list(at.looks.values())
    said, _, features = zip(*(camera_says(look, at.table, at.kit) for look in looks), strict=True)
    tops_true = [tops_seen(look.centre_mm, truth, at.table) for look in looks]
    chosen = [list(range(k)) for k in range(1, count + 1)] if first else subsets(count, rng)
    fields = truth.size
    shape = (len(chosen), MOST, fields, LEVELS)
    weighed, tops = np.zeros(shape, np.float16), np.zeros(shape, np.float16)
    total, drawn = np.zeros((len(chosen), fields, LEVELS)), np.zeros((len(chosen), fields, LEVELS))
    seen, empty = np.zeros((len(chosen), fields), np.bool_), np.zeros((len(chosen), fields), np.bool_)
    pictures = np.full((len(chosen), MOST), -1)
    for s, ones in enumerate(chosen):
        pictures[s, : len(ones)] = ones
        standing = np.sum([said[k] for k in ones], axis=0).argmax(axis=2)
        board = standing.astype(np.int8)
        flags = np.zeros((*standing.shape, len(at.kit.classes)))
        lifts = np.arange(int(board.max()) + 1, dtype=np.float64) * at.table.cube_mm[2]
        added = np.zeros((*standing.shape, LEVELS))
        for n, k in enumerate(ones):
            least = LEAST_TRUST if s == count else 0.0
            part = as_far_as_seen(looks[k].centre_mm, at.table, standing, said[k], flags, least)[0]
            shares = np.ones(part.shape)
            shares[..., : len(lifts)] = seen_share(looks[k].centre_mm, board, lifts, at.table)
            weighed[s, n], tops[s, n] = part.reshape(fields, -1), shares.reshape(fields, -1)
            empty[s] |= (np.exp(log_probabilities(part))[..., 0] >= TOLD).reshape(-1)
            added += part
        logs = log_probabilities(added)
        total[s] = logs.reshape(fields, -1)
        for (row, col), (asked, fits) in drawings(logs, [at.views[k] for k in ones], at.table).items():
            drawn[s, row * at.table.columns + col] = height_nats(asked, fits, LEVELS)
        seen[s] = (np.max([tops_true[k] for k in ones], axis=0) >= SEEN).reshape(-1)
    kept = np.ones(fields, np.bool_)
    if not first:
        kept = (np.minimum(total.max(axis=2), log_probabilities(total + drawn).max(axis=2)) < LEAST_SURE).any(axis=0)
    px = [float(max(at.table.pitch_mm) * v.lens.matrix[0, 0] / v.pose.translation_mm[2]) for v in at.views]
    slope = np.stack([slopes(look.centre_mm, at.table).reshape(-1) for look in looks])
    place = np.stack([slope, np.broadcast_to(np.array(px)[:, None] / CELL_PX, slope.shape)], axis=2)
    return {
        "truth": truth.reshape(-1)[kept],
        "features": np.stack([one.reshape(fields, LEVELS, -1)[kept] for one in features]),
        "said": np.stack([one.reshape(fields, LEVELS)[kept] for one in said]).astype(np.float16),
        "place": place[:, kept].astype(np.float16),
        "pictures": pictures.astype(np.int8),
        "weighed": weighed[:, :, kept],
        "tops": tops[:, :, kept],
        "total": total[:, kept].astype(np.float32),
        "drawn": drawn[:, kept].astype(np.float32),
        "seen": seen[:, kept],
        "empty": empty[:, kept],
    }


def read(looks: Path, out: Path, wear: int, first: bool) -> None:
    """Read the looks that have no examples yet.

    first: as for ``read_look``, by the look's place in the folder, as ``handmeasure`` wears them.
    """
    out.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(sorted(looks.glob("*.npz"))):
        kept = out / f"{path.stem}-{wear}.npz"
        if not kept.exists():
            worn = number if first else int(path.stem) + 1_000_000 * wear
            astray = float(np.random.default_rng([worn, 8]).uniform(0, MOST_ASTRAY)) if wear else 0.0
            found = read_look(path, worn, first, first or worn % 2 == 0, astray)
            np.savez(out / "part", **found)
            (out / "part.npz").replace(kept)


class Batch(NamedTuple):
    """Examples side by side: b fields, n pictures of them.

    shown (n, 96 + 9, LEVELS) as ``vision.heights.pooled.Shows`` gives them; owner (n,) each picture's field; base
    (b, LEVELS) today's log-probabilities; shared (b, 3, LEVELS) the channels common to all; truth (b,); weight (b,).
    """

    shown: Tensor
    owner: Tensor
    base: Tensor
    shared: Tensor
    truth: Tensor
    weight: Tensor


class Examples:
    """Examples of many looks in memory: features once for each picture of a field, subsets as numbers of these."""

    def __init__(self, files: list[Path], drawn: bool, all_fields: bool = False) -> None:
        """Take files of ``read``. drawn: today's sum has drawings added. all_fields: those not in doubt as well."""
        parts: dict[str, list[NDArray]] = {}
        start = 0
        for number, file in enumerate(files):
            with np.load(file) as data:
                one = {name: data[name] for name in data.files}
            pictures, fields = one["features"].shape[:2]
            base = one["total"] + one["drawn"] if drawn else one["total"]
            base = log_probabilities(base.astype(np.float64))
            doubt = base.max(axis=2) < LEAST_SURE
            s, f = np.nonzero(doubt | all_fields)
            chosen = one["pictures"].astype(np.int64)[s]
            entry = np.where(chosen >= 0, start + chosen * fields + f[:, None], -1)
            found = {
                "features": one["features"].reshape(pictures * fields, LEVELS, -1),
                "said": one["said"].reshape(-1, LEVELS),
                "place": one["place"].reshape(-1, 2),
                "entry": entry,
                "weighed": one["weighed"].transpose(0, 2, 1, 3)[s, f],
                "tops": one["tops"].transpose(0, 2, 1, 3)[s, f],
                "base": base[s, f].astype(np.float32),
                "drawn": one["drawn"][s, f] * drawn,
                "truth": one["truth"][f],
                "seen": one["seen"][s, f],
                "empty": one["empty"][s, f],
                "doubt": doubt[s, f],
                "look": np.full(len(s), number),
            }
            for name, value in found.items():
                parts.setdefault(name, []).append(value)
            start += pictures * fields
        self._at = {name: np.concatenate(value) for name, value in parts.items()}
        base, truth, seen, empty, doubt = (self._at[name] for name in ("base", "truth", "seen", "empty", "doubt"))
        self.base, self.truth = torch.from_numpy(base), torch.from_numpy(truth).long()
        self.seen, self.empty, self.doubt = torch.from_numpy(seen), torch.from_numpy(empty), torch.from_numpy(doubt)
        self.count = torch.from_numpy((self._at["entry"] >= 0).sum(axis=1))

    def batch(self, chosen: Tensor) -> Batch:
        """Put examples (b,) side by side."""
        at, rows = self._at, chosen.numpy()
        owner, nth = np.nonzero(at["entry"][rows] >= 0)
        field = rows[owner]
        entry = at["entry"][field, nth]
        base, drawn = (at[name][rows].astype(np.float64) for name in ("base", "drawn"))
        said, weighed, tops = at["said"][entry], at["weighed"][field, nth], at["tops"][field, nth]
        slope, fine = at["place"][entry].T
        shows = Shows(at["features"][entry], *(one.astype(np.float64) for one in (said, weighed, tops, slope, fine)))
        shared = np.stack(common(base, drawn), axis=1).astype(np.float32)
        return Batch(
            torch.from_numpy(shows.channels(base[owner], drawn[owner])),
            torch.from_numpy(owner),
            self.base[chosen],
            torch.from_numpy(shared),
            self.truth[chosen],
            torch.where(self.seen[chosen], 1.0, HIDDEN_WEIGHT),
        )


class Pooled(nn.Module):
    """All pictures of a field to a correction of its heights' log-likelihoods."""

    def __init__(self, hidden: int = 48, squeezed: int = 32, dropout: float = 0.15) -> None:
        """Take widths, and the share of what is left out at random in training."""
        super().__init__()
        self.squeeze = nn.Sequential(nn.Dropout2d(dropout), nn.Conv2d(2 * FEATURES, squeezed, 1), nn.ReLU())
        self.first = nn.Sequential(conv(squeezed + BESIDE, hidden), nn.ReLU())
        self.second = nn.Sequential(nn.Dropout(dropout), conv(hidden, hidden), nn.ReLU())
        self.gate = nn.Conv2d(hidden, hidden, 1)
        self.decide = nn.Sequential(
            conv(3 * hidden + SHARED, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Conv2d(hidden, 1, 1)
        )
        nn.init.zeros_(self.decide[-1].weight)
        nn.init.zeros_(self.decide[-1].bias)

    def each(self, shown: Tensor) -> Tensor:
        """Map pictures' channels (n, 105, LEVELS, 1) to what is pooled, (n, hidden, LEVELS, 1)."""
        squeezed = self.squeeze(shown[:, : 2 * FEATURES])
        inner = self.second(self.first(torch.cat([squeezed, shown[:, 2 * FEATURES :]], 1)))
        out: Tensor = inner * torch.sigmoid(self.gate(inner))
        return out

    def forward(self, batch: Batch) -> Tensor:
        """Return corrections (b, LEVELS)."""
        told = self.each(batch.shown[..., None])
        total = told.new_zeros(len(batch.base), *told.shape[1:]).index_add(0, batch.owner, told)
        number = torch.bincount(batch.owner, minlength=len(batch.base))[:, None, None, None]
        most = torch.zeros_like(total).scatter_reduce(
            0, batch.owner[:, None, None, None].expand_as(told), told, "amax"
        )
        out: Tensor = self.decide(torch.cat([total / number, total / 3, most, batch.shared[..., None]], 1))
        return out[:, 0, :, 0]


def conv(inputs: int, outputs: int) -> nn.Conv2d:
    """Return a convolution over three neighbouring heights."""
    return nn.Conv2d(inputs, outputs, (3, 1), padding=(1, 0))


def away(model: Pooled, examples: Examples, chosen: Tensor, surer: float = 1.0) -> tuple[Tensor, Tensor]:
    """Return log-probabilities (b, LEVELS) with corrections, and how far the truth lies away (b,), nats."""
    with torch.no_grad():
        logs = torch.cat(
            [(at.base + model(at)).log_softmax(1) for at in (examples.batch(part) for part in chosen.split(1024))]
        )
    logs = (surer * logs).log_softmax(1)
    return logs, -logs.gather(1, examples.truth[chosen][:, None])[:, 0]


def kept_loss(model: Pooled, kept: Examples) -> tuple[float, str]:
    """Return how far the truth of doubtful fields in sight lies away, the mean over numbers of pictures; in words."""
    model.eval()
    every = torch.nonzero(kept.seen & kept.doubt)[:, 0]
    _, nats = away(model, kept, every)
    before = -kept.base[every].gather(1, kept.truth[every][:, None])[:, 0]
    parts = [(before[at].mean(), nats[at].mean()) for k in range(1, MOST + 1) if (at := kept.count[every] == k).any()]
    model.train()
    words = ", ".join(f"{one:.3f} to {two:.3f}" for one, two in parts)
    return float(torch.stack([two for _, two in parts]).mean()), words


def train(files: list[Path], kept: list[Path], out: Path, args: argparse.Namespace) -> None:
    """Train for minutes of this process's own time; write the averaged weights that do best on the looks kept."""
    torch.manual_seed(args.seed)
    examples, held = Examples(files, not args.undrawn), Examples(kept, not args.undrawn)
    model = Pooled(dropout=args.dropout)
    if args.init:
        model.load_state_dict(torch.load(args.init))
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=args.decay)
    chance = torch.tensor([0.0, 0.6, 1.0, 1.5, 2.0, 2.0])[examples.count]
    print(f"{len(files)} files, {len(examples.truth)} fields in doubt; {len(held.truth)} kept", flush=True)
    best, sums, steps, since, began, shown_at = math.inf, 0.0, 0, 0, time.process_time(), 0.0
    while (progress := (time.process_time() - began) / (60 * args.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (steps + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
        at = examples.batch(torch.multinomial(chance, args.batch))
        logs = (at.base + model(at)).log_softmax(1)
        nats = -logs.gather(1, at.truth[:, None])[:, 0].clamp(min=-12)
        loss = (nats * at.weight).sum() / at.weight.sum()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(model)
        sums, steps, since = sums + float(loss.detach()), steps + 1, since + 1
        if progress - shown_at > 1 / args.shown:
            shown_at = progress
            away_kept, words = kept_loss(average.module, held)
            print(f"step {steps}, loss {sums / since:.4f}, kept {away_kept:.4f}: {words}", flush=True)
            sums, since = 0.0, 0
            if away_kept < best:
                best = away_kept
                torch.save(average.module.state_dict(), out)
    print(f"best {best:.4f}")


def counted(logs: Tensor, examples: Examples, chosen: Tensor) -> str:
    """Return what is told right and wrong of these fields, and nats, in words."""
    best, truth = logs.argmax(1), examples.truth[chosen]
    told = (logs.amax(1) >= math.log(TOLD_ALONE)) & ((best > 0) | examples.empty[chosen])
    nats = -logs.gather(1, truth[:, None])[:, 0]
    right, wrong, guessed = (told & (best == truth)).sum(), (told & (best != truth)).sum(), (best != truth).sum()
    return f"{right} ({right / len(truth):.1%}), {wrong} wrong, guesses {guessed} wrong, {nats.mean():.4f} nats"


def measure(model: Pooled, files: list[Path], undrawn: bool) -> None:
    """Print for each number of pictures what is told, before and after; the product corrects from FEWEST on."""
    examples = Examples(files, not undrawn, all_fields=True)
    model.eval()
    for k in range(1, MOST + 1):
        chosen = torch.nonzero((examples.count == k) & examples.seen)[:, 0]
        before, surer = examples.base[chosen], SURER if k >= FEWEST else 1.0
        print(f"{k} pictures, {len(chosen)} in sight: {counted(before, examples, chosen)}")
        logs, _ = away(model, examples, chosen, surer)
        logs = torch.where(examples.doubt[chosen][:, None], logs, before)
        print(f"  pooled: {counted(logs, examples, chosen)}")
        hidden = torch.nonzero((examples.count == k) & ~examples.seen)[:, 0]
        if len(hidden):
            logs, _ = away(model, examples, hidden, surer)
            logs = torch.where(examples.doubt[hidden][:, None], logs, examples.base[hidden])
            print(f"  out of sight {len(hidden)}: {counted(examples.base[hidden], examples, hidden)}")
            print(f"  out of sight, pooled: {counted(logs, examples, hidden)}")


class _Each(nn.Module):
    """What each picture goes through, to write it as a file of its own."""

    def __init__(self, model: Pooled) -> None:
        super().__init__()
        self.model = model

    def forward(self, shown: Tensor) -> Tensor:
        """Map (n, 105, LEVELS, 1) to (n, hidden, LEVELS, 1)."""
        return self.model.each(shown)


def export(model: Pooled, out: Path) -> None:
    """Write the weights as the product has them."""
    model.eval()
    out.mkdir(parents=True, exist_ok=True)
    wide = model.decide[0].in_channels
    for name, part, width in (("each", _Each(model).eval(), 2 * FEATURES + BESIDE), ("decide", model.decide, wide)):
        torch.onnx.export(
            part,
            (torch.zeros(7, width, LEVELS, 1),),
            str(out / f"{name}.onnx"),
            dynamo=False,
            opset_version=13,
            input_names=["in"],
            output_names=["out"],
            dynamic_axes={"in": {0: "fields"}, "out": {0: "fields"}},
        )


def main() -> None:
    """Read looks, train or measure."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser()
    steps = parser.add_subparsers(dest="step", required=True)
    reading = steps.add_parser("read")
    reading.add_argument("looks", type=Path)
    reading.add_argument("out", type=Path)
    reading.add_argument("--wear", type=int, default=0)
    reading.add_argument("--first", action="store_true")
    training = steps.add_parser("train")
    training.add_argument("examples", type=Path, nargs="+")
    training.add_argument("--kept", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--init", type=Path)
    training.add_argument("--looks", type=int, default=1_000_000)
    for name, usual in (("minutes", 5.0), ("rate", 2e-3), ("decay", 3e-2), ("dropout", 0.15)):
        training.add_argument(f"--{name}", type=float, default=usual)
    for name, whole in (("batch", 96), ("shown", 12), ("seed", 1)):
        training.add_argument(f"--{name}", type=int, default=whole)
    measuring = steps.add_parser("measure")
    measuring.add_argument("model", type=Path)
    measuring.add_argument("examples", type=Path, nargs="+")
    exporting = steps.add_parser("export")
    exporting.add_argument("model", type=Path)
    exporting.add_argument("out", type=Path)
    for one in (training, measuring):
        one.add_argument("--undrawn", action="store_true")
    args = parser.parse_args()
    if args.step == "read":
        read(args.looks, args.out, args.wear, args.first)
        return
    model = Pooled()
    if args.step != "train":
        model.load_state_dict(torch.load(args.model))
    if args.step == "export":
        export(model, args.out)
        return
    files = [path for folder in args.examples for path in sorted(folder.glob("*-*.npz"))]
    if args.step == "train":
        train(files[: args.looks], sorted(args.kept.glob("*-*.npz")), args.out, args)
    else:
        measure(model, files, args.undrawn)


if __name__ == "__main__":
    main()
