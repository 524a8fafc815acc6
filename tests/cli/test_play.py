"""``referee play``: engines play each other, and what they write is judged like anybody's game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.check import answer
from referee.games import names, package_named
from referee.games.record import parse_record


def run(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


@pytest.mark.parametrize("name", names())
def test_every_turn_of_a_written_record_is_legal_for_replay_and_check(name: str, tmp_path: Path) -> None:
    done = run("play", "--game", name, "--strength", "weak", "--turns", 6, "--out", tmp_path, "--seed", 7)
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.iterdir()
    assert run("replay", path).exit_code == 0
    package, record = package_named(name), parse_record(path.read_text(encoding="utf-8"))
    assert len(record.turns) == 6
    position = package.records.start(record)
    for entry in record.turns:
        ruling = package.records.play(position, entry)
        assert ruling.next is not None
        if package.answer is None:  # else a request has a form of its own
            request = {
                "position": position.to_json(),
                "observed": ruling.next.observed.text,
                "declared": dict(package.records.declared(entry)),
            }
            assert answer(json.loads(json.dumps(request)))["legal"], entry
        position = ruling.next


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        words = ("--game", "torres", "--strength", "weak", "--turns", 8, "--games", 2, "--out", tmp_path / folder)
        assert run("play", *words).exit_code == 0
    texts = [[path.read_bytes() for path in sorted((tmp_path / folder).iterdir())] for folder in ("one", "two")]
    assert texts[0] == texts[1]
    assert texts[0][0] != texts[0][1]


def test_everybody_moves_on_by_a_seat_from_game_to_game(tmp_path: Path) -> None:
    words = ("--strength", "weak", "--strength", "middle", "--games", 2, "--turns", 2, "--out", tmp_path)
    done = run("play", "--game", "turris", *words)
    told = [
        parse_record(path.read_text(encoding="utf-8")).headers["strengths"] for path in sorted(tmp_path.iterdir())
    ]
    assert told == ["light=weak dark=middle", "light=middle dark=weak"]
    assert done.output.splitlines()[-2:] == ["weak: won 0 of 2", "middle: won 0 of 2"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--players", "9"), "9 können nicht spielen: Nimm eine Zahl von 2, 3, 4."),
        (("--edition", "nowhere"), "nowhere ist keine Ausgabe"),
        (("--strength", "weak", "--strength", "weak", "--players", "3"), "3 Spieler und 2 Spielstärken"),
    ],
)
def test_what_can_t_be_played_is_said_in_the_language_asked_for(words: tuple[str, ...], told: str) -> None:
    done = run("play", "--game", "torres", "--language", "de", *words)
    assert (done.exit_code, told in done.output) == (2, True), done.output


def test_a_folder_that_can_t_be_written_is_named(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("", encoding="utf-8")
    done = run("play", "--game", "turris", "--strength", "weak", "--turns", 1, "--out", taken / "in")
    assert (done.exit_code, str(taken) in done.output) == (2, True), done.output
