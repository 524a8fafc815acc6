"""The certificate of a mat: whether cameras will tell dice on it, and which places they know. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.certificate.figures import CameraFigures, TableFigures
from referee.certificate.judge import MARKED, certified, checked, from_limits
from referee.certificate.values import CameraPart, Certificate, Check, Grade
from referee.values.words import Words, decimal, say, say_n

DIE_PX = (12.0, 8.0)
"""On rendered mats throws were told as often at 12 px as at 30 (docs/evidence/mats.md); at 8 a pip, a sixth of a die,
has little more than one pixel."""
CAMERAS = (3, 1)
"""One camera leaves a throw in fifty open on mats that are lit well, and a quarter in the worst light; three leave
none open, and a tenth."""


@dataclass(frozen=True, slots=True)
class MatSightFigures:
    """Figures on how well one camera will see dice.

    in_view: whether all of where they are rolled lies in its picture. die_px: how large a die is there at least.
    """

    in_view: bool
    die_px: float


@dataclass(frozen=True, slots=True)
class MatFigures:
    """Figures of a mat: how well each camera that sees its frame sees dice, and how many places were taught."""

    cameras: Mapping[str, MatSightFigures]
    spaces: int = 0
    spots: int = 0
    cards: int = 0


def judge_mat(found: TableFigures, mat: MatFigures) -> Certificate:
    """Judge what was measured. Return the certificate."""

    def camera(figures: CameraFigures) -> CameraPart:
        return _camera(figures, mat.cameras)

    return certified(found, camera, [_eyes(mat)], setup=_taught(mat))


def _camera(figures: CameraFigures, mats: Mapping[str, MatSightFigures]) -> CameraPart:
    checks = [check(figures) for check in MARKED]
    sight = mats.get(figures.name)
    if sight is not None:
        checks += [_rolled(sight), _die(sight)]
    return CameraPart(figures.name, tuple(checks), figures.at_mm, figures.size)


def _rolled(sight: MatSightFigures) -> Check:
    what = say("Where dice are rolled")
    if sight.in_view:
        return Check(what, say("wholly in the picture"), Grade.GOOD)
    advice = say("Turn the camera until it sees all of it, or show a smaller area for dice on the page, at /mat.")
    return Check(what, say("not wholly in the picture"), Grade.WARNING, advice)


def _die(sight: MatSightFigures) -> Check:
    advice = say("Bring the camera nearer, or choose a larger picture and calibrate its lens for it.")
    value = say("{value} px", value=decimal(sight.die_px, 0))
    return checked(say("A die in the picture, at least"), value, from_limits(sight.die_px, DIE_PX), advice)


def _eyes(mat: MatFigures) -> Check:
    """Check whether enough cameras see dice."""
    seeing = sum(sight.in_view and sight.die_px >= DIE_PX[1] for sight in mat.cameras.values())
    if seeing:
        advice = say(
            "Three cameras around the mat tell next to every throw, "
            "one leaves one in fifty to be tapped in, more in bad light."
        )
    else:
        advice = say("Dice have to be tapped in. See what is said of each camera.")
    value = say_n("{n} camera", "{n} cameras", seeing)
    return checked(say("Cameras that see dice"), value, from_limits(seeing, CAMERAS), advice)


def _taught(mat: MatFigures) -> Check:
    """Return the check that lists what the cameras look for besides dice."""
    what = say("Places shown to the cameras")
    parts: list[tuple[int, Words]] = [
        (mat.spaces, say_n("{n} space of the track", "{n} spaces of the track", mat.spaces)),
        (mat.spots, say_n("{n} place for counters", "{n} places for counters", mat.spots)),
        (mat.cards, say_n("{n} place for cards", "{n} places for cards", mat.cards)),
    ]
    told = [words for number, words in parts if number]
    if not told:
        advice = say("On the page, at /mat, show the cameras what lies where; until then they look for dice alone.")
        return Check(what, say("none yet"), Grade.WARNING, advice)
    return Check(what, say("{places}", places=tuple(told)), Grade.GOOD)
