"""Choose the game that a running table plays, say where its page is, and referee until told to stop."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from pathlib import Path

import click

from referee.daemon import GameJournal, TurnLoop
from referee.daemon.buttons import Buttons, keyboard
from referee.daemon.copyeditor import CHOICE, CopyEditor
from referee.daemon.copyfolder import CopyFolder
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.hosting import Hosting
from referee.games.contract import HasCopies, Position, RequestError
from referee.games.guarding import shown
from referee.match.events import AnyGame, GameStarted
from referee.service.pairing import pairing_told
from referee.service.watchdog import Watchdog


def journal_of(
    shelf: GamesFolder, game: AnyGame, table: Path, game_file: Path | None, new: bool, kept: Path
) -> GameJournal:
    """Return the game to referee: the last one if it isn't over, else the one asked for, else a usual one.

    kept: folder of the data entered for copies of the game.
    """
    position = asked_for(game, game_file) if game_file is not None else None
    book = None if new else shelf.carry_on(game, position)
    if book is not None:
        return book
    return shelf.begin(GameStarted(position or usual_start(game, kept), table.resolve().name))


def asked_for(game: AnyGame, path: Path) -> Position:
    """Return the position a JSON file asks for: one of its own, or a new game's.

    Raises RequestError naming the file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RequestError("game", f"{path} can't be read as JSON: {error}") from error
    if not isinstance(data, dict):
        raise RequestError("game", f"{path} holds no object {{...}}: write a position, or edition and seats")
    try:
        position: Position = game.position(data) if "to_move" in data else game.new_game(data)
    except RequestError as error:
        raise RequestError(error.code, f"{path}: {error}") from error
    if position.finished:
        raise RequestError("finished", f"{path}: the game is over: give the position of a game under way")
    return position


def usual_start(game: AnyGame, kept: Path | None = None) -> Position:
    """Return a game with everything as it usually is; the page offers the rest.

    kept: folder of the data entered for copies of the game. Where it holds one copy that is complete enough to begin
    with, that one is played with; which of several lies on the table only the players know.
    """
    choices = game.choices()
    seats = {place.id: colour.word for place, colour in zip(choices.places, choices.colours, strict=False)}
    usual = {"edition": choices.editions[0].choice.id, "seats": seats}
    desk = CopyEditor(game, CopyFolder(kept)) if kept is not None and isinstance(game, HasCopies) else None
    names = [copy["id"] for copy in desk.names()] if desk is not None else []
    position: Position
    if desk is not None and len(names) == 1:
        with contextlib.suppress(RequestError):
            position = game.new_game(desk.chosen({**usual, CHOICE: names[0]}))
            return position
    position = game.new_game(usual)
    return position


def file_name(table: Path) -> str:
    """Return the table's name as the names of its journals begin."""
    return re.sub(r"[^a-z0-9]+", "-", table.resolve().name.lower()).strip("-") or "table"


def greet(
    hosting: Hosting, book: GameJournal, game: AnyGame, port: int, setup: bool = True, held: bool = False
) -> None:
    """Say where the page is, and how a device is paired.

    setup: whether there are cameras to set up. held: a phone in the hand is the only one, so that its page is opened.
    """
    if hosting.other_port:
        click.echo(f"Port {port} is taken, using {hosting.sock.getsockname()[1]} instead.")
    click.echo(f"{game.title}: open {hosting.url} in a browser.")
    copied = shown(game)
    invented = copied.invented_copy(book.state.position) if isinstance(copied, HasCopies) else None
    if invented is not None:
        click.echo(f"{invented.text()} Enter yours, or take in a file that somebody shared: {hosting.url}#/copies")
    if setup:
        click.echo(f"Set up and check the table: {hosting.url}setup")
    click.echo(f"Journal: {book.journal.path}")
    code = hosting.auth.desk.new_code()
    if not held:
        click.echo(pairing_told(hosting.url, code, hosting.local))
    else:
        click.echo(pairing_told(hosting.url, code, hosting.local, "camera"))
        if hosting.secure_url and not hosting.local:
            click.echo(f"For live video instead of photographs, open {hosting.url}trust on the phone once.")
    click.echo(f"The code is open for {round(code.life_s / 60)} minutes.")


def referee_on(loop: TurnLoop, buttons: Buttons, watchdog: Watchdog, stop: threading.Event, at: str) -> None:
    """Referee until told to stop, with the space key as a button. at: the game and its address, for systemd."""
    with keyboard(buttons.press) as keys:
        if keys:
            click.echo("The space key ends a turn. Stop with Ctrl-C.")
        watchdog.ready(at)
        loop.run(stop.is_set)
    watchdog.stopping()
