"""Small pictures of what a box holds, as SVG: solids seen from above and aside, drawn from a table's sizes alone."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float, float]
_ACROSS, _DOWN = 0.866, 0.5
_LEFT_SHADE, _RIGHT_SHADE = 0.84, 0.68
_DOOR_SHADE, _DOOR = 0.3, (0.32, 0.68, 0.6)
_EDGE_MM = 3.0


class BoxDrawing:
    """Draws solids, which are given from the farthest to the nearest.

    Lengths in mm: x to the lower right, y to the lower left, z up.
    """

    def __init__(self) -> None:
        self._shapes: list[str] = []
        self._seen: list[tuple[float, float]] = []

    def box(self, at: Point, size: Point, colour: str, door: bool = False) -> None:
        """Draw an upright box. at: its far corner on the ground. door: whether each side has one."""
        (x, y, z), (wide, deep, high) = at, size
        near_x, near_y, top = x + wide, y + deep, z + high
        self._area([(x, y, top), (near_x, y, top), (near_x, near_y, top), (x, near_y, top)], colour)
        for shade, (a, b) in (
            (_LEFT_SHADE, ((x, near_y), (near_x, near_y))),
            (_RIGHT_SHADE, ((near_x, y), (near_x, near_y))),
        ):
            self._area([(*a, z), (*b, z), (*b, top), (*a, top)], _darker(colour, shade))
            if door:
                low, far, up = _DOOR
                ends = [tuple(p + share * (q - p) for p, q in zip(a, b, strict=True)) for share in (low, far)]
                (c, d), (e, f), over = ends[0], ends[1], z + up * high
                self._area([(c, d, z), (e, f, z), (e, f, over), (c, d, over)], _darker(colour, _DOOR_SHADE))

    def round(self, at: Point, low_mm: float, high_mm: float, height_mm: float, colour: str) -> None:
        """Draw a round body that stands upright. low_mm, high_mm: its radius below and above."""
        x, y, z = at
        (across, foot), (_, top) = _on_paper(at), _on_paper((x, y, z + height_mm))
        below, above = ((radius * _ROUND_WIDE, radius * _ROUND_DEEP) for radius in (low_mm, high_mm))
        low, high = (f"A{wide:.1f} {deep:.1f} 0 0 0 " for wide, deep in (below, above))
        side = f"M{across - below[0]:.1f} {foot:.1f}{low}{across + below[0]:.1f} {foot:.1f}"
        side += f"L{across + above[0]:.1f} {top:.1f}{high}{across - above[0]:.1f} {top:.1f}Z"
        self._shapes.append(f'<path d="{side}" fill="{_darker(colour, _LEFT_SHADE)}"/>')
        self._ellipse((across, top), above, colour)
        self._seen += [(across - below[0], foot + below[1]), (across + below[0], top - above[1])]

    def ball(self, at: Point, radius_mm: float, colour: str) -> None:
        """Draw a ball. at: its middle."""
        self._ellipse(_on_paper(at), (1.2 * radius_mm, 1.2 * radius_mm), colour)

    def spot(self, at: Point, radius_mm: float, colour: str) -> None:
        """Draw a round spot that lies flat."""
        self._ellipse(_on_paper(at), (radius_mm * _ROUND_WIDE, radius_mm * _ROUND_DEEP), colour, edge=False)

    def cloth(self, at: Point, wide_mm: float, high_mm: float, colour: str) -> None:
        """Draw a piece of cloth that hangs to the right of a place."""
        x, y, z = at
        self._area([(x, y, z), (x + wide_mm, y, z), (x + wide_mm, y, z - high_mm), (x, y, z - high_mm)], colour)

    def svg(self) -> str:
        """Return the picture as an element that says nothing to those who hear it: beside it stands what it shows."""
        (left, right), (top, low) = ((min(axis), max(axis)) for axis in zip(*self._seen, strict=True))
        size = f"{right - left + 2 * _EDGE_MM:.0f} {low - top + 2 * _EDGE_MM:.0f}"
        head = f'<svg viewBox="{left - _EDGE_MM:.0f} {top - _EDGE_MM:.0f} {size}" aria-hidden="true">'
        return (
            f'{head}<g stroke="#2b231a" stroke-width="0.8" stroke-linejoin="round">{"".join(self._shapes)}</g></svg>'
        )

    def _area(self, corners: Sequence[Point], colour: str) -> None:
        places = [_on_paper(at) for at in corners]
        self._seen += places
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        self._shapes.append(f'<polygon points="{points}" fill="{colour}"/>')

    def _ellipse(self, at: tuple[float, float], radii: tuple[float, float], colour: str, edge: bool = True) -> None:
        (x, y), (wide, deep) = at, radii
        self._seen += [(x - wide, y - deep), (x + wide, y + deep)]
        bare = "" if edge else ' stroke="none"'
        self._shapes.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide:.1f}" ry="{deep:.1f}" fill="{colour}"{bare}/>'
        )


_ROUND_WIDE, _ROUND_DEEP = _ACROSS * 2**0.5, _DOWN * 2**0.5


def _on_paper(at: Point) -> tuple[float, float]:
    x, y, z = at
    return (x - y) * _ACROSS, (x + y) * _DOWN - z


def _darker(colour: str, share: float) -> str:
    """Return a colour, ``#rrggbb``, made darker."""
    return "#" + "".join(f"{round(int(colour[at : at + 2], 16) * share):02x}" for at in (1, 3, 5))
