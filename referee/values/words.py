"""Sentences for people in their own language, as values: an English template and what is filled in.

A sentence is made once, where its reason is known, and put into a language where it is read: the journal keeps the
template and the values, so an old game can be shown in any language. English stands in the code; the other languages
come from ``referee/locale/LANGUAGE/LC_MESSAGES/referee.po`` and from the catalogues that games bring (gettext), read
when the language is first asked for. A language is there when its catalogue is. A sentence without a usable text
in it is shown in English.

Templates are written so that nothing filled in has to be inflected: a colour is its player's name ("Red", "Rot",
"Rouge") and stands the same everywhere, a list of fields is a list of names.
"""

from __future__ import annotations

import gettext
import io
import itertools
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from referee.values.board import BoardError, Field
from referee.values.players import Names, Player, PlayerName, named

if TYPE_CHECKING:
    from polib import POFile

LOCALE = Path(__file__).parents[1] / "locale"
"""Folder of the referee's own catalogues."""


def languages_in(folder: Path) -> tuple[str, ...]:
    """Return the languages with a catalogue in a folder, after English, the one that templates are written in."""
    found = {path.parents[1].name.replace("_", "-") for path in folder.glob("*/LC_MESSAGES/referee.po")}
    return ("en", *sorted(found - {"en"}))


LANGUAGES = languages_in(LOCALE)
"""The languages there are, as browsers and pages name them: ``es``, ``pt-BR``."""

_CATALOGUES: dict[str, Path] = {"referee": LOCALE}

MOST_NAMES = 8
"""Fields of a longer list that are named; the rest is counted."""

LEAST_GROUPED = 1_000
"""Numbers from here on are written in groups of three digits, as the language does."""
PLURALS = 200
"""Numbers whose plural form is told; from here on the forms of the last hundred come again (gettext's rules)."""

One: TypeAlias = "str | int | Player | Field | Words"
Value: TypeAlias = "One | tuple[One, ...]"
"""A value that may be filled in: text, a number, a player, a field, other words, or a list of such."""

UNBROKEN = "\N{NO-BREAK SPACE}"
_HIGH_SIGNS = re.compile(r" (?=[:;!?%»])|(?<=«) ")
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")

_log = logging.getLogger(__name__)


class WordsError(ValueError):
    """A template and values that don't fit each other, or JSON that is no words; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, or a part of one, in every language.

    template: English, with ``{placeholders}``. values: name and value of each, in the order of the names. plural: the
    English template for any number but 1, where the sentence counts something; the number is the value ``n`` then.
    Raises WordsError when a placeholder has no value, a value no placeholder, or a value is of another kind.
    """

    template: str
    values: tuple[tuple[str, Value], ...] = ()
    plural: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple((name, _plain(value)) for name, value in self.values))
        wanted = placeholders(self.template) | placeholders(self.plural or "")
        given = dict(self.values)
        if len(given) != len(self.values):
            raise WordsError(f"a value is given twice for {self.template!r}")
        if self.plural is not None:
            wanted |= {"n"}
            if type(given.get("n")) is not int:
                raise WordsError(f"{self.template!r} counts something: its n must be a number")
        if wanted != given.keys():
            odd = sorted(wanted ^ given.keys())
            raise WordsError(f"placeholders and values of {self.template!r} differ: {', '.join(odd)}")
        for name, value in self.values:
            _check(name, value)

    def text(self, language: str = "en") -> str:
        """Return the sentence in a language of LANGUAGES. Raises WordsError for another."""
        catalogue = _catalogue(language)
        values = dict(self.values)
        if self.plural is None:
            template = catalogue.gettext(self.template)
        else:
            count = values["n"]
            assert isinstance(count, int)
            template = catalogue.ngettext(self.template, self.plural, count)
        return _PLACEHOLDER.sub(lambda found: _shown(values[found[1]], language), template)

    def __str__(self) -> str:
        return self.text()

    def called(self, names: Names) -> Words:
        """Return the sentence with players by the names they gave. names: by the players' words."""
        if not names:
            return self
        return Words(self.template, tuple((name, _called(value, names)) for name, value in self.values), self.plural)

    def to_json(self) -> dict[str, object]:
        """Return the words as JSON-able values."""
        data: dict[str, object] = {"template": self.template}
        if self.values:
            data["values"] = {name: _value_json(value) for name, value in self.values}
        return data if self.plural is None else data | {"plural": self.plural}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read what ``to_json`` wrote. Raises WordsError, naming what is wrong."""
        if not isinstance(data, Mapping):
            raise WordsError(f"words are an object with a template, not {_kind(data)}")
        unknown = data.keys() - {"template", "values", "plural"}
        if unknown:
            raise WordsError(f"words have template, values and plural, but no {sorted(map(str, unknown))[0][:40]!r}")
        template, values, plural = data.get("template"), data.get("values", {}), data.get("plural")
        if not isinstance(template, str):
            raise WordsError(f"the template of words is text, not {_kind(template)}")
        if plural is not None and not isinstance(plural, str):
            raise WordsError(f"the plural of words is text, not {_kind(plural)}")
        if not isinstance(values, Mapping):
            raise WordsError(f"the values of words are an object, not {_kind(values)}")
        return cls(template, tuple(sorted((str(name), _value(value)) for name, value in values.items())), plural)


def say(template: str, /, **values: Value) -> Words:
    """Make a sentence: ``say("{who} built on {at}", who=player, at=fields)``. The template is a literal string."""
    return Words(template, tuple(sorted(values.items(), key=itemgetter(0))))


def say_n(singular: str, plural: str, n: int, /, **values: Value) -> Words:
    """Make a sentence that counts: ``say_n("{n} cube", "{n} cubes", count)``. Both templates are literal strings."""
    return Words(singular, tuple(sorted([("n", n), *values.items()], key=itemgetter(0))), plural)


def verbatim(text: str) -> Words:
    """Return text that is the same in every language, such as an old message kept without its template."""
    return Words("{text}", (("text", text),))


def board_words(error: BoardError, key: str = "") -> Words:
    """Return what is wrong with a board. key: of the value that holds it, to stand before that."""
    plain = not error.values and set(error.template) & {"{", "}"}  # somebody else's, ready to be read
    told = verbatim(error.template) if plain else Words(error.template, tuple(sorted(error.values.items())))
    return say("{key}: {why}", key=key, why=told) if key else told


def placeholders(template: str) -> frozenset[str]:
    """Return the names in braces in a template. Raises WordsError for unbalanced braces."""
    if not template:
        return frozenset()
    return _parsed(template)


@cache
def _parsed(template: str) -> frozenset[str]:
    if set(_PLACEHOLDER.sub("", template)) & {"{", "}"}:
        raise WordsError(f"{template!r} has a brace that is no placeholder: write {{name}}, in small letters")
    return frozenset(_PLACEHOLDER.findall(template))


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language not in LANGUAGES:
        raise WordsError(f"{language!r} is no language of the referee: use one of {', '.join(LANGUAGES)}")
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    first = gettext.NullTranslations()
    for path in catalogue_files(language):
        if path.exists():
            first.add_fallback(_compiled(path, language))
    return first


def add_catalogue(name: str, folder: Path) -> None:
    """Bring the texts of a game: ``folder/LANGUAGE/LC_MESSAGES/NAME.po``. Those that are there already stay.

    The languages are those of the referee's own catalogues.
    """
    if _CATALOGUES.get(name) != folder:
        _CATALOGUES[name] = folder
        _catalogue.cache_clear()


def catalogue_files(language: str) -> tuple[Path, ...]:
    """Return the catalogues of a language, the referee's own first; not all need exist."""
    return tuple(catalogue_file(folder, language, name) for name, folder in _CATALOGUES.items())


def catalogue_file(folder: Path, language: str, name: str = "referee") -> Path:
    """Return where a language's catalogue stands in a folder."""
    return folder / language.replace("-", "_") / "LC_MESSAGES" / f"{name}.po"


def read_catalogue(path: Path, language: str) -> POFile:
    """Read a catalogue, as it is set; a text that can't be filled in as its sentence counts as none.

    Raises WordsError for a file that is no catalogue.
    """
    import polib  # only here: a command that speaks English never loads it

    try:
        catalogue = polib.pofile(str(path), encoding="utf-8")
        _forms(catalogue.metadata.get("Plural-Forms", ""))
    except (OSError, ValueError) as error:
        raise WordsError(f"{path}: not a catalogue of {language}: {error}") from None
    catalogue.metadata["Content-Type"] = "text/plain; charset=utf-8"
    for entry in catalogue:
        known = {*_PLACEHOLDER.findall(entry.msgid), *_PLACEHOLDER.findall(entry.msgid_plural)}
        texts = [entry.msgstr, *entry.msgstr_plural.values()]
        if not known.issuperset(name for text in texts for name in _PLACEHOLDER.findall(text)):
            entry.msgstr, entry.msgstr_plural = "", dict.fromkeys(entry.msgstr_plural, "")
        entry.msgstr = as_set(entry.msgstr, language)
        entry.msgstr_plural = {number: as_set(text, language) for number, text in entry.msgstr_plural.items()}
    return catalogue


def _compiled(path: Path, language: str) -> gettext.NullTranslations:
    try:
        return gettext.GNUTranslations(io.BytesIO(_binary(path, language)))
    except (WordsError, OSError) as error:
        _log.warning("%s; its sentences are shown in English", error)
        return gettext.NullTranslations()


@cache  # each game that is loaded has all catalogues compiled anew; their files stay as they are
def _binary(path: Path, language: str) -> bytes:
    return read_catalogue(path, language).to_binary()  # without entries that are empty or fuzzy


def _forms(header: str) -> Callable[[int], int]:
    """Return which form a number takes, from a catalogue's ``Plural-Forms``. Raises ValueError for another text."""
    found = re.search(r"plural=([^;]+)", header)
    return gettext.c2py(found[1]) if found else lambda n: int(n != 1)


def plural_forms(language: str) -> tuple[int, ...]:
    """Return which form of a sentence each number below PLURALS takes, for who can't read the catalogue's rule."""
    try:
        chosen = _forms(_head(language).get("Plural-Forms", ""))
    except ValueError:
        chosen = _forms("")
    return tuple(map(chosen, range(PLURALS)))


def language_name(language: str) -> str:
    """Return what a language calls itself: ``X-Language-Name`` in the head of its catalogue, else its code."""
    return "English" if language == LANGUAGES[0] else _head(language).get("X-Language-Name", language)


def _head(language: str) -> dict[str, str]:
    """Return the fields in the head of a language's catalogue, by name; none where it can't be read.

    The whole of a catalogue takes a while to read, and every page wants these.
    """
    with suppress(OSError, UnicodeDecodeError), catalogue_file(LOCALE, language).open(encoding="utf-8") as lines:
        head = itertools.takewhile(str.strip, itertools.dropwhile(lambda line: not line.strip(), lines))
        told = "".join(found[1] for line in head if (found := re.match(r'"(.*)"$', line.rstrip())))
        fields = (field.partition(":") for field in told.split("\\n"))
        return {name: value.strip() for name, _, value in fields}
    return {}


def as_set(text: str, language: str) -> str:
    """Return a text as it is set: in French no line breaks before a high sign or within its quotation marks."""
    return _HIGH_SIGNS.sub(UNBROKEN, text) if language == "fr" else text


def player_name(player: Player) -> Words:
    """Return a player's name, from the word; it begins with a capital wherever it stands."""
    return Words(player.word[:1].upper() + player.word[1:])


COLOUR_NAMES = (
    say("Red"),
    say("Yellow"),
    say("Green"),
    say("Blue"),
    say("Orange"),
    say("Purple"),
    say("White"),
    say("Black"),
    say("Light"),
    say("Dark"),
)
"""Names of colours that every language has; a game's own catalogue may know more."""


def _called(value: Value, names: Names) -> Value:
    if isinstance(value, tuple) and not isinstance(value, Field):
        return tuple(_called_one(item, names) for item in value)
    return _called_one(value, names)


def _called_one(value: One, names: Names) -> One:
    if isinstance(value, Words):
        return value.called(names)
    return names.get(value.word, value) if isinstance(value, PlayerName) else value


def _plain(value: Value) -> Value:
    """Return a value as it is kept: players by their word alone."""
    if isinstance(value, tuple) and not isinstance(value, Field):
        return tuple(_plain_one(item) for item in value)
    return _plain_one(value)


def _plain_one(value: One) -> One:
    return named(value) if isinstance(value, Player) else value


def shown_number(value: int, language: str) -> str:
    """Return a number as a language writes it, in groups of three digits where it is long."""
    if abs(value) < LEAST_GROUPED:
        return str(value)
    high, low = divmod(abs(value), 1_000)
    grouped = say("{thousands},{rest}", thousands=shown_number(high, language), rest=f"{low:03}").text(language)
    return f"-{grouped}" if value < 0 else grouped


def _shown(value: Value, language: str) -> str:
    match value:
        case str():
            return value
        case PlayerName():
            return player_name(value).text(language)
        case int():
            return shown_number(value, language)
        case Field():
            return value.name
        case Words():
            return value.text(language)
    assert isinstance(value, tuple)
    return _enumerated(value, language)


def _enumerated(values: tuple[One, ...], language: str) -> str:
    found = [_shown(value, language) for value in values]
    if len(found) == 1:
        return found[0]
    if len(found) > MOST_NAMES and all(isinstance(value, Field) for value in values):
        rest = len(found) - MOST_NAMES
        named = ", ".join(found[:MOST_NAMES])
        return say_n("{names} and {n} more", "{names} and {n} more", rest, names=named).text(language)
    return say("{names} and {last}", names=", ".join(found[:-1]), last=found[-1]).text(language)


def _check(name: str, value: object) -> None:
    """Raise WordsError for a value that can't be filled in."""
    if isinstance(value, tuple) and not isinstance(value, Field):
        if not value:
            raise WordsError(f"the list {name!r} is empty: say it in another sentence")
        for item in value:
            if not _is_one(item):
                raise WordsError(f"the list {name!r} holds {_kind(item)}, which has no words")
    elif not _is_one(value):
        raise WordsError(f"the value {name!r} is {_kind(value)}, which has no words")


def _is_one(value: object) -> bool:
    return isinstance(value, str | int | Field | Words | PlayerName) and not isinstance(value, bool)


def _value_json(value: Value) -> object:
    match value:
        case PlayerName():
            return {"colour": value.word}
        case Field():
            return {"field": value.name}
        case Words():
            return value.to_json()
        case tuple():
            return [_value_json(item) for item in value]
    return value


def _value(data: object) -> Value:
    if isinstance(data, list | tuple):
        return tuple(_one(item) for item in data)
    return _one(data)


def _one(data: object) -> One:
    if isinstance(data, str) or type(data) is int:
        return data
    try:
        match data:
            case {"colour": str(word), **rest} if not rest and word:
                return PlayerName(word)
            case {"field": name, **rest} if not rest:
                return Field.from_name(name)
    except BoardError as error:
        raise WordsError(f"a value of words can't be read: {error}") from error
    if isinstance(data, Mapping):
        return Words.from_json(data)
    raise WordsError(f"a value of words is text, a number, a colour, a field or words, not {_kind(data)}")


def _kind(data: Any) -> str:
    return "nothing" if data is None else f"a {type(data).__name__}"


def decimal(value: float, digits: int = 1) -> Words | str:
    """Return a number as people write it in their language."""
    whole, _, part = f"{value:.{digits}f}".partition(".")
    return say("{whole}.{part}", whole=whole, part=part) if part else whole
