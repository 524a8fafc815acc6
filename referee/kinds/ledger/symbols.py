"""House symbols on dice: the parts of a mat that show them, and ``referee calibrate symbol``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.values.matparts import MatPart
from referee.values.words import Words, say
from vision.ledger.places import Places
from vision.ledger.reader import MatReader
from vision.ledger.showing import Refusal, refused, shown_face, with_face, without
from vision.ledger.teaching import NUMBERS, save_places

PART = "symbols"
"""A part is called so, with a dot and its number behind: ``symbols.6``."""
PARTS = tuple(
    MatPart(
        f"{PART}.{number}",
        "face",
        say("The {number} of dice", number=number),
        say("Lay a die with this face on top and tap it. In other light, show it once more"),
    )
    for number in NUMBERS
)
REFUSED = {
    Refusal.EMPTY: say("Nothing stands out on this face: lay it into better light and tap the die’s top."),
    Refusal.OTHER: say(
        "This looks like the symbol of another number: forget that one first, if it was shown wrongly."
    ),
}


def words_of(why: Refusal, told: int | None) -> Words:
    """Return why a face was not kept. told: the number read from its pips."""
    if why is Refusal.PIPS:
        return say(
            "This face is read as the {number} by its pips: show only faces that bear a symbol.", number=told or 0
        )
    return REFUSED[why]


def show(folder: Path, camera: str, picture: NDArray[np.uint8], at_px: tuple[float, float], number: int) -> int:
    """Keep the face of the die at a place of a camera's picture as that of a number; return how many are kept.

    Raises CalibrationError, saying what to do.
    """
    reader = MatReader.open(folder)
    views, seen = reader.views({camera: picture})
    if not views:
        raise CalibrationError(f"{camera} does not see the frame: {seen[camera].problem or 'show all of it'}")
    face = shown_face(views[0], reader.die_mm, at_px)
    why = refused(face, number, reader.places)
    if why is not None:
        raise CalibrationError(words_of(why, face.told).text("en"))
    places = with_face(reader.places, number, face.picture)
    save_places(folder, places)
    return len(places.symbols[number])


def forget(folder: Path, number: int) -> None:
    """Forget the symbol of a number. Raises CalibrationError, saying what to do."""
    save_places(folder, without(MatReader.open(folder).places, number))


def number_of(part: str) -> int:
    """Return the number of a part's face."""
    return int(part.partition(".")[2])


def counted(places: Places, part: str) -> int:
    """Return how many pictures of a part's face are kept."""
    return len(places.symbols.get(number_of(part), ()))
