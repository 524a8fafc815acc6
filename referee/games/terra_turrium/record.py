"""Read and write a record's headers, and rule on recorded turns act by act.

The starting position is made from the headers ``edition``, ``seats`` and ``board``, and where they differ from the
start of a plain game ``variants``, ``options``, ``first`` (else who plays the first turn), ``to_move``, ``turn`` and
the other keys of a position. Lists are words, objects are ``key=value`` words: ``seats "nw=red ne=yellow se=green
sw=none"``, ``options "exterior=line"``, ``teams "red+yellow green+blue"``, ``reserve "red=2"``, ``holding
"red=D4+D5"``, ``captures_open "yes"``. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games import headers
from referee.games.contract import Ruling
from referee.games.record import UNSEEN, Record, RecordEntry, RecordError
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.parsing import parse_position
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.search.acts import rule_on_acts
from referee.games.terra_turrium.text.notation import NotationError, parse_turn
from referee.values.declaring import NOTHING_DECLARED, Declared

REQUIRED = ("game", "edition", "seats", "board")


class TerraRecords:
    """The records of this game."""

    def start(self, record: Record) -> TerraPosition:
        """Return the position before the first turn. Raises RecordError, saying which header to correct."""
        return headers.position_of(headers.values_of(record, _FORMS, REQUIRED), parse_position)

    def headers(self, position: TerraPosition) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again, those of a plain start left out."""
        data = headers.shortest(position, parse_position, (*REQUIRED, "first"))
        return {key: headers.written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Declared:
        """Return nothing: nothing is declared in this game."""
        return NOTHING_DECLARED

    def play(self, position: TerraPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""
        try:
            acts = parse_turn(entry.acts)
        except NotationError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error
        player = headers.player_of(entry, position.players)
        if not acts and player == position.to_move and entry.ruling == UNSEEN:
            ruling = GAME.check(position, position.board)
            return replace(ruling, acts=()) if ruling.legal else ruling
        return rule_on_acts(position, player, acts)


def _seats(text: str) -> dict[str, str | None]:
    return {place: None if word == headers.NONE else word for place, word in headers.pairs(text).items()}


def _teams(text: str) -> list[list[str]]:
    return [word.split("+") for word in headers.words(text)]


_COUNTS = headers.HeaderForm(headers.counts, "write red=1 yellow=0")
_FORMS: Mapping[str, headers.HeaderForm] = {
    "game": headers.WORD,
    "edition": headers.WORD,
    "variants": headers.WORDS,
    "options": headers.HeaderForm(headers.pairs, "write key=value words, such as exterior=line"),
    "seats": headers.HeaderForm(_seats, "write nw=red ne=yellow se=green sw=none"),
    "first": headers.WORD,
    "to_move": headers.WORD,
    "turn": headers.NUMBER,
    "board": headers.WORD,
    "in_hand": _COUNTS,
    "attacks": _COUNTS,
    "teams": headers.HeaderForm(_teams),
    "reserve": _COUNTS,
    "captures_open": headers.TRUTH,
    "captures_left": _COUNTS,
    "holding": headers.HeaderForm(headers.lists, "write red=D4+D5"),
    "winners": headers.WORDS,
    "final_round": headers.TRUTH,
    "finished": headers.TRUTH,
}

RECORDS = TerraRecords()
