"""Show a copy's data as the page's form: parts, their rows, what is missing and what is hardly right."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.terrabilis.copy.checks import doubts, gaps
from referee.games.terrabilis.copy.data import AMOUNT_NAMES, KINDS, MODIFIED, NUMBERS, SPACES, TAGS, WHO, Amounts
from referee.games.terrabilis.copy.editing import Data, normal, row
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS
from referee.games.terrabilis.text.actwords import PILES
from referee.games.terrabilis.text.actwords import SPACES as SPACE_NAMES
from referee.games.terrabilis.text.copywords import (
    ACCOUNT_NAMES,
    AMOUNTS,
    PARTICIPANTS,
    PARTS,
    TAG_NAMES,
    VALUE_NAMES,
)
from referee.values.words import Words, player_name, say

View = dict[str, object]
_SIGNED = ("green", "yellow", "income", "energy_income")
_LARGE = 10**6
_FIRST = say("A game can begin once the track and the country cards of all who play are entered.")


def field(ident: str, kind: str, name: Words, language: str, **more: object) -> View:
    """Return a field of a form as the page draws it."""
    return {"id": ident, "kind": kind, "name": name.text(language), "answers": [], "least": 0, "most": None} | more


def sheet_view(data: Data, language: str) -> View:
    """Return everything the page shows of a copy's data."""
    data, copy = normal(data)
    missing = gaps(copy)
    parts = []
    for ident, (name, explains) in PARTS.items():
        rows = [
            {
                "id": key,
                "name": words.text(language),
                "values": row(data, ident, key),
                "lacks": sum(place[:2] == (ident, key) for place in missing),
            }
            for key, words in _rows(data, ident)
        ]
        parts.append(
            {
                "id": ident,
                "name": name.text(language),
                "explains": explains.text(language),
                "grows": ident in ("infrastructures", "hazards"),
                "pictured": ident in ("infrastructures", "hazards", "countries", "alliance", "track"),
                "fields": list(row_fields(ident, language)),
                "rows": rows,
                "lacks": sum(place[0] == ident for place in missing),
            }
        )
    first = any(place[0] in ("track", "countries") for place in missing)
    return {
        "name": copy.name,
        "parts": parts,
        "first": _FIRST.text(language) if first else "",
        "gaps": len(missing),
        "doubts": [words.text(language) for words in doubts(copy)],
    }


def _rows(data: Data, ident: str) -> list[tuple[str, Words | Words]]:
    if ident == "countries":
        return [(country.word, player_name(country)) for country in Country]
    if ident in ("infrastructures", "hazards"):
        cards = data[ident]
        assert isinstance(cards, list)
        return [(str(card["id"]), _plain(str(card["name"]))) for card in cards]
    return [("all", PARTS[ident][0])]


def _plain(text: str) -> Words:
    return say("{name}", name=text)


def row_fields(ident: str, language: str) -> Iterator[View]:
    """Yield the fields of a row in a part of the copy's data."""
    if ident == "track":
        answers = [{"id": space, "name": SPACE_NAMES[space].text(language), "explains": ""} for space in SPACES]
        yield field("spaces", "sequence", VALUE_NAMES["spaces"], language, answers=answers)
    elif ident == "countries":
        yield from (field(name, "number", ACCOUNT_NAMES[name], language) for name in ACCOUNTS)
    elif ident == "infrastructures":
        yield from _card_fields(language)
    elif ident == "hazards":
        yield from _hazard_fields(language)
    elif ident == "alliance":
        yield field("text", "text", VALUE_NAMES["text"], language, most=2000)
        for space in MODIFIED:
            words = say("{space}: members pay so many per cent", space=SPACE_NAMES[space])
            yield field(space, "number", words, language)
    elif ident == "stock":
        yield from (field(name, "number", ACCOUNT_NAMES[name], language) for name in COUNTERS)
    else:
        usual = Amounts()
        for name in AMOUNT_NAMES:
            words = say("{what} (usually {n})", what=AMOUNTS[name], n=getattr(usual, name))
            yield field(name, "number", words, language)


def _card_fields(language: str) -> Iterator[View]:
    kinds = [{"id": kind, "name": PILES[kind].text(language), "explains": ""} for kind in KINDS]
    tags = [{"id": tag, "name": TAG_NAMES[tag].text(language), "explains": ""} for tag in TAGS]
    yield field("name", "text", VALUE_NAMES["name"], language, most=60)
    yield field("kind", "choice", VALUE_NAMES["kind"], language, answers=kinds)
    for name in NUMBERS:
        yield field(name, "number", VALUE_NAMES[name], language, least=-_LARGE if name in _SIGNED else 0)
    yield field("tags", "several", VALUE_NAMES["tags"], language, answers=tags)
    yield field("copies", "number", VALUE_NAMES["copies"], language)


def _hazard_fields(language: str) -> Iterator[View]:
    yield field("name", "text", VALUE_NAMES["name"], language, most=60)
    for who in WHO:
        for account in ACCOUNTS:
            words = say("{who}: {what}", who=PARTICIPANTS[who], what=ACCOUNT_NAMES[account])
            yield field(f"{who}.{account}", "number", words, language, least=-_LARGE)
    yield field("free", "flag", VALUE_NAMES["free"], language)
    yield field("copies", "number", VALUE_NAMES["copies"], language)
