"""Show the options of a turn under way as buttons of the page, sorted into groups."""

from __future__ import annotations

from referee.games.terrabilis.banker.asking import (
    ANSWERS,
    Audience,
    View,
    card_form,
    count_form,
    new_card,
    table_form,
    value_form,
    value_question,
    value_text,
)
from referee.games.terrabilis.banker.options import BankOption, options_now, section_picked
from referee.games.terrabilis.banker.underway import Effect, UnderWay
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.declared.acts import Discard, HazardDrawn, Install, Roll, TurnCase
from referee.games.terrabilis.ruleset import ACCOUNTS
from referee.games.terrabilis.text.actwords import PILES, SPACES, act_words
from referee.games.terrabilis.text.messages import breach_words
from referee.games.terrabilis.text.notation import act_text, turn_text
from referee.values.words import Words, say, shown_number

NEW_ROW = "+"
"""Stands for a card's row that is still to be made."""
ANYTIME = ("loan", "repay", "abandon", "count", "seen")
_STYLES = {"roll": "dice", "install": "cards", "discard": "cards"}
_TITLES = {
    "roll": say("The dice show"),
    "draw": say("Draw a card from a pile"),
    "install": say("Install a card, or throw one away"),
    "hazard": say("The card drawn"),
    "choose": say("Choices to be made"),
    "order": say("In which order is it poured?"),
    "quiz": say("The answer to the question"),
    "join": say("Who joins the Alliance?"),
    "anytime": say("At any time"),
}


def turn_said(case: TurnCase, *acts: object) -> str:
    """Return what is declared of a turn: values told, the acts so far, and more of them."""
    told = [one.text for one in case.entered]
    return "; ".join([*told, *([turn_text(case.acts)] if case.acts else []), *map(str, acts)])


def buttons(case: TurnCase, state: UnderWay, audience: Audience, dice: tuple[int, int] | None = None) -> list[View]:
    """Return all buttons that may be pressed now.

    dice: as cameras see them thrown just now; that throw comes first.
    """
    options = [_button(case, one, audience) for one in options_now(case, state)]
    if dice is not None:
        seen = sorted(dice)
        for option in options:
            if option["kind"] == "roll" and option["dice"] == seen:
                option["seen"] = audience.told(_AS_SEEN)
        options.sort(key=lambda option: "seen" not in option)
    return [*_undo(case, audience), *options, *_unlisted(case, state, audience), *_asked(case, state, audience)]


def groups(options: list[View], audience: Audience) -> list[View]:
    """Return the groups of the buttons there are, in the order in which they are shown."""
    found = list(dict.fromkeys(str(option["group"]) for option in options if option["group"]))
    order = sorted(found, key=lambda name: name == "anytime")
    return [
        {
            "id": name,
            "name": audience.told(_TITLES[name]),
            "style": "folded" if name == "anytime" else _STYLES.get(name, "buttons"),
        }
        for name in order
    ]


def _undo(case: TurnCase, audience: Audience) -> list[View]:
    """Return the button that takes the last act back, where there is one."""
    if not case.acts:
        return []
    words = say("Take back: {act}", act=act_words(case.acts[-1], case.copy))
    told = [one.text for one in case.entered]
    return [
        {
            "id": "undo",
            "kind": "undo",
            "group": "",
            "name": audience.told(words),
            "amounts": [],
            "declared": {"acts": "; ".join([*told, turn_text(case.acts[:-1])])},
        }
    ]


def _button(case: TurnCase, option: BankOption, audience: Audience) -> View:
    """Return a button. declared: what is declared of the turn with it; form: what it asks first."""
    act, found = option.act, option.outlook
    words = act_words(act, case.copy)
    if option.who != case.position.to_move:
        words = say("{who}: {act}", who=option.who, act=words)
    group = "anytime" if option.kind in ANYTIME else "install" if option.kind == "discard" else option.kind
    made: View = {
        "id": act_text(act),
        "kind": option.kind,
        "group": group,
        "player": option.who.word,
        "name": audience.told(words),
        "amounts": [sign for effect in found.effects for sign in _amounts(case, effect, audience)],
        "needed": option.needed,
        "effects": [_effect(effect) for effect in found.effects],
        "hindrance": "" if found.hindrance is None else audience.told(breach_words(found.hindrance)),
        "declared": {"acts": turn_said(case, act_text(act))},
    }
    if isinstance(act, Roll):
        leads = audience.told(SPACES[found.leads]) if found.leads else ""
        made |= {"dice": list(act.dice), "leads": leads, "amounts": []}
    if isinstance(act, Install | Discard):
        card = case.copy.cards[act.card]
        name = card_name(case.copy, card.name)
        made |= {"tile": card.id, "tile_name": audience.told(name), "part": audience.told(PILES[card.kind])}
        made["name"] = audience.told(_SHORT[option.kind])
    if found.lacks:
        told = [*(one.text for one in case.entered), value_text(found.lacks)]
        after = [turn_text(case.acts)] if case.acts else []
        made |= {"place": list(found.lacks[:2])}
        made |= {"asks": audience.told(value_question(case.copy, found.lacks))}
        made |= {
            "form": value_form(case.copy, found.lacks, audience),
            "declared": {"acts": "; ".join([*told, *after])},
        }
    return made


_AS_SEEN = say("as the camera sees it")
_ANOTHER = say("Another card: name it")
_NOT_ENTERED = say("Not in your copy yet")
_SHORT = {"install": say("Install"), "discard": say("Throw away")}


def _unlisted(case: TurnCase, state: UnderWay, audience: Audience) -> list[View]:
    """Return the button that names a card nobody entered, where a card is picked now; a hazard is met with it."""
    section = section_picked(state.turn)
    if section is None or state.stuck is not None or state.turn.over:
        return []
    ident = new_card(case.copy, section)
    told = [*(one.text for one in case.entered), value_text((section, ident))]
    acts = [*case.acts, *([HazardDrawn(ident)] if section == "hazards" else [])]
    group = "hazard" if section == "hazards" else "install"
    return [
        _asking("another card", "value", _ANOTHER, audience)
        | {
            "group": group,
            "tile": "another card",
            "tile_name": audience.told(_ANOTHER),
            "part": audience.told(_NOT_ENTERED),
            "player": state.turn.player.word,
            "place": [section, NEW_ROW],
            "form": card_form(section, audience),
            "declared": {"acts": "; ".join([*told, *([turn_text(acts)] if acts else [])])},
        }
    ]


def _asked(case: TurnCase, state: UnderWay, audience: Audience) -> list[View]:
    """Return buttons that ask for numbers: a count of every player, and what lies on the table."""
    if state.stuck is not None or state.turn.over:
        return []
    inside = [who for who in case.position.clockwise(state.turn.player) if not state.lines[who].out]
    found = []
    for who in inside:
        mine = who == case.position.to_move
        verb = f"count {ANSWERS}" if mine else f"{who.word} counts {ANSWERS}"
        found.append(
            _asking(f"{who.word} counts", "count", say("{who} counts", who=who), audience)
            | {
                "player": who.word,
                "form": count_form(audience),
                "declared": {"acts": turn_said(case, verb)},
            }
        )
    told = {"acts": turn_said(case)} | {"seen": ANSWERS}
    form = table_form(inside, len(case.copy.track), audience)
    found.append(_asking("seen", "seen", say("Compare with the table"), audience) | {"form": form, "declared": told})
    return found


def _asking(ident: str, kind: str, name: Words, audience: Audience) -> View:
    return {
        "id": ident,
        "kind": kind,
        "group": "anytime",
        "player": None,
        "name": audience.told(name),
        "amounts": [],
        "needed": False,
        "effects": [],
        "hindrance": "",
    }


def _amounts(case: TurnCase, effect: Effect, audience: Audience) -> list[str]:
    """Return the changes in a few characters each, ``−12,000 Terras``; those of others begin with their name."""
    found = []
    for name, unit in UNITS.items():
        change = getattr(effect, name)
        if change:
            amount = shown_number(abs(change), audience.language)
            found.append(f"{'+' if change > 0 else '−'}{amount} {audience.told(unit)}")
    if found and effect.who != case.position.to_move:
        found[0] = f"{audience.name(effect.who)}: {found[0]}"
    return found


UNITS = {
    "money": say("Terras"),
    "energy": say("energy"),
    "green": say("green"),
    "yellow": say("yellow"),
}


def _effect(effect: Effect) -> View:
    numbers = {name: getattr(effect, name) for name in ACCOUNTS}
    return {"player": effect.who.word, **{name: n for name, n in numbers.items() if n}}
