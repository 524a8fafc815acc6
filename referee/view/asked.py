"""Views of what players are asked now: the commands they may give, the set-up, a turn to be put back."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import Position, Violation
from referee.match.beginning import looks_first, may_say_all, may_tell
from referee.match.commands import ARGUMENTS, Name, actions
from referee.match.decision import Ask
from referee.match.events import AnyGame, names
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.values.kit import Kit
from referee.values.players import Names
from referee.values.words import Words, say
from referee.view.banking import doubts_of, lacking_of
from referee.view.banner import ViewState, violation_text
from referee.view.board import act_view, nothing_done, observed_view, task_view
from referee.view.kindview import view_kind

_WORDS: Mapping[Name, Words] = {
    Name.TURN_ENDED: say("Turn ended"),
    Name.TURN_OVER: say("Yes, the turn is over"),
    Name.TELL: say("Say what stands there"),
    Name.LAST_NOT_ENDED: say("The turn before had not ended"),
    Name.DECLARE: say("Declare"),
    Name.ENTER: say("Fill in"),
    Name.DRAFT: say("Fill in"),
    Name.DENY: say("No"),
    Name.LOOK_AGAIN: say("Look again"),
    Name.NOT_ENDED: say("The turn is not over"),
    Name.BEGIN: say("Begin"),
    Name.TAKE_SEATS: say("Play with these seats"),
    Name.PUT_BACK: say("It is put back"),
    Name.ACCEPT: say("Accept by agreement"),
    Name.READING_WRONG: say("The reading is wrong"),
    Name.RULE_BOARD: say("Say how the board stands"),
    Name.CORRECT: say("Correct the position"),
    Name.PUT_RIGHT: say("Put an earlier turn right"),
    Name.UNDO: say("Undo turns"),
    Name.PAUSE: say("Pause"),
    Name.RESUME: say("Go on"),
    Name.DISPUTE: say("Dispute a turn"),
    Name.RESOLVE: say("Settle a dispute"),
    Name.RESIGN: say("Give up"),
    Name.END_GAME: say("End the game by agreement"),
    Name.GIVE_TIME: say("Give time"),
    Name.CLOCK_ASIDE: say("Lay the clock aside"),
    Name.NEW_GAME: say("New game"),
    Name.PLAY_AGAIN: say("Play again"),
}
_FIRST: Mapping[Phase, tuple[Name, ...]] = {
    Phase.SET_UP: (Name.LOOK_AGAIN, Name.BEGIN, Name.NEW_GAME),
    Phase.PLAYING: (Name.TURN_ENDED,),
    Phase.READING: (Name.NOT_ENDED,),
    Phase.VIOLATION: (Name.LAST_NOT_ENDED, Name.PUT_BACK, Name.ACCEPT, Name.LOOK_AGAIN),
    Phase.UNSURE: (Name.TURN_OVER, Name.LOOK_AGAIN, Name.RULE_BOARD, Name.NOT_ENDED),
    Phase.BLIND: (Name.LOOK_AGAIN, Name.RULE_BOARD, Name.NOT_ENDED),
    Phase.CORRECTING: (Name.RULE_BOARD, Name.LOOK_AGAIN, Name.NOT_ENDED),
    Phase.RESTORING: (Name.PUT_BACK, Name.TURN_ENDED),
    Phase.PAUSED: (Name.RESUME,),
    Phase.FINISHED: (Name.NEW_GAME,),
}
"""Commands that each phase puts first, in the order of the buttons."""


def actions_view(game: AnyGame, state: TableState, live: Live, language: str) -> list[ViewState]:
    """Return the commands that may be given now, those that the phase asks for in front; ``first`` marks them.

    While its set-up is to be shown by a camera in a hand and no other is there, a game doesn't begin by a word, and
    there is nothing to look at again.
    """
    unshown = live.showing is not None and not live.showing.views and all(camera.held for camera in live.cameras)
    unshown = unshown and state.phase is Phase.SET_UP and looks_first(state, game)
    idle = (Name.BEGIN, Name.LOOK_AGAIN) if unshown else ()
    allowed = [name for name in actions(state, game) if name not in idle]
    fallen = state.clock is not None and state.clock.fallen
    settles = (Name.GIVE_TIME, Name.CLOCK_ASIDE, Name.END_GAME) if fallen else ()
    goes_on = (Name.NOT_ENDED,) if lacking_of(state) else ()
    begins = (Name.TAKE_SEATS, Name.BEGIN) if state.phase is Phase.SET_UP and looks_first(state, game) else ()
    asked_for = dict.fromkeys((*settles, Name.PLAY_AGAIN, *goes_on, *begins, *_FIRST.get(state.phase, ())))
    first = [name for name in asked_for if name in allowed]
    return [
        {
            "id": name.value,
            "words": _words(name, state).text(language),
            "first": name in first,
            "arguments": dict(ARGUMENTS[name]),
        }
        for name in (*first, *(name for name in allowed if name not in first))
    ]


def _words(name: Name, state: TableState) -> Words:
    """Return a command's words, which depend on what is asked now."""
    if name is Name.TURN_OVER and (doubts_of(state) or lacking_of(state)):
        return say("All was as told: rule on it")
    if name is Name.NEW_GAME and state.phase is not Phase.FINISHED:
        return say("Other players or edition")
    if name is Name.PUT_BACK and nothing_done(state.open_turn):
        return say("The turn goes on")
    return _WORDS[name]


def violations_view(
    game: AnyGame,
    position: Position,
    violations: tuple[Violation, ...],
    language: str,
    called: Names,
) -> list[ViewState]:
    """Return broken rules with the sentence, where they are written, and the fields. called: names of players."""
    found: list[ViewState] = []
    for violation in violations:
        cited = game.citation(position, violation.rule)
        found.append(
            {
                "rule": violation.rule,
                "words": violation_text(violation).called(called).text(language),
                "sheet": cited.sheet,
                "paragraph": cited.paragraph,
                "fields": names(violation.fields),
            }
        )
    return found


def violation_view(game: AnyGame, state: TableState, live: Live, language: str) -> ViewState | None:
    """Return the view of the illegal turn that waits for the players, ``None`` while there is none."""
    turn = state.open_turn
    if state.phase is not Phase.VIOLATION or turn is None or turn.ruled is None or turn.ruled.ruling is None:
        return None
    ruling, like = turn.ruled.ruling, turn.before.observed
    return {
        "entry": turn.id,
        "player": turn.player.word,
        "rules": violations_view(game, turn.before, ruling.violations, language, state.players),
        "alternatives": [list(rules) for rules in ruling.alternatives],
        "before": observed_view(like.text, like, game.kit, language),
        "after": observed_view(turn.ruled.observed, like, game.kit, language),
        "acts": [act_view(act) for act in ruling.acts],
        "put_back": [task_view(task, game.kit) for task in live.tasks],
        "pictures": pictures_view(turn),
        "sightless": [words.text(language) for words in turn.sightless],
    }


def ask_view(game: AnyGame, state: TableState, language: str) -> ViewState | None:
    """Return the field whose sight would decide most, with what may stand there; ``None`` while nothing is asked."""
    ask = None if state.unsure is None else state.unsure.ask
    return _question(ask, game.kit, language) if ask is not None and Name.TELL in actions(state, game) else None


def candidates_view(game: AnyGame, state: TableState, language: str) -> list[ViewState]:
    """Return the boards that may stand there, the likeliest first; each with the fields in which it differs."""
    turn = state.open_turn
    if Name.TELL not in actions(state, game) or turn is None or turn.ruled is None or state.phase is Phase.SET_UP:
        return []
    like, kit = turn.before.observed, game.kit
    found: list[ViewState] = []
    for one in turn.ruled.unsure.candidates if turn.ruled.unsure is not None else ():
        told = {place.name: view_kind(kit).stands(stand, kit) for place, stand in one}
        text = view_kind(kit).with_others(turn.ruled.observed, told, like)
        found.append({"told": told, "board": observed_view(text, like, kit, language)})
    return found


def _question(ask: Ask, kit: Kit, language: str) -> ViewState:
    """Return a field that players must tell of, with what may stand there."""
    return {
        "field": ask.field.name,
        "why": ask.why.text(language),
        "answers": [
            {"stands": stands, **view_kind(kit).stand(stands, kit)}
            for stands in (view_kind(kit).stands(answer, kit) for answer in ask.answers)
        ],
    }


def pictures_view(entry: Entry) -> dict[str, str]:
    """Return the evidence of a turn: camera to the name of its picture."""
    return dict(entry.reading.pictures) if entry.reading is not None else {}


def setup_view(game: AnyGame, state: TableState, live: Live, language: str) -> ViewState | None:
    """Return the view of the set-up, ``None`` once the game has begun.

    right: ``None`` while it was not looked at. asks: the fields that players must tell, with what they have told.
    looks: whether *Begin* looks at the board first. by_hand: whether players may say how the whole board stands,
    because a look did not lead to a game.
    """
    if state.phase is not Phase.SET_UP:
        return None
    differences = live.setup if live.setup is not None else state.turn.differences
    return {
        "right": None if differences is None else not (differences or live.unseen or state.unanswered),
        "looks": looks_first(state, game),
        "by_hand": may_say_all(state, game),
        "asks": [
            {**_question(ask, game.kit, language), "told": state.turn.end.known.get(ask.field.name)}
            for ask in (state.turn.asks if may_tell(state) else ())
        ],
        "differences": [
            {
                "rule": difference.rule,
                "words": violation_text(difference).text(language),
                "fields": names(difference.fields),
            }
            for difference in differences or ()
        ],
    }
