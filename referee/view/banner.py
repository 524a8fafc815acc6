"""The banner: what the referee says now, as a headline, why, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.games.answers import Question
from referee.games.contract import Violation
from referee.match.events import AnyGame, End, ReadingMade, Trigger, Unsure, WhyUnsure, names
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.match.turnkind import needs_pictures
from referee.values.board import Field
from referee.values.kit import Kit
from referee.values.players import Names, Player
from referee.values.problems import NO_PICTURES, TOO_SLOW
from referee.values.words import Words, player_name, say, say_n
from referee.view.advice import MOST_NAMED, look_yourselves, told_alone, way_on
from referee.view.banking import doubts_of, lacking_of, ways_of
from referee.view.board import is_swept, nothing_done, setup_far
from referee.view.mended import mended_now

ViewState = dict[str, object]
"""JSON-able values for the page."""

MOST_PLACES = 8

_PHASES: dict[Phase, Words] = {
    Phase.SET_UP: say("Set-up"),
    Phase.PLAYING: say("Playing"),
    Phase.READING: say("Reading the board"),
    Phase.RULING: say("Reading the board"),
    Phase.VIOLATION: say("Waiting: turn to be taken back"),
    Phase.UNSURE: say("Waiting for a clear view"),
    Phase.BLIND: say("Waiting for a clear view"),
    Phase.CORRECTING: say("Correcting the board"),
    Phase.RESTORING: say("Putting the board back"),
    Phase.PAUSED: say("Paused"),
    Phase.FINISHED: say("Game over"),
}
_STANDING = frozenset({Phase.PLAYING, Phase.FINISHED})
"""The phases in which the newest turn that counts is told."""
_HANDS_OFF = say("Hands off, please.")
_SIDES = 3
"""Sides from which a set-up is shown before anybody is told that some of it can't be seen."""
_WALK = say("Show it with the phone, from two or three sides.")
_WELL = ("show", "done")
"""What a phone in a hand waits for where nothing is amiss with its pictures."""
_ANSWER = say("Touch the answer, or take the turn back.")


@dataclass(frozen=True, slots=True)
class Banner:
    """The referee's present message.

    tone: ``legal``, ``illegal``, ``unsure``, ``busy``, ``paused``, ``time`` or ``won``: picks colour and sign.
    detail: one sentence after the other. fields: what to mark on the board.
    """

    tone: str
    headline: Words
    detail: tuple[Words, ...] = ()
    advice: Words | None = None
    rules: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()

    def called(self, names: Names) -> Banner:
        """Return the banner with players by the names they gave."""
        detail = tuple(words.called(names) for words in self.detail)
        advice = self.advice.called(names) if self.advice else None
        return replace(self, headline=self.headline.called(names), detail=detail, advice=advice)

    def to_json(self, language: str = "en") -> ViewState:
        """Return the banner in a language."""
        return {
            "tone": self.tone,
            "headline": self.headline.text(language),
            "detail": " ".join(words.text(language) for words in self.detail),
            "advice": self.advice.text(language) if self.advice else "",
            "rules": list(self.rules),
            "fields": names(self.fields),
        }


def phase_words(phase: Phase) -> Words:
    """Return a phase's name for people."""
    return _PHASES[phase]


def person(colour: Player) -> Words:
    """Return the name of a player who gave none."""
    return player_name(colour)


def player(state: TableState, colour: Player) -> str | Player:
    """Return a player's name in a sentence: their own, or their colour."""
    return state.players.get(colour.word) or colour


def banner(
    game: AnyGame,
    state: TableState,
    live: Live | None = None,
    question: Question | None = None,
    prompt: Words | None = None,
    why: Words | None = None,
) -> Banner:
    """Return what the referee says now.

    question: to be answered before it accuses. prompt: what is to be done now. why: what decided a game that is over.
    """
    said = _said(game, state, live or Live(), question, prompt, why)
    detail = (*said.detail, *_sightless(state), *mended_now(state))
    return replace(said, detail=detail).called(state.players)


def _sightless(state: TableState) -> tuple[Words, ...]:
    """Return which fixed cameras did not see what the ruling that is told now rests on."""
    waits = state.phase in (Phase.VIOLATION, Phase.UNSURE)
    told = state.open_turn if waits else state.last_counting if state.phase in _STANDING else None
    return () if told is None else told.sightless


def _said(
    game: AnyGame, state: TableState, live: Live, question: Question | None, prompt: Words | None, why: Words | None
) -> Banner:
    if question is not None:
        return Banner("unsure", question.words, (question.why,), _ANSWER, fields=question.fields)
    match state.phase:
        case Phase.SET_UP:
            return _setup(state, live, game.kit)
        case Phase.READING | Phase.RULING:
            return _reading(state, live, game.kit)
        case Phase.UNSURE if is_swept(state):
            return _swept(state)
        case Phase.VIOLATION:
            return _violation(state, live)
        case Phase.UNSURE:
            return _unsure(game, state, live)
        case Phase.BLIND:
            return _blind(state.reading, live)
        case Phase.CORRECTING:
            return Banner(
                "unsure",
                say("How does the board stand?"),
                (say("The last ruling was withdrawn, because the board was read wrongly."),),
                say("Touch the fields that are wrong, then let it be ruled on again."),
            )
        case Phase.RESTORING:
            return _restoring(state, live)
        case Phase.PAUSED:
            return Banner("paused", say("Paused"), (say("Nothing at the table counts until play goes on."),))
        case Phase.FINISHED:
            return _finished(state, why)
    return _playing(state, prompt)


def _setup(state: TableState, live: Live, kit: Kit) -> Banner:
    differences = live.setup if live.setup is not None else state.turn.differences
    if differences and state.turn.other is not None and not state.awaiting:
        return Banner("unsure", say("Other seats?"), (state.turn.other.words,))
    if differences:
        return _setup_wrong(state, live, kit, differences)
    if state.reading is not None and state.reading.trigger is not Trigger.SEEN and not state.awaiting:
        return _blind(state.reading, live)
    begins = say("{who} begins.", who=player(state, state.position.to_move))
    is_begun = live.showing is not None and 0 < live.showing.views < _SIDES
    if state.unanswered and not state.awaiting and not is_begun:  # one more side answers most of it
        return Banner(
            "unsure",
            say("What stands there?"),
            (say("The cameras can’t tell what stands on {at}.", at=state.unanswered[:MOST_PLACES]),),
            say("Touch what stands on each of these fields, then the game begins."),
            fields=state.unanswered,
        )
    if (live.unseen or state.unanswered) and not state.awaiting and is_begun:
        return Banner(
            "busy",
            say("Now from another side"),
            (say("From there the fields are seen that are hidden now."),),
            say("Go round the board by a quarter, and show it from there."),
            fields=live.unseen or state.unanswered,
        )
    if live.unseen and not state.awaiting:
        return Banner(
            "unsure",
            say("Not all of the board can be seen"),
            (say("The cameras can’t tell what stands on {at}.", at=live.unseen[:MOST_PLACES]),),
            say("Clear the view, or press Begin and say what stands there."),
            fields=live.unseen,
        )
    if live.setup is not None and not state.awaiting:
        return Banner("legal", say("Ready to begin"), (begins,))
    if live.showing is not None and not live.showing.views and _all_held(live):
        return Banner("unsure", say("Show the set-up"), (begins,), _WALK)
    return Banner("busy", say("Looking at the set-up"), (begins,), _HANDS_OFF)


def _setup_wrong(state: TableState, live: Live, kit: Kit, differences: tuple[Violation, ...]) -> Banner:
    """Return what to put right: field by field where it is little, else one sentence of each kind and the picture."""
    places = tuple(dict.fromkeys(place for one in differences for place in one.fields))
    if setup_far(state, live, kit):
        told = say("The board is drawn as it ought to stand; {n} fields still differ.", n=len(places))
        return Banner("unsure", say("Please set the board up"), (told,), fields=places)
    alike = tuple({one.rule: one for one in reversed(differences)}.values())[::-1][:MOST_NAMED]
    detail = violation_words(differences if len(differences) <= MOST_NAMED and len(alike) > 1 else alike)
    if places and len(differences) > len(detail):  # of what is missing altogether no place is known
        detail = (*detail, say("To look at: {at}.", at=places[:MOST_PLACES]))
    return Banner("unsure", say("Please check the set-up"), detail, fields=places)


def _swept(state: TableState) -> Banner:
    """Return the banner of a board that was knocked over or swept, or may have been: nobody is accused."""
    if state.unsure is not None and (ask := state.unsure.ask) is not None:
        advice = say("If so, put it back. If nothing fell, say that {at} stands so.", at=ask.field)
        return Banner("unsure", ask.why, (), advice, fields=(ask.field,))
    turn, who = state.position.turn, player(state, state.position.to_move)
    return Banner(
        "unsure",
        say("The board looks very different"),
        (say("What changed in turn {turn}, {who}, looks like a fall, not like a turn.", turn=turn, who=who),),
        say(
            "Was it knocked over? Put it back, or go on from here by agreement. Was it not? Let the referee look "
            "again."
        ),
    )


def _all_held(live: Live) -> bool:
    """Return whether nothing looks on but phones in hands."""
    return all(camera.held for camera in live.cameras)


def _reading(state: TableState, live: Live, kit: Kit) -> Banner:
    turn = say("Turn {turn}, {who}.", turn=state.position.turn, who=player(state, state.position.to_move))
    if live.showing is not None and live.cameras and _all_held(live):
        wanted = say("Now from another side") if live.showing.views else say("Now show the turn")
        amiss = live.waiting if live.waiting is not None and live.waiting.id not in _WELL else None
        return Banner("busy", wanted if amiss is None else amiss.words, (turn,))
    if live.waiting is not None:
        return Banner("busy", live.waiting.words, (turn,), _HANDS_OFF)
    if not live.cameras:  # no look is taken: the ruling is on what was told
        return Banner("busy", say("Ruling on the turn"), (turn,))
    headline = say("Reading the board") if needs_pictures(kit) else say("Looking at the table")
    return Banner("busy", headline, (turn,), _HANDS_OFF)


def _violation(state: TableState, live: Live) -> Banner:
    turn = state.open_turn
    violations = _violations(turn)
    who = player(state, turn.player if turn else state.position.to_move)
    left = sum(not task.done for task in live.tasks)
    advice = say("{who}, please take the turn back and play it again.", who=who)
    if nothing_done(turn):
        advice = say("{who}, please play the turn.", who=who)
    if (hidden := look_yourselves(live)) is not None:
        advice = hidden
    elif live.tasks and left < len(live.tasks):
        advice = say_n(
            "Still to put back: {left} of {n} field.",
            "Still to put back: {left} of {n} fields.",
            len(live.tasks),
            left=left,
        )
    places = tuple(dict.fromkeys(place for one in violations for place in one.fields))
    return Banner(
        "illegal",
        say("Not legal"),
        violation_words(violations),
        advice,
        tuple(one.rule for one in violations),
        places,
    )


def _unsure(game: AnyGame, state: TableState, live: Live) -> Banner:
    if live.waiting is not None:  # another side was shown, and is looked at
        return _reading(state, live, game.kit)
    if asked := doubts_of(state):
        meant = say("Did you do something else than you said? Then the turn is not over: say it anew.")
        if ways_of(game, state):
            meant = say("Did you do something else than you said? Choose what it was: nobody is accused.")
        return Banner("unsure", say("This does not agree yet"), asked, meant)
    if lacking := lacking_of(state):
        advice = say("Play on and tell it. If the turn ended without it, say so: then it is ruled on.")
        return Banner("unsure", say("This turn is not over yet"), lacking, advice)
    if state.unchanged:
        who = player(state, state.position.to_move)
        over = say("Is the turn of {who} over?", who=who)
        if live.show is not None:
            advice = say("If so: {how} If not, play on, then end the turn again.", how=live.show)
            return Banner("unsure", say("Nothing new is in sight"), (over,), advice)
        advice = say("If not, play on, then end the turn again.")
        return Banner("unsure", say("Nothing has changed on the board"), (over,), advice)
    unsure = state.unsure or Unsure()
    doubts, reason = unsure.doubts, unsure.words
    if unsure.why is WhyUnsure.REFUSED and reason is not None:
        advice = say("Correct what was declared, or say that there is nothing to declare.")
        return Banner("unsure", say("What was declared can’t be"), (reason,), advice)
    detail = (reason or say("The pictures don’t show enough for a ruling."),)
    if told_alone(state, live):
        detail = (reason or say("What was told is not enough for a ruling."),)
    if live.show is not None:
        return Banner("unsure", say("More of it must be seen"), detail, live.show, fields=doubts)
    headline = say("Can’t tell, please look at {at}", at=doubts[:MOST_NAMED]) if doubts else say("Can’t tell")
    return Banner("unsure", headline, detail, way_on(state, live), fields=doubts)


def _blind(reading: ReadingMade | None, live: Live) -> Banner:
    if reading is not None and reading.trigger is Trigger.COVERED:
        places = reading.blocked
        told = (
            say("The board is covered near {at}.", at=places[:MOST_NAMED]) if places else say("The view is covered.")
        )
        return Banner("unsure", say("Something is in the way"), (told,), say("Clear the view."), fields=places)
    if reading is not None and any(camera.problem == TOO_SLOW for camera in reading.cameras):
        slow = say("Reading the pictures took longer than it may.")
        return Banner("unsure", say("Can’t tell"), (slow,), say("Let the referee look again."))
    if reading is not None and all(note.problem == NO_PICTURES for note in reading.cameras):
        silent = tuple(camera.words for camera in live.cameras if not camera.ok)
        advice = say("The referee goes on by itself as soon as pictures come.")
        return Banner("unsure", say("No pictures come"), silent or (say("No camera sends pictures."),), advice)
    unread = {note.problem for note in reading.cameras if not note.markers} if reading is not None else {None}
    if len(unread) == 1 and (why := unread.pop()) is not None:  # the pictures could not be read at all
        return Banner("unsure", say("Can’t tell"), (why,))
    told = say("No camera finds the frame around the board.")
    return Banner("unsure", say("Can’t see the board"), (told,), say("Check the cameras."))


def _restoring(state: TableState, live: Live) -> Banner:
    undone = next((entry for entry in state.history if entry.fate is EntryStatus.UNDONE), None)
    told = (
        say("Undone back to turn {turn}, {who}.", turn=state.position.turn, who=player(state, state.position.to_move))
        if undone is not None
        else say("Play goes on from an earlier board.")
    )
    left = tuple(task.field for task in live.tasks if not task.done)
    advice = say("Put the board back as it was: {at}.", at=left) if left else say("Put the board back as it was.")
    if (hidden := look_yourselves(live)) is not None:
        advice = hidden
    return Banner("unsure", say("Please put the board back"), (told,), advice, fields=left)


def _finished(state: TableState, why: Words | None) -> Banner:
    over = why or say("The game is over.")
    result = state.result
    winners = result.winners if result is not None else state.position.winners
    if result is not None and not winners:
        how = {
            End.DRAW: say("The players agreed on a draw."),
            End.AGREEMENT: say("The players agreed to end the game."),
            End.ABANDONED: say("The game was left off."),
        }[result.how]
        return Banner("won", say("Nobody wins"), (how,))
    if result is not None:
        over = say("The players agreed on it.")
    if not winners:
        return Banner("won", say("Nobody wins"), (over,))
    if len(winners) == 1:
        return Banner("won", say("{who} wins", who=player(state, winners[0])), (over,))
    names_ = tuple(player(state, colour) for colour in winners)
    return Banner("won", say("{who} win together", who=names_), (over,))


def _time_up(state: TableState, fallen: str) -> Banner:
    """Return the banner of a fallen flag. No rule sheet says what follows from it: the players decide."""
    late = next((name for name in (state.position.to_move, *_who_played(state)) if name.word == fallen), None)
    who = state.players.get(fallen) or late or fallen
    return Banner(
        "time",
        say("{who}: time is up", who=who),
        (say("The flag has fallen, and the clock stands."),),
        say("Agree how it goes on: give time, lay the clock aside, or end the game."),
    )


def _who_played(state: TableState) -> tuple[Player, ...]:
    return tuple(entry.player for entry in reversed(state.history))


def _playing(state: TableState, prompt: Words | None) -> Banner:
    last = state.last_counting
    who = player(state, state.position.to_move)
    if state.clock is not None and state.clock.fallen:
        return _time_up(state, state.clock.fallen)
    if state.history and state.history[-1].fate is EntryStatus.TAKEN_BACK:
        again = say("{who} plays turn {turn} again.", who=who, turn=state.position.turn)
        headline = say("Play goes on") if nothing_done(state.history[-1]) else say("Put back")
        return Banner("legal", headline, (again,), prompt)
    if last is None:
        return Banner("legal", say("The set-up is right"), (say("{who} begins.", who=who),), prompt)
    told = say("{who}’s turn {turn} stands.", who=player(state, last.player), turn=last.turn)
    if last.what is What.CORRECTION:
        return Banner("legal", say("Corrected"), (say("The position was put right by hand."),), prompt)
    if last.what in (What.PASSED, What.RESIGNED):
        gone = say("{who} has given up; {next} is next.", who=player(state, last.player), next=who)
        return Banner("legal", say("Play goes on"), (gone,), prompt)
    if last.fate is EntryStatus.ACCEPTED:
        return Banner("legal", say("Accepted by agreement"), (told,), prompt)
    winners = tuple(player(state, colour) for colour in state.position.winners)
    round_ = say("{who} reached the goal: the round is played out.", who=winners) if winners else None
    return Banner("legal", say("Legal"), (told, *_besides(last), *_left_open(state)), round_ or prompt)


def _left_open(state: TableState) -> tuple[Words, ...]:
    """Return what of the board is not known yet, and which earlier turns are known since the newest look."""
    settled = [entry for entry in state.history if entry.counts and 0 < entry.retold == state.look and not entry.open]
    known = tuple(_known_now(entry) for entry in settled[-MOST_NAMED:])
    open_ = tuple(sorted(state.open_now))
    return (*known, say("Not known yet: what stands on {at}.", at=open_)) if open_ else known


def _known_now(turn: Entry) -> Words:
    ruling = turn.ruled.ruling if turn.ruled is not None else None
    acts = " ".join(act.text for act in ruling.acts) if ruling is not None else ""
    return say("Turn {turn} is known now: {acts}.", turn=turn.turn, acts=acts or say("nothing changed"))


def _besides(turn: Entry) -> tuple[Words, ...]:
    """Return what a legal ruling takes for granted, and what came out late."""
    if turn.ruled is None:
        return ()
    late = (turn.ruled.late.words,) if turn.ruled.late is not None else ()
    return (*(one.words for one in turn.ruled.assumed), *late)


def violation_words(violations: tuple[Violation, ...]) -> tuple[Words, ...]:
    """Return the sentences of violations."""
    return tuple(violation_text(violation) for violation in violations)


def violation_text(violation: Violation) -> Words:
    """Return a violation's sentence."""
    return violation.words


def _violations(turn: Entry | None) -> tuple[Violation, ...]:
    ruling = turn.ruled.ruling if turn is not None and turn.ruled is not None else None
    return ruling.violations if ruling is not None else ()
