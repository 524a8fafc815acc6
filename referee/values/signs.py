"""Text that others made, fit to be shown: signs that steer a terminal, or turn its words round, are written out."""

from __future__ import annotations

import re

_STEERING = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_ON_SCREEN = re.compile(f"[{_STEERING}]")
_IN_LINE = re.compile(f"[{_STEERING}\t\n]")


def on_screen(text: str) -> str:
    """Text of any lines; what is written out (``\\u001b``) means the same in JSON."""
    return _ON_SCREEN.sub(_written_out, text)


def in_line(text: str) -> str:
    """Text that stands in a line, such as the name of a file."""
    return _IN_LINE.sub(_written_out, text)


def is_text(name: str) -> bool:
    """Whether a name that the system gave is text: names of files may be any bytes."""
    return name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)


def _written_out(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"
