"""Path-traces random tables into training pictures. Needs mitsuba; not part of the product.

usage: python -m training.render OUT_FOLDER FIRST LAST [--off FIELDS] [--hands MM] [--fine PX]
           [--phone SHARE [--views N] [--mixed 1|2]]
Each scene becomes OUT_FOLDER/NNNNN.npz: two JPEG pictures, their pinhole cameras, heights, pieces and sizes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import cv2
import drjit as dr
import numpy as np
from numpy.typing import NDArray

from training.looks import F32, hsv, noise
from training.meshes import Mesh
from training.phones import around, careless_scene, held, near, random_phone, taken
from training.posing import F64, looking
from training.scenes import Scene, random_scene
from training.tracer import T, mi, render_missing, sensor

SMOOTHED = 0.7
"""Share of the pictures freed of grain by a median of 3 x 3; few samples a pixel are as good as many after that."""
FINE_SAMPLES = 32
"""Samples a pixel of pictures to measure on that are as clean as a camera's."""
SEE_THROUGH = 0.15
"""Share of the tables whose stones light goes through."""
SURFACES = 12
"""Surfaces a path may meet where stones let light through."""
LOOSE, LOOSE_MOST, NEAR = 0.33, 0.3, 0.33
"""Shares of mixed looks with stacks up to 0.1 to so many fields off, and with a picture from near and steep."""
MIXED_SAMPLES, MIXED_PX = 3, 360
"""Samples a pixel and longer side of mixed looks: half of the time."""
MOST_PX = 440
"""Longer side of a picture: the plane sweep needs no more than about 38 pixels a field."""


def mesh_shape(mesh: Mesh, bsdf: dict, name: str, colour: bool) -> mi.Mesh:
    """Turn gathered triangles into a Mitsuba mesh."""
    vertices, uv, tint, faces = mesh.arrays()
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    shape = mi.Mesh(name, len(vertices), len(faces), has_vertex_normals=False, has_vertex_texcoords=True, props=props)
    if colour:
        shape.add_attribute("vertex_color", 3, tint.ravel())
    params = mi.traverse(shape)
    params["vertex_positions"] = vertices.ravel()
    params["faces"] = faces.ravel()
    params["vertex_texcoords"] = uv.ravel()
    params.update()
    return shape


def texture(picture: F32) -> dict:
    """Return a bitmap texture from linear RGB."""
    return {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(picture, np.float32)), "raw": True}


def principled(base: dict, rng: np.random.Generator, gloss: float, metal: float = 0.0) -> dict:
    """Return a two-sided surface with random roughness; ``gloss`` and ``metal`` 0 to 1."""
    return {
        "type": "twosided",
        "bsdf": {
            "type": "principled",
            "base_color": base,
            "roughness": float(np.clip(1 - gloss + rng.normal() * 0.1, 0.15, 1)),
            "specular": float(0.2 + 0.6 * gloss),
            "metallic": float(metal),
        },
    }


def stone_surface(scene: Scene, rng: np.random.Generator, gloss: float) -> dict:
    """Return the stones' surface.

    Now and then it lets light through, as the smoked plastic of the 1990 edition does.
    """
    solid = principled(texture(scene.atlas), rng, gloss)
    if rng.random() >= SEE_THROUGH:
        return solid
    return {"type": "mask", "opacity": float(rng.uniform(0.3, 0.9)), "bsdf": solid}


class View(NamedTuple):
    """One camera: Mitsuba sensor, intrinsics (3, 3), rotation (3, 3), translation (3,), height and width."""

    sensor: dict
    matrix: np.ndarray
    rotation: np.ndarray
    translation: np.ndarray
    size: tuple[int, int]


def camera(rng: np.random.Generator, scene: Scene, azimuth: float, samples: int, most_px: int = MOST_PX) -> View:
    """Return a random view of a scene with so many samples a pixel."""
    low, high = [(36, 66), (66, 89), (30, 36)][rng.choice(3, p=[0.52, 0.4, 0.08])]
    elevation = np.deg2rad(rng.uniform(low, high))
    distance = rng.uniform(480, 1150)
    target = np.array([*rng.normal(size=2) * 10, 20.0])
    eye = target + distance * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    rotation = looking(eye, target, rng.normal() * 0.15)
    return framed(scene, rotation, eye, rng.uniform(1.25, 2.4) * distance, samples, most_px)


def framed(scene: Scene, rotation: F64, eye: F64, focal: float, samples: int, most_px: int = MOST_PX) -> View:
    """Return a view cut to the board and what stands on it, of this focal length in pixels where it fits in."""
    translation = -rotation @ eye
    reach = (len(scene.heights) / 2 + 0.9) * scene.pitch
    tall = max(2.5, float(scene.heights.max())) * scene.cube[2] + scene.stands[0]
    corners = np.array(
        [[sx * reach, sy * reach, h] for sx in (-1, 1) for sy in (-1, 1) for h in (0.0,)]
        + [[sx * reach * 0.8, sy * reach * 0.8, tall] for sx in (-1, 1) for sy in (-1, 1)]
    )
    points = corners @ rotation.T + translation
    flat = points[:, :2] / points[:, 2:]
    lo, hi = flat.min(0), flat.max(0)
    scale = min(focal, most_px / (hi - lo).max())
    width, height = (int(np.ceil(v)) for v in (hi - lo) * scale)
    matrix = np.array([[scale, 0, -lo[0] * scale], [0, scale, -lo[1] * scale], [0, 0, 1]])
    # The film is always as large, so that one compiled kernel serves all views; the picture is cut out of it.
    seen = sensor(rotation, eye, scale, (most_px, most_px), samples)
    seen["principal_point_offset_x"] = float(0.5 - matrix[0, 2] / most_px)
    seen["principal_point_offset_y"] = float(0.5 - matrix[1, 2] / most_px)
    return View(seen, matrix, rotation, translation, (min(height, most_px), min(width, most_px)))


def world(rng: np.random.Generator, scene: Scene) -> dict:
    """Return the whole scene without a camera."""
    tint = np.array([1, 1, 1], float) * np.exp(rng.normal() * 0.14 * np.array([1, 0, -1]))
    ambient = rng.uniform(0.15, 1.0)
    ground = hsv(rng.uniform(0, 1), rng.uniform(0, 0.6), rng.uniform(0.1, 0.9))
    sheet = hsv(rng.uniform(0, 1), rng.uniform(0, 0.15), rng.uniform(0.6, 1.0))
    gloss = float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 0.85)]))
    metal = float(rng.choice([0.0, rng.uniform(0.3, 1.0)], p=[0.75, 0.25]))
    stones = stone_surface(scene, rng, gloss)
    out: dict = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 5 if stones["type"] == "twosided" else SURFACES},
        "sky": {"type": "constant", "radiance": {"type": "rgb", "value": (tint * ambient).tolist()}},
        "stones": mesh_shape(scene.stones, stones, "stones", False),
        "pieces": mesh_shape(
            scene.figures, principled({"type": "mesh_attribute", "name": "vertex_color"}, rng, gloss), "pieces", True
        ),
        "kings": mesh_shape(
            scene.crowns,
            principled({"type": "mesh_attribute", "name": "vertex_color"}, rng, gloss, metal),
            "kings",
            True,
        ),
        "board": {
            "type": "rectangle",
            "to_world": T().scale([scene.half, scene.half, 1]),
            "b": principled(texture(scene.board), rng, 0.2),
        },
        "sheet": {
            "type": "rectangle",
            "to_world": T().translate([0, 0, -3]).scale([scene.half * 1.3, scene.half * 1.3, 1]),
            "b": principled(texture(np.broadcast_to(sheet, (4, 4, 3)) + np.zeros((4, 4, 3))), rng, 0.1),
        },
        "ground": {
            "type": "rectangle",
            "to_world": T().translate([0, 0, -4]).scale([2000, 2000, 1]),
            "b": principled(
                texture(np.clip(ground * (1 + 0.1 * noise(rng, 64, 8, 3))[..., None], 0.01, 0.95)), rng, 0.2
            ),
        },
    }
    for k in range(2):
        direction = rng.uniform(0, 2 * np.pi)
        tilt = np.deg2rad(rng.uniform(20, 85))
        far = rng.uniform(1250, 2400)  # beyond every camera, which would see its dark back otherwise
        place = far * np.array([np.cos(tilt) * np.cos(direction), np.cos(tilt) * np.sin(direction), np.sin(tilt)])
        size = rng.uniform(30, 500)
        power = rng.uniform(0.3, 3.0) * (1 if k == 0 else rng.choice([0.02, 0.6])) * (far / size) ** 2 / 4
        warm = tint * np.exp(rng.normal() * 0.08 * np.array([1, 0, -1]))
        out[f"lamp{k}"] = {
            "type": "rectangle",
            "to_world": T().look_at(place.tolist(), [0, 0, 0], [0.1, 0.2, 1]).scale([size, size, 1]),
            "e": {"type": "area", "radiance": {"type": "rgb", "value": (warm * power).tolist()}},
        }
    return out


def mended(linear: np.ndarray) -> np.ndarray:
    """Mend pixels that are no number, as at a cone's very tip, by those around them."""
    lost = ~np.isfinite(linear).all(axis=-1)
    if not lost.any():
        return linear
    kept = np.where(lost[..., None], 0, linear).astype(np.float32)
    share = cv2.GaussianBlur(1 - lost.astype(np.float32), (0, 0), 2.5)[..., None]
    around = cv2.GaussianBlur(kept, (0, 0), 2.5) / np.maximum(share, 1e-3)
    return np.where(lost[..., None], around, linear)


def picture(linear: np.ndarray, rng: np.random.Generator, smoothed: float = SMOOTHED) -> np.ndarray:
    """Expose a linear RGB picture and encode it as 8-bit BGR (sRGB curve); ``smoothed``: how likely by a median."""
    linear = mended(linear)
    level = np.percentile(linear, 90)
    low, high = [(0.45, 0.85), (0.12, 0.4), (0.9, 1.7)][rng.choice(3, p=[0.72, 0.16, 0.12])]
    exposed = np.clip(linear / level * rng.uniform(low, high), 0, 1)
    coded = np.where(exposed <= 0.0031308, 12.92 * exposed, 1.055 * exposed ** (1 / 2.4) - 0.055)
    coded = np.round(coded[..., ::-1] * 255).astype(np.uint8)
    return cv2.medianBlur(coded, 3) if rng.random() < smoothed else coded


def make(
    seed: int,
    out: Path,
    off: float | None = None,
    hands: float | None = None,
    fine: int | None = None,
    phone: float | None = None,
    views: int | None = None,
    mixed: int | None = None,
) -> None:
    """Render one scene from two sides into an npz file.

    fine: as photographs are, with so many pixels a side. phone: this share by a phone in a careless hand. views: of
    the phone's, from so many sides. mixed: 1 for stacks off their middles and pictures from near in turns
    (``LOOSE``, ``NEAR``), 2 for all stacks off.
    """
    rng = np.random.default_rng([seed, 2024])
    if phone is not None and rng.spawn(1)[0].random() < phone:
        by_phone(rng, out / f"{seed:05d}.npz", seed, views or 2, mixed)
        return
    scene = random_scene(rng, off, hands)
    content = world(rng, scene)
    azimuth = rng.uniform(0, 2 * np.pi)
    samples = int(rng.choice([4, 8, 16], p=[0.6, 0.3, 0.1])) if fine is None else FINE_SAMPLES
    cameras: list[View] = []
    for _ in range(2):
        cameras.append(camera(rng, scene, azimuth, samples, fine or MOST_PX))
        azimuth += np.deg2rad(rng.uniform(40, 180))
    pictures = [picture(linear, rng, 0.0 if fine else SMOOTHED) for linear in traced(content, cameras, seed)]
    save(out / f"{seed:05d}.npz", scene, cameras, pictures)


def by_phone(rng: np.random.Generator, out: Path, seed: int, count: int, mixed: int | None = None) -> None:
    """Render a scene as a phone in a hand shows it from so many sides (training/phones.py); mixed as for ``make``."""
    own = np.random.default_rng([seed, 2025])  # apart, so that looks without it stay as they were
    loose = float(own.uniform(0.1, LOOSE_MOST)) if mixed == 2 or (mixed and own.random() < LOOSE) else None
    scene = careless_scene(rng, loose)
    content = world(rng, scene)
    phone = random_phone(rng)
    samples, most_px = (
        (MIXED_SAMPLES, MIXED_PX) if mixed else (int(rng.choice([4, 8, 16], p=[0.6, 0.3, 0.1])), MOST_PX)
    )
    ways = [held(rng, phone, side, 1.3 * scene.half) for side in around(rng, max(3, count))[:count]]
    if mixed == 1 and own.random() < NEAR:
        ways[int(own.integers(count))] = near(own, phone, float(own.uniform(0, 2 * np.pi)), scene.half)
    views = [
        framed(scene, way.rotation, -way.rotation.T @ way.translation, phone.matrix[0, 0], samples, most_px)
        for way in ways
    ]
    pictures = []
    for view, way, linear in zip(views, ways, traced(content, views, seed), strict=True):
        size = view.size[1], view.size[0]
        shown = taken(mended(linear), view.matrix, view.matrix, np.zeros(5), size, way)
        pictures.append(picture(shown, rng))
    save(out, scene, views, pictures)


def traced(content: dict, views: list[View], seed: int) -> list[F32]:
    """Return each view's picture of a scene, linear RGB.

    One scene with two cameras is compiled once. Values are put into arrays, so that the compiled kernel holds none
    of them and serves the next scene as well.
    """
    loaded = mi.load_dict(content | {f"sensor{k}": view.sensor for k, view in enumerate(views)})
    values = mi.traverse(loaded)
    for name in list(values.keys()):
        value = values[name]
        dr.make_opaque(value)
        values[name] = value
    values.update()
    return [
        np.array(mi.render(loaded, sensor=k, seed=seed * 2 + k))[: view.size[0], : view.size[1]]
        for k, view in enumerate(views)
    ]


def save(path: Path, scene: Scene, views: list[View], pictures: list[NDArray[np.uint8]]) -> None:
    """Write a scene's pictures, cameras and truth."""
    saved: dict[str, np.ndarray] = {}
    for k, (view, shown) in enumerate(zip(views, pictures, strict=True)):
        _, coded = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, 94])
        saved |= {f"jpg{k}": coded, f"K{k}": view.matrix, f"R{k}": view.rotation, f"t{k}": view.translation}
    np.savez(
        path,
        heights=scene.heights,
        pieces=scene.pieces,
        kit=np.array(scene.kit),
        pitch=scene.pitch,
        cube=scene.cube,
        stands=scene.stands,
        **saved,
    )


if __name__ == "__main__":
    render_missing(
        make,
        off=(float, "every stack so many fields off its middle, to measure on"),
        hands=(float, "stacks so many mm off either way and turned by 8 degrees, standard deviations, to measure on"),
        fine=(int, "pictures as fine and clean as photographs, with so many pixels a side, to measure on"),
        phone=(float, "this share of the scenes, of flags alone, by a phone in a careless hand"),
        views=(int, "so many pictures by the phone, to measure on"),
        mixed=(
            int,
            "1: by the phone, a third with stacks off their middles, a third with a picture from near; 2: all off",
        ),
    )
