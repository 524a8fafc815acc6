"""Hold every sentence of a game against its catalogues: those that were said, and those that stand in its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from polib import POEntry, pofile

from referee.addons.authoring.breaking import broken_turns
from referee.addons.authoring.subject import Subject, words_in
from referee.games.contract import Accounts, AsksBefore, Explains, Prompts, RequestError, TellsWhy
from referee.values.words import Words, WordsError, catalogue_files, placeholders

Sentence = tuple[str, str | None]
"""A template, and the one for other numbers than 1."""


def said(subject: Subject) -> Iterator[Words]:
    """Yield what a game says of its playthrough, of turns in which nothing is done, and of turns that break rules."""
    game = subject.package.game
    yield from words_in((game.kit, game.choices()))
    for position, _, ruling in subject.played:
        after = position if ruling.next is None else ruling.next
        yield from words_in((game.seats(position), game.form(position), game.progress(position, (after.observed,))))
        yield from words_in(game.setup_differences(position, after.observed))
        yield from words_in(game.prompt(position) if isinstance(game, Prompts) else ())
        yield from words_in(game.explained(position) if isinstance(game, Explains) else ())
        yield from words_in(game.account(position, ruling) if isinstance(game, Accounts) else ())
        yield from words_in(game.why_over(after) if isinstance(game, TellsWhy) else ())
        with suppress(RequestError):
            idle = game.check(position, position.observed)
            yield from words_in((idle.violations, idle.questions, idle.lacking))
            yield from words_in(game.question(position, idle, {}) if isinstance(game, AsksBefore) else ())
    for turn in broken_turns(subject):
        yield from words_in((turn.ruling.violations, turn.ruling.questions, turn.ruling.lacking))


def sentences_have_texts(subject: Subject) -> Iterator[str]:
    """Say which sentences lack a text in a language of the game's, and which texts lack what is filled in."""
    found: dict[Sentence, str] = {(words.template, words.plural): "" for words in said(subject)}
    found |= written(subject.sources)
    for language in subject.languages:
        texts = _texts(language)
        for (template, plural), where in sorted(found.items(), key=lambda one: (one[1], one[0][0])):
            if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", template)):  # signs alone need no text
                told = _amiss(texts.get(template), template, plural)
                yield from [f"{language}: {template!r}{where} {told}"] if told else []


def written(sources: Iterable[tuple[str, str]]) -> dict[Sentence, str]:
    """Return the sentences that stand in code, and where: also those that no turn here made the game say."""
    found: dict[Sentence, str] = {}
    for name, text in sources:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "say_n"):
                parts = node.args[: 2 if node.func.id == "say_n" else 1]
                literal = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                if literal:
                    plural = literal[1] if len(literal) == 2 else None
                    found[literal[0], plural] = f" ({name}, line {node.lineno})"
    return found


def _texts(language: str) -> Mapping[str, POEntry]:
    """Return every entry of every catalogue of a language, those of the referee's own counting first."""
    catalogues = [pofile(str(path)) for path in catalogue_files(language) if path.exists()]
    return {entry.msgid: entry for one in reversed(catalogues) for entry in one if entry.translated()}


def _amiss(entry: POEntry | None, template: str, plural: str | None) -> str:
    if entry is None:
        return "has no text"
    texts = [entry.msgstr] if plural is None else list(entry.msgstr_plural.values())
    if not texts or not all(texts):
        return "has no text for every number"
    try:
        wanted = [placeholders(one) for one in (template, plural or template)]
        odd = [text for text in texts if not any(one - {"n"} <= placeholders(text) <= one | {"n"} for one in wanted)]
        if plural is None:
            odd = [text for text in texts if placeholders(text) != wanted[0]]
    except WordsError as error:
        return f"has a text that can't be filled in: {error}"
    return f"has a text with other {{}} in it: {odd[0]!r}" if odd else ""
