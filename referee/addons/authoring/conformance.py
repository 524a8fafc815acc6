"""Hold a game against the contract (referee/games/contract.py): every function is called, and what goes round must.

As OpenSpiel's basic tests and playthroughs do: positions survive printing and parsing, legal turns are accepted and
lead on, records replay, views and forms are JSON.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration.writing import write_table
from referee.addons.authoring.subject import Check, Subject
from referee.cli.answers import SizeAnswers
from referee.cli.plurals import counted
from referee.cli.tablekind import table_kind
from referee.games.answers import Strength
from referee.games.contract import (
    ABILITIES,
    Accounts,
    Explains,
    Position,
    Prompts,
    RequestError,
    RuleId,
    Rules,
    TellsWhy,
    TurnsOn,
)
from referee.games.record import Record, entry_of
from referee.match.events import GameStarted, TurnRuled, event_from_json
from referee.match.transitions import begin
from referee.match.turnkind import needs_pictures
from referee.opponents import OpponentError, PlayedGameRecord, new_position, play_game
from referee.values.declaring import checked
from referee.values.words import LANGUAGES
from referee.view import table_view

_LEAST_TURNS = 3
_TRIED_TURNS = 2
"""So many turns each strength of its own opponents plays; nobody knows how long a strong one thinks."""
METHODS = {ability: {name for name in vars(ability) if not name.startswith("_")} for ability in ABILITIES}


def contract_is_declared(subject: Subject) -> Iterator[str]:
    """Say where the game's class does not inherit what it has: a misspelt method would leave out an ability."""
    game = subject.raw.game
    if Rules not in type(game).__mro__:
        yield f"{type(game).__name__} does not inherit from Rules, so no type checker says what is missing"
    for ability, methods in METHODS.items():
        has = {name for name in methods if hasattr(game, name)}
        if has and has != methods:
            lacks = ", ".join(sorted(methods - has))
            yield f"of the ability {ability.__name__} {', '.join(sorted(has))} is there, but not {lacks}"
        elif has and ability not in type(game).__mro__:
            yield f"{type(game).__name__} has the methods of {ability.__name__}, but does not inherit from it"


def kit_makes_sense(subject: Subject) -> Iterator[str]:
    """Say which letters or words of the kit stand for two pieces."""
    kit = subject.package.game.kit
    for what, found in (("letter", list(kit.letters)), ("word", [piece.word for piece in kit.pieces])):
        yield from (f"two pieces have the {what} {one!r}" for one in sorted(set(found)) if found.count(one) > 1)
    if kit.letters != kit.letters.lower():
        yield f"letters of pieces are small ones, not {kit.letters!r}"
    for language in LANGUAGES:
        json.dumps(kit.to_json(language))


def new_games_begin(subject: Subject) -> Iterator[str]:
    """Say of which new games the position does not go round, or is no beginning; call what sets one up."""
    game = subject.package.game
    starts = list(subject.starts)
    for position in starts:
        if position.turn != 1 or position.finished:
            yield f"new_game: a game begins at turn {position.turn}, finished: {position.finished}"
        yield from _goes_round(subject, position)
        game.setup_differences(position, position.observed)
        game.initial_prior({}, (game.kit.rows, game.kit.columns))
        with suppress(RequestError):
            game.infer_setup({}, position.observed)
        if not game.citation(position, RuleId("of-tomorrow")).sheet:
            yield "citation: a rule of a later version has no sheet"
        game.progress(position, ())
    if not starts:
        yield "choices: no edition can be begun with any number of players"


def _goes_round(subject: Subject, position: Position) -> Iterator[str]:
    game = subject.package.game
    data = json.loads(json.dumps(position.to_json()))
    if game.position(data).to_json() != position.to_json():
        yield f"position: {json.dumps(data)} is another position when it is read"
    if game.observation(position.observed.text).text != position.observed.text:
        yield f"observation: {position.observed.text} is another one when it is read"
    if game.player(position.to_move.word).word != position.to_move.word:
        yield f"player: {position.to_move.word} is another player when read"


def playthrough_is_legal(subject: Subject) -> Iterator[str]:
    """Say which turns of the playthrough are illegal, not counted, ruled in two ways, or don't go round."""
    game, written = subject.package.game, len(subject.record.turns)
    if written < _LEAST_TURNS:
        yield f"the playthrough has {counted(written, 'turn')}: write {_LEAST_TURNS} at least"
    for position, entry, ruling in subject.played:
        where = f"playthrough, line {entry.line}, turn {entry.number}"
        if not ruling.legal or ruling.next is None:
            yield f"{where}: ruled illegal: {'; '.join(one.message for one in ruling.violations)}"
            continue
        if ruling.next.turn != position.turn + 1:
            yield f"{where}: the next turn has the number {ruling.next.turn}"
        if (ruling.finished, ruling.winners) != (ruling.next.finished, ruling.next.winners):
            yield f"{where}: the ruling and the position after it differ in who has won, or whether it is over"
        yield from _goes_round(subject, position)
        yield from _goes_round(subject, ruling.next)
        declared = subject.package.records.declared(entry)
        seen = [game.check(position, ruling.next.observed, (), declared) for _ in range(2)]
        if not seen[0].legal:
            yield f"{where}: the board after it is illegal when it is seen: {seen[0].violations[0].message}"
        if seen[0].to_json() != seen[1].to_json():
            yield f"{where}: check gives two answers to one question"
        for language in LANGUAGES:
            json.dumps(ruling.to_json(language))


def records_go_round(subject: Subject) -> Iterator[str]:
    """Say where a record that is written is not the record read, or a hand lays something else than the turn says."""
    package, record = subject.package, subject.record
    seen = needs_pictures(package.game.kit)
    position = package.records.start(record)
    headers = package.records.headers(position)
    if package.records.start(Record(headers, record.turns)).to_json() != position.to_json():
        yield "headers: start makes another position of them"
    for before, entry, ruling in subject.played:
        if ruling.next is None:
            continue
        after, again = ruling.next.observed.text, package.records.play(before, entry_of(before, ruling)).next
        if again is None or again.observed.text != after:
            yield f"turn {entry.number}: its acts as ruled ({entry_of(before, ruling).acts}) lead somewhere else"
        if package.laid is not None and seen and package.laid(before, entry) != after:
            yield f"laid: turn {entry.number} leaves {package.laid(before, entry)}, but the ruling says {after}"


def forms_are_json(subject: Subject) -> Iterator[str]:
    """Say which forms can't be left empty, or ask two things by one id."""
    for position, entry, _ in subject.played:
        form = subject.package.game.form(position)
        if checked(form, {}) != {}:
            yield f"form: turn {entry.number} can't be declared without an answer"
        if form is not None:
            if len({each.id for each in form.fields}) != len(form.fields):
                yield f"form: turn {entry.number} asks two things by one id"
            for language in LANGUAGES:
                json.dumps(form.to_json(language))


def page_shows_it(subject: Subject) -> Iterator[str]:
    """Say where the page does not show what stands there, or an event is not read as it was written."""
    game = subject.package.game
    for position, _, ruling in itertools.islice(subject.played, _LEAST_TURNS):
        state = begin(GameStarted(position))
        views: list[Any] = [table_view(game, state, language=language) for language in LANGUAGES]
        json.dumps(views)
        observed: Any = position.observed
        stones = views[0]["conserved"]["stones"]
        if stones is not None and stones != observed.heights.sum():
            yield f"the page counts {stones} stones on {observed.text}"
        if ruling.next is None:
            continue
        for event in (GameStarted(position), TurnRuled.by_rules(ruling.next.observed.text, ruling)):
            data = json.loads(json.dumps(event.to_json()))
            if json.loads(json.dumps(event_from_json(event.kind, data, game).to_json())) != data:
                yield f"the journal's event {event.kind} is another one when it is read"


def asides_answer(subject: Subject) -> Iterator[str]:
    """Call what is asked beside the turns, on every position of the playthrough; say what does not go round."""
    game = subject.package.game
    for position, entry, ruling in subject.played:
        after = position if ruling.next is None else ruling.next
        for name, found in (
            ("passed", game.passed(position)),
            ("corrected", game.corrected(position, {})),
            ("accepted", game.accepted(position, after.observed, subject.package.records.declared(entry))),
        ):
            yield from (f"{name}: {each}" for each in _goes_round(subject, found))
        game.seats(position)
        game.prior_after(position)
        game.progress(position, (after.observed,))
        if isinstance(game, Prompts):
            game.prompt(position)
        if isinstance(game, Explains):
            game.explained(position)
        if isinstance(game, Accounts):
            game.account(position, ruling)
        if isinstance(game, TellsWhy):
            game.why_over(after)
        if isinstance(game, TurnsOn):
            game.turns_on(position, ruling)
    first = subject.package.records.start(subject.record)
    if first.turn == 1:
        begun = game.start_from_setup(first, first.observed)
        yield from (f"start_from_setup: {each}" for each in _goes_round(subject, begun))


def presets_make_tables(subject: Subject) -> Iterator[str]:
    """Say which presets make no table."""
    package = subject.package
    if package.virtual not in ("", *(preset.name for preset in package.presets)):
        yield f"virtual: no preset is called {package.virtual!r}"
    kind = table_kind(package.game.kit)
    with tempfile.TemporaryDirectory() as folder:
        for preset in package.presets:
            if kind.is_measured(preset):
                sizes = kind.measured(package.game.name, preset, SizeAnswers({}, asks=False))
                if write_table(Path(folder) / preset.name, sizes).game != package.game.name:
                    yield f"the preset {preset.name!r} makes the table of another game"


def nonsense_is_refused(subject: Subject) -> Iterator[str]:
    """Say which nonsense is taken for a position, a board or a player."""
    game, position = subject.package.game, subject.package.records.start(subject.record)
    bad: tuple[Any, ...] = (None, 3, {}, {"game": "chess"}, position.to_json() | {"nonsense": 1})
    begins = next(subject.starts).observed.text
    texts: tuple[Any, ...] = (None, "no board", position.observed.text + "/", *([""] if begins else []))
    for name, function, given in (
        ("position", game.position, bad),
        ("observation", game.observation, texts),
        ("player", game.player, ("nobody",)),
    ):
        yield from (f"{name} takes {one!r}" for one in given if not _refused(function, one))


def _refused(function: Callable[[Any], object], given: object) -> bool:
    try:
        function(given)
    except RequestError as refused:
        return bool(refused.words.text("de").strip())
    return False


def giving_up_ends_a_game_of_two(subject: Subject) -> Iterator[str]:
    """Say which games of two go on without one of them."""
    game = subject.package.game
    for position in subject.starts:
        seats = game.seats(position)
        if len(seats) == 2:
            ended = game.resigned(position, frozenset({seats[0].colour}))
            if not ended.finished or [player.word for player in ended.winners] != [seats[1].colour.word]:
                yield f"resigned: {seats[1].colour.word} has not won once {seats[0].colour.word} has given up"


def opponents_play(subject: Subject) -> Iterator[str]:
    """Say how the game's own opponents fail to play it."""
    if subject.package.plays is None:
        return
    for strength in Strength:
        try:
            played = own_game(subject, strength, seed=1, most_turns=_TRIED_TURNS)
        except OpponentError as error:
            yield f"plays: {error}"
            return
        if not played.record.turns:
            yield f"plays: {strength} finds no legal turn in the first position"
        yield from _goes_round(subject, played.end)


def own_game(subject: Subject, strength: Strength, seed: int, most_turns: int) -> PlayedGameRecord:
    """Return a game that the game's own opponents play. Raises OpponentError."""
    choices = subject.package.game.choices()
    players = min(count for count, _ in choices.editions[0].variants)
    position = new_position(subject.package, players)
    words = [seat.colour.word for seat in subject.package.game.seats(position)]
    return play_game(subject.package, position, dict.fromkeys(words, strength), seed, most_turns=most_turns)


CHECKS: tuple[Check, ...] = (
    contract_is_declared,
    kit_makes_sense,
    new_games_begin,
    playthrough_is_legal,
    records_go_round,
    forms_are_json,
    page_shows_it,
    asides_answer,
    presets_make_tables,
    nonsense_is_refused,
    giving_up_ends_a_game_of_two,
    opponents_play,
)
