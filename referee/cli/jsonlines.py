"""Requests and answers, one JSON object a line: read from files or standard input, answered in order.

Lines are read as bytes and judged one by one, so a line that is no text or no JSON spoils only its own answer.
Each answer is written and flushed before the next line is read, so another program can hold a conversation.
An error's message names its file and line where the request has no id to name it by.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

import click

from referee.cli.failures import failure
from referee.games.contract import RequestError
from referee.values.gameerror import GameError

Handler = Callable[[dict[str, object], Path], Mapping[str, object]]
"""Answers one request, given the folder its relative paths start from. The answer's id is filled in."""

MAX_LINE = 4 * 1024 * 1024
"""Bytes in the longest line that is read; longer ones are answered as an error."""

FAULTY = 2
"""Exit status of a run with a line in error."""


FILES = click.argument(
    "files", nargs=-1, metavar="[FILE ...]", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
"""The argument of every command that answers lines."""

DATA = click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the journals; without it the one in the settings.",
)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line: where it stands, in words, and the folder its relative paths start from."""

    text: bytes
    where: str
    base: Path


def run_lines(
    files: Sequence[Path],
    handle: Handler,
    status: Callable[[Mapping[str, object]], int] = lambda _answer: 0,
    out: TextIO | None = None,
    language: str = "en",
) -> int:
    """Answer every line of the files, or of standard input without any, and return the worst exit status.

    A RequestError raised by ``handle`` becomes that line's error, in ``language``, and counts as 2; ``status`` grades
    the other answers. Paths in a request are relative to the file that names them, for standard input to the working
    folder. A file that breaks off is told on standard error and counts as 2 as well.
    """
    sink = out if out is not None else sys.stdout
    worst = 0
    for path in files or (None,):
        try:
            for line in _lines(path):
                answer, grade = _answer(line, handle, status, language)
                sink.write(answer + "\n")
                sink.flush()
                worst = max(worst, grade)
        except _ReadError as error:
            click.echo(f"referee: {error}", err=True)
            worst = FAULTY
    return worst


class _ReadError(Exception):
    """A file whose lines can't be read to the end."""


def _lines(path: Path | None) -> Iterator[_Line]:
    """Yield the lines of a file, or of standard input for no path. Raises _ReadError."""
    name, base = ("standard input", Path()) if path is None else (str(path), path.parent)
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if path is None else path.open("rb") as stream:
            for number in itertools.count(1):
                text = _next_line(stream)
                if not text:
                    return
                yield _Line(text, f"{name}, line {number}", base)
    except OSError as error:
        raise _ReadError(f"{name} can't be read: {error.strerror}") from error


def _next_line(stream: BinaryIO) -> bytes:
    """Return the next line, or more than MAX_LINE bytes of it when it is longer; empty at the end."""
    line = piece = stream.readline(MAX_LINE + 1)
    while len(piece) > MAX_LINE and not piece.endswith(b"\n"):
        piece = stream.readline(MAX_LINE + 1)
    return line


def _answer(
    line: _Line, handle: Handler, status: Callable[[Mapping[str, object]], int], language: str
) -> tuple[str, int]:
    ident: object = None
    try:
        request = parse_object(line.text)
        ident = request.get("id")
        answer = dict(handle(request, line.base))
        return _dump({"id": ident} | answer), status(answer)
    except RequestError as error:
        code, message = error.code, error.words.text(language)
    except GameError as error:
        code, message = "game", error.words.text(language)
    except RecursionError:
        code, message = "json", "the request is nested too deeply: send the plain values formats.md names"
    except Exception as error:
        code, message = "internal", failure(error)
    return _refusal(ident, code, message if ident is not None else f"{line.where}: {message}"), FAULTY


def check_keys(request: Mapping[str, object], keys: Sequence[str]) -> None:
    """Raise RequestError for a key that no request has."""
    for key in request:
        if key not in keys:
            raise RequestError("request", f"unknown key {key[:40]!r}: a request has {', '.join(keys)}")


def parse_object(line: bytes) -> dict[str, object]:
    """Parse one line that must be a JSON object. Raises RequestError with code ``json`` when it is none."""
    if len(line) > MAX_LINE:
        raise RequestError("json", f"the line is longer than {MAX_LINE} bytes: send one request a line")
    if not line.strip():
        raise RequestError("json", "the line is empty: send one {...} a line")
    try:
        value = json.loads(
            line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_distinct
        )
    except UnicodeDecodeError as error:
        raise RequestError("json", f"the line is not UTF-8 text (byte {error.start + 1}): send UTF-8") from error
    except RecursionError as error:
        raise RequestError("json", "the line is nested too deeply: send the plain values formats.md names") from error
    except json.JSONDecodeError as error:
        place = f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
        raise RequestError("json", f"the line is not JSON: {place}: send one {{...}} a line") from error
    except ValueError as error:
        raise RequestError("json", f"the line is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise RequestError("json", "the line is JSON but no object: send one {...} a line")
    return value


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is out of range")
    return number


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f"the key {key[:40]!r} stands twice in one object")
        data[key] = value
    return data


def _refusal(ident: object, code: str, message: str) -> str:
    error = {"code": code, "message": message}
    try:
        return _dump({"id": ident, "error": error})
    except (RecursionError, ValueError):
        return _dump({"id": None, "error": error})


def _dump(answer: Mapping[str, object]) -> str:
    return json.dumps(answer, allow_nan=False)
