"""Judge the light on a table and say where to move the lamp: the lamp coach. Pure.

Nothing here makes a table unfit: the reader copes with much, and what it can't cope with the exposure check tells.
Each limit is a named constant with its reason.
"""

from __future__ import annotations

import math

from referee.addons.lamp.figures import Glare, LampFigures, Shadows
from referee.certificate.judge import PAPER, side_words
from referee.certificate.values import Check, Grade
from referee.values.words import Words, decimal, say, say_n

LOST = 0.5
"""Shadows that lack more of the light are hard: photographers call 2 to 1 a soft light, and 4 to 1 a hard one."""
UNEVEN = 0.5
"""The same ratio between the brightest and the darkest side of the frame: one exposure can't suit both."""
LOW_DEG = 45.0
"""A lamp lower than this throws shadows longer than what throws them."""
GLARE_FIELDS = 0.25
"""Mirrored light that covers a quarter of a field hides an edge between two stones."""
FLICKER = 0.02
"""A wave of this share is 2 to 3 grey levels on grey, as much as a sensor's noise: less drowns in it."""
FULL = 250.0
"""From here on a sensor is full: what is brighter than the paper can't be told from it."""
NOISE = 4.0
"""An edge is told from 12 grey levels on (calibration/sharpness.py): noise may be a third of that."""


def lamp_checks(found: LampFigures) -> tuple[Check, ...]:
    """Return what is said of the light in one camera's picture."""
    return tuple(
        each
        for each in (
            _amount(found),
            _even(found),
            None if found.shadows is None else _shadows(found.shadows),
            _glare(found.glare),
            None if found.flicker is None else _flicker(found.flicker),
        )
        if each is not None
    )


def lamp_score(found: LampFigures) -> int:
    """Return how good the light is, 0 to 100: it rises and falls while a lamp is moved."""
    shadows, glare = found.shadows or Shadows(), found.glare or Glare()
    shaded = len(shadows.fields)
    parts = (
        min(1.0, found.paper / PAPER[0], (255 - found.paper) / (255 - FULL) if found.paper > FULL else 1.0),
        min(1.0, NOISE / max(found.noise, 0.1)),
        1 - found.uneven / 2,
        1 - shadows.lost * shaded / (shaded + 4),
        1 / (1 + glare.area),
        max(0.0, 1 - 5 * (found.flicker or 0.0)),
    )
    return round(100 * math.prod(parts))


def _check(what: Words, value: Words, good: bool, advice: Words) -> Check:
    return Check(what, value, Grade.GOOD if good else Grade.WARNING, None if good else advice)


def _at(azimuth_deg: float) -> Words:
    return side_words(math.cos(math.radians(azimuth_deg)), math.sin(math.radians(azimuth_deg)))


def _amount(found: LampFigures) -> Check:
    value = say(
        "paper at {paper} of 255, noise of {noise} grey levels", paper=round(found.paper), noise=decimal(found.noise)
    )
    good = PAPER[0] <= found.paper < FULL and found.noise <= NOISE
    advice = (
        say("Too much light: move the lamp away, or let the camera expose shorter, until the paper is light grey.")
        if found.paper >= FULL
        else say("Too little light: bring the lamp nearer, add a second one, or let the camera expose longer.")
    )
    return _check(say("Amount of light"), value, good, advice)


def _even(found: LampFigures) -> Check:
    value = say("the darkest side gets {percent} % less light than the brightest", percent=round(100 * found.uneven))
    advice = say(
        "The light comes from one side: move the lamp {side} higher and towards the board’s middle, or put a second "
        "one {other}.",
        side=_at(found.bright_deg), other=_at(found.bright_deg + 180),
    )  # fmt: skip
    return _check(say("Even light"), value, found.uneven <= UNEVEN, advice)


def _shadows(found: Shadows) -> Check:
    what = say("Shadows")
    if not found.fields:
        return Check(what, say("none that matter"), Grade.GOOD)
    value = say_n(
        "{percent} % of the light is missing on {n} field", "{percent} % of the light is missing on {n} fields",
        len(found.fields), percent=round(100 * found.lost),
    )  # fmt: skip
    side, other = _at(found.azimuth_deg), _at(found.azimuth_deg + 180)
    if found.elevation_deg < LOW_DEG:
        advice = say(
            "Stacks on {stacks} throw shadows over {fields}: move the lamp {side} higher and towards the board’s "
            "middle, or put a second one {other}.",
            stacks=found.stacks, fields=found.fields, side=side, other=other,
        )  # fmt: skip
    else:
        advice = say(
            "Stacks on {stacks} throw hard shadows over {fields}: soften the lamp {side} with a white shade, or put "
            "a second one {other}.",
            stacks=found.stacks, fields=found.fields, side=side, other=other,
        )  # fmt: skip
    return _check(what, value, found.lost <= LOST, advice)


def _glare(found: Glare | None) -> Check | None:
    if found is None:  # the exposure check says what to do
        return None
    what = say("Mirrored lamps")
    if found.area < GLARE_FIELDS or not found.fields:
        return Check(what, say("none that matter"), Grade.GOOD)
    value = say("on about {area} fields", area=decimal(found.area))
    advice = say(
        "A lamp {side} is mirrored on {fields}: move it round the board by a quarter, so that it stands {one} or "
        "{other}, or hang it above the board’s middle.",
        side=_at(found.azimuth_deg), fields=found.fields, one=_at(found.azimuth_deg + 90),
        other=_at(found.azimuth_deg - 90),
    )  # fmt: skip
    return _check(what, value, False, advice)


def _flicker(found: float) -> Check:
    advice = say(
        "The lamp flickers with the mains, and the camera shows it as stripes that wander: set its exposure to 1/50 "
        "or 1/100 s (1/60 or 1/120 s where mains have 60 Hz), or use a lamp that does not flicker."
    )
    value = say("waves of {percent} %", percent=decimal(100 * found))
    return _check(say("Flicker"), value, found <= FLICKER, advice)
