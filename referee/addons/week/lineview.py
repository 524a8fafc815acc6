"""Show how each camera did over some hours: lines of a few points each, with words. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.values.camerahealth import Befell, CameraEvent, CameraSample
from referee.values.words import Words, decimal, say, verbatim

EVERY_S = 60.0
"""Each camera's picture is measured so often."""
POINTS = 96
"""A line has so many points at most: of a day, one a quarter of an hour."""
MOST_EVENTS = 30
"""So many of a camera's newest events are shown."""
_TONES = {Befell.BACK: "good", Befell.LIGHT: "warning", Befell.MOVED: "warning"}


@dataclass(frozen=True, slots=True)
class _Line:
    """One line. take: its value in a sample. gather: of a point's samples the one that tells most.

    told: the value in words.
    """

    id: str
    name: Words
    take: Callable[[CameraSample], float | None]
    gather: Callable[[Sequence[float]], float]
    digits: int
    told: Callable[[Words | str], Words]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _seconds(value: Words | str) -> Words:
    return say("{value} s", value=value)


def _pixels(value: Words | str) -> Words:
    return say("{value} px", value=value)


def _share(value: Words | str) -> Words:
    return say("{value} %", value=value)


def _plain(value: Words | str) -> Words:
    return value if isinstance(value, Words) else verbatim(value)


_LINES = (
    _Line("age", say("Age of the newest picture"), lambda one: one.age_s, max, 1, _seconds),
    _Line("losses", say("Losses"), lambda one: float(one.losses), math.fsum, 0, _plain),
    _Line("sharpness", say("Width of edges"), lambda one: one.edge_px, max, 1, _pixels),
    _Line("markers", say("Markers of the frame"), lambda one: one.markers, min, 0, _plain),
    _Line("reprojection", say("Reprojection error"), lambda one: one.reprojection_px, max, 2, _pixels),
    _Line("light", say("Brightness of the table, of 255"), lambda one: one.mean, _mean, 0, _plain),
    _Line("burnt", say("Share burnt out"), lambda one: _percent(one.burnt), max, 1, _share),
    _Line("black", say("Share black"), lambda one: _percent(one.black), max, 1, _share),
)


def line_view(
    cameras: Sequence[str],
    samples: Sequence[tuple[float, str, CameraSample]],
    events: Sequence[CameraEvent],
    since_s: float,
    now_s: float,
    language: str,
) -> dict[str, object]:
    """Return the lines of each camera as JSON-able values.

    since_s, now_s: Unix time; samples from before or after are left out.
    """
    # A point takes in two samples at least: with less than one a line would be dashed.
    count = max(1, min(POINTS, int((now_s - since_s) / (2 * EVERY_S))))
    span_s = (now_s - since_s) / count
    shown = []
    for camera in cameras:
        points: list[list[CameraSample]] = [[] for _ in range(count)]
        own = [(at_s, sample) for at_s, name, sample in samples if name == camera and since_s <= at_s <= now_s]
        for at_s, sample in own:
            points[min(count - 1, int((at_s - since_s) / span_s))].append(sample)
        newest = own[-1][1] if own else None
        happened = [one for one in events if one.camera == camera][-MOST_EVENTS:]
        shown.append(
            {
                "name": camera,
                "lines": [_line(line, points, newest, language) for line in _LINES] if own else [],
                "events": [
                    {
                        "at_ms": round(1000 * one.at_s),
                        "what": one.what.value,
                        "tone": _TONES.get(one.what, "bad"),
                        "words": one.words.text(language),
                    }
                    for one in reversed(happened)
                ],
            }
        )
    return {"since_ms": round(1000 * since_s), "until_ms": round(1000 * now_s), "cameras": shown}


def _line(
    line: _Line, points: Sequence[Sequence[CameraSample]], newest: CameraSample | None, language: str
) -> dict[str, object]:
    values: list[float | None] = []
    for point in points:
        found = [value for sample in point if (value := line.take(sample)) is not None]
        values.append(round(line.gather(found), 3) if found else None)
    known = [value for value in values if value is not None]
    now = None if newest is None else line.take(newest)

    def told(value: float | None) -> Words:
        return say("unknown") if value is None else line.told(decimal(value, line.digits))

    reach = known if now is None else [*known, now]  # a point tells its largest sample: the newest may be smaller
    if not known:
        words = say("not measured")
    else:
        words = say("now {now}, {low} to {high}", now=told(now), low=told(min(reach)), high=told(max(reach)))
    return {"id": line.id, "name": line.name.text(language), "words": words.text(language), "values": values}
