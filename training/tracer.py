"""Sets Mitsuba up, its pinhole cameras, and the command that renders scene after scene. Not part of the product."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from training.posing import F64

os.environ.setdefault("DRJIT_LIBLLVM_PATH", "/usr/lib/x86_64-linux-gnu/libLLVM-19.so")
import mitsuba as mi

mi.set_variant("llvm_ad_rgb")
T = mi.ScalarTransform4f


def sensor(rotation: F64, eye: F64, focal: float, film: tuple[int, int], samples: int, far: float = 5000.0) -> dict:
    """Return a Mitsuba sensor for a film of so many pixels, width and height; focal in pixels, lengths in mm."""
    x, y, z = rotation
    # Mitsuba's camera looks along +z with x to the left and y up; ours has x right, y down.
    to_world = np.eye(4)
    to_world[:3, 0], to_world[:3, 1], to_world[:3, 2], to_world[:3, 3] = -x, -y, z, eye
    width, height = film
    return {
        "type": "perspective",
        "fov_axis": "x",
        "fov": float(2 * np.rad2deg(np.arctan(width / 2 / focal))),
        "to_world": T(to_world.tolist()),
        "near_clip": 10.0,
        "far_clip": far,
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "pixel_format": "rgb",
            "rfilter": {"type": "gaussian"},
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }


def intrinsics(focal: float, film: tuple[int, int]) -> F64:
    """Return the matrix (3, 3) of a camera that looks through the middle of its film."""
    width, height = film
    return np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])


def render_missing(make: Callable[..., None], **options: tuple[type, str]) -> None:
    """Run the command OUT FIRST LAST with options of a type, explained.

    It calls ``make(number, out, **chosen)`` for the scenes that are not there yet.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    for name, (kind, explained) in options.items():
        parser.add_argument(f"--{name}", type=kind, help=explained)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.last):
        name = f"{number:05d}"
        if not (args.out / f"{name}.npz").exists() and not (args.out / name / "truth.json").exists():
            make(number, args.out, **{key: getattr(args, key) for key in options})
