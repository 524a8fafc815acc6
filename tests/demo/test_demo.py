"""The demo from the command line: the recorded game is refereed, shown, and survives a kill."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from referee.cli import main
from referee.games import names, package_named
from referee.storage.journal import Journal
from referee.virtual.folder import can_be_laid
from tests.demo.command import Demo
from tests.web.browser import needs_browser, open_page


class Expected(NamedTuple):
    """What the referee must say of one look."""

    turn: int
    player: str
    verdict: str
    rules: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


GAME = (
    Expected(1, "yellow", "illegal", ("build.occupied",), ("D6", "F4")),
    Expected(1, "yellow", "legal"),
    Expected(2, "green", "legal"),
    Expected(3, "blue", "legal"),
    Expected(4, "red", "illegal", ("build.occupied",), ("G4",)),
    Expected(4, "red", "legal"),
)
"""What really happened on the recorded table, turn by turn."""


def rulings(path: Path) -> list[Expected]:
    """Return the rulings in a journal."""
    found = []
    with Journal(path) as journal:
        entries = list(journal.entries())
    for entry in entries:
        if entry.kind == "ruling":
            data = dict(entry.data)
            answer = data["answer"]
            assert isinstance(answer, dict)
            broken = answer["violations"]
            found.append(
                Expected(
                    len([e for e in found if e.verdict == "legal"]) + 1,
                    answer["turn"]["player"],
                    str(data["ruling"]),
                    tuple(item["rule"] for item in broken),
                    tuple(sorted(name for item in broken for name in item["fields"])),
                )
            )
    return found


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "demo" / "game.journal"


def test_a_journal_is_no_option_of_a_table_one_plays_at(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["demo", "--play", "--journal", str(tmp_path / "game.journal")])
    assert (refused.exit_code, "--journal goes with a recorded game" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--phone", "--phone goes with --play or --script"),
        ("--tables 3", "--tables goes with --public"),
        ("--fast", "--fast goes with --script"),
        ("--play --fast", "--fast goes with --script"),
        ("--people 2", "--people goes with --play"),
        ("--strength weak", "--strength goes with --play"),
        ("--play --table-mb 500", "--table-mb goes with --public"),
        ("--play --people 9", "--people 9: Terra Turrium has 4 seats"),
        ("--play --script pyproject.toml", "--play does nothing here: leave out --play or --script"),
        ("--script pyproject.toml --port 0", "--port does nothing here"),
        ("--play --public --phone", "--phone does nothing here: leave out --phone or --public"),
        ("--play --public --game torres", "--game does nothing here"),
        ("--play --once", "--once goes with a recorded game"),
        ("--play --recording tests", "--recording goes with a recorded game"),
    ],
)
def test_an_option_that_does_nothing_is_refused(words: str, why: str) -> None:
    refused = CliRunner().invoke(main, ["demo", *words.split()])
    assert (refused.exit_code, why in refused.stderr) == (2, True), refused.stderr


def test_a_script_with_an_error_is_named(tmp_path: Path) -> None:
    script = tmp_path / "sc.txt"
    script.write_text("what is this\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["demo", "--script", str(script), "--fast"])
    assert (refused.exit_code, refused.stderr.startswith(f"referee demo: {script}: line 1: ")) == (2, True)


@pytest.mark.parametrize("game", [name for name in names() if not can_be_laid(package_named(name))])
def test_games_with_a_virtual_table_are_named_where_there_is_none(game: str) -> None:
    refused = CliRunner().invoke(main, ["demo", "--play", "--port", "0", "--game", game])
    others = ", ".join(name for name in names() if can_be_laid(package_named(name)))
    why = f"there is no virtual table for {game}, where everything is declared: use one of {others}"
    assert (refused.exit_code, why in refused.stderr) == (2, True), refused.stderr


def shown(page: Page, number: int) -> None:
    """Wait until the page shows the outcome of the look with this number among the turns' looks, or a later one."""
    page.wait_for_function("(n) => document.querySelectorAll('#history li').length >= n", arg=number, timeout=60_000)


@needs_browser
def test_the_recorded_game_is_refereed_on_the_page_through_a_kill_to_its_end(journal: Path) -> None:
    first = Demo(journal, "--pace", "3")
    with open_page() as page:
        page.goto(first.url)
        shown(page, 1)
        expect(page.locator("#headline")).to_have_text("Not legal")
        expect(page.locator('#breach [data-rule="build.occupied"]')).to_be_visible()
        expect(page.locator("#breach .broken-words")).to_contain_text("Yellow")
        marked = page.locator("#after-board .mark-illegal").evaluate_all(
            "all => all.map((m) => m.dataset.marked).sort()"
        )
        assert marked == ["D6", "F4"]
        expect(page.locator("#now")).to_contain_text("Turn 1")
        shown(page, 2)
        expect(page.locator("#detail")).to_contain_text("Yellow’s turn 1 stands")
        first.kill()
        expect(page.locator("#connection-words")).to_contain_text("Connection lost, last seen")
    with Journal(journal) as kept:
        before = list(kept.entries())
    with Demo(journal, "--pace", "1") as second, open_page() as page:
        page.goto(second.url)
        shown(page, 2)  # what was ruled before the kill is there at once
        expect(page.locator("#ended")).to_have_text("The recording has ended.", timeout=90_000)
        expect(page.locator("#now")).to_contain_text("Turn 5")
        expect(page.locator("#now")).to_contain_text("Yellow would be next")  # nobody can play any more
        verdicts = page.locator("#history li").evaluate_all("turns => turns.map((t) => t.dataset.verdict).reverse()")
        assert verdicts == [look.verdict for look in GAME]
        expect(page.locator('.seat[data-colour="green"] [data-counter="attacks"]')).to_have_attribute(
            "data-value", "1"
        )
        expect(page.locator('.seat[data-colour="blue"] [data-counter="in_hand"]')).to_have_attribute(
            "data-value", "1"
        )
        expect(page.locator('#board .cell[data-field="F5"]')).to_have_attribute("data-height", "4")
        expect(page.locator('#board .cell[data-field="F5"]')).to_have_attribute("data-piece", "yellow")
    with Journal(journal) as kept:
        assert list(kept.entries())[: len(before)] == before
    assert rulings(journal) == list(GAME)
    audited = CliRunner().invoke(main, ["audit", "--game", str(journal)])  # the table's measures lie beside it
    assert f"Of {len(GAME)} rulings {len(GAME)} are the same" in audited.stderr


def test_trouble_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a journal, but somebody's notes on many things, long enough to look at")
    demo = Demo(tmp_path / "notes.txt", "--once")
    assert demo.wait() == 2
    assert len(demo.said) == 1
    assert demo.said[0].startswith("referee demo: ")
    assert "can't be read as a journal" in demo.said[0]
