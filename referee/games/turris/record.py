"""Read and write a record's headers, and rule on recorded turns act by act.

The starting position is made from the headers ``edition`` and ``seats``, and where they differ from the start of a
game ``options``, ``first`` (else who plays the first turn), ``to_move``, ``turn``, ``tower`` and the other keys of a
position. Lists are words, objects are ``key=value`` words: ``seats "south=light north=dark"``, ``options
"pass=free"``, ``left "light=19 dark=20"``, ``last "light=b1b2.3+c3.2^"``, ``barred "a1.1 a1.2"``. Any other header,
such as date, table and result, is free text. Acts are ``+b1b2.3`` and ``-a1.1^``; a turn without any was passed.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games import headers
from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.turris.bars import COLOURS, Bar, BarColour
from referee.games.turris.completions import parse_reading
from referee.games.turris.declaring import DeclaredAct, parse_act
from referee.games.turris.engine import ruling_of
from referee.games.turris.parsing import parse_position
from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower
from referee.games.turris.verdict import judge
from referee.values.declaring import Declared

REQUIRED = ("game", "edition", "seats")


class TurrisRecords:
    """The records of this game."""

    def start(self, record: Record) -> TurrisPosition:
        """Return the position before the first turn. Raises RecordError, saying which header to correct."""
        return headers.position_of(headers.values_of(record, _FORMS, REQUIRED), parse_position)

    def headers(self, position: TurrisPosition) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again, those of a plain start left out."""
        data = headers.shortest(position, parse_position, (*REQUIRED, "first"), implied=("scores",))
        return {key: headers.written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Declared:
        """Return the bars of a recorded turn, all in their order."""
        return {"bars": [act.text for act in acts_of(entry)]}

    def play(self, position: TurrisPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read or made."""
        player = headers.player_of(entry, COLOURS)
        acts = acts_of(entry)
        tower = position.tower
        for act in acts:
            tower = after_act(tower, act, player, entry)
        try:
            return ruling_of(position, judge(position, parse_reading(tower.text), acts))
        except RequestError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def acts_of(entry: RecordEntry) -> tuple[DeclaredAct, ...]:
    """Return the acts of a recorded turn. Raises RecordError where they can't be read."""
    try:
        return tuple(map(parse_act, entry.acts.split()))
    except RequestError as error:
        raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def after_act(tower: Tower, act: DeclaredAct, player: BarColour, entry: RecordEntry) -> Tower:
    """Return the tower after an act. Raises RecordError where it can't be made."""
    if act.lay:
        if tower.filled & act.place.mask:
            raise RecordError(f"turn {entry.number}: {act.text}: there is no room: correct the act", entry.line)
        return tower.turned(Bar(player, act.place))
    for colour in (player.other, player):
        if tower.has(Bar(colour, act.place)):
            return tower.turned(Bar(colour, act.place))
    raise RecordError(f"turn {entry.number}: {act.text}: no bar lies there: correct the act", entry.line)


_FORMS: Mapping[str, headers.HeaderForm] = {
    "game": headers.WORD,
    "edition": headers.WORD,
    "variants": headers.WORDS,
    "options": headers.HeaderForm(headers.pairs, "write key=value words, such as pass=free"),
    "seats": headers.HeaderForm(headers.pairs, "write south=light north=dark"),
    "first": headers.WORD,
    "to_move": headers.WORD,
    "turn": headers.NUMBER,
    "tower": headers.WORD,
    "left": headers.HeaderForm(headers.counts, "write light=19 dark=20"),
    "last": headers.HeaderForm(headers.lists, "write light=b1b2.3+c3.2^ dark=none"),
    "barred": headers.WORDS,
    "winners": headers.WORDS,
    "finished": headers.TRUTH,
}

RECORDS = TurrisRecords()
