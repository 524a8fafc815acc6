"""Answer the page about the games of the data folder, while one of them is being played."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from referee.archive.export import game_of, record_of, state_of
from referee.archive.removal import delete_game, losses
from referee.archive.repair import repair_game
from referee.archive.shelf import GameCard, GameSearch, Shelf
from referee.daemon.resultcache import ResultCache
from referee.report.dispute import disputed_turn
from referee.report.disputepage import Evidence
from referee.report.forms import turn_file
from referee.report.gamefile import opened_game
from referee.report.overlays import Overlays
from referee.report.session import session_of
from referee.report.sessionpage import session_page
from referee.storage.journal import JournalError, read_journal
from referee.values.turnform import TurnForm
from referee.values.words import Words, say
from referee.view import table_view
from web.tableview import Outcome

_LOG = logging.getLogger(__name__)


class PastGames:
    """Answers what the page asks of the shelf. folder: of the games; playing: journal of the one that is played."""

    def __init__(
        self,
        folder: Path,
        playing: Callable[[], Path],
        cache: ResultCache,
        reliability: Callable[[], tuple[Words, ...]] = tuple,
    ) -> None:
        """Take the folder of games, the game being played, and a cache for records and reports.

        reliability: lines on how far the table is to be believed.
        """
        self._shelf, self._playing, self._cache = Shelf(folder), playing, cache
        self._reliability = reliability
        self._mutex = threading.Lock()

    def games(
        self, text: str, disputed: bool | None, result: str = "", language: str = "en"
    ) -> Sequence[Mapping[str, object]]:
        """Return the games that are looked for, the newest first."""
        with self._mutex:
            cards = self._shelf.cards(GameSearch(text, result=result, disputed=disputed))
        now = self._playing().resolve()
        return [_shown(card, card.path.resolve() == now, language) for card in cards]

    def record(self, name: str) -> bytes:
        """Return a game's record in its notation; empty where there is none."""
        return self._made(name, ("record",), _record)

    def report(self, name: str, turn: int, language: str = "en", as_pdf: bool = False) -> bytes:
        """Return a report on one turn of a game, or, for turn 0, on the whole game; empty where there is none."""
        lines = self._reliability()
        what = (turn, language, as_pdf, lines)
        return self._made(name, what, lambda path: _report(path, turn, language, as_pdf, lines))

    def replay(self, name: str, language: str = "en") -> bytes:
        """Return what a page needs to play a game by itself, as JSON; empty where there is none."""
        return self._made(name, ("replay", language), lambda path: _replay(path, language))

    def _made(self, name: str, what: tuple[object, ...], make: Callable[[Path], bytes]) -> bytes:
        """Return what is made of a game as it stands now; empty where it can't be made."""
        try:
            card = self._card(name)
        except JournalError:
            return b""

        def attempt() -> bytes:
            try:
                return make(card.path)
            except (JournalError, LookupError, ValueError):
                return b""

        return self._cache.get((card.path, card.head, *what), attempt)

    def delete(self, name: str, head: str, by: str) -> Outcome:
        """Delete a game as it was shown, or say why not."""
        try:
            card = self._card(name)
            if card.path.resolve() == self._playing().resolve():
                return Outcome(False, say("This game is being played."), "playing")
            if card.head != head:
                return Outcome(False, say("The game has changed since: look at it again."), "moved-on")
            delete_game(card.path)
        except JournalError as error:
            _LOG.warning("a game could not be deleted: %s", error)
            return Outcome(False, say("This game can’t be deleted now."), "kept")
        _LOG.warning("game deleted", extra={"game": card.name, "by": by, "events": card.events})
        return Outcome(True, say("The game is deleted."))

    def repair(self, name: str, by: str) -> Outcome:
        """Repair a game, or say why not."""
        try:
            done = repair_game(self._card(name).path)
        except JournalError as error:
            _LOG.warning("a game could not be repaired: %s", error)
            return Outcome(False, say("Nothing of this game can be saved: put it back from a backup."), "lost")
        _LOG.warning("game repaired", extra={"game": name, "by": by, "events": done.events})
        return Outcome(True, say("Events that are whole: {events}; the damaged file is kept.", events=done.events))

    def _card(self, name: str) -> GameCard:
        with self._mutex:
            return self._shelf.card(name)


def _record(path: Path) -> bytes:
    return record_of(read_journal(path, recover=False)).text.encode()


_REPLAYED = ("language", "title", "board", "kit", "players", "palette", "seats", "legend", "history", "result")


def _replay(path: Path, language: str) -> bytes:
    entries = read_journal(path, recover=False)
    view = table_view(game_of(entries), state_of(entries), language=language)
    return json.dumps({key: view[key] for key in _REPLAYED}, ensure_ascii=False).encode()


def _report(path: Path, turn: int, language: str, as_pdf: bool, lines: tuple[Words, ...]) -> bytes:
    with opened_game(path) as file:
        if not turn:
            return session_page(session_of(file.entries), file.picture, language, lines).encode()
        overlays = Overlays.at(game_of(file.entries), file.table)
        evidence = Evidence(file.picture, overlays, lines)
        return turn_file(
            TurnForm.PAPER if as_pdf else TurnForm.PAGE, disputed_turn(file.entries, turn), evidence, language
        )


def _shown(card: GameCard, playing: bool, language: str) -> dict[str, object]:
    return {
        "name": card.name,
        "title": card.title,
        "players": [{"colour": word, "name": card.called(word, language)} for word, _ in card.players],
        "begun_at": card.begun_at,
        "turns": card.turns,
        "over": card.result is not None,
        "result": card.result_text(language),
        "winners": [card.called(word, language) for word in card.winners],
        "disputed": card.disputed,
        "losses": [words.text(language) for words in losses(card)],
        "damaged": bool(card.trouble) and not playing,
        "repaired": card.repaired,
        "playing": playing,
        "head": card.head,
    }
