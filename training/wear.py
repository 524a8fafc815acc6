"""Puts camera faults on rendered pictures: exposure, tint, uneven light, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def worn(picture: NDArray[np.uint8], rng: np.random.Generator, tint: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Expose, tint, blur, add noise and compress a picture as cheap cameras do."""
    low, high = [(1.0, 1.0), (1.4, 2.6), (0.15, 0.5)][rng.choice(3, p=[0.8, 0.1, 0.1])]
    gain = np.exp(rng.normal() * 0.25) * rng.uniform(low, high)
    colour = tint * np.exp(rng.normal(size=3) * 0.04) * gain
    curve = 2.2 * np.exp(rng.normal() * 0.08)
    steps = (np.arange(256) / 255.0)[:, None]
    table = 255 * np.clip(steps**2.2 * colour, 0, 1) ** (1 / curve)
    out = np.stack([table[:, k][picture[..., k]] for k in range(3)], -1).astype(np.float32)
    if rng.random() < 0.4:
        out *= unevenly_lit(picture.shape, rng)
    return grained(out, rng)


def grained(picture: NDArray[np.uint8] | NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Blur, add noise and compress a picture, its light and colours as they are."""
    out = picture.astype(np.float32)
    if rng.random() < 0.7:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1))
    spread = rng.uniform(6, 14) if rng.random() < 0.15 else rng.uniform(0, 6)
    result = np.clip(out + noise(out.shape, spread, rng), 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, code = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 92))])
        result = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return result


def noise(shape: tuple[int, ...], spread: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return normal noise (h, w, 3) of a spread, in grey levels, that depends on the generator alone."""
    cv2.setRNGSeed(int(rng.integers(2**31)))  # otherwise on all that OpenCV drew in this process before
    drawn = np.empty(shape, np.float32)
    cv2.randn(drawn, (0.0,) * 3, (spread,) * 3)  # a plain number would reach the first channel alone
    return drawn


def unevenly_lit(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a factor (h, w, 1) for every pixel: light that falls off across the table, or lies on it in patches."""
    coarse = rng.normal(size=(int(rng.integers(2, 7)),) * 2).astype(np.float32) * rng.uniform(0.05, 0.3)
    fine = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.exp(fine)[..., None]


def painted(picture: NDArray[np.uint8], mix: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the picture in other colours: every channel a mixture (3, 3) of the old ones."""
    return np.clip(cv2.transform(picture.astype(np.float32), mix), 0, 255).astype(np.uint8)


def mixture(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a random mixture of colours that keeps grey about as bright as it was."""
    mix = np.eye(3)[rng.permutation(3)] * rng.uniform(0.4, 1) + rng.uniform(0, 0.5, size=(3, 3))
    mix *= np.exp(rng.normal(size=(3, 1)) * 0.15) / mix.sum(axis=1, keepdims=True)
    return mix.astype(np.float32)
