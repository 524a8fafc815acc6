"""Shows the cameras a mat's places, once, by taps in a picture (the page's MatDesk).

What is taught counts at once, and is kept in the table's folder as ``referee read`` takes it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.daemon.preview import as_jpeg
from referee.games.contract import LiesOnMat, Observation, Position
from referee.kinds.ledger import symbols
from referee.match.events import AnyGame
from referee.values.matparts import MatPart
from referee.values.words import say, verbatim
from vision.geometry.view import PHOTOGRAPHS, View
from vision.ledger.light import light_of, pictured_mat
from vision.ledger.places import Places
from vision.ledger.reader import MatReader
from vision.ledger.showing import refused, shown_face, with_face, without
from vision.ledger.teaching import colour_at, on_mat, save_places
from vision.sources.camera import Camera
from web.tableview import Outcome

Photographed = Callable[[], NDArray[np.uint8] | None]
NEAREST_MM = 6.0
"""The least distance between two places."""
LEAST_AREA_MM = 40.0
LEAST_MM, MOST_MM = 2, 400
"""Sizes of things that are played with."""
_SPOTS = "zone"
"""The key of counters' places in places.json."""
_COLOURED = {"pawns": "track", "counters": _SPOTS}
"""Things that are looked for on places: colours by the part that shows their places."""


class MatDesk:
    """Teaches one table's mat. Every method may be called from many threads at once."""

    def __init__(
        self,
        game: LiesOnMat[Position, Observation],
        playing: MatReader,
        cameras: Mapping[str, Camera],
        photographed: Photographed = lambda: None,
    ) -> None:
        """Take the reader of the game under way, which adopts what is taught, and the cameras with a lens.

        photographed: the newest photograph, if there is one.
        """
        faces = () if playing.table.die_mm is None else symbols.PARTS
        self._parts = {part.id: part for part in (*game.mat_parts(), *faces)}
        self._folder, self._playing, self._cameras = playing.folder, playing, cameras
        self._photographed = photographed
        self._reader = MatReader(playing.table, playing.folder, playing.places)
        self._mutex = threading.Lock()

    def view(self, language: str) -> Mapping[str, object]:
        """Return the cameras, the places to teach, and where taught places lie in each camera's picture."""
        with self._mutex:
            places = self._playing.places
            photographs = (PHOTOGRAPHS,) if self._photographed() is not None else ()
            views = {name: self._view(name) for name in (*self._cameras, *photographs)}
            cameras = [{"name": name, "sees": view is not None} for name, view in views.items()]
            parts = [_part_view(part, places, views, language) for part in self._parts.values()]
        sizes = [
            {"id": name, "words": words.text(language), "mm": round(_size(places, name), 1)}
            for name, words in _SIZES.items()
        ]
        return {"cameras": cameras, "parts": parts, "sizes": sizes, "empty": places.mat is not None}

    def picture(self, camera: str) -> bytes | None:
        """Return a JPEG of what a camera sees; ``None`` without a picture, or for an unknown camera."""
        found = self._newest(camera)
        return None if found is None else as_jpeg(found)

    def photograph(self, camera: str) -> Outcome:
        """Keep how the empty mat looks now."""
        with self._mutex:
            view = self._view(camera)
            if view is None:
                return _UNSEEN
            table = self._playing.table
            mat = pictured_mat(view, light_of(view, table), table)
            return self._kept(replace(self._playing.places, mat=mat))

    def measure(self, sizes: Mapping[str, float]) -> Outcome:
        """Keep sizes in mm, as the view names them."""
        for name, mm in sizes.items():
            words = _SIZES.get(name)
            if words is None or not LEAST_MM <= mm <= MOST_MM:
                return Outcome(
                    False, say("Sizes lie between {low} and {high} mm.", low=LEAST_MM, high=MOST_MM), "sizes"
                )
        with self._mutex:
            places = self._playing.places
            known = {name: _size(places, name) for name in _SIZES} | dict(sizes)
            height, thick, counter, across, deep = (known[name] for name in _SIZES)
            card, pawn = (across, deep), (height, thick / 2)
            return self._kept(replace(places, pawn_mm=pawn, counter_radius_mm=counter / 2, card_mm=card))

    def show(self, part: str, camera: str, taps: Sequence[Sequence[float]]) -> Outcome:
        """Take in one part: taps as shares of the picture's width and height. No taps: it is forgotten."""
        asked = self._parts.get(part)
        if asked is None:
            return Outcome(False, say("There is no such part of the mat."), "no-part")
        with self._mutex:
            if not taps:
                return self._kept(_with(self._playing.places, part, None))
            view = self._view(camera)
            if view is None:
                return _UNSEEN
            height, width = view.picture_bgr.shape[:2]
            at_px = np.array(taps, np.float64) * [width - 1, height - 1]
            try:
                return self._taken(asked, view, at_px)
            except CalibrationError:
                return Outcome(False, say("A tap lies beside the mat: tap on it."), "taps")

    def _taken(self, part: MatPart, view: View, at_px: NDArray[np.float64]) -> Outcome:
        places = self._playing.places
        if part.kind == "face":
            return self._face(part, view, at_px)
        if part.kind == "colour":
            needs = _COLOURED[part.id.partition(".")[0]]
            if not len(_taught(self._parts[needs], places)):
                return Outcome(False, say("Show first: {part}", part=self._parts[needs].words), "order")
            light = light_of(view, self._playing.table)
            tap = float(at_px[-1][0]), float(at_px[-1][1])
            return self._kept(_with(places, part.id, colour_at(view, light, tap)))
        points = on_mat(view, at_px)
        if part.kind == "area":
            if len(points) != 2 or np.abs(points[0] - points[1]).min() < LEAST_AREA_MM:
                return Outcome(False, say("Tap two opposite corners that lie further apart."), "taps")
            return self._kept(_with(places, part.id, np.stack([points.min(axis=0), points.max(axis=0)])))
        for number, point in enumerate(points):
            near = np.flatnonzero(np.hypot(*(points[:number] - point).T) < NEAREST_MM)
            if len(near):
                first, second = str(int(near[0]) + 1), str(number + 1)
                told = say("Tap {second} lies on tap {first}: tap every place once.", first=first, second=second)
                return Outcome(False, told, "taps")
        return self._kept(_with(places, part.id, points))

    def _face(self, part: MatPart, view: View, at_px: NDArray[np.float64]) -> Outcome:
        """Keep the top of each die that was tapped, or none where one can't be kept."""
        places, number = self._playing.places, symbols.number_of(part.id)
        for x, y in at_px:
            face = shown_face(view, self._playing.die_mm, (float(x), float(y)))
            why = refused(face, number, places)
            if why is not None:
                return Outcome(False, symbols.words_of(why, face.told), "taps")
            places = with_face(places, number, face.picture)
        return self._kept(places)

    def _kept(self, places: Places) -> Outcome:
        try:
            save_places(self._folder, places)
        except CalibrationError as error:
            return Outcome(False, verbatim(str(error)), "disk")
        self._playing.places = places
        return Outcome(True, say("Kept: it counts from now on."))

    def _newest(self, camera: str) -> NDArray[np.uint8] | None:
        if camera == PHOTOGRAPHS:
            return self._photographed()
        known = self._cameras.get(camera)
        newest = known.newest() if known is not None and known.state.seeing else None
        return None if newest is None else newest.load()

    def _view(self, camera: str) -> View | None:
        """Return the pose of a camera over the mat; ``None`` where it shows no frame of markers."""
        picture = self._newest(camera)
        if picture is None:
            return None
        try:
            self._reader.know(camera, self._playing.lens(camera))  # of photographs it may become known in play
            views, _ = self._reader.views({camera: picture})
        except CalibrationError:
            return None
        return views[0] if views else None


_SIZES = {
    "pawn-height": say("A pawn’s height"),
    "pawn-width": say("A pawn’s width at its foot"),
    "counter-width": say("A counter’s width"),
    "card-width": say("A card’s width as it lies"),
    "card-depth": say("A card’s depth as it lies"),
}


def _size(places: Places, name: str) -> float:
    """Return the size with this name, mm."""
    (height, radius), (across, deep) = places.pawn_mm, places.card_mm
    every = (height, 2 * radius, 2 * places.counter_radius_mm, across, deep)
    return every[list(_SIZES).index(name)]


_UNSEEN = Outcome(False, say("This camera does not see the frame around the mat now."), "no-frame")


def _with(places: Places, part: str, value: NDArray[np.float64] | None) -> Places:
    """Return the places with one part replaced; ``None`` removes it."""
    key, _, word = part.partition(".")
    if key == symbols.PART:  # a face is added, not replaced
        return without(places, symbols.number_of(part))
    if key == "rolled_on":
        return replace(places, rolled_on=None if value is None else (_corner(value[0]), _corner(value[1])))
    if not word:
        given = np.zeros((0, 2)) if value is None else value
        return replace(places, track=given) if key == "track" else replace(places, spots=given)
    known = {other: kept for other, kept in getattr(places, key).items() if other != word}
    return _replaced(places, key, known if value is None else known | {word: value})


def _corner(point: NDArray[np.float64]) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _replaced(places: Places, key: str, by: Mapping[str, NDArray[np.float64]]) -> Places:
    if key == "cards":
        return replace(places, cards=by)
    return replace(places, pawns=by) if key == "pawns" else replace(places, counters=by)


def _taught(part: MatPart, places: Places) -> NDArray[np.float64]:
    """Return the taught places of a part, (n, 2) mm, or one row for a colour; empty where none was taught."""
    key, _, word = part.id.partition(".")
    found = getattr(places, key if key != _SPOTS else "spots")
    if word:
        found = found.get(word)
    return np.zeros((0, 2)) if found is None else np.atleast_2d(np.array(found, np.float64))


def _part_view(part: MatPart, places: Places, views: Mapping[str, View | None], language: str) -> dict[str, object]:
    if part.kind == "face":
        return _told(part, symbols.counted(places, part.id), {}, language)
    taught = _taught(part, places)
    marks = {} if part.kind == "colour" else {name: _marks(taught, view) for name, view in views.items() if view}
    return _told(part, len(taught), marks, language)


def _told(part: MatPart, taught: int, marks: Mapping[str, object], language: str) -> dict[str, object]:
    words, how = part.words.text(language), part.how.text(language)
    return {"id": part.id, "kind": part.kind, "words": words, "how": how, "taught": taught, "marks": marks}


def _marks(points: NDArray[np.float64], view: View) -> list[list[float]]:
    """Return places, (n, 2) mm, as shares of a picture's width and height."""
    if not len(points):
        return []
    height, width = view.picture_bgr.shape[:2]
    at = view.project(np.column_stack([points, np.zeros(len(points))])) / [width - 1, height - 1]
    return [[round(float(x), 4), round(float(y), 4)] for x, y in at]


def desk(
    game: AnyGame, reader: MatReader, cameras: Mapping[str, Camera], photographed: Photographed
) -> MatDesk | None:
    """Return where a game's mat is taught; ``None`` for a game without one."""
    return MatDesk(game, reader, cameras, photographed) if isinstance(game, LiesOnMat) else None
