"""``referee calibrate check``: the table's self-test before play, and its certificate."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from referee.certificate.values import Certificate, Check, Grade
from referee.cli.frames import FramesError, one_picture, source_of
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import TABLE, load_pictures, open_table
from referee.daemon.certificates import keep
from referee.daemon.tablecheck import Occasion, certify
from referee.games.contract import RequestError
from referee.values.words import LANGUAGES

STATUS = {Grade.GOOD: 0, Grade.WARNING: 0, Grade.BAD: 1}
"""Exit status by verdict; 2 when no check could be made."""
_MARKS = {Grade.GOOD: "+", Grade.WARNING: "!", Grade.BAD: "X"}


@click.command(name="check")
@TABLE
@click.option(
    "--image",
    "images",
    multiple=True,
    metavar="CAMERA=FILE",
    help="A camera's picture of the set-up (once for each camera).",
)
@click.option("--live", is_flag=True, help="Take the pictures from the cameras the settings name.")
@click.option("--edition", help="The edition that is set up; the game's first one by default.")
@click.option("--seats", metavar="PLACE=COLOUR,...", help="Who sits where; by default as the flags stand.")
@click.option("--variants", metavar="NAME,...", help="Variants that are played.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
@click.pass_context
def command(
    context: click.Context,
    folder: Path,
    images: tuple[str, ...],
    live: bool,
    edition: str | None,
    seats: str | None,
    variants: str | None,
    language: str,
    as_json: bool,
) -> None:
    """Check a table before play, with the game's set-up standing on the board and no hand over it.

    Tells whether the table is fit for refereeing and what to mend, and keeps a certificate in the table folder's
    certificates/: an HTML page to print, and the same as JSON. Exit status: 0 fit (perhaps with warnings), 1 not fit,
    2 no check was possible.
    """
    game, reader = open_table(context, folder)
    try:
        said = _said(edition, seats, variants)
        if live:
            loaded = _taken(images, reader.table.prepared, folder)
        else:
            loaded = load_pictures(_pictures(images, reader.table.prepared), Path(), reader.table)
        now = time.localtime()
        occasion = Occasion(folder.resolve().name, time.strftime("%Y-%m-%dT%H:%M:%S%z", now))
        certificate = certify(game, reader, loaded, said, occasion)
        paper = keep(folder, certificate, time.strftime("%Y%m%d-%H%M%S", now), language).paper
    except (RequestError, OSError) as error:
        click.echo(f"referee calibrate check: {error}", err=True)
        context.exit(FAULTY)
    if as_json:
        click.echo(json.dumps(certificate.to_json(), ensure_ascii=False))
    else:
        _print(certificate, language)
        click.echo(f"\n{paper}")
    context.exit(STATUS[certificate.grade])


def _said(edition: str | None, seats: str | None, variants: str | None) -> dict[str, object]:
    said: dict[str, object] = {}
    if edition:
        said["edition"] = edition
    if seats:
        said["seats"] = {place: None if colour in ("", "-") else colour for place, colour in _pairs(seats, "--seats")}
    if variants:
        said["variants"] = [name.strip() for name in variants.split(",") if name.strip()]
    return said


def _pairs(text: str, option: str) -> list[tuple[str, str]]:
    pairs = []
    for part in text.split(","):
        name, sign, value = part.strip().partition("=")
        if not sign or not name:
            raise RequestError("seats", f"{option}: {part.strip()[:40]!r} is no NAME=VALUE")
        pairs.append((name.strip(), value.strip()))
    return pairs


def _pictures(images: tuple[str, ...], cameras: tuple[str, ...]) -> Mapping[str, str]:
    if not images:
        example = " ".join(f"--image {camera}={camera}.jpg" for camera in cameras)
        raise RequestError("images", f"give a picture of the set-up from each camera: {example}")
    found: dict[str, str] = {}
    for text in images:
        camera, sign, path = text.partition("=")
        if not sign or not path:
            raise RequestError("images", f"--image: {text[:60]!r} is no CAMERA=FILE")
        if camera in found:
            raise RequestError("images", f"--image: {camera} is given twice")
        found[camera] = path
    return found


def _taken(images: tuple[str, ...], cameras: tuple[str, ...], folder: Path) -> Mapping[str, NDArray[np.uint8]]:
    """Take a picture with every camera; say on standard error why a camera gives none.

    Raises RequestError where no camera gives one.
    """
    if images:
        raise RequestError("images", "give either --live or --image, not both")
    taken = {}
    for camera in cameras:
        try:
            taken[camera] = one_picture(camera, source_of(camera, "", folder))
        except FramesError as error:
            click.echo(f"referee calibrate check: {error}", err=True)
    if not taken:
        raise RequestError("images", "no camera gave a picture")
    return taken


def _print(certificate: Certificate, language: str) -> None:
    click.echo(certificate.grade.words.text(language))
    for check in certificate.checks:
        _print_check(check, language)
    for fields, words in certificate.differences:
        click.echo(f"      {' '.join(field.name for field in fields)}: {words.text(language)}")
    for part in certificate.cameras:
        click.echo(f"{part.name}")
        for check in part.checks:
            _print_check(check, language)
    if certificate.spot is not None:
        click.echo(certificate.spot.words.text(language))


def _print_check(check: Check, language: str) -> None:
    click.echo(f"  {_MARKS[check.grade]} {check.what.text(language)}: {check.value.text(language)}")
    if check.advice is not None:
        click.echo(f"      {check.advice.text(language)}")
