"""Random tables for training, of both games: boards, stones, pieces, all as plain meshes and textures.

Nothing here is taken from a real table: sizes, looks, light and lenses are drawn from wide ranges, so that what is
learned from the pictures holds on tables never seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.figures import random_king, random_knight
from training.looks import F32, board_picture, floor_colour, hsv, like_stones, stone_atlas
from training.meshes import Block, Mesh, block, flag, random_door, revolve
from training.positions import (
    KING,
    Ints,
    random_castles,
    random_flags,
    random_heights,
    random_knights,
    random_offsets,
)

HUES = {
    1: (-0.025, 0.025),
    2: (0.115, 0.165),
    3: (0.27, 0.45),
    4: (0.55, 0.68),
    5: (0.05, 0.088),
    6: (0.72, 0.85),
    7: (0.0, 1.0),
    8: (0.0, 1.0),
}
"""Hues of the pieces' classes: red, yellow, green, blue, orange, purple, white and black."""
TILES = 4
CASTLES = 0.55
"""Share of the tables that are made for castles: blocks with doors, knights, a king."""
ALIKE = 0.2
"""Share of the tables whose board has the stones' own colour: there only shadow, edge and grain tell a low stone from
an empty field."""

PLAYED = np.array([0.1, 0.13, 0.1, 0.1, 0.13, 0.1, 0.18, 0.16])
"""Shares of the colours of knights: larger for those that are hard to tell from stones, or from a king."""
CROWDED = 0.5
"""Share of those with several kings and many knights: more to learn from a picture of what is rare in a game."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One random table ready to be pictured.

    heights, pieces: (row, col). kit: the classes that may stand on this table, 0 for none. cube: width, depth,
    height of a stone, mm. half: half the printed board's side, mm. stands: height and radius of the pieces, mm.
    style: of flags, as a table.json has it; figures are told like pawns.
    """

    heights: Ints
    pieces: Ints
    kit: tuple[int, ...]
    pitch: float
    cube: F32
    stones: Mesh
    figures: Mesh
    crowns: Mesh
    atlas: F32
    board: F32
    half: float
    stands: tuple[float, float]
    style: str


@dataclass(frozen=True, eq=False)
class Hands:
    """The carelessness of hands: each stack's offset, then each stone's own shift and twist (radians)."""

    offsets: NDArray[np.float64]
    leans: NDArray[np.float64]
    shift_mm: float
    twist: float


def random_scene(
    rng: np.random.Generator,
    off: float | None = None,
    hands_mm: float | None = None,
    castles: float = CASTLES,
    loose: float | None = None,
) -> Scene:
    """Draw a table.

    ``off``: put every stack exactly so many fields off its field's middle. ``hands_mm``: put stacks so far off along
    either axis, and turn them by 8 degrees (standard deviations). ``castles``: share of tables made for castles.
    ``loose``: put stacks up to so many fields off, without overlap.
    """
    torres = rng.random() < castles
    fields = int(rng.choice([8, 10], p=[0.85, 0.15] if torres else [0.1, 0.9]))
    pitch = rng.uniform(18, 28)
    side = pitch * (rng.uniform(0.76, 0.95) if torres else rng.uniform(0.84, 0.96))
    if off is not None or loose is not None:
        side = pitch * rng.uniform(0.8, 0.9)
    cube = random_cube(rng, side)
    heights = random_castles(rng, fields) if torres and rng.random() < 0.75 else random_heights(rng, fields)
    hands = careless(rng, heights, pitch, side, off) if hands_mm is None else drawn(rng, heights, pitch, hands_mm)
    if loose is not None:
        hands = replace(hands, offsets=random_offsets(rng, heights, pitch, side, loose))
    stones, figures, crowns = Mesh(), Mesh(), Mesh()
    tops = pile_up(stones, rng, heights, cube, pitch, hands, random_block(rng, cube, torres))
    if torres:
        pieces, kit, colours, stands, style = castle_pieces(rng, heights, tops, figures, crowns, side)
    else:
        pieces, kit, colours, stands, style = flag_pieces(rng, heights, tops, figures, side)
    half = pitch * (fields / 2 + rng.uniform(0.9, 1.6))
    nowhere = np.array([0, 0, -900.0], np.float32)
    for mesh in (figures, crowns):
        if not mesh.count:
            revolve(mesh, nowhere, [(1, 0), (0.1, 1)], np.ones(3, np.float32))
    if not stones.count:
        block(cube, 0.0).place(stones, rng, nowhere, 0.0, TILES)
    margins = [np.clip(colour * rng.uniform(0.7, 1.1), 0, 0.95) for colour in colours]
    board = board_picture(rng, margins, pitch, half, fields, floor_colour(rng))
    atlas = stone_atlas(rng, TILES, torres)
    own = rng.spawn(1)[0]  # apart, so that every other table looks as it did before there were such boards
    if own.random() < ALIKE:
        floor, grain = like_stones(own, atlas, TILES)
        board = board_picture(own, margins, pitch, half, fields, floor) * grain[..., None]
        board = np.clip(board, 0.003, 0.95)
    return Scene(heights, pieces, kit, pitch, cube, stones, figures, crowns, atlas, board, half, stands, style)


def random_cube(rng: np.random.Generator, side: float) -> F32:
    """Return a stone's width, depth and height."""
    shape = rng.choice(["cube", "flat", "tall"], p=[0.45, 0.48, 0.07])
    high = {"cube": rng.uniform(0.92, 1.04), "flat": rng.uniform(0.5, 0.92), "tall": rng.uniform(1.04, 1.2)}[
        str(shape)
    ]
    return np.array([side, side * rng.uniform(0.97, 1.03), side * high], np.float32)


def random_block(rng: np.random.Generator, cube: F32, torres: bool) -> Block:
    """Return the form of this table's stones."""
    bevel = float(rng.choice([0.0, rng.uniform(0.2, 0.9)]))
    if rng.random() >= (0.88 if torres else 0.04):
        return block(cube, bevel)
    well = float(rng.choice([0.0, rng.uniform(0.5, 2.5), rng.uniform(-1.2, -0.4)], p=[0.7, 0.18, 0.12]))
    return block(cube, bevel, random_door(rng, cube, bevel), well)


def careless(rng: np.random.Generator, heights: Ints, pitch: float, side: float, off: float | None) -> Hands:
    """Draw how tidily this table's stones are put down."""
    if off is not None:
        angle = rng.uniform(0, 2 * np.pi, heights.shape)
        offsets = np.stack([np.cos(angle), np.sin(angle)], -1) * off * pitch
        return Hands(offsets, np.deg2rad(rng.normal(size=heights.shape) * 3), 0.3, np.deg2rad(1.5))
    offsets = random_offsets(rng, heights, pitch, side)
    most = float(rng.choice([0.0, rng.uniform(3, 10), rng.uniform(10, 20)], p=[0.5, 0.3, 0.2]))
    leans = np.deg2rad(rng.uniform(-most, most, heights.shape))
    return Hands(offsets, leans, rng.uniform(0.2, 1.8), np.deg2rad(rng.uniform(0.5, 9)))


def drawn(rng: np.random.Generator, heights: Ints, pitch: float, hands_mm: float) -> Hands:
    """Return hands of a given carelessness."""
    offsets = np.clip(rng.normal(size=(*heights.shape, 2)) * hands_mm, -0.2 * pitch, 0.2 * pitch)
    return Hands(offsets, np.deg2rad(rng.normal(size=heights.shape) * 8), 0.5, np.deg2rad(2))


def pile_up(
    mesh: Mesh, rng: np.random.Generator, heights: Ints, cube: F32, pitch: float, hands: Hands, form: Block
) -> NDArray[np.float64]:
    """Build every stack; returns the middles of their top faces (row, col, 3) mm."""
    rows, cols = heights.shape
    tops = np.zeros((rows, cols, 3))
    for (r, c), height in np.ndenumerate(heights):
        base = np.array([(c - (cols - 1) / 2) * pitch, (r - (rows - 1) / 2) * pitch])
        tops[r, c, :2] = base
        for k in range(int(height)):
            shift = np.clip(rng.normal(size=2) * hands.shift_mm, -0.1 * pitch, 0.1 * pitch)
            turn = hands.leans[r, c] + float(np.clip(rng.normal() * hands.twist, -0.2, 0.2))
            at = np.append(base + hands.offsets[r, c] + shift, k * cube[2])
            form.place(mesh, rng, at.astype(np.float32), float(np.clip(turn, -0.36, 0.36)), TILES)
            tops[r, c] = at + np.array([0, 0, cube[2]])
    return tops


Standing = tuple[Ints, tuple[int, ...], list[F32], tuple[float, float], str]
"""The pieces on a table: classes (row, col), the kit, the colours for the margins, height and radius of a piece, and
its style."""


def random_colours(rng: np.random.Generator, classes: list[int]) -> dict[int, F32]:
    """Return a linear RGB colour for every class."""
    sat, val = rng.uniform(0.6, 1.0), rng.uniform(0.45, 0.95)
    colours = {}
    for c in classes:
        hue = rng.uniform(*HUES[c])
        s, v = sat * rng.uniform(0.85, 1.1), val * rng.uniform(0.8, 1.15) + (0.2 if c in (2, 5) else 0)
        if c == 7:
            s, v = rng.uniform(0, 0.1), rng.uniform(0.78, 0.97)
        if c == 8:
            s, v = rng.uniform(0, 0.3), rng.uniform(0.05, 0.2)
        colours[c] = hsv(hue, s, v)
    return colours


def flag_pieces(
    rng: np.random.Generator, heights: Ints, tops: NDArray[np.float64], mesh: Mesh, side: float
) -> Standing:
    """Add flags of the four colours, one style a table."""
    flags = random_flags(rng, heights)
    style = str(rng.choice(["rod", "pole", "banner", "pawn"]))
    ranges = {
        "rod": (20, 34, 2.2, 4.0),
        "pole": (22, 40, 2.5, 5.0),
        "banner": (26, 42, 4.5, 7.5),
        "pawn": (17, 28, 5, 8),
    }
    lo, hi, rlo, rhi = ranges[style]
    height, radius = rng.uniform(lo, hi), rng.uniform(rlo, min(rhi, side / 2 - 1))
    colours = random_colours(rng, [1, 2, 3, 4])
    stray = rng.uniform(0.8, 2.5)
    for (r, c), colour in np.ndenumerate(flags):
        if colour:
            spot = tops[r, c] + np.append(np.clip(rng.normal(size=2) * stray, -5, 5), 0)
            flag(mesh, rng, style, spot.astype(np.float32), height, radius, colours[int(colour)])
    return flags, (0, 1, 2, 3, 4), list(colours.values()), (height, radius), style


def castle_pieces(
    rng: np.random.Generator, heights: Ints, tops: NDArray[np.float64], mesh: Mesh, crowns: Mesh, side: float
) -> Standing:
    """Add knights of two to four of the eight colours, one form a table, and mostly a king in a mesh of his own."""
    number = int(rng.choice([2, 3, 4], p=[0.15, 0.25, 0.6]))
    playing = sorted(int(c) for c in rng.choice(8, size=number, replace=False, p=PLAYED) + 1)
    kit = (0, *playing, KING)
    kings = int(rng.integers(3, 7)) if rng.random() < CROWDED else int(rng.random() < 0.92)
    pieces = random_knights(rng, heights, playing, kings)
    radius = rng.uniform(0.2, 0.42) * side
    height = float(np.clip(radius * rng.uniform(2.6, 5.5), 15, 36))
    colours = random_colours(rng, playing)
    taller, wider = height * rng.uniform(1.2, 1.7), min(radius * rng.uniform(0.9, 1.45), side * 0.48)
    knight, king = random_knight(rng, height, radius), random_king(rng, taller, wider)
    crown = king_colour(rng, list(colours.values()))
    stray = rng.uniform(0.8, 2.5)
    for (r, c), kind in np.ndenumerate(pieces):
        if kind:
            spot = (tops[r, c] + np.append(np.clip(rng.normal(size=2) * stray, -5, 5), 0)).astype(np.float32)
            if kind == KING:
                king(crowns, rng, spot, crown)
            else:
                knight(mesh, rng, spot, colours[int(kind)] * np.float32(rng.uniform(0.92, 1.08)))
    return pieces, kit, list(colours.values()), (height, radius), "pawn"


def king_colour(rng: np.random.Generator, colours: list[F32]) -> F32:
    """Return gold, wood, silver or stone, any colour, or that of some knights: then only his form tells him."""
    kind = str(rng.choice(["gold", "wood", "grey", "any", "theirs"], p=[0.3, 0.3, 0.15, 0.1, 0.15]))
    if kind == "gold":
        return hsv(rng.uniform(0.1, 0.14), rng.uniform(0.5, 0.85), rng.uniform(0.6, 0.95))
    if kind == "wood":
        return hsv(rng.uniform(0.05, 0.11), rng.uniform(0.3, 0.7), rng.uniform(0.4, 0.9))
    if kind == "grey":
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.1), rng.uniform(0.3, 0.85))
    if kind == "theirs":
        return np.asarray(colours[int(rng.integers(len(colours)))] * rng.uniform(0.7, 1.1), np.float32)
    return hsv(rng.uniform(0, 1), rng.uniform(0.3, 1), rng.uniform(0.3, 0.9))
