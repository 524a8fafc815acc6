"""What a record's headers mean here, and recorded turns ruled on act by act.

The starting position is made from the headers ``edition``, ``seats`` and ``board``, and where they differ from the
start of a plain game ``variants``, ``options``, ``first`` (else who plays the first turn), ``to_move``, ``turn`` and
the other keys of a position. Lists are words, objects are ``key=value`` words: ``seats "nw=red ne=yellow se=green
sw=none"``, ``options "exterior=line"``, ``teams "red+yellow green+blue"``, ``reserve "red=2"``, ``holding
"red=D4+D5"``, ``captures_open "yes"``. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import Ruling
from referee.games.headers import (
    NONE,
    NUMBER,
    TRUTH,
    WORD,
    WORDS,
    HeaderForm,
    counts,
    lists,
    pairs,
    player_of,
    position_of,
    shortest,
    values_of,
    words,
    written,
)
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
        """The position before the first turn. Raises RecordError, saying which header to correct."""
        return position_of(values_of(record, _FORMS, REQUIRED), parse_position)

    def headers(self, position: TerraPosition) -> dict[str, str]:
        """The headers from which ``start`` makes the position again, those of a plain start left out."""
        data = shortest(position, parse_position, (*REQUIRED, "first"))
        return {key: written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Declared:
        """Nothing is declared in this game."""
        return NOTHING_DECLARED

    def play(self, position: TerraPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""
        try:
            acts = parse_turn(entry.acts)
        except NotationError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error
        player = player_of(entry, position.players)
        if not acts and player == position.to_move and entry.ruling == UNSEEN:
            ruling = GAME.check(position, position.board)
            return replace(ruling, acts=()) if ruling.legal else ruling
        return rule_on_acts(position, player, acts)


def _seats(text: str) -> dict[str, str | None]:
    return {place: None if word == NONE else word for place, word in pairs(text).items()}


def _teams(text: str) -> list[list[str]]:
    return [word.split("+") for word in words(text)]


_COUNTS = HeaderForm(counts, "write red=1 yellow=0")
_FORMS: Mapping[str, HeaderForm] = {
    "game": WORD,
    "edition": WORD,
    "variants": WORDS,
    "options": HeaderForm(pairs, "write key=value words, such as exterior=line"),
    "seats": HeaderForm(_seats, "write nw=red ne=yellow se=green sw=none"),
    "first": WORD,
    "to_move": WORD,
    "turn": NUMBER,
    "board": WORD,
    "in_hand": _COUNTS,
    "attacks": _COUNTS,
    "teams": HeaderForm(_teams),
    "reserve": _COUNTS,
    "captures_open": TRUTH,
    "captures_left": _COUNTS,
    "holding": HeaderForm(lists, "write red=D4+D5"),
    "winners": WORDS,
    "final_round": TRUTH,
    "finished": TRUTH,
}

RECORDS = TerraRecords()
