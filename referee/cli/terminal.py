"""Clean all that commands print: no name of a file, picture or player steers the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import IO, Any, cast

from referee.values.signs import on_screen


class _Screen:
    """A stream to people, or to programs that read JSON. stream: it takes what is to steer the terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text with what would steer a terminal written out."""
        return self.stream.write(on_screen(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def shown_safely() -> Iterator[None]:
    """Print nothing that steers the terminal, to standard output or error."""
    out, err = (cast("IO[str]", _Screen(stream)) for stream in (sys.stdout, sys.stderr))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def steered(stream: IO[str]) -> IO[str]:
    """Return the stream to which our own colours and cursor moves are written."""
    return getattr(stream, "stream", stream)
