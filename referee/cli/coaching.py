"""What the coach of a lens calibration says, in every language."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.coach import PICTURES, Advice, Call, CoachState, Place, Tilt
from referee.values.words import Words, say

_PLACES: Mapping[Place, Words] = {
    Place.UPPER_LEFT: say("at the upper left of the picture"),
    Place.UPPER: say("at the top of the picture"),
    Place.UPPER_RIGHT: say("at the upper right of the picture"),
    Place.LEFT: say("at the left of the picture"),
    Place.MIDDLE: say("in the middle of the picture"),
    Place.RIGHT: say("at the right of the picture"),
    Place.LOWER_LEFT: say("at the lower left of the picture"),
    Place.LOWER: say("at the bottom of the picture"),
    Place.LOWER_RIGHT: say("at the lower right of the picture"),
}
_TILTS: Mapping[Tilt, Words] = {
    Tilt.LEFT: say("tilted, its left side towards the camera"),
    Tilt.RIGHT: say("tilted, its right side towards the camera"),
    Tilt.UPPER: say("tilted, its upper side towards the camera"),
    Tilt.LOWER: say("tilted, its lower side towards the camera"),
}


def advice_words(advice: Advice, state: CoachState) -> Words:
    """Return one sentence for the person who holds the target."""
    match advice.call:
        case Call.DONE:
            return say("Enough pictures: the target can be put away.")
        case Call.SHOW:
            return say("Show the target to the camera, {wish}.", wish=_wish(advice))
        case Call.HOLD:
            return say("Good. Hold it still.")
        case Call.SHARPEN:
            return say("The picture is blurred: more light, and hold the target still.")
        case Call.TAKEN if state.done:
            return say("Picture {n} taken. Enough pictures: the target can be put away.", n=len(state.taken))
        case Call.TAKEN:
            wish = _wish(advice)
            return say("Picture {n} of {all} taken. Next: {wish}.", n=len(state.taken), all=PICTURES, wish=wish)
    return say("Next: {wish}.", wish=_wish(advice))


def _wish(advice: Advice) -> Words:
    """Return where and how the target is wanted, as the end of a sentence."""
    place = _PLACES[advice.place] if advice.place is not None else None
    tilt = _TILTS[advice.tilt] if advice.tilt is not None else None
    if advice.near and place is None and tilt is None:
        return say("nearer to the camera, until it fills half of the picture")
    if place is not None and tilt is not None:
        return say("{place}, {tilt}", place=place, tilt=tilt)
    return place or tilt or say("somewhere else or tilted differently")


def missing_words(state: CoachState) -> Words | None:
    """Say what was still wanted when the pictures ended; return ``None`` when nothing was."""
    places = tuple(_PLACES[place] for place in state.missing_places)
    tilts = tuple(_TILTS[tilt] for tilt in state.missing_tilts)
    if wanted := places + tilts:
        return say("The pictures ended before the target was shown {wanted}.", wanted=wanted)
    return None
