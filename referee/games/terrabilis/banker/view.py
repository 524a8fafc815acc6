"""What the banker's page shows of a turn under way, as JSON-able values in a language."""

from __future__ import annotations

from referee.games.terrabilis.banker.options import BankOption, options_now
from referee.games.terrabilis.banker.reminders import reminders, standing
from referee.games.terrabilis.banker.underway import Effect, under_way
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.reading import act_json
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine
from referee.games.terrabilis.replay.books import Booking
from referee.games.terrabilis.ruleset import ACCOUNTS, ZONE_PLACES
from referee.games.terrabilis.text.actwords import RULES, SPACES, act_words
from referee.games.terrabilis.text.messages import breach_words
from referee.games.terrabilis.text.notation import act_text
from referee.values.words import say

View = dict[str, object]


def ledger_view(case: TurnCase, language: str = "en") -> View:
    """Everything the page needs to be the banker: accounts, Zone, what may be done now, what is missing.

    ``accounts`` are those after the acts declared so far, ``before`` those before the turn.
    """
    state, position = under_way(case), case.position
    turn = state.turn
    blocked = state.stuck or state.missing
    return {
        "lap": position.lap,
        "target": position.target,
        "player": turn.player.word,
        "space": None if turn.space is None else {"id": turn.space, "name": SPACES[turn.space].text(language)},
        "dice": None if turn.dice is None else list(turn.dice),
        "lap_ended": turn.ended,
        "ready": state.ready,
        "blocked": breach_words(blocked).text(language) if blocked else "",
        "awaited": [who.word for who in dict.fromkeys(who for who, _ in turn.awaited)],
        "zone": {"green": state.zone[0], "yellow": state.zone[1], "places": ZONE_PLACES},
        "lost": {"green": turn.books.zone.lost_green, "yellow": turn.books.zone.lost_yellow},
        "accounts": [_account(case, who, line, language) for who, line in state.lines.items()],
        "acts": [
            {"act": act_json(act), "words": act_words(act, case.copy).text(language), "text": act_text(act)}
            for act in case.acts
        ],
        "entries": [_entry(entry, language) for entry in turn.books.entries],
        "options": [_option(case, option, language) for option in options_now(case)],
        "reminders": [words.text(language) for words in reminders(position, case.copy)],
        "winner": turn.winner.word if turn.winner else None,
        "lost_together": turn.group_lost,
        "title": state.title,
    }


def _account(case: TurnCase, who: Country, line: LedgerLine, language: str) -> View:
    before, state = case.position.ledger[who], standing(case.position, who)
    return {
        "player": who.word,
        **line.to_json(),
        "before": {name: getattr(before, name) for name in ACCOUNTS},
        "cards": [case.copy.cards[card].name for card in line.installed],
        "missing": [words.text(language) for words in state.missing],
        "loans_left": state.loans_left,
    }


def _entry(entry: Booking, language: str) -> View:
    return {**entry.to_json(), "for": RULES[entry.rule].text(language)}


def _option(case: TurnCase, option: BankOption, language: str) -> View:
    words = say("Roll the dice") if option.act is None else act_words(option.act, case.copy)
    return {
        "kind": option.kind,
        "player": option.who.word,
        "act": None if option.act is None else act_json(option.act),
        "text": "" if option.act is None else act_text(option.act),
        "words": words.text(language),
        "needed": option.needed,
        "effects": [_effect(effect) for effect in option.effects],
        "hindrance": "" if option.hindrance is None else breach_words(option.hindrance).text(language),
    }


def _effect(effect: Effect) -> View:
    numbers = {name: getattr(effect, name) for name in ACCOUNTS}
    return {"player": effect.who.word, **{name: n for name, n in numbers.items() if n}}
