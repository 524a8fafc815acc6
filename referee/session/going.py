"""Tells somebody with a camera in a hand where to go from where the table was shown last."""

from __future__ import annotations

from referee.values.words import Words, say

_SAME_SIDE_DEG, _FEW_STEPS_DEG, _OPPOSITE_DEG = 20.0, 50.0, 150.0
"""Turns around the table up to which one stays, takes a few steps, and is not yet on the other side."""
_HIGHER_DEG = 12.0
"""Differences in height that are worth a word."""


def go_to(side_deg: tuple[float, float], last_deg: tuple[float, float]) -> Words:
    """Tell the way from one side to another, each given by azimuth and elevation in degrees."""
    turn = (side_deg[0] - last_deg[0] + 180.0) % 360.0 - 180.0
    up = side_deg[1] - last_deg[1]
    if abs(turn) <= _SAME_SIDE_DEG:
        return say("Hold the phone higher") if up > 0 else say("Hold the phone lower")
    go = _round(turn)
    if up > _HIGHER_DEG:
        return say("{go} and hold the phone higher", go=go)
    return say("{go} and hold the phone lower", go=go) if up < -_HIGHER_DEG else go


def _round(turn_deg: float) -> Words:
    """Tell to go around the board, to the right where the turn is positive."""
    if abs(turn_deg) >= _OPPOSITE_DEG:
        return say("Go to the opposite side")
    if abs(turn_deg) <= _FEW_STEPS_DEG:
        return say("Come a little to the right") if turn_deg > 0 else say("Come a little to the left")
    return say("Come round to the right") if turn_deg > 0 else say("Come round to the left")
