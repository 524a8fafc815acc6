r"""Read and write the frame of every record: headers, an empty line, numbered turns, comments and rulings in braces.

    [game "some-game"]
    [date "2026-03-14"]

    {A windy evening.}
    1. red -C1 -J10 -J10 +D4 +D5 +D5 B2-B3xB4 {Bold!}
    2. yellow -A1 -A1 -A1 +D4 +D4 +D4 {illegal: take.count A1}

- A header's value stands in double quotes; ``\"`` and ``\\`` stand for a quote and a backslash in it.
- A turn is its number, who plays, and the acts as the game writes them, which this module does not read. It may run
  over several lines.
- Text in braces belongs to the turn before it, ahead of the first turn to the record. The first braces after a turn
  are the referee's ruling when they begin with ``legal``, ``illegal`` or ``unsure``, alone or before a colon.
- Turns are numbered from the starting position's number. A turn ruled illegal was taken back when the next one has
  its number again.

Keys of headers are kept in lower case, and only the first of a key may stand. What the headers mean is the game's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.games.contract import Position, Ruling
from referee.values.declaring import Declared

MOST_CHARACTERS = 4_000_000
"""The longest record that is read."""

UNSEEN = "legal: nothing changed on the board"
"""The ruling of a turn of which nothing was seen: what was taken came back, or nothing was done."""

OPEN = "open: "
"""Begins the braces that name fields of which it is not known how a turn left them."""

_HEADER = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\["\\])*)"\s*\]')
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+|[{}]")
_NUMBER = re.compile(r"([0-9]{1,9})\.")
_RULING = re.compile(r"(?:legal|illegal|unsure)(?::.*)?", re.DOTALL)


class RecordError(ValueError):
    """Text or values that are no record; ``line`` is the line to look at, 0 when there is none."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """One turn of a record. player: a word; acts: the acts as the game writes them; line: where it was read."""

    number: int
    player: str
    acts: str = ""
    ruling: str = ""
    comments: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        for text in (self.player, *self.acts.split(" ")):
            if text and (_TOKEN.fullmatch(text) is None or text[0] in "{}" or _NUMBER.fullmatch(text)):
                raise RecordError(f"turn {self.number}: {text[:40]!r} can't stand in a turn: write words", self.line)
        if not self.player or self.acts != " ".join(self.acts.split()):
            raise RecordError(f"turn {self.number}: write who plays, then acts with one space between", self.line)
        if self.ruling and not _RULING.fullmatch(self.ruling):
            raise RecordError(f"turn {self.number}: a ruling begins with legal, illegal or unsure", self.line)
        if self.comments and not self.ruling and _RULING.fullmatch(self.comments[0]):
            raise RecordError(f"turn {self.number}: this comment reads as a ruling: give it as one", self.line)
        for text in (self.ruling, *self.comments):
            _check_braced(text, self.line)

    @property
    def open(self) -> frozenset[str]:
        """Return the fields of which the record says that it is not known how the turn left them."""
        told = [comment.removeprefix(OPEN) for comment in self.comments if comment.startswith(OPEN)]
        return frozenset(name for words in told for name in words.split())

    @property
    def ruled_illegal(self) -> bool:
        """Return whether the record says that the turn was illegal."""
        return self.ruling.startswith("illegal")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is kept: headers by key in the order given, comments ahead of the first turn, the turns."""

    headers: Mapping[str, str]
    turns: tuple[RecordEntry, ...]
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key, value in self.headers.items():
            if not _KEY.fullmatch(key):
                raise RecordError(f"{key[:40]!r} is no key of a header: use lower-case letters, digits and _")
            if len(value.splitlines()) > 1 or value.endswith(("\n", "\r")):
                raise RecordError(f"header {key}: the value must be one line")
        for text in self.comments:
            _check_braced(text)

    @property
    def text(self) -> str:
        """Return the record as a file."""
        lines = [f'[{key} "{_escaped(value)}"]' for key, value in self.headers.items()]
        lines += ["", *(f"{{{text}}}" for text in self.comments)]
        lines += [_entry_text(entry) for entry in self.turns]
        return "\n".join(lines) + "\n"


class RecordRules(Protocol):
    """What a game says of its records."""

    def start(self, record: Record) -> Position:
        """Return the position before the first turn. Raises RecordError, saying which header to correct."""

    def headers(self, position: Any) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again."""

    def declared(self, entry: RecordEntry) -> Declared:
        """Return what a recorded turn says was declared of it."""

    def play(self, position: Any, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""


def entry_of(position: Position, ruling: Ruling, comments: tuple[str, ...] = ()) -> RecordEntry:
    """Return a turn as the record keeps it, with the ruling where the turn was not legal."""
    acts = " ".join(act.text for act in ruling.acts)
    words = "; ".join(" ".join((v.rule, *(field.name for field in v.fields))) for v in ruling.violations)
    unseen = ruling.next is not None and not acts and ruling.next.observed.text == position.observed.text
    told = f"illegal: {words}" if not ruling.legal else UNSEEN if unseen else ""
    return RecordEntry(position.turn, position.to_move.word, acts, told, comments)


def parse_record(text: str) -> Record:
    """Parse a record. Raises RecordError, naming the line and what to do."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"the record is longer than {MOST_CHARACTERS} characters: give one game a file")
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    headers: dict[str, str] = {}
    number = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            if not line.lstrip().startswith("["):
                break
            key, value = _header(line.strip(), number)
            if key in headers:
                raise RecordError(f"header {key} stands twice: keep one", number)
            headers[key] = value
    else:
        number = len(lines) + 1
    return _Body(headers, "\n".join(lines[number - 1 :]), number).record()


def _header(line: str, number: int) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise RecordError(f'{line[:40]!r} is no header: write [key "value"]', number)
    return match[1].lower(), re.sub(r"\\(.)", r"\1", match[2])


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", value)


def _check_braced(text: str, line: int = 0) -> None:
    if "{" in text or "}" in text or "\r" in text or text != text.strip():
        raise RecordError(f"{text[:40]!r} can't stand in braces: leave out braces and outer spaces", line)


def _entry_text(entry: RecordEntry) -> str:
    braces = [f"{{{text}}}" for text in (entry.ruling, *entry.comments) if text]
    return " ".join(word for word in (f"{entry.number}.", entry.player, entry.acts, *braces) if word)


class _Body:
    """Reads everything after the headers, word by word."""

    def __init__(self, headers: Mapping[str, str], text: str, first_line: int) -> None:
        self._headers = headers
        self._text = text
        self._line = first_line
        self._comments: list[str] = []
        self._turns: list[tuple[int, int, list[str], list[str]]] = []

    def record(self) -> Record:
        """Return the record read."""
        end = 0
        for match in _TOKEN.finditer(self._text):
            self._line += self._text.count("\n", end, match.start())
            end = match.start()
            self._take(match[0])
        return Record(dict(self._headers), tuple(_entry(*turn) for turn in self._turns), tuple(self._comments))

    def _take(self, word: str) -> None:
        if word[0] == "{" and len(word) > 1:
            braced = self._turns[-1][3] if self._turns else self._comments
            if word[1:-1].strip():
                braced.append(word[1:-1].strip())
        elif word in "{}":
            what = "is never closed or holds another: write }" if word == "{" else "closes nothing: leave it out"
            raise RecordError(f"the brace {word} {what}", self._line)
        elif number := _NUMBER.fullmatch(word):
            self._turns.append((int(number[1]), self._line, [], []))
        elif not self._turns:
            what = 'headers stand ahead of the turns, each [key "value"]' if word[0] == "[" else "begin turns with 1."
            raise RecordError(f"{word[:40]!r} stands before the first turn: {what}", self._line)
        else:
            self._turns[-1][2].append(word)


def _entry(number: int, line: int, words: list[str], braced: list[str]) -> RecordEntry:
    if not words:
        raise RecordError(f"turn {number} names no player: write {number}. and who plays", line)
    ruling = braced.pop(0) if braced and _RULING.fullmatch(braced[0]) else ""
    return RecordEntry(number, words[0], " ".join(words[1:]), ruling, tuple(braced), line)
