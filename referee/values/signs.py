"""Makes text from others fit to be shown: it writes out signs that steer a terminal, or turn its words round."""

from __future__ import annotations

import re

_STEERING = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_ON_SCREEN = re.compile(f"[{_STEERING}]")
_IN_LINE = re.compile(f"[{_STEERING}\t\n]")


def on_screen(text: str) -> str:
    r"""Return text of any number of lines with such signs written out (``\u001b``), which means the same in JSON."""
    return _ON_SCREEN.sub(_written_out, text)


def in_line(text: str) -> str:
    """Return text that stands in a line, such as the name of a file, with such signs written out."""
    return _IN_LINE.sub(_written_out, text)


def is_text(name: str) -> bool:
    """Return whether a name that the system gave is text: names of files may be any bytes."""
    return name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)


def _written_out(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"
