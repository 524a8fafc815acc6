"""Draws how a phone in a hand takes pictures: its lens, the places it is held at, its tremor, its exposure.

A hand moves while a sensor is read line by line and while each line is exposed. Over some hundredths of a second that
is a turn of the phone, so both are homographies of the picture, whatever stands on the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from training.looks import F32
from training.posing import F64, looking
from training.scenes import Scene, random_scene

FILM = (1280, 720)
FIELD_OF_VIEW_DEG = (65.0, 75.0)
"""Of a phone's main camera, along the longer side of its film."""
ELEVATIONS_DEG = (28.0, 74.0)
BLURRED_STEPS = 7
READ_S = 0.025
"""A phone's sensor is read in about so long, all its lines."""


@dataclass(frozen=True, eq=False)
class Phone:
    """One phone's lens: matrix (3, 3), distortion (5,) as OpenCV has it; how far its hand turns, rad/s."""

    matrix: F64
    distortion: F64
    tremor_rad_s: float


@dataclass(frozen=True, eq=False)
class Held:
    """One picture's pose, and how it was taken.

    rotation (3, 3), translation (3,): from table to camera, mm, when the middle line was read. turning: (3,) rad/s
    about the camera's axes. exposure_s. gain: brightness against the best exposure.
    """

    rotation: F64
    translation: F64
    turning: F64
    exposure_s: float
    gain: float


def careless_scene(rng: np.random.Generator, loose: float | None = None) -> Scene:
    """Draw a table of flags, every second one with stacks well off their fields' middles and turned.

    loose: all stacks up to so many fields off besides.
    """
    hands_mm = float(rng.uniform(0.5, 2.6)) if rng.random() < 0.5 else None
    return random_scene(rng, hands_mm=hands_mm, castles=0.0, loose=loose)


def random_phone(rng: np.random.Generator, film: tuple[int, int] = FILM) -> Phone:
    """Draw a phone: a wide lens that bends straight lines, and a hand between calm and trembling."""
    wide = np.deg2rad(rng.uniform(*FIELD_OF_VIEW_DEG))
    focal = film[0] / 2 / np.tan(wide / 2)
    middle = np.array(film) / 2 - 0.5 + rng.normal(size=2) * film[0] * 0.005
    k1 = rng.choice([rng.uniform(-0.2, 0.0), rng.uniform(0.0, 0.14)])
    distortion = np.array([k1, -1.5 * k1 + rng.normal() * 0.02, *rng.normal(size=2) * 6e-4, rng.normal() * 0.02])
    matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    return Phone(matrix, distortion, float(rng.choice([rng.uniform(0.005, 0.03), rng.uniform(0.03, 0.08)])))


def held(rng: np.random.Generator, phone: Phone, azimuth: float, reach_mm: float) -> Held:
    """Hold a phone at an azimuth (radians), low or steep, about as near as a square around the board fits in.

    reach_mm: half that square's side. Now and then a corner of it is cut off.
    """
    elevation = np.deg2rad(rng.uniform(*ELEVATIONS_DEG))
    target = np.array([*rng.normal(size=2) * 0.04 * reach_mm, 0.1 * reach_mm])
    way = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    roll, away = rng.normal() * 0.1, reach_mm
    while not _fits(phone, looking(target + away * way, target, roll), target + away * way, reach_mm):
        away *= 1.03
    eye = target + away * rng.uniform(0.95, 1.35) * way
    rotation = looking(eye, target, roll)
    turning = rng.normal(size=3) * phone.tremor_rad_s
    gain = float(np.exp(rng.normal() * 0.25))
    return Held(rotation, -rotation @ eye, turning, float(rng.uniform(0.004, 0.02)), gain)


def near(rng: np.random.Generator, phone: Phone, azimuth: float, reach_mm: float) -> Held:
    """Hold a phone near and steep over some field, at an azimuth (radians). reach_mm: as for ``held``."""
    elevation = np.deg2rad(rng.uniform(70.0, 86.0))
    target = np.array([*rng.uniform(-0.5, 0.5, size=2) * reach_mm, 0.1 * reach_mm])
    way = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    eye = target + float(rng.uniform(380.0, 600.0)) * way
    rotation = looking(eye, target, rng.normal() * 0.1)
    turning = rng.normal(size=3) * phone.tremor_rad_s
    return Held(
        rotation, -rotation @ eye, turning, float(rng.uniform(0.004, 0.02)), float(np.exp(rng.normal() * 0.25))
    )


def _fits(phone: Phone, rotation: F64, eye: F64, reach_mm: float) -> bool:
    """Return whether the corners of a square on the table lie in the picture."""
    corners = np.array([[x, y, 0.0] for x in (-reach_mm, reach_mm) for y in (-reach_mm, reach_mm)])
    seen = (corners - eye) @ rotation.T
    flat = seen[:, :2] / seen[:, 2:] * phone.matrix[[0, 1], [0, 1]] + phone.matrix[:2, 2]
    return bool((seen[:, 2] > 1).all() and (flat > 0).all() and (flat < np.array(FILM)).all())


def around(rng: np.random.Generator, views: int) -> F64:
    """Return azimuths (views,) in radians of a walk around the board: all sides, not quite evenly, in any order."""
    even = 2 * np.pi * (np.arange(views) + rng.uniform()) / views
    return np.asarray(rng.permutation(even + rng.normal(size=views) * 0.25), np.float64)


def turned(seconds: float, way: Held) -> F64:
    """Return how the phone is turned (3, 3) so long after its middle line was read."""
    return np.asarray(cv2.Rodrigues(way.turning * seconds)[0], np.float64)


def taken(linear: F32, source: F64, matrix: F64, distortion: F64, film: tuple[int, int], way: Held) -> F32:
    """Return a picture as a hand takes it, from a still one that is a little wider.

    Args:
        linear: (h, w, 3) linear light, without distortion.
        source: (3, 3) intrinsics of that picture.
        matrix: (3, 3) intrinsics of the phone.
        distortion: (5,) of the phone.
        film: width and height of the result, pixels.
        way: how it was held.

    Returns:
        (height, width, 3): bent by the lens, sheared by the sensor's reading, smeared by its exposure.
    """
    width, height = film
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    straight = cv2.undistortPoints(np.stack([x, y], -1).reshape(-1, 1, 2), matrix, distortion)[:, 0]
    rays = np.column_stack([straight, np.ones(len(straight))])
    late_s = np.repeat((np.arange(height) / (height - 1) - 0.5) * READ_S, width)
    total = np.zeros((height, width, 3), np.float32)
    for step in range(BLURRED_STEPS):
        at_s = late_s + (step / (BLURRED_STEPS - 1) - 0.5) * way.exposure_s
        # A turn so small is its vector's product with the ray; seen from the turned phone, the ray comes turned back.
        then = rays - np.cross(way.turning * at_s[:, None], rays)
        flat = then[:, :2] / then[:, 2:] * source[[0, 1], [0, 1]] + source[:2, 2]
        places = flat.reshape(height, width, 2).astype(np.float32)
        total += cv2.remap(linear, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(total / BLURRED_STEPS, np.float32)
