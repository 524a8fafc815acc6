"""The chain: wrong rulings at a table are put right by one touch, and every count from there on says the same.

The cameras of a virtual table are shown another board than the one laid, three times. The table's own record, the
evening's ZIP, what ``make real`` reads in it and ``referee evidence`` over two tables must agree.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.real import main as real
from benchmarks.record import script_text
from referee.addons.trackrecord.casekeeper import LABELS, cases_folder
from referee.addons.trackrecord.table import OwnRecord
from referee.cli import main
from referee.games import package_named
from referee.match.commands import Name
from referee.match.phases import Phase
from referee.values.board import Field
from referee.virtual.script import parse_script
from tests.addons.trackrecord.misled import MisledTable
from tests.vision.sources.patience import eventually

SEED = 5
LIES: Mapping[str, Mapping[int, tuple[str, int]]] = {
    "torres": {6: ("A3", -1), 8: ("B6", 1), 10: ("B3", 1)},
    "terra-turrium": {3: ("F4", 1)},
}
"""In which turns the cameras are shown a stack that is higher or lower than it stands."""


def played(folder: Path, name: str, turns: int) -> tuple[Path, int]:
    """Play turns, some of them misread and put right; return the journal, and how many rulings there were."""
    package, lies = package_named(name), LIES[name]
    script = parse_script(script_text(package, SEED, "own", turns))
    position = package.records.start(script.record)
    rulings = 0
    assert package.laid is not None
    with MisledTable.refereed(folder, package, position) as table:
        table.rested(lambda state: state.phase is Phase.PLAYING)
        for turn in script.turns:
            truth = package.laid(position, turn.entry)
            shown = package.game.observation(truth)
            if turn.entry.number in lies:
                field, more = lies[turn.entry.number]
                place = Field.from_name(field)
                shown = shown.with_field(place, int(shown.heights[place]) + more, int(shown.flags[place]))
            table.show(shown.text)
            state = table.press(Name.TURN_ENDED)
            rulings += 1
            if turn.entry.number in lies:
                ruled = state.last
                assert ruled is not None
                assert ruled.ruled is not None
                assert ruled.ruled.observed != truth
                assert ruled.ruled.unsure is None, turn.entry.number
                offered = table.likely.of(ruled.id)
                assert offered is not None
                (changes,) = (one.changes for one in offered if one.text == truth)
                state = table.touched(changes)
                table.show(truth)
            assert state.phase is Phase.PLAYING, (turn.entry, state.phase)
            assert state.position.observed.text == truth
            position = state.position
        table.press(Name.END_GAME, how="draw")
        labels = cases_folder(table.path) / LABELS
        eventually(lambda: labels.exists() and len(json.loads(labels.read_text())) == rulings)
        return table.path, rulings


@pytest.mark.long
def test_every_count_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, rulings = played(tmp_path / "one", "torres", 10)
    wrong = len(LIES["torres"])

    # The table's own record.
    (own,) = json.loads(OwnRecord(journal.parent).told("en"))["records"]
    assert (own["rulings"], own["origin"], own["lines"][0]) == (
        rulings,
        "drawn",
        f"Of {rulings} rulings {wrong} were put right by people or by a later look.",
    )

    # The evening's ZIP: shown first, and nobody's name in it.
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(main, ["evening", str(journal)], input="n\n")
    assert (refused.exit_code, Path("evening.zip").exists()) == (1, False), refused.output
    page = Path("what-is-in-it.html").read_text(encoding="utf-8")
    assert page.count("<img") >= 2 * rulings
    packed = CliRunner().invoke(main, ["evening", str(journal)], input="y\n")
    assert packed.exit_code == 0, packed.output
    assert own["lines"][0] in packed.output
    for content in contents(Path("evening.zip")):
        assert not [name for name in (b"Anna", b"Bernd") if name in content]

    # What make real reads in it.
    assert real(["evening.zip", "--page", "real.md"]) == 0
    told = [line.strip("| ").split(" | ") for line in Path("real.md").read_text(encoding="utf-8").splitlines()]
    (ruled,) = (cells for cells in told if cells[:2] == ["evening", "drawn"])
    assert ruled[2:4] == [str(rulings), str(wrong)]
    (turns,) = (cells for cells in told if cells[:3] == ["evening", "turns", "all"])
    assert int(turns[3]) == rulings - wrong  # the others stood; they are told as they were
    assert turns[4].startswith(f"{rulings - wrong} ")

    # Two tables, added up.
    _, others = played(tmp_path / "two", "terra-turrium", 4)
    both = CliRunner().invoke(main, ["evidence", "evening.zip", str(tmp_path / "two"), "--json", "--svg", "both.svg"])
    (record,) = json.loads(both.output)["records"]
    assert (record["tables"], record["games"], record["rulings"]) == (2, 2, rulings + others)
    assert sum(record[fate] for fate in ("accused", "missed", "misread")) == wrong + len(LIES["terra-turrium"])
    assert record["bad_tables"] == 2
    assert f"Rulings: {rulings + others}. Games: 2. Tables: 2." in Path("both.svg").read_text(encoding="utf-8")


def contents(path: Path) -> list[bytes]:
    """Return what is in a ZIP, and in the ZIPs in it."""
    with zipfile.ZipFile(path) as pack:
        found = [pack.read(name) for name in pack.namelist()]
        for name in pack.namelist():
            if name.endswith(".zip"):
                inner = path.with_name(f"inner-{name}")
                inner.write_bytes(pack.read(name))
                found += contents(inner)
        return found
