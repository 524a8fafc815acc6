"""Requests and answers, one JSON object a line: read from files or standard input, answered in order.

Lines are read as bytes and judged one by one, so a line that is no text or no JSON spoils only its own answer.
Each answer is written and flushed before the next line is read, so another program can hold a conversation.
"""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

from referee.ruling import RequestError

Handler = Callable[[dict[str, object], Path], Mapping[str, object]]
"""Answers one request, given the folder its relative paths start from. The answer's id is filled in."""

MAX_LINE = 4 * 1024 * 1024
"""Bytes in the longest line that is read; longer ones are answered as an error."""

FAULTY = 2
"""Exit status of a run with a line in error."""


def run_lines(
    files: Sequence[Path],
    handle: Handler,
    status: Callable[[Mapping[str, object]], int] = lambda _answer: 0,
    out: TextIO | None = None,
) -> int:
    """Answer every line of the files, or of standard input without any, and return the worst exit status.

    A RequestError raised by ``handle`` becomes that line's error and counts as 2; ``status`` grades the other
    answers. Paths in a request are relative to the file that names them, for standard input to the working folder.
    """
    sink = out if out is not None else sys.stdout
    worst = 0
    for base, line in _lines(files):
        answer, grade = _answer(line, base, handle, status)
        sink.write(answer + "\n")
        sink.flush()
        worst = max(worst, grade)
    return worst


def _lines(files: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    if not files:
        yield from ((Path(), line) for line in _split(sys.stdin.buffer))
    for path in files:
        with path.open("rb") as stream:
            yield from ((path.parent, line) for line in _split(stream))


def _split(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE + 1):
        piece = line
        while not piece.endswith(b"\n") and len(piece) > MAX_LINE:
            piece = stream.readline(MAX_LINE + 1)
        yield line


def _answer(
    line: bytes, base: Path, handle: Handler, status: Callable[[Mapping[str, object]], int]
) -> tuple[str, int]:
    ident: object = None
    try:
        request = parse_object(line)
        ident = request.get("id")
        answer = dict(handle(request, base))
        return _dump({"id": ident} | answer), status(answer)
    except RequestError as error:
        return _refusal(ident, error.code, str(error)), FAULTY
    except RecursionError:
        return _refusal(
            ident, "json", "the request is nested too deeply: send the plain values formats.md names"
        ), FAULTY
    except Exception:
        traceback.print_exc()
        return _refusal(ident, "internal", "the referee failed on this line: please report the request"), FAULTY


def parse_object(line: bytes) -> dict[str, object]:
    """Parse one line that must be a JSON object. Raises RequestError with code ``json`` when it is none."""
    if len(line) > MAX_LINE:
        raise RequestError("json", f"the line is longer than {MAX_LINE} bytes: send one request a line")
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise RequestError("json", f"the line is not UTF-8 text (byte {error.start + 1}): send UTF-8") from error
    except RecursionError as error:
        raise RequestError("json", "the line is nested too deeply: send the plain values formats.md names") from error
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


def _refusal(ident: object, code: str, message: str) -> str:
    error = {"code": code, "message": message}
    try:
        return _dump({"id": ident, "error": error})
    except (RecursionError, ValueError):
        return _dump({"id": None, "error": error})


def _dump(answer: Mapping[str, object]) -> str:
    return json.dumps(answer, allow_nan=False)
