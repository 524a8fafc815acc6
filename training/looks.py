"""Draws the surfaces of things: colours, grain of stones, printed boards, as linear RGB pictures."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def hsv(h: float, s: float, v: float) -> F32:
    """Return the linear RGB of a colour given as hue, saturation and value, all 0 to 1."""
    return np.array(colorsys.hsv_to_rgb(h % 1, min(1, max(0, s)), min(1, max(0, v))), np.float32) ** 2.2


def noise(rng: np.random.Generator, size: int, cell_x: float, cell_y: float) -> F32:
    """Smooth noise, about -1 to 1, with the given grain in pixels."""
    grid = rng.normal(size=(max(2, int(size / cell_y)), max(2, int(size / cell_x)))).astype(np.float32)
    return cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)


def stone_atlas(rng: np.random.Generator, tiles: int, grey: bool, px: int = 96) -> F32:
    """Draw the surfaces of the stones' faces, (tiles * px, tiles * px, 3) linear RGB.

    grey: mostly grey like masonry.
    """
    shares = [0.15, 0.1, 0.1, 0.15, 0.5] if grey else [0.38, 0.22, 0.23, 0.15, 0.02]
    kind = rng.choice(["light wood", "dark wood", "plastic", "any", "masonry"], p=shares)
    if kind == "light wood":
        base = hsv(rng.uniform(0.05, 0.12), rng.uniform(0.2, 0.6), rng.uniform(0.55, 0.9))
    elif kind == "dark wood":
        base = hsv(rng.uniform(0.02, 0.1), rng.uniform(0.3, 0.7), rng.uniform(0.25, 0.55))
    elif kind == "plastic":
        base = hsv(rng.uniform(0.0, 0.15), rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.4))
    elif kind == "masonry":
        base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.12), rng.uniform(0.25, 0.85))
    else:
        base = hsv(rng.uniform(0, 1), rng.uniform(0, 0.35), rng.uniform(0.15, 0.95))
    grain, spread, speckle = rng.uniform(0.0, 0.16), rng.uniform(0.0, 0.1), 0.0
    if kind == "plastic" or rng.random() < 0.15:
        grain, speckle = grain * 0.4, rng.uniform(0, 0.25)
    atlas = np.empty((tiles * px, tiles * px, 3), np.float32)
    for i in range(tiles):
        for j in range(tiles):
            lines = noise(rng, px, px, rng.uniform(2, 8)) + 0.5 * noise(rng, px, px * 0.7, 3)
            look = 1 + grain * lines + grain * 0.6 * noise(rng, px, px / 2, px / 2) + spread * rng.normal()
            dots = (noise(rng, px, 1.5, 1.5) > 1.9) * speckle
            face = base * np.maximum(0.15, look)[..., None] + dots[..., None] * rng.uniform(0.3, 1)
            atlas[i * px : (i + 1) * px, j * px : (j + 1) * px] = face
    return np.clip(atlas, 0.003, 0.95)


@dataclass(frozen=True)
class Print:
    """A board's picture being drawn: ``picture`` (px, px, 3), row 0 at the lowest y; ``half`` its side in mm."""

    picture: F32
    half: float

    def at(self, mm: float) -> int:
        """Return the pixel of a place in mm from the board's middle."""
        px = len(self.picture)
        return int(np.clip((mm + self.half) / (2 * self.half) * px, 0, px))

    def fill(self, x: tuple[float, float], y: tuple[float, float], colour: F32, share: float = 1.0) -> None:
        """Paint a rectangle in mm, ``share`` of it in the new colour."""
        part = self.picture[self.at(y[0]) : self.at(y[1]), self.at(x[0]) : self.at(x[1])]
        part[:] = part * (1 - share) + colour * share


def quarters(extent: float) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the four quarters of a square around the middle, as (x, y) ranges in mm, in turn around it."""
    low, high = (-extent, 0.0), (0.0, extent)
    return [(low, low), (high, low), (high, high), (low, high)]


def floor_colour(rng: np.random.Generator) -> F32:
    """Return the linear RGB of what a board's fields are printed on."""
    floor = hsv(rng.uniform(0, 1), rng.uniform(0, 0.2), rng.uniform(0.3, 0.9))
    if rng.random() < 0.25:
        floor = hsv(rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.1, 0.6))
    return floor


def like_stones(rng: np.random.Generator, atlas: F32, tiles: int, px: int = 768) -> tuple[F32, F32]:
    """Return a floor of the stones' own colour, lighter or darker, and its grain: (3,) and (px, px)."""
    side = len(atlas) // tiles
    row, column = rng.integers(tiles, size=2) * side
    tile = atlas[row : row + side, column : column + side]
    tint = np.exp(rng.normal(size=3) * 0.06)
    floor = np.clip(tile.mean(axis=(0, 1)) * rng.uniform(0.45, 1.3) * tint, 0.01, 0.95).astype(np.float32)
    grain = cv2.resize(tile.mean(axis=2) / tile.mean(), (px, px), interpolation=cv2.INTER_CUBIC)
    share = float(rng.choice([0.0, rng.uniform(0.3, 1.0)]))
    return floor, np.asarray(1 - share + share * grain, np.float32)


def board_picture(
    rng: np.random.Generator,
    colours: list[F32],
    pitch: float,
    half: float,
    fields: int,
    floor: F32,
    px: int = 768,
) -> F32:
    """Draw the printed board: floor, grid lines, margins and tracks; ``half`` is half its side in mm."""
    board = Print(np.zeros((px, px, 3), np.float32), half)
    plain = rng.random() < 0.3
    margin = floor * rng.uniform(0.3, 0.9)
    reach = fields / 2 * pitch
    tints = [margin] * 4 if plain else [colours[k % len(colours)] for k in rng.permutation(4)]
    for (x, y), tint in zip(quarters(half), tints, strict=True):
        board.fill(x, y, tint)
    board.fill((-reach, reach), (-reach, reach), floor)
    if rng.random() < 0.15:
        for (x, y), tint in zip(quarters(reach), tints, strict=True):
            board.fill(x, y, tint, 0.3)
    _marked_fields(rng, board, floor, pitch, fields)
    grain = 1 + rng.uniform(0, 0.06) * noise(rng, px, 6, 6) + 0.03 * noise(rng, px, 100, 100)
    board.picture[:] *= grain[..., None]
    _lines(rng, board, floor, pitch, fields)
    if rng.random() < 0.8:
        _track(rng, board, pitch, fields)
    return np.clip(board.picture[::-1], 0.003, 0.95)


def _marked_fields(rng: np.random.Generator, board: Print, floor: F32, pitch: float, fields: int) -> None:
    """Give some fields another colour, now and then: a chequered board, or marked places."""
    kind = rng.choice(["none", "marked", "chequered"], p=[0.7, 0.2, 0.1])
    if kind == "none":
        return
    other = np.clip(floor * rng.uniform(0.6, 1.5), 0.01, 0.95)
    if kind == "marked":
        other = hsv(rng.uniform(0, 1), rng.uniform(0, 0.7), rng.uniform(0.2, 0.9))
    inset = pitch * float(rng.choice([0.0, 0.1, 0.25]))
    for r in range(fields):
        for c in range(fields):
            if (r + c) % 2 == 0 if kind == "chequered" else rng.random() < 0.12:
                x, y = (c - fields / 2) * pitch, (r - fields / 2) * pitch
                board.fill((x + inset, x + pitch - inset), (y + inset, y + pitch - inset), other)


def _lines(rng: np.random.Generator, board: Print, floor: F32, pitch: float, fields: int) -> None:
    line = floor * rng.uniform(0.1, 0.8) if rng.random() < 0.7 else np.minimum(0.95, floor * 1.6)
    wide = rng.uniform(0.4, 1.4) / 2
    reach = fields / 2 * pitch
    if rng.random() < 0.9:
        for k in range(fields + 1):
            p = (k - fields / 2) * pitch
            board.fill((-reach, reach), (p - wide, p + wide), line)
            board.fill((p - wide, p + wide), (-reach, reach), line)


def _track(rng: np.random.Generator, board: Print, pitch: float, fields: int) -> None:
    """Draw a track of squares around the board, with something printed on each and a marker on some."""
    paper = hsv(0.1, 0.05, rng.uniform(0.5, 0.95))
    step = pitch * rng.uniform(0.4, 1.0)
    away = (fields / 2) * pitch + rng.uniform(0.35, 0.6) * min(step, pitch)
    side = 0.36 * step
    number = int(2 * away / step)
    markers = rng.uniform(0, 0.12)
    for k in range(number + 1):
        p = (k - number / 2) * step
        for x, y in ((p, -away), (p, away), (-away, p), (away, p)):
            board.fill((x - side, x + side), (y - side, y + side), paper)
            board.fill((x - side / 3, x + side / 3), (y - side / 8, y + side / 8), paper * 0.2)
            if rng.random() < markers:
                tint = hsv(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.1, 0.95))
                spot = board.at(x), board.at(y)
                cv2.circle(board.picture, spot, max(1, board.at(x + side * 0.8) - spot[0]), tint.tolist(), -1)
