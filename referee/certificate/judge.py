"""Judge figures for a certificate: what is good, what is a warning, what makes a table not fit. Pure.

Every threshold is a named constant with its reason. A camera that is worth little is a warning as long as another one
carries the table: what counts for the verdict is what all cameras together can see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.certificate.figures import CameraFigures, LostCamera, SetupFigures, SightFigures, TableFigures
from referee.certificate.values import CameraPart, Certificate, Check, Grade, HeatMap, Spot, worst
from referee.values.words import Words, decimal, say, say_n

REPROJECTION_PX = (0.8, 2.0)
"""Good up to, bad beyond. A top face must be placed within a third of a sharp edge's width (2.5 px); beyond 2 px the
lens or the frame in table.json is wrong, not the picture."""
MARKERS_SHARE = 0.75
"""With fewer of the frame's markers an arm that covers two may leave the camera without a pose."""
EDGE_PX = (3.6, 6.0)
"""A sharp picture's edges are 2 to 3 pixels wide. Beyond 6 the sides of neighbouring stones run into each other."""
BURNT_SHARE = (0.02, 0.25)
"""Burnt-out paper hides pale stones and sleeves; a quarter of the table burnt out leaves no tops to see."""
BLACK_SHARE = (0.05, 0.4)
"""Dark stones have a little pure black between them; when much of the table is black their edges are gone."""
PAPER = (90.0, 45.0)
"""White paper darker than this (of 255) leaves dark stones a handful of grey levels; below the second, none."""
COLOUR_GAP = (20.0, 10.0)
"""CIELAB distance. Pieces of one colour scatter by about 5 (light and shade), so 20 keeps two colours four such steps
apart; below 10 they overlap."""
FIELD_PX = (24.0, 14.0)
"""The reader looks at each field with 12 pixels a side: half as many again keep it sharp, fewer are guessed."""
LEVEL_PX = (5.0, 2.5)
"""A stone more should move its top by twice the width of a sharp edge; by less than one width it can't be told."""
LOW_FIELDS = (0.0, 0.1)
"""Share of fields that may lie under the second of LEVEL_PX for the best camera."""
HIDDEN_FIELDS = (8.0, 40.0)
"""Fields hidden in a usual position. A few are carried by what stood there before; with two fifths of the board
hidden the record would be more memory than sight."""
WORTHWHILE_FIELDS = 2.0
"""One more camera is advised when it shows so many more fields in a usual position."""
RECOMMENDED_CAMERAS = 3
"""With fewer, one more is always worth its place: most stacks are then seen by one camera alone."""
DIFFERING_SHARE = 0.1
"""More differences than this (as a share of the fields) are no mistake in setting up: the eyes fail."""
DOUBTFUL_SHARE = (0.02, 0.2)
"""The set-up is the easiest board there is: nothing is hidden yet."""


def judge(found: TableFigures, sight: SightFigures | None) -> Certificate:
    """Return the certificate for what was measured. sight is ``None`` when no camera could be used."""
    seeing = [each for each in found.cameras if isinstance(each, CameraFigures)]
    checks: list[Check] = []
    spot = None
    maps: tuple[HeatMap, ...] = ()
    if sight is not None and seeing:
        checks += [_colours_check(seeing), _levels_check(sight), _hidden_check(sight)]
        spot = _spot(sight, len(seeing))
        maps = _maps(sight)
    return certified(found, _camera, checks, maps, spot)


def certified(
    found: TableFigures,
    camera: Callable[[CameraFigures], CameraPart],
    checks: Sequence[Check],
    maps: tuple[HeatMap, ...] = (),
    spot: Spot | None = None,
    setup: Check | None = None,
) -> Certificate:
    """Return a certificate. camera: judges one that could be used; checks: between the cameras' and the set-up's.

    setup: what is said of the set-up where it is not compared with the rules'.
    """
    parts = tuple(lost_part(each) if isinstance(each, LostCamera) else camera(each) for each in found.cameras)
    seeing = sum(isinstance(each, CameraFigures) for each in found.cameras)
    every = (cameras_check(parts, seeing), *checks, setup_check(found.setup) if setup is None else setup)
    return Certificate(
        found.table, found.game, found.made_at, found.half_mm, every, parts, maps, spot,
        found.setup.differences, found.setup.doubtful,
    )  # fmt: skip


def glance(figures: CameraFigures) -> tuple[Check, ...]:
    """Return what can be said of a camera at any moment, whatever stands on the board, to who is setting it up."""
    return (
        _markers(figures), _reprojection(figures), _in_view(figures), _sharpness(figures), _exposure(figures),
        _field_size(figures), _levels(replace(figures, outside=0)),
    )  # fmt: skip


def _in_view(figures: CameraFigures) -> Check:
    what = say("The whole board in view")
    if not figures.outside:
        return Check(what, say("yes, towers and all"), Grade.GOOD)
    value = say_n("{n} field lies outside the picture", "{n} fields lie outside the picture", figures.outside)
    return Check(
        what, value, Grade.WARNING, say("Turn the camera, or move it back, until the grid fits the picture.")
    )


def _upto(value: float, limits: tuple[float, float]) -> Grade:
    """Return good up to the first limit, bad beyond the second, else a warning."""
    return Grade.GOOD if value <= limits[0] else Grade.WARNING if value <= limits[1] else Grade.BAD


def from_limits(value: float, limits: tuple[float, float]) -> Grade:
    """Return good from the first limit on, bad below the second, else a warning."""
    return Grade.GOOD if value >= limits[0] else Grade.WARNING if value >= limits[1] else Grade.BAD


def checked(what: Words, value: Words, grade: Grade, advice: Words) -> Check:
    """Return a check, with advice unless all is good."""
    return Check(what, value, grade, None if grade is Grade.GOOD else advice)


def _percent(share: float) -> Words | str:
    return decimal(100 * share, 0 if share < 0.0005 or share >= 0.1 else 1)


def lost_part(camera: LostCamera) -> CameraPart:
    """Return what is said of a camera that could not be used."""
    advice = say("Without this camera the others must see everything: put it right and check again.")
    return CameraPart(camera.name, (Check(say("Camera"), camera.why, Grade.BAD, advice),), None, camera.size)


def _camera(figures: CameraFigures) -> CameraPart:
    checks = [
        _markers(figures),
        _reprojection(figures),
        _sharpness(figures),
        _exposure(figures),
        _colour_gap(figures),
        _field_size(figures),
        _levels(figures),
    ]
    return CameraPart(figures.name, tuple(checks), figures.at_mm, figures.size)


def _reprojection(figures: CameraFigures) -> Check:
    return checked(
        say("Reprojection error"), say("{value} px", value=decimal(figures.reprojection_px, 2)),
        _upto(figures.reprojection_px, REPROJECTION_PX),
        say("Calibrate this camera’s lens again, and see that the frame lies flat and where table.json says."),
    )  # fmt: skip


def _sharpness(figures: CameraFigures) -> Check:
    return checked(
        say("Sharpness"), say("edges {value} px wide", value=decimal(figures.edge_px)),
        _upto(figures.edge_px, EDGE_PX),
        say("Focus the camera on the board and lock the focus; clean its lens; see that it does not shake."),
    )  # fmt: skip


def _field_size(figures: CameraFigures) -> Check:
    return checked(
        say("Size of a field"), say("{value} px", value=decimal(figures.field_px, 0)),
        from_limits(figures.field_px, FIELD_PX),
        say("Bring the camera nearer, or choose a larger picture and calibrate its lens for it."),
    )  # fmt: skip


def _markers(figures: CameraFigures) -> Check:
    grade = Grade.GOOD if figures.markers >= MARKERS_SHARE * figures.markers_all else Grade.WARNING
    return checked(
        say("Markers of the frame"),
        say("{n} of {all} found", n=figures.markers, all=figures.markers_all),
        grade,
        say("Get the whole frame into the picture, free and evenly lit."),
    )


def _exposure(figures: CameraFigures) -> Check:
    too_bright = _upto(figures.burnt, BURNT_SHARE)
    too_dark = worst([_upto(figures.black, BLACK_SHARE), from_limits(figures.paper, PAPER)])
    advice = (
        say("Too bright: shorten the exposure until the paper is light grey, and keep lamps out of the reflection.")
        if too_bright is not Grade.GOOD
        else say("Too dark: more light, or a longer exposure.")
    )
    value = say(
        "paper at {paper} of 255; {burnt} % burnt out, {black} % black",
        paper=round(figures.paper), burnt=_percent(figures.burnt), black=_percent(figures.black),
    )  # fmt: skip
    return checked(say("Exposure"), value, worst([too_bright, too_dark]), advice)


MARKED = (_markers, _reprojection, _sharpness, _exposure)
"""Checks of a camera, whatever stands on the table."""


def _colour_gap(figures: CameraFigures) -> Check:
    what = say("Colours of the pieces")
    if figures.colour_gap is None or figures.colours is None:
        return Check(what, say("fewer than two colours seen"), Grade.WARNING, _PLACE_PIECES)
    one, other = figures.colours
    value = say("{one} and {other} lie {gap} apart", one=one, other=other, gap=decimal(figures.colour_gap, 0))
    return checked(what, value, from_limits(figures.colour_gap, COLOUR_GAP), _MEND_COLOURS)


_PLACE_PIECES = say("Set the pieces up as for a game, then check again.")
_MEND_COLOURS = say("Use whiter light and fix the white balance; replace pieces that look alike.")


def _levels(figures: CameraFigures) -> Check:
    low, middle = figures.levels_px
    value = say("{middle} px a level, {low} px on the worst fields", middle=decimal(middle), low=decimal(low))
    grade = from_limits(low, LEVEL_PX)
    # From steeply above one camera sees what towers hide from the others: that is its merit, not a fault.
    grade = Grade.WARNING if grade is Grade.BAD else grade
    if figures.outside:
        value = say_n(
            "{heights}; {n} field lies outside the picture", "{heights}; {n} fields lie outside the picture",
            figures.outside, heights=value,
        )  # fmt: skip
        grade = Grade.WARNING
    return checked(
        say("Height resolution"), value, grade,
        say("Heights are hard to tell from here: look more from the side (55 to 65° above the table), or nearer."),
    )  # fmt: skip


def cameras_check(parts: Sequence[CameraPart], seeing: int) -> Check:
    """Check what all cameras together are worth. seeing: how many can be used."""
    what = say("Cameras")
    if not seeing:
        advice = say("No camera sees the frame. See what is said of each camera.")
        return Check(what, say("none can be used"), Grade.BAD, advice)
    good = sum(part.grade is Grade.GOOD for part in parts)
    value = say("{n} of {all} pictures without fault", n=good, all=len(parts))
    # Some camera is sound: the others' faults are warnings. None is: then the best one decides.
    best = min((part.grade for part in parts), key=tuple(Grade).index)
    grade = best if best is not Grade.GOOD else worst([part.grade for part in parts])
    if grade is Grade.BAD and best is not Grade.BAD:
        grade = Grade.WARNING
    return checked(what, value, grade, say("See what is said of each camera."))


def _colours_check(cameras: Sequence[CameraFigures]) -> Check:
    what = say("Pieces told apart by the best camera")
    gaps = [each.colour_gap for each in cameras if each.colour_gap is not None]
    if not gaps:
        return Check(what, say("fewer than two colours seen"), Grade.WARNING, _PLACE_PIECES)
    value = say("colours lie at least {gap} apart", gap=decimal(max(gaps), 0))
    return checked(what, value, from_limits(max(gaps), COLOUR_GAP), _MEND_COLOURS)


def _levels_check(sight: SightFigures) -> Check:
    levels = sorted(value for row in sight.best_px for value in row)
    low = sum(value < LEVEL_PX[1] for value in levels) / len(levels)
    grade = worst([_upto(low, LOW_FIELDS), Grade.GOOD if levels[0] >= LEVEL_PX[0] else Grade.WARNING])
    return checked(
        say("Heights, by the best camera for each field"),
        say("at least {low} px a level", low=decimal(levels[0])),
        grade,
        say("Move a camera to the side or nearer: see the map of pixels a level."),
    )


def _hidden_check(sight: SightFigures) -> Check:
    count = sight.fields_hidden
    return checked(
        say("Hidden behind towers in play"),
        say("about {count} fields", count=decimal(count, 0 if count >= 10 else 1)),
        _upto(count, HIDDEN_FIELDS),
        say("The referee will ask for a look at such fields now and then. One more camera helps most, see below."),
    )


def setup_check(setup: SetupFigures) -> Check:
    """Check that the set-up is read as the rules say."""
    what = say("Set-up as read")
    if setup.problem is not None:
        return Check(what, setup.problem, Grade.BAD, say("Put that right, then check again."))
    doubtful, wrong = len(setup.doubtful), len(setup.differences)
    grade = _upto(doubtful / setup.fields, DOUBTFUL_SHARE)
    if setup.differences:
        grade = worst([grade, Grade.BAD if wrong > DIFFERING_SHARE * setup.fields else Grade.WARNING])
    if not setup.clear:
        grade = worst([grade, Grade.WARNING])
    if setup.differences:
        value = say_n("differs from the rules in {n} place", "differs from the rules in {n} places", wrong)
        advice = say(
            "Put the set-up right. If it stands right already, mend light and cameras: the eyes are mistaken."
        )
    elif doubtful:
        value = say_n(
            "as the rules say; {n} field not read for sure",
            "as the rules say; {n} fields not read for sure",
            doubtful,
        )
        advice = say("Set everything on the board straight, and see to the light.")
    else:
        value, advice = say("just as the rules say"), say("Take hands and things off the board and its frame.")
    return checked(what, value, grade, advice)


def _maps(sight: SightFigures) -> tuple[HeatMap, ...]:
    return (
        HeatMap(
            say("Pixels a level"),
            say(
                "How far a stack’s top moves in the best camera’s picture when it grows by one level. "
                "More is better."
            ),
            sight.best_px, good=3 * LEVEL_PX[0], bad=LEVEL_PX[1],
        ),
        HeatMap(
            say("Hidden in play, per cent"),
            say("How often towers hide a field from all cameras, over positions such as play makes. Less is better."),
            tuple(tuple(100 * value for value in row) for row in sight.hidden), good=0, bad=50,
        ),
    )  # fmt: skip


def _spot(sight: SightFigures, cameras: int) -> Spot | None:
    if sight.extra_at_mm is None:
        return None
    x, y, z = sight.extra_at_mm
    before, after = sight.fields_hidden, sight.extra_hidden
    worthwhile = before - after >= WORTHWHILE_FIELDS
    few = cameras < RECOMMENDED_CAMERAS
    if not worthwhile and not few:
        return Spot(sight.extra_at_mm, before, after, False, say("One more camera would help little."))
    place = say(
        "{side}, {distance} cm from the board’s middle and {height} cm above the table, looking at the middle",
        side=side_words(x, y), distance=round(math.hypot(x, y) / 10), height=round(z / 10),
    )  # fmt: skip
    counts = {"after": decimal(after, 1 if after < 10 else 0), "before": decimal(before, 1 if before < 10 else 0)}
    if few and not worthwhile:
        words = say(
            "Three cameras from three sides are recommended: what one can’t see behind a tower another mostly can, "
            "and where two see the same the referee need not ask. The next stands best {place}.",
            place=place,
        )  # fmt: skip
    elif few:
        words = say(
            "Three cameras from three sides are recommended: what one can’t see behind a tower another mostly can, "
            "and where two see the same the referee need not ask. The next helps most {place}: about {after} "
            "instead of {before} fields are then hidden in play.",
            place=place, **counts,
        )  # fmt: skip
    elif _upto(before, HIDDEN_FIELDS) is Grade.GOOD:
        words = say(
            "One more camera is not needed. It would help most {place}: about {after} instead of {before} fields "
            "would then be hidden in play.",
            place=place, **counts,
        )  # fmt: skip
    else:
        words = say(
            "One more camera helps most {place}: about {after} instead of {before} fields are then hidden in play.",
            place=place, **counts,
        )  # fmt: skip
    return Spot(sight.extra_at_mm, before, after, True, words)


_SIDES = (
    say("on the right"), say("at the upper right corner"), say("at the far side"), say("at the upper left corner"),
    say("on the left"), say("at the lower left corner"), say("at the near side"), say("at the lower right corner"),
)  # fmt: skip


def side_words(x: float, y: float) -> Words:
    """Return the side of the board a direction lies on, row 1 being near."""
    return _SIDES[round(math.degrees(math.atan2(y, x)) / 45) % 8]
