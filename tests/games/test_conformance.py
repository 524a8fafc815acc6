"""Every game, and the example of docs/develop/adding-a-game.md, fulfils the contract (referee/games/contract.py).

As OpenSpiel's basic tests and playthroughs do: positions go round, legal turns are accepted and lead on, records
replay, views and forms are JSON, and words exist in three languages.
"""

from __future__ import annotations

import importlib
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from polib import pofile

from calibration.writing import write_table
from referee.cli.answers import SizeAnswers
from referee.cli.tablekind import table_kind
from referee.games import GROUP, check_kit
from referee.games.contract import (
    ABILITIES,
    Accounts,
    AnyGame,
    AsksBefore,
    Explains,
    Position,
    Prompts,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    TellsWhy,
)
from referee.games.package import GamePackage
from referee.games.record import Record, entry_of, parse_record
from referee.match.events import GameStarted, TurnRuled, event_from_json
from referee.match.transitions import begin
from referee.values.declaring import checked
from referee.values.kit import Kit
from referee.values.words import LANGUAGES, Words, catalogue_files
from referee.view import table_view
from tests.untyped import untyped

PACKAGES: dict[str, GamePackage] = {point.name: point.load()() for point in entry_points(group=GROUP)}
"""As their entry points give them: what is guarded has every method of the contract."""
PACKAGES["three-stones"] = importlib.import_module("three_stones").package()


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> GamePackage:
    return PACKAGES[request.param]


def record_of(package: GamePackage) -> Record:
    assert package.playthrough is not None, "a game brings a playthrough: a record of a short game"
    return parse_record(package.playthrough.read_text(encoding="utf-8"))


def played(package: GamePackage) -> Iterator[tuple[Position, Ruling]]:
    """Yield every turn of the playthrough: the position before it, and what was ruled."""
    record = record_of(package)
    position = package.records.start(record)
    for entry in record.turns:
        ruling = package.records.play(position, entry)
        yield position, ruling
        if ruling.next is not None:
            position = ruling.next


def starts(package: GamePackage) -> Iterator[Position]:
    """Yield a new game of every edition for every number of players, with nothing else chosen."""
    choices = package.game.choices()
    for edition in choices.editions:
        for count, _ in edition.variants:
            seatings = [each.groups for each in choices.seatings if each.players == count]
            groups = seatings[0] if seatings else [(place.id,) for place in choices.places[:count]]
            seats: dict[str, str | None] = dict.fromkeys((place.id for place in choices.places), None)
            for colour, group in zip(choices.colours, groups, strict=False):
                seats |= dict.fromkeys(group, colour.word)
            options = dict(next((each.options for each in choices.seatings if each.players == count), ()))
            said: dict[str, object] = {"edition": edition.choice.id, "seats": seats}
            yield package.game.new_game(said | ({"options": options} if options else {}))


def words_in(value: Any) -> Iterator[Words]:
    """Yield all sentences inside a value."""
    if isinstance(value, Words):
        yield value
        yield from words_in(tuple(inner for _, inner in value.values))
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from words_in(getattr(value, each.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from words_in(item)


METHODS = {ability: {name for name in vars(ability) if not name.startswith("_")} for ability in ABILITIES}


@pytest.mark.parametrize("ability", ABILITIES, ids=lambda ability: str(ability.__name__))
def test_an_ability_is_had_as_a_whole_and_declared(package: GamePackage, ability: type) -> None:
    """One method that is misspelt would leave out the ability without a word."""
    has = {name for name in METHODS[ability] if hasattr(package.game, name)}
    assert has in (set(), METHODS[ability])
    assert not has or ability in type(package.game).__mro__


def test_the_contract_is_declared(package: GamePackage) -> None:
    assert Rules in type(package.game).__mro__


def test_no_two_abilities_share_a_method() -> None:
    assert len(set().union(*METHODS.values())) == sum(map(len, METHODS.values()))


def test_the_kit_makes_sense(package: GamePackage) -> None:
    kit: Kit = package.game.kit
    check_kit(kit)
    assert len(set(kit.letters)) == len(kit.letters)
    assert kit.letters == kit.letters.lower()
    assert len({piece.word for piece in kit.pieces}) == len(kit.pieces)
    for language in LANGUAGES:
        json.dumps(kit.to_json(language))


def test_new_games_of_every_kind_go_round(package: GamePackage) -> None:
    found = list(starts(package))
    assert found
    for position in found:
        assert position.turn == 1
        assert not position.finished
        assert_goes_round(package, position)


def assert_goes_round(package: GamePackage, position: Position) -> None:
    data = json.loads(json.dumps(position.to_json()))
    again = package.game.position(data)
    assert again.to_json() == position.to_json()
    assert package.game.observation(position.observed.text).text == position.observed.text
    assert package.game.player(position.to_move.word).word == position.to_move.word


def test_a_rule_of_a_later_version_is_cited_too(package: GamePackage) -> None:
    assert package.game.citation(next(starts(package)), RuleId("of-tomorrow")).sheet


def test_the_playthrough_is_legal_and_goes_round(package: GamePackage) -> None:
    turns = list(played(package))
    assert len(turns) >= 3
    for position, ruling in turns:
        assert ruling.legal, [violation.message for violation in ruling.violations]
        assert ruling.next is not None
        assert_goes_round(package, position)
        assert_goes_round(package, ruling.next)
        for language in LANGUAGES:
            json.dumps(ruling.to_json(language))


def test_a_record_written_is_the_record_read(package: GamePackage) -> None:
    record = record_of(package)
    position = package.records.start(record)
    headers = package.records.headers(position)
    assert package.records.start(Record(headers, record.turns)).to_json() == position.to_json()
    for (before, ruling), entry in zip(played(package), record.turns, strict=True):
        again = package.records.play(before, entry_of(before, ruling))
        assert again.next is not None
        assert ruling.next is not None
        assert again.next.observed.text == ruling.next.observed.text, entry.acts


def test_a_turn_seen_is_the_turn_played(package: GamePackage) -> None:
    """The board after a recorded turn is legal when it is seen, with what was declared of it."""
    for (position, ruling), entry in zip(played(package), record_of(package).turns, strict=True):
        assert ruling.next is not None
        seen = package.game.check(position, ruling.next.observed, (), package.records.declared(entry))
        assert seen.legal, [violation.message for violation in seen.violations]


def test_forms_are_json_and_the_empty_answer_fits(package: GamePackage) -> None:
    for position, _ in played(package):
        form = package.game.form(position)
        assert checked(form, {}) == {}
        if form is not None:
            assert len({each.id for each in form.fields}) == len(form.fields)
            for language in LANGUAGES:
                json.dumps(form.to_json(language))


def test_the_page_shows_it(package: GamePackage) -> None:
    for position, _ in itertools.islice(played(package), 3):
        state = begin(GameStarted(position))
        for language in LANGUAGES:
            json.dumps(table_view(package.game, state, language=language))
        stones = untyped(table_view(package.game, state))["conserved"]["stones"]
        stand = untyped(position).observed
        assert stones is None or stones == stand.heights.sum(), "a position can be corrected as it stands"


def test_events_of_it_go_round(package: GamePackage) -> None:
    for position, ruling in itertools.islice(played(package), 3):
        assert ruling.next is not None
        for event in (
            GameStarted(position),
            TurnRuled.by_rules(ruling.next.observed.text, ruling),
        ):
            data = json.loads(json.dumps(event.to_json()))
            assert json.loads(json.dumps(event_from_json(event.kind, data, package.game).to_json())) == data


def sentences(package: GamePackage) -> Iterator[Words]:
    """Yield what a game says of its playthrough, and of its turns in which nothing was done."""
    game: AnyGame = package.game
    yield from words_in((game.kit, game.choices()))
    for position, ruling in played(package):
        after: Position = untyped(ruling.next)
        yield from words_in((game.seats(position), game.form(position), game.progress(position, (after.observed,))))
        yield from words_in(game.setup_differences(position, after.observed))
        yield from words_in(game.prompt(position) if isinstance(game, Prompts) else ())
        yield from words_in(game.explained(position) if isinstance(game, Explains) else ())
        yield from words_in(game.account(position, ruling) if isinstance(game, Accounts) else ())
        yield from words_in(game.why_over(after) if isinstance(game, TellsWhy) else ())
        try:
            idle = game.check(position, position.observed)
        except RequestError as refused:
            yield refused.words
        else:
            yield from words_in((idle.violations, idle.questions, idle.lacking))
            asks = isinstance(game, AsksBefore) and not idle.legal
            yield from words_in(untyped(game).question(position, idle, {}) if asks else ())


def test_its_words_exist_in_every_language(package: GamePackage) -> None:
    """Every sentence has a text in each catalogue, where it is the same as well; signs alone need none."""
    said = {words.template for words in sentences(package)}
    spoken = {template for template in said if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", template))}
    for language in LANGUAGES[1:]:
        catalogues = [pofile(str(path)) for path in catalogue_files(language) if path.exists()]
        told = {entry.msgid for one in catalogues for entry in one if entry.translated()}
        assert not spoken - told, language


def test_its_presets_make_tables(package: GamePackage, tmp_path: Path) -> None:
    assert package.virtual in ("", *(preset.name for preset in package.presets))
    for preset in package.presets:
        kind = table_kind(package.game.kit)
        if kind.is_measured(preset):
            sizes = kind.measured(package.game.name, preset, SizeAnswers({}, asks=False))
            assert write_table(tmp_path / preset.name, sizes).game == package.game.name


def test_nonsense_is_refused_with_words(package: GamePackage) -> None:
    position = package.records.start(record_of(package))
    for data in (None, 3, {}, {"game": "chess"}, position.to_json() | {"nonsense": 1}):
        with pytest.raises(RequestError) as refused:
            package.game.position(data)
        assert refused.value.words.text("de")
    nothing = () if package.game.kit.kind == "tower" else ("",)  # the text of an empty tower is empty
    for text in (None, *nothing, "no board", position.observed.text + "/"):
        with pytest.raises(RequestError):
            package.game.observation(text)
    with pytest.raises(RequestError):
        package.game.player("nobody")


def test_giving_up_ends_a_game_of_two(package: GamePackage) -> None:
    for position in starts(package):
        seats = package.game.seats(position)
        if len(seats) == 2:
            ended = package.game.resigned(position, frozenset({seats[0].colour}))
            assert ended.finished
            assert [player.word for player in ended.winners] == [seats[1].colour.word]
