"""``referee archive``: thousands of exported games judged again by this version."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from pathlib import Path

import click

from referee.cli.games import fail
from referee.cli.language import LANGUAGE
from referee.cli.terminal import steered
from referee.values.words import say

EVERY_S = 5.0
"""Between two lines of progress where nobody watches a terminal."""


@click.group(name="archive")
def command() -> None:
    """Judge archives of exported games again."""


@command.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for results; taken up again.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=lambda: os.cpu_count() or 1,
    help="Processes on this machine; else as many as it has cores.",
)
@click.option(
    "--scheduler", metavar="tcp://HOST:PORT", help="A Dask cluster's scheduler, whose workers then do the work."
)
@LANGUAGE
@click.pass_context
def audit(
    context: click.Context, folder: Path, out: Path, processes: int, scheduler: str | None, language: str
) -> None:
    """Judge every export (ZIP) in DIR again and say where this version reads or rules differently.

    Results are kept as they come: begun again with the same --out, it goes on where it was broken off.

    Exit status: 0 nothing differs, 1 something does, 2 it could not be done, or some export can't be audited.
    """
    for module, extra in (("pyarrow", "archive"), *((("distributed", "cluster"),) if scheduler else ())):
        if importlib.util.find_spec(module) is None:
            words = say("This needs more than the referee alone: pip install 'tower-referee[{extra}]'", extra=extra)
            click.echo(words.text(language), err=True)
            context.exit(2)
    from referee.addons.archives.archive import ArchiveAudit, AuditProgress, tasks_of
    from referee.addons.archives.workers import ClusterWork, LocalWork

    began_s = time.monotonic()
    told_s = -EVERY_S

    def tell(done: int, of: int, fresh: int) -> None:
        nonlocal told_s
        now_s = time.monotonic() - began_s
        watched = sys.stderr.isatty()
        if watched or done == of or now_s - told_s >= EVERY_S:
            told_s = now_s
            line = AuditProgress(done, of, fresh, now_s).words.text(language)
            click.echo(f"\r{line}\033[K" if watched else line, nl=not watched, file=steered(sys.stderr))

    try:
        tasks = tasks_of(folder)
        if not tasks:
            raise FileNotFoundError(2, f"{folder}: there are no exports (.zip) in it")
        whole = ArchiveAudit(tasks, out)
        whole.run(ClusterWork(scheduler) if scheduler else LocalWork(processes), tell)
        told = whole.finish()
    except OSError as error:
        fail(context, error)
        return
    except KeyboardInterrupt:
        click.echo(f"\n{say('Broken off; the same command goes on from here.').text(language)}", err=True)
        context.exit(2)
    click.echo("", err=True, nl=sys.stderr.isatty())
    for words in told.lines:
        click.echo(words.text(language))
    click.echo(str(out / "rulings.parquet"))
    context.exit(2 if told.failed else 0 if told.causes.get("same", 0) == told.rulings else 1)
