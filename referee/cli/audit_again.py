"""``referee audit --game``: a recorded game judged again by today's eyes and engine, beside what was ruled then."""

from __future__ import annotations

import json
from pathlib import Path

import click

from calibration.errors import CalibrationError
from referee.again.audit import AgainAudit
from referee.again.comparison import Cause, JudgedAgain, explained, places_between, rules_of, tally
from referee.again.page import audit_report
from referee.archive.export import game_of
from referee.cli.failures import about, in_words
from referee.cli.jsonlines import FAULTY
from referee.match.events import AnyGame, TurnRuled
from referee.report.disputepage import Evidence
from referee.report.gamefile import GameFile, opened_game
from referee.report.html import html_of
from referee.report.overlays import Overlays
from referee.report.pdf import pdf_of
from referee.session.readers import reader_of
from referee.storage.journal import JournalError


def audit_again(path: Path, turn: int | None, out: Path | None, table: Path | None, language: str) -> int:
    """Judge a game again, a JSON line a ruling, and write the report; returns the exit status."""
    try:
        with opened_game(path, table) as game:
            return _audited(game, turn, out, language)
    except (JournalError, CalibrationError) as error:
        click.echo(f"referee audit: {about(path, error)}", err=True)
    except OSError as error:
        click.echo(f"referee audit: {in_words(error, out)}", err=True)
    return FAULTY


def _audited(file: GameFile, turn: int | None, out: Path | None, language: str) -> int:
    game, judged = judged_again(file, turn, language)
    if not judged:
        raise JournalError(
            "there is nothing to audit in it: no turn was ruled on"
            if turn is None
            else f"no turn {turn} was ruled on"
        )
    told = tally(tuple(judged))
    click.echo(told.words.text(language), err=True)
    if out is not None:
        report = audit_report(game, judged, Evidence(file.picture, Overlays.at(game, file.table)))
        as_pdf = out.suffix.lower() == ".pdf"
        out.write_bytes(pdf_of(report, language) if as_pdf else html_of(report, language).encode())
        click.echo(str(out), err=True)
    return 0 if told.same == told.rulings else 1


def judged_again(file: GameFile, turn: int | None, language: str = "en") -> tuple[AnyGame, list[JudgedAgain]]:
    """Judge a game's rulings again and print a JSON line for each as soon as it is known. Raises JournalError."""
    try:
        game = game_of(file.entries)
    except (ValueError, LookupError) as error:
        raise JournalError(f"the game can't be replayed: {error}") from error
    judged = []
    for one in AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries, turn):
        judged.append(one)
        click.echo(json.dumps(answer(game, one, language), ensure_ascii=False))
    return game, judged


def answer(game: AnyGame, one: JudgedAgain, language: str) -> dict[str, object]:
    """Return a ruling judged again as a JSON object, as docs/operate/reports.md describes it."""
    return {
        "event": one.past.number,
        "turn": one.past.turn,
        "player": one.past.entry.player.word,
        "then": _word(one.past.then),
        "now": _word(one.now) if one.now is not None else None,
        "cause": one.cause.value,
        "fields": [{"field": name, "then": old, "now": new} for name, old, new in places_between(one, game.kit)],
        "words": explained(one, game.kit).text(language) if one.cause is not Cause.SAME else "",
    }


def _word(ruled: TurnRuled) -> dict[str, object]:
    return {"ruling": ruled.verdict.value, "rules": list(rules_of(ruled)), "observed": ruled.observed}
