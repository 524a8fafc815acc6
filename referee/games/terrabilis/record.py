"""Read and write a record's headers, and rule on recorded turns.

The headers ``edition``, ``players`` and ``copy`` make the start of a game: ``players "red blue"``, clockwise, and the
name of the copy. ``data`` is the copy's data as JSON in one line; without it the copy is the invented one that comes
along. ``first`` and ``to_move`` are the first player of ``players`` unless they are given; ``options
"cannot_pay=out"``, ``target``, ``turn`` and ``lap`` where they differ from the start. ``state`` holds the rest of a
position that is no start, as JSON in one line. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.terrabilis.copy.files import EXAMPLE, example
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.declared.seen import NOTHING_SEEN
from referee.games.terrabilis.judgement import ACTS, case_of, ruling
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.position.reading import parse_whole_position
from referee.games.terrabilis.ruleset import GAME_NAME
from referee.games.terrabilis.text.notation import SEPARATOR, turn_text
from referee.games.terrabilis.verdict import judge
from referee.values.declaring import Declared

REQUIRED = ("edition", "players", "copy")
_NUMBERS = ("target", "turn", "lap")
_STATE = ("zone", "lost", "ledger", "discard", "finished", "winners")


class TerrabilisRecords:
    """The records of this game."""

    def start(self, record: Record) -> TerrabilisPosition:
        """Return the position before the first turn. Raises RecordError, saying which header to correct."""
        headers = record.headers
        for key in REQUIRED:
            if key not in headers:
                raise RecordError(f"header {key} is missing: give it")
        players = headers["players"].split()
        first = headers.get("first", players[0] if players else "")
        data: dict[str, object] = {
            "game": headers.get("game", GAME_NAME),
            "edition": headers["edition"],
            "players": players,
            "first": first,
            "to_move": headers.get("to_move", first),
            "options": _options(headers.get("options", "")),
            "copy": _copy(headers),
            **{key: _number(key, headers[key]) for key in _NUMBERS if key in headers},
            **_json_header(headers, "state"),
        }
        try:
            return parse_whole_position(data)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: TerrabilisPosition) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again, those of a plain start left out."""
        data = position.to_json()
        found = {
            "game": GAME_NAME,
            "edition": position.edition,
            "players": " ".join(player.word for player in position.players),
            "first": position.first.word,
            "to_move": position.to_move.word,
            "copy": position.copy,
        }
        if position.options:
            found["options"] = " ".join(f"{name}={value}" for name, value in position.options.items())
        found |= {key: str(data[key]) for key in _NUMBERS}
        found["state"] = _one_line({key: data[key] for key in _STATE})
        if position.data != example():
            found["data"] = _one_line(copy_json(position.data))
        return found

    def declared(self, entry: RecordEntry) -> Declared:
        """Return all acts of a recorded turn."""
        return {ACTS: entry.acts}

    def play(self, position: TerrabilisPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn. Raises RecordError when the acts can't be read."""
        player = next((player for player in position.players if player.word == entry.player), None)
        if player is None:
            words = ", ".join(player.word for player in position.players)
            raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play: use {words}", entry.line)
        try:
            declared: Declared = self.declared(entry)
            if player != position.to_move:
                own = case_of(position, NOTHING_SEEN, declared)
                acts = turn_text(replace(act, by=act.by or player) for act in own.acts)
                declared = {ACTS: SEPARATOR.join([*(one.text for one in own.entered), acts])}
            case = case_of(position, NOTHING_SEEN, declared)
            return ruling(case, judge(case), insisted=True)  # values of the copy stand as the record tells them
        except RequestError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def _copy(headers: Mapping[str, str]) -> object:
    if "data" in headers:
        found = _json_header(headers, "data")
        return {**found, "copy": headers["copy"]}
    if headers["copy"] != EXAMPLE.stem:
        raise RecordError(f"header data is missing: give the data of the copy {headers['copy'][:40]!r} as JSON")
    return copy_json(example())


def _json_header(headers: Mapping[str, str], key: str) -> dict[str, object]:
    try:
        found = json.loads(headers.get(key, "{}"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RecordError(f"header {key}: write JSON in one line, {{...}}")
    return found


def _one_line(data: Mapping[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _options(text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in text.split()]
    if not all(mark for _, mark, _ in pairs):
        raise RecordError(f"header options: {text[:40]!r} can't be read: write such as cannot_pay=out")
    return {name: value for name, _, value in pairs}


def _number(key: str, text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise RecordError(f"header {key}: {text[:40]!r} can't be read: write a whole number")
    return int(text)


RECORDS = TerrabilisRecords()
