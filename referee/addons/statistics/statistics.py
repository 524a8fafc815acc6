"""Tell the page which players want statistics, and what their games here come to."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from referee.addons.statistics.book import LONGEST_NAME, MOST_PLAYERS, BookedPlayer, PlayerBook, same_name
from referee.addons.statistics.figures import GameFigures, figures_of, summaries, summary_json
from referee.archive.shelf import GameCard, Shelf
from referee.daemon.resultcache import ResultCache
from referee.report.session import session_of
from referee.storage.journal import JournalError, read_journal
from referee.values.words import say
from web.tableview import Outcome

_LOG = logging.getLogger(__name__)
MOST_GAMES = 300
"""The newest so many of a player's games are counted: each is played through again."""


class PlayerStatistics:
    """Answers what the page asks of players. Every method may be called from many threads at once."""

    def __init__(self, games: Path, book: PlayerBook, cache: ResultCache) -> None:
        """Take the folder of games refereed here, the book of players, and a cache for their statistics."""
        self._shelf, self._book, self._cache = Shelf(games), book, cache
        self._mutex = threading.Lock()

    def players(self) -> Mapping[str, object]:
        """Return the players who want statistics, and the names in games here of those who don't or weren't asked."""
        booked = self._booked()
        given = sorted({name for card in self._cards() for _, name in card.players if name}, key=str.casefold)
        offered = [name for name in given if not any(same_name(name, one.name) for one in booked)]
        return {"players": [_shown(one) for one in booked], "offered": list(_once(offered))}

    def figures(self, number: int, language: str) -> bytes:
        """Return a player's statistics as JSON; empty where there is no such player."""
        player = next((one for one in self._booked() if one.id == number), None)
        if player is None:
            return b""
        cards = [card for card in self._cards() if _colours(card, player)][:MOST_GAMES]
        heads = tuple((card.path, card.head) for card in cards)
        return self._cache.get((player, heads, language), lambda: _made(player, cards, language))

    def add(self, name: str) -> Outcome:
        """Add a player who wants statistics."""
        try:
            player = self._book.add(name)
        except ValueError:
            return Outcome(
                False,
                say(
                    "A name has at most {n} characters, and there are at most {all} players.",
                    n=LONGEST_NAME,
                    all=MOST_PLAYERS,
                ),
                "name",
            )
        except OSError as error:
            return _unwritten(error)
        return Outcome(True, say("From now on there are statistics of {who}.", who=player.name), "", _shown(player))

    def forget(self, number: int) -> Outcome:
        """Forget a player who wants statistics no more: name and figures are gone at once."""
        try:
            there = self._book.forget(number)
        except OSError as error:
            return _unwritten(error)
        self._cache.clear()
        words = say("Name and statistics are deleted.") if there else say("There is no such player.")
        return Outcome(there, words, "" if there else "no-player")

    def _booked(self) -> tuple[BookedPlayer, ...]:
        try:
            return self._book.players()
        except OSError as error:
            _LOG.warning("%s", error)
            return ()

    def _cards(self) -> list[GameCard]:
        with self._mutex:
            return self._shelf.cards()


def _unwritten(error: OSError) -> Outcome:
    _LOG.error("players: %s", error)
    return Outcome(False, say("This could not be written down, so it stays as it was."), "disk")


def _shown(player: BookedPlayer) -> dict[str, object]:
    return {"id": player.id, "name": player.name, "since": player.since}


def _once(names: Iterable[str]) -> Iterable[str]:
    """Return the names that differ in more than capitals and spaces."""
    seen: list[str] = []
    for name in names:
        if not any(same_name(name, other) for other in seen):
            seen.append(name)
            yield name


def _colours(card: GameCard, player: BookedPlayer) -> list[str]:
    return [word for word, name in card.players if same_name(name, player.name)]


def _made(player: BookedPlayer, cards: Iterable[GameCard], language: str) -> bytes:
    found: list[GameFigures] = []
    left = 0
    for card in cards:
        try:
            session = session_of(read_journal(card.path, recover=False))
        except JournalError:
            left += 1  # damaged, or of a game that is not installed
            continue
        found += [figures_of(session, word) for word in _colours(card, player)]
    told = {
        **_shown(player),
        "games": [summary_json(one, language) for one in summaries(found)],
        "unread": left,
    }
    return json.dumps(told, ensure_ascii=False).encode()
