"""Good inputs to start from: boards, positions, turns, records and requests of games at every kind of table."""

from __future__ import annotations

import json
import random
from functools import cache

from referee.games.record import Record, RecordEntry, entry_of
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.record import RECORDS
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import position
from tests.games.terra_turrium.spoil import spoilt
from tests.games.terra_turrium.tables import EVERY_TABLE

TURNS = 6


@cache
def seeds() -> dict[str, tuple[str, ...]]:
    """Return good inputs by the name of what reads them."""
    found: dict[str, list[str]] = {name: [] for name in ("board", "position", "notation", "record", "request")}
    for name in sorted(EVERY_TABLE):
        _play(random.Random(f"seeds {name}"), GAME.position(position(**EVERY_TABLE[name])), found)
    found["record"].append(_RECORD)
    return {name: tuple(texts) for name, texts in found.items()}


def _play(rnd: random.Random, start: TerraPosition, found: dict[str, list[str]]) -> None:
    now, entries = start, list[RecordEntry]()
    for number in range(TURNS):
        boards = [Turn(rnd, now).play(), spoilt(rnd, now)]
        for board in boards:
            ruling = GAME.check(now, board)
            request = {"id": number, "position": now.to_json(), "observed": board.text}
            if rnd.random() < 0.5:
                request["frames"] = [now.board.text, board.text]
            found["board"].append(board.text)
            found["notation"].append(" ".join(act.text for act in ruling.acts))
            found["request"].append(json.dumps(request))
            entries.append(entry_of(now, ruling, ("a note",) if rnd.random() < 0.3 else ()))
        found["position"].append(json.dumps(now.to_json()))
        after = GAME.check(now, boards[0]).next
        now = after if isinstance(after, TerraPosition) else now
    found["record"].append(Record(RECORDS.headers(start), tuple(entries), ("begun late",)).text)


_RECORD = """[Game "terra-turrium"]\r\n[table "by the \\"window\\""]\r\n\r\n{Windy}\r\n1. red -C1\n +D4 {a\nb}
2. yellow {illegal: take.count} {why?}\n\n2. yellow B2-B3xB4 *A1-A2"""
