"""What the banker's page shows of a turn under way, as JSON-able values in a language."""

from __future__ import annotations

from dataclasses import replace

from referee.games.terrabilis.banker.options import BankOption, options_now
from referee.games.terrabilis.banker.reminders import reminders, standing
from referee.games.terrabilis.banker.underway import Effect, under_way
from referee.games.terrabilis.declared.acts import Roll, TurnCase
from referee.games.terrabilis.declared.reading import act_json
from referee.games.terrabilis.declared.seen import gauge_view
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.books import Booking
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import ACCOUNTS
from referee.games.terrabilis.text.actwords import RULES, SPACES, act_words
from referee.games.terrabilis.text.messages import breach_words
from referee.games.terrabilis.text.notation import act_text, turn_text
from referee.values.words import player_name, say

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
        "gauge": gauge_view(*state.zone, language),
        "lost": {"green": turn.books.zone.lost_green, "yellow": turn.books.zone.lost_yellow},
        "accounts": [_account(case, turn, who, language) for who in position.players],
        "acts": [
            {"act": act_json(act), "words": act_words(act, case.copy).text(language), "text": act_text(act)}
            for act in case.acts
        ],
        "entries": [_entry(entry, language) for entry in turn.books.entries],
        "options": [
            *_undo(case, language),
            *(_option(case, one, language) for one in _spelled_out(options_now(case))),
        ],
        "reminders": [words.text(language) for words in reminders(position, case.copy)],
        "winner": turn.winner.word if turn.winner else None,
        "lost_together": turn.group_lost,
        "title": state.title,
    }


def _account(case: TurnCase, turn: LedgerTurn, who: Country, language: str) -> View:
    """A player's line as it stands now. history: the money booked in this turn; before: the accounts before it."""
    line, before = turn.books.accounts[who].line, case.position.ledger[who]
    state = standing(replace(case.position, ledger={**case.position.ledger, who: line}), who)
    booked = [entry for entry in turn.books.entries if entry.who == who and entry.money]
    return {
        "player": who.word,
        "name": player_name(who).text(language),
        "amount": line.money,
        "history": [{"words": RULES[entry.rule].text(language), "amount": entry.money} for entry in booked],
        "line": line.to_json(),
        "before": {name: getattr(before, name) for name in ACCOUNTS},
        "cards": [case.copy.cards[card].name for card in line.installed],
        "missing": [words.text(language) for words in state.missing],
        "loans_left": state.loans_left,
    }


def _entry(entry: Booking, language: str) -> View:
    return {**entry.to_json(), "for": RULES[entry.rule].text(language)}


def _undo(case: TurnCase, language: str) -> list[View]:
    """The button that takes the last act back, where there is one."""
    if not case.acts:
        return []
    words = say("Take back: {act}", act=act_words(case.acts[-1], case.copy))
    return [
        {
            "id": "undo",
            "kind": "undo",
            "name": words.text(language),
            "amounts": [],
            "declared": {"acts": turn_text(case.acts[:-1])},
        }
    ]


def _spelled_out(options: tuple[BankOption, ...]) -> list[BankOption]:
    """The options with a button for each pair of dice: a roll is declared at one touch."""
    rolls = [Roll((a, b)) for a in range(1, 7) for b in range(a, 7)]
    found: list[BankOption] = []
    for option in options:
        found += [option] if option.act is not None else [replace(option, act=roll) for roll in rolls]
    return found


def _option(case: TurnCase, option: BankOption, language: str) -> View:
    """A button. declared: what is declared of the turn with it."""
    act = option.act
    assert act is not None
    words = act_words(act, case.copy)
    if option.who != case.position.to_move:
        words = say("{who}: {act}", who=option.who, act=words)
    amounts = [sign for effect in option.effects for sign in _amounts(effect, language)]
    return {
        "id": act_text(act),
        "kind": option.kind,
        "player": option.who.word,
        "name": words.text(language),
        "amounts": amounts,
        "needed": option.needed,
        "effects": [_effect(effect) for effect in option.effects],
        "hindrance": "" if option.hindrance is None else breach_words(option.hindrance).text(language),
        "declared": {"acts": turn_text((*case.acts, act))},
    }


def _amounts(effect: Effect, language: str) -> list[str]:
    """The changes in a few characters each: ``−2000 T``."""
    found = []
    for name, unit in _UNITS.items():
        change = getattr(effect, name)
        if change:
            found.append(f"{'+' if change > 0 else '−'}{abs(change)} {unit.text(language)}")
    return found


_UNITS = {
    "money": say("Terras"),
    "energy": say("energy"),
    "green": say("green"),
    "yellow": say("yellow"),
}


def _effect(effect: Effect) -> View:
    numbers = {name: getattr(effect, name) for name in ACCOUNTS}
    return {"player": effect.who.word, **{name: n for name, n in numbers.items() if n}}
