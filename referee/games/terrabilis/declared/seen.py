"""Write what cameras saw as one line of text, ``dice 3+4 zone 2g3y | red @7 i2 | blue @4 i=mill+school``.

What was not seen is left out; an unseen colour of the Zone reads as ``?``. The text parses back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from referee.games.contract import RequestError
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import COUNTERS, GREEN, YELLOW, ZONE_PLACES
from referee.kinds.ledger.observation import NOTHING
from referee.values.board import BoardError
from referee.values.words import board_words, player_name, say

LONGEST = 4000
"""Characters of the longest text that is read."""

_TABLE = re.compile(r"(?:dice ([1-6])\+([1-6]))? ?(?:zone (\d{1,3}|\?)g(\d{1,3}|\?)y)?")
_LINE = re.compile(r"(red|green|blue|yellow)(?: @(\d{1,4}))?(?: i(\d{1,4})| i=([A-Za-z0-9%+_.~-]*))?")


@dataclass(frozen=True, slots=True)
class LedgerSeen:
    """What cameras saw after the turn; what is ``None`` or absent was not seen.

    zone: counters by colour. installed: how many cards lie before a player, or which. money: what the ledger has, by
    player, where it is the ledger's own view of the table; it is drawn and nothing else.
    """

    dice: tuple[int, int] | None
    pawns: Mapping[Country, int]
    zone: Mapping[str, int]
    installed: Mapping[Country, int | tuple[str, ...]]
    money: Mapping[Country, int] = field(default_factory=dict, compare=False)

    @property
    def text(self) -> str:
        """Return what was seen, in one line."""
        return seen_text(self)

    def view(self, language: str) -> dict[str, object]:
        """Return the table as the page draws it: the Zone as a gauge, an account for each player."""
        players = [country for country in Country if {country} & {*self.pawns, *self.installed, *self.money}]
        return {
            "gauge": gauge_view(self.zone.get(GREEN), self.zone.get(YELLOW), language),
            "accounts": [
                {"player": who.word, "name": player_name(who).text(language), "amount": self.money.get(who)}
                for who in players
            ],
        }


def gauge_view(green: int | None, yellow: int | None, language: str) -> dict[str, object]:
    """Return the Zone as a thermometer."""
    return {
        "name": say("Impact Zone").text(language),
        "value": None if green is None or yellow is None else green + yellow,
        "of": ZONE_PLACES,
        "parts": [
            {"name": say("green").text(language), "value": green, "paint": GREEN},
            {"name": say("yellow").text(language), "value": yellow, "paint": YELLOW},
        ],
    }


NOTHING_SEEN = LedgerSeen(None, {}, {}, {})


def seen_text(seen: LedgerSeen) -> str:
    """Return what was seen, as text."""
    table = []
    if seen.dice is not None:
        table.append("dice {}+{}".format(*seen.dice))
    if seen.zone:
        green, yellow = (seen.zone.get(name, "?") for name in COUNTERS)
        table.append(f"zone {green}g{yellow}y")
    lines = [_line(country, seen) for country in Country if country in seen.pawns or country in seen.installed]
    return " | ".join([" ".join(table) or NOTHING, *lines])


def _line(country: Country, seen: LedgerSeen) -> str:
    words = [country.word]
    if country in seen.pawns:
        words.append(f"@{seen.pawns[country]}")
    laid_out = seen.installed.get(country)
    if isinstance(laid_out, int):
        words.append(f"i{laid_out}")
    elif laid_out is not None:
        words.append("i=" + "+".join(quote(card, safe="") for card in laid_out))
    return " ".join(words)


def parse_seen(text: object) -> LedgerSeen:
    """Parse what ``seen_text`` wrote. Raises RequestError with what to do."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise _error(text)
    table, *lines = text.split(" | ")
    found = _TABLE.fullmatch("" if table == NOTHING else table)
    if found is None or not table or table != table.strip():
        raise _error(table)
    pawns: dict[Country, int] = {}
    installed: dict[Country, int | tuple[str, ...]] = {}
    for line in lines:
        _read_line(line, pawns, installed)
    zone = {name: int(n) for name, n in ((GREEN, found[3]), (YELLOW, found[4])) if n not in (None, "?")}
    dice = None if found[1] is None else (int(found[1]), int(found[2]))
    return LedgerSeen(dice, pawns, zone, installed)


def _read_line(line: str, pawns: dict[Country, int], installed: dict[Country, int | tuple[str, ...]]) -> None:
    found = _LINE.fullmatch(line)
    if found is None:
        raise _error(line)
    country = Country.from_word(found[1])
    if country in pawns or country in installed:
        raise _error(line)
    if found[2] is not None:
        pawns[country] = int(found[2])
    if found[3] is not None:
        installed[country] = int(found[3])
    if found[4] is not None:
        installed[country] = tuple(unquote(card) for card in found[4].split("+") if card)


def _error(text: object) -> RequestError:
    example = "dice 3+4 zone 2g3y | red @7 i2 | blue @4 i1"
    return RequestError("observed", f"{str(text)[:40]!r} is nothing seen of a table: write such as {example!r}")


def country_named(word: object) -> Country:
    """Return the country a word names. Raises RequestError for any other."""
    try:
        return Country.from_word(word)
    except BoardError as error:
        raise RequestError("players", board_words(error)) from error
