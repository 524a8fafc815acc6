"""The boards of a turn, or of a game's turns, as a moving picture (GIF), which every phone and messenger plays.

Drawn are the shapes and classes with which referee/report draws boards, in the colours of paper (``pdfdrawing``).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from PIL import Image, ImageDraw, ImageFont

from referee.games.contract import AnyGame, Observation
from referee.match.state import Entry
from referee.report.blocks import translator
from referee.report.dispute import DisputedTurn, places_read
from referee.report.disputepage import frames_after
from referee.report.drawing import changed_places, drawing_of
from referee.report.fonts import font_files
from referee.report.framing import CHANGED, style
from referee.report.pdfdrawing import FRAMED, Inks, letter_size, line_width
from referee.report.session import RecordedGame
from referee.report.sharing import headline, last_ruled
from referee.values.words import Words, say

WIDTH_PX = 640
_LINE_PX = 36
_FINER = 2
"""Drawn so many times larger and made smaller, which makes edges smooth."""
_GROUND, _INK, _EDGE = "#fbf7f0", "#2b231a", "#d8cab3"
_STEP_MS, _LAST_MS = 1000, 3000


@dataclass(frozen=True, slots=True)
class FilmBoard:
    """A board under a line of words. frames: name of a place and how it is framed."""

    words: Words
    text: str
    frames: Mapping[str, str]


def turn_film(told: DisputedTurn, language: str = "en") -> bytes:
    """Return the boards before and after a turn as it was ruled last; empty where they are not drawn."""
    entry = last_ruled(told)
    return _film(told.game, entry.before.observed, _turn(told.game, entry), language)


def game_film(session: RecordedGame, language: str = "en") -> bytes:
    """Return the board after each turn that counts; empty where boards are not drawn."""
    return _film(session.game, session.start.observed, _game(session), language)


def _turn(game: AnyGame, entry: Entry) -> Iterator[FilmBoard]:
    yield FilmBoard(say("Turn {turn}", turn=entry.turn), entry.before.observed.text, {})
    if entry.ruled is not None:
        read = places_read(entry.before, entry.ruled, entry.reading, game.kit)
        yield FilmBoard(headline(entry), entry.ruled.observed, frames_after(entry, entry.ruled, read))


def _game(session: RecordedGame) -> Iterator[FilmBoard]:
    like = session.start.observed
    yield FilmBoard(say("The beginning"), like.text, {})
    texts = (like.text, *(one.text for one in session.counting))
    for one, (before, after) in zip(session.counting, pairwise(texts), strict=True):
        changed = {name: CHANGED for name, _, _ in changed_places(before, after, like, session.game.kit)}
        yield FilmBoard(say("Turn {turn}", turn=one.entry.turn), after, changed)


def _film(game: AnyGame, like: Observation, scenes: Iterable[FilmBoard], language: str) -> bytes:
    t, inks = translator(language), Inks.of(style(game.kit)[0])
    pictures = []
    for scene in scenes:
        drawn = drawing_of(scene.text, like, game.kit, scene.frames, "", t)
        if not drawn:
            return b""
        pictures.append(_picture(drawn, t(scene.words), inks))
    room = max(one.height for one in pictures)
    shown = [_beneath(one, room) for one in pictures]
    lasts = [_STEP_MS] * (len(shown) - 1) + [_LAST_MS]
    out = io.BytesIO()
    shown[0].save(out, "GIF", save_all=True, append_images=shown[1:], duration=lasts, loop=0, optimize=True)
    return out.getvalue()


def _beneath(one: Image.Image, height: int) -> Image.Image:
    """Return a picture as high as the others, in the colours that a GIF can hold."""
    room = Image.new("RGB", (one.width, height), _GROUND)
    room.paste(one, (0, 0))
    return room.quantize(128, dither=Image.Dither.NONE)


def _picture(svg: str, words: str, inks: Inks) -> Image.Image:
    """Draw a board under a line of words, (height, WIDTH_PX)."""
    root = ElementTree.fromstring(svg)
    _, _, wide, high = (float(part) for part in root.get("viewBox", "0 0 1 1").split())
    scale = _FINER * WIDTH_PX / wide
    size = (_FINER * WIDTH_PX, round(high * scale) + _FINER * _LINE_PX)
    canvas = _Canvas(Image.new("RGB", size, _GROUND), scale, inks)
    canvas.head(words)
    for part in root:
        canvas.shape(part)
    return canvas.image.resize((WIDTH_PX, size[1] // _FINER), Image.Resampling.LANCZOS)


class _Canvas:
    """Draws shapes below a line of words. scale: pixels a unit of the drawing."""

    def __init__(self, image: Image.Image, scale: float, inks: Inks) -> None:
        self.image, self._scale, self._inks = image, scale, inks
        self._draw = ImageDraw.Draw(image)
        self._regular, self._bold = map(str, font_files())

    def head(self, words: str) -> None:
        """Write the line of words, smaller where it is long."""
        middle, high = self.image.width / 2, _FINER * _LINE_PX
        font = ImageFont.truetype(self._bold, high * 0.6)
        font = font.font_variant(size=font.size * min(1.0, 0.96 * self.image.width / font.getlength(words)))
        self._draw.text((middle, high / 2), words, _INK, font, "mm")

    def shape(self, part: ElementTree.Element) -> None:
        """Draw one shape of a board."""
        name = part.get("class", "")
        framed, stroke = name in FRAMED, self._inks.stroke(name)
        fill = None if framed else self._inks.fill(name) or None
        edge = stroke or _EDGE if framed or stroke or "cell" in name else None
        wide = max(1, round(line_width(name) * self._scale))
        at = self._at
        match part.tag:
            case "rect":
                x, y, width, height = (float(part.get(key, "0")) for key in ("x", "y", "width", "height"))
                box, radius = [at(x, y), at(x + width, y + height)], float(part.get("rx", "0")) * self._scale
                self._draw.rounded_rectangle(box, radius, fill, edge, wide if edge else 0)
            case "circle":
                x, y, r = (float(part.get(key, "0")) for key in ("cx", "cy", "r"))
                self._draw.ellipse([at(x - r, y - r), at(x + r, y + r)], fill, edge, wide if edge else 0)
            case "line":
                ends = [at(*(float(part.get(key + end, "0")) for key in "xy")) for end in "12"]
                self._draw.line(ends, stroke or _EDGE, wide)
            case "polygon":
                corners = [tuple(map(float, point.split(","))) for point in part.get("points", "").split()]
                self._draw.polygon([at(x, y) for x, y in corners], fill)
            case "text":
                font = ImageFont.truetype(self._bold, letter_size(name) * self._scale)
                x, y = (float(part.get(key, "0")) for key in "xy")
                self._draw.text(at(x, y), part.text or "", self._inks.fill(name) or _INK, font, "ms")

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self._scale, y * self._scale + _FINER * _LINE_PX
