"""The desk at a real table over a real broker: whether it is trusted, what it is answered, what it fetches."""

from __future__ import annotations

import stat
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.addons.hall.address import broker_address
from referee.addons.hall.desk.desk import HallKeeper
from referee.addons.hall.desk.trust import KEY_FILE, TrustingTables, desk_key
from referee.addons.hall.messages import HallError
from tests.addons.hall.broker import until
from tests.addons.hall.desk.evening import TABLE, HallEvening


def test_an_evening_at_the_desk(tmp_path: Path) -> None:
    with ExitStack() as parts:
        evening = HallEvening(tmp_path, parts)
        keeper = evening.keeper
        assert [need.what for need in keeper.hall.needs(0)] == ["dispute"]
        uphold = {"act": "uphold", "dispute": 1, "words": "The picture shows it."}

        refused = keeper.order(TABLE, uphold, evening.seen, "Ana", "de")
        assert (refused.accepted, refused.code) == (False, "untrusted"), "nobody has typed the table's code"
        assert keeper.trust(TABLE, "AAAAA AAAAA", "Ana").code == "code"
        assert keeper.trust(TABLE, "no code", "Ana").code == "code"
        assert keeper.trust(TABLE, evening.trust.new_code(), "Ana").accepted
        assert TABLE in TrustingTables(tmp_path / "desk"), "also after a restart"

        game, event, _ = evening.seen
        late = keeper.order(TABLE, uphold, (game, event, "0" * 64), "Ana", "de")
        assert (late.accepted, late.code) == (False, "moved-on"), "the journal is not what the arbiter saw"
        assert late.words is not None
        assert late.words.text("de") != "", "the table says why"
        assert keeper.order(TABLE, {"act": "explode"}, evening.seen, "Ana", "en").code == "order"

        done = keeper.order(TABLE, uphold, evening.seen, "Ana", "en")
        assert done.accepted
        until(lambda: not keeper.hall.needs(0), "the dispute is settled at the desk, too")
        written = done.result["events"]
        assert isinstance(written, list)
        first = next(entry for entry in evening.at.journal.entries() if [entry.number] == written[:1])
        assert first.data["by"] == "Ana", "the journal has who it was"

        page = keeper.report(TABLE, 1, "fr", "Ana")
        assert page == b"<p>fr 1</p>" * 20_000, "in several parts, put together and checked"
        assert keeper.report(TABLE, 1, "xx", "Ana") == b"<p>en 1</p>" * 20_000, "a language that the table lacks"
        nothing = keeper.report(TABLE, 99, "fr", "Ana")
        assert not isinstance(nothing, bytes)
        assert nothing.code == "nothing"


@pytest.mark.long
def test_what_came_before_the_desk_was_there_or_while_the_broker_was_gone_is_caught_up(tmp_path: Path) -> None:
    with ExitStack() as parts:
        evening = HallEvening(tmp_path, parts, disputed=False)
        at = evening.at
        assert evening.keeper.trust(TABLE, evening.trust.new_code(), "Ana").accepted
        until(lambda: evening.lacks(evening.keeper) is None, "every event comes")
        evening.broker.kill()
        assert at.desk.command("pause", {}, "tablet").accepted
        evening.broker.start()
        assert at.desk.command("resume", {}, "tablet").accepted
        until(lambda: evening.lacks(evening.keeper) is None, "what was played without a broker comes")

        late = parts.enter_context(HallKeeper(tmp_path / "late", broker_address(evening.broker.address)))
        until(lambda: evening.lacks(late) == 0, "another desk begins with nothing")
        assert late.trust(TABLE, evening.trust.new_code(), "Bo").accepted
        until(lambda: evening.lacks(late) is None, "and is told all that it asks for")
        heard = [(event.number, event.hash) for event in late.hall.tables[TABLE].game.events.values()]
        assert sorted(heard) == [(entry.number, entry.hash) for entry in at.journal.entries()]


def test_the_desk_has_one_key_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    first = desk_key(folder)
    assert desk_key(folder).private_bytes_raw() == first.private_bytes_raw()
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    (folder / KEY_FILE).write_text("rubbish", encoding="ascii")
    with pytest.raises(HallError, match="trust the desk anew"):
        desk_key(folder)
