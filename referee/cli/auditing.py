"""Drive a session with the requests of ``referee audit``: a chain of turns from pictures, for every kind of game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibration.errors import CalibrationError
from referee.cli.jsonlines import check_keys
from referee.cli.requesting import requests_of
from referee.cli.unsure import unsure
from referee.games.contract import AnyGame, DoubtsFirst, HasCopies, RequestError
from referee.match.decision import MOST_DOUBTS, Ask
from referee.match.events import (
    GameStarted,
    Illegal,
    PositionCorrected,
    PutBack,
    SetupAccepted,
    TurnConfirmed,
    TurnDeclared,
    TurnRuled,
    Unsure,
    Verdict,
)
from referee.match.phases import Phase
from referee.match.transitions import begin, step, went_on, witnessed
from referee.session.adapter import adapter_of
from referee.session.capture import Capture, Pictures
from referee.session.driving import FileDriver
from referee.session.engine import Session
from referee.session.readers import Reader
from referee.session.said import Captured, EventNoted, LookGiven, LookRead, Said
from referee.values.board import Board, Field, differing_fields
from referee.values.words import say, verbatim
from vision.reading import problems_of

MOST_FRAMES = 60
"""Pictures of still boards during one turn that are read at most."""
_UNREAD = say("The turn before could not be read, so this may be two turns in one: look what stands there.")
_OPEN = say("the pictures allow several boards that differ in the ruling")


@dataclass(frozen=True, eq=False)
class _Look:
    """The pictures of one turn's end, and the session before they were looked at.

    known: what somebody says stands in some places. after_unread: the turn before could not be ruled on at all, so
    this may be two turns in one.
    """

    session: Session
    views: tuple[Pictures, ...]
    known: Mapping[str, str] = field(default_factory=dict)
    after_unread: bool = False


class Auditor:
    """Audit one table's games one after the other, carrying on from its own last ruling.

    Where a picture leaves several positions possible, all are kept in mind until a later one decides.
    """

    def __init__(self, game: AnyGame, reader: Reader | None, language: str = "en") -> None:
        """Take a game and its reader, ``None`` where no camera looks, and rulings rest on what is declared."""
        self._game, self._reader, self._language = game, reader, language
        self._requests = requests_of(game)
        self._session: Session | None = None
        self._last: _Look | None = None
        self._unread = False

    def answer(self, request: Mapping[str, object], base: Path) -> dict[str, object]:
        """Rule on one request and return the answer without its id.

        Raises RequestError for what cannot be audited, saying what to do; the chain then stays where it was.
        """
        pictures = self._requests.PICTURES
        own = ("copy",) if isinstance(self._game, HasCopies) else ()
        check_keys(request, ("id", pictures, "more", "position", *own, "frames", "known", "declared"))
        known = self._requests.known(self._game, self._reader, request["known"]) if "known" in request else {}
        if known and pictures not in request:
            if self._last is None or request.keys() & {"position", "copy", "frames"}:
                raise RequestError(
                    "known", "known rules on the last pictures again: send it alone, after a request with pictures"
                )
            return self._ruled(replace(self._last, known={**self._last.known, **known}))
        if "more" in request:
            return self._ruled(self._longer(request, known, base))
        session = self._from(self._with_copy(request))
        self._last = None  # where these pictures can't be read, those of another turn are not the last
        views = self._requests.views(self._reader, request.get(pictures), base)
        self._frames(session, request.get("frames"), base)
        self._declare(session, request.get("declared"))
        return self._ruled(_Look(session, views, known, self._unread and request.get("position") is None))

    def _longer(self, request: Mapping[str, object], known: Mapping[str, str], base: Path) -> _Look:
        """Return the last look with further pictures."""
        if self._last is None or request.keys() - {"id", "more", "known"}:
            raise RequestError(
                "more", "more adds pictures to the last look: send it alone, after a request with pictures"
            )
        views = self._requests.more(self._reader, self._last.views, request["more"], base)
        return replace(self._last, views=views, known={**self._last.known, **known})

    def _ruled(self, look: _Look) -> dict[str, object]:
        """Rule on pictures; the chain goes on from there."""
        before = look.session
        session = before.at(witnessed(before.state, look.known, look.known.keys()))  # nothing fell there
        driver = _received(session, LookGiven(Capture(look.views, 0.0)))
        ruled = driver.ruled
        if ruled is None:
            self._session, self._last, self._unread = look.session, look, True
            return self._unclear(session, driver.read)
        if ruled.ruling is None and session.state.unchanged:
            # The request says that the turn is over.
            ruled = _received(session, EventNoted((TurnConfirmed(""),))).ruled or ruled
        self._session, self._last = session, look
        self._unread = look.after_unread and ruled.verdict is not Verdict.LEGAL
        if self._unread and isinstance(ruled.found, Illegal):  # nobody is accused
            ruled = replace(ruled, found=Unsure(words=_UNREAD, doubts=_in_question(session, ruled)[:MOST_DOUBTS]))
        found = ruled.found
        if isinstance(found, Unsure) and found.ruling is None and found.ask is None and ruled.show is None:
            ruled = replace(ruled, found=_asked(session, ruled, found))
        return self._answer(session, ruled)

    def _answer(self, session: Session, ruled: TurnRuled) -> dict[str, object]:
        language = self._language
        late: dict[str, object] = {}
        if ruled.late is not None:
            told = {"turn": ruled.late.turn, "player": ruled.late.player.word, "rules": sorted(ruled.late.rules)}
            late = {"late": told | {"message": ruled.late.words.text(language)}}
        if not isinstance(ruled.found, Unsure):
            answer = ruled.found.ruling.to_json(language)
            answer |= {"observed": ruled.observed, "ruling": ruled.verdict.value}
            if ruled.assumed:
                answer["assumed"] = [
                    {"field": one.field.name, "message": one.words.text(language)} for one in ruled.assumed
                ]
            if ruled.found.open:  # the record of a live game says so, too
                answer["open"] = [place.name for place in sorted(ruled.found.open)]
            if ruled.show is not None:  # the ruling stands; one more side would settle where the next turn begins
                answer["show"] = ruled.show.to_json(language)
            return answer | late
        found, ruling = ruled.found, ruled.found.ruling
        asked = (*ruling.questions, *ruling.lacking) if ruling is not None else ()
        reason, doubts = found.words or next(iter(asked), _OPEN), [place.name for place in found.doubts]
        answer = unsure(session.state.position, ruled.observed, doubts, reason, language) | late
        if ruling is not None:  # something is asked first of what was declared
            told = ruling.to_json(language)
            answer |= {key: told[key] for key in ("questions", "offers", "lacking") if key in told}
        if found.ask is not None:
            answer["ask"] = {"field": found.ask.field.name, "why": found.ask.why.text(language)}
        if ruled.show is not None:
            answer["show"] = ruled.show.to_json(language)
        return answer

    def _unclear(self, session: Session, read: LookRead | None) -> dict[str, object]:
        """Answer for pictures that carry no ruling at all."""
        assert read is not None, "a look is read before it is left out"
        seen = read.seen
        reading = seen.reading
        problems = "; ".join(problems_of(seen.cameras.values()))
        reason = verbatim(problems) if seen.lost else seen.unclear
        blocked = [place.name for place in reading.blocked]
        answer = unsure(session.state.position, reading.text, blocked, reason, self._language)
        untold = [name for name in blocked if name not in session.state.turn.end.known]
        if untold:  # what is said of all fields in the way makes the look clear
            answer["ask"] = {"field": untold[0], "why": reason.text(self._language)}
        return answer

    # The chain

    def _from(self, data: object) -> Session:
        """Return where the turn may start from: the position given, else what the chain has led to."""
        position = None if data is None else self._game.position(data)
        if position is not None and position.finished:
            raise RequestError("finished", "position: the game is over: give the position of a game under way")
        if position is not None:
            self._requests.fitting(self._reader, position)
        if self._session is None:
            if position is None:
                raise RequestError(
                    "position", "the first request must have a position: the one before the first turn"
                )
            return self._begun(GameStarted(position, recorded=True))
        session = self._session.at(self._session.state)
        if session.state.phase is Phase.FINISHED:
            if position is None:
                raise RequestError("finished", "the game is finished: give the position of the next game")
            return self._begun(GameStarted(position, recorded=True))
        if session.state.phase is Phase.VIOLATION:  # it was taken back
            _received(session, EventNoted((PutBack(""),)))
        elif session.state.phase is Phase.UNSURE:
            session = session.at(went_on(session.state))
        if position is not None:
            _received(session, EventNoted((PositionCorrected("", position),)))
        elif session.state.position.finished:
            raise RequestError("finished", "the game is finished: give the position of the next game")
        return session

    def _begun(self, started: GameStarted) -> Session:
        state = step(begin(started), SetupAccepted(""))
        return Session(self._game, state, adapter_of(self._game, self._reader))

    def _frames(self, session: Session, frames: object, base: Path) -> None:
        """Show the session the boards that stood still during the turn."""
        if frames is None:
            return
        if not isinstance(frames, list) or len(frames) > MOST_FRAMES:
            raise RequestError("frames", f'frames must be a list of at most {MOST_FRAMES} like {{"cam0": "path"}}')
        for pictures in frames:
            views = self._requests.views(self._reader, pictures, base)
            _received(session, Captured(Capture(views, 0.0), 0.0))

    def _with_copy(self, request: Mapping[str, object]) -> object:
        """Return a request's position, holding the data of its copy where they stand beside it."""
        position = request.get("position")
        if "copy" not in request or not isinstance(self._game, HasCopies):
            return position
        name, data = self._game.checked_copy(request["copy"])
        if not isinstance(position, Mapping) or position.get("copy") != name:
            raise RequestError("copy", f"copy: this is the data of {name!r}: send them with a position that names it")
        return {**position, "copy": data}

    def _declare(self, session: Session, declared: object) -> None:
        """Tell the session what was declared: an object by the game's form, or a list of acts as for ``check``."""
        position = session.state.position
        if isinstance(declared, list):
            form = self._game.form(position)
            words = [field.id for field in form.fields if field.kind == "text"] if form is not None else []
            declared = {words[0]: declared} if words else declared
        if declared is None or declared == {}:
            return
        if not isinstance(declared, Mapping):
            raise RequestError("declared", "declared must be an object {...}")
        if isinstance(self._game, DoubtsFirst):  # what can't be read would lie on all acts of the turn
            self._game.lacking(position, declared)
        _received(session, EventNoted((TurnDeclared("", declared),)))


def _received(session: Session, said: Said) -> FileDriver:
    """Let a session take in a message; return its driver. Raises RequestError for a camera that does not fit."""
    driver = FileDriver(session)
    try:
        driver.receive(said)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    return driver


def _asked(session: Session, ruled: TurnRuled, found: Unsure) -> Unsure:
    """Return an unsure answer with a question, as each names a way out; or as it is where all is told."""
    places = (*found.doubts, *_in_question(session, ruled))
    place = next((place for place in places if place.name not in session.state.turn.end.known), None)
    return found if place is None else replace(found, ask=Ask(place, found.words or _OPEN))


def _in_question(session: Session, ruled: TurnRuled) -> tuple[Field, ...]:
    """Return where people should look: what a ruling names, then what changed, then any field of a board."""
    ruling = ruled.ruling
    named = [] if ruling is None else [place for one in ruling.violations for place in one.fields]
    named += [] if ruling is None else [place for act in ruling.acts for place in act.fields]
    before = session.state.position.observed
    if not isinstance(before, Board):
        return tuple(dict.fromkeys(named))
    changed = sorted(differing_fields(before, before.like(ruled.observed)))
    return tuple(dict.fromkeys((*named, *changed, *before.fields)))
