"""``referee check``: rule on turns given as boards, one JSON request a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from referee.cli.jsonlines import FILES, check_keys, run_lines
from referee.cli.language import LANGUAGE
from referee.games import game_named, package_named
from referee.games.contract import AnyGame, RequestError
from referee.values.declaring import NOTHING_DECLARED
from referee.values.words import say

KEYS = ("id", "position", "observed", "frames", "declared")


def answer(request: Mapping[str, object], language: str = "en") -> dict[str, object]:
    """Rule on one request and return the answer without its id, its sentences in a language.

    Raises RequestError for an invalid request.
    """
    data = request.get("position")
    if isinstance(data, dict):
        own = package_named(data.get("game")).answer
        if own is not None:
            return own(request, language)
    check_keys(request, KEYS)
    for key in ("position", "observed"):
        if key not in request:
            raise RequestError("request", f"key {key!r} is missing: a request has position and observed")
    if not isinstance(data, dict):
        raise RequestError("position", "position must be an object {...}")
    game = game_named(data.get("game"))
    position = game.position(data)
    observed = _observed(game, request["observed"], "observed")
    frames = request.get("frames", [])
    if not isinstance(frames, list):
        raise RequestError("frames", "frames must be a list of board texts")
    seen = [_observed(game, text, f"frames, entry {number}") for number, text in enumerate(frames, 1)]
    declared = request.get("declared", NOTHING_DECLARED)
    if not isinstance(declared, dict):
        raise RequestError("declared", "declared must be an object {...}")
    return game.check(position, observed, seen, declared).to_json(language)


def _observed(game: AnyGame, text: object, key: str) -> Any:
    try:
        return game.observation(text)
    except RequestError as error:
        raise RequestError(error.code, say("{key}: {why}", key=key, why=error.words)) from error


def with_copy(request: Mapping[str, object], folder: Path) -> Mapping[str, object]:
    """Add to a request the data of the copy that its position names, from ``copy-NAME.json`` in a folder.

    Raises RequestError for a file that can't be read.
    """
    position = request.get("position")
    name = position.get("copy") if isinstance(position, dict) else None
    if "copy" in request or not isinstance(name, str) or not re.fullmatch(r"[\w-]+", name):
        return request
    path = folder / f"copy-{name}.json"
    try:
        return {**request, "copy": json.loads(path.read_text(encoding="utf-8"))}
    except OSError as error:
        raise RequestError("copy", f"{path} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RequestError("copy", f"{path} is no JSON text: {error}") from error


@click.command(name="check")
@FILES
@click.option(
    "--copies",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of copy-NAME.json files, for games whose positions name the copy they are played with.",
)
@LANGUAGE
@click.pass_context
def command(context: click.Context, files: tuple[Path, ...], copies: Path | None, language: str) -> None:
    """Rule on turns: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    Exit status: 0 all turns legal, 1 some turn illegal, 2 some line in error.
    """

    def handle(request: Mapping[str, object], _base: Path) -> dict[str, object]:
        return answer(request if copies is None else with_copy(request, copies), language)

    context.exit(run_lines(files, handle, lambda ruled: 0 if ruled["legal"] else 1, language=language))
