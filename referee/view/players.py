"""Views of players and their colours: names, paints and letters, so that the page knows none of them itself."""

from __future__ import annotations

from referee.games.contract import Counter, Position, Seat, StoneTrack
from referee.match.events import AnyGame
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.paints import paint_of
from referee.values.words import Words
from referee.view.banner import ViewState, person

CORNERS = 4


def players_view(game: AnyGame, state: TableState, language: str) -> ViewState:
    """Return each player's word with the player's name and paint."""
    return {
        seat.colour.word: {"name": _name(seat, state, language), "paint": paint_of(seat.colour.word).to_json()}
        for seat in game.seats(state.position)
    }


def palette_view(game: AnyGame, language: str) -> ViewState:
    """Return every colour that can be played, word to name and paint, whoever plays now."""
    return {
        colour.word: {"name": person(colour).text(language), "paint": paint_of(colour.word).to_json()}
        for colour in game.choices().colours
    }


def seat_view(game: AnyGame, seat: Seat, state: TableState, language: str) -> ViewState:
    """Return one player with the game's counters."""
    position, word = state.position, seat.colour.word
    return {
        "colour": word,
        "name": _name(seat, state, language),
        "places": list(seat.places),
        "corners": _corners(game, seat),
        "counters": [
            {
                "id": counter.id,
                "name": counter.words.text(language),
                "value": counter.value,
                "of": counter.of,
                "track": _track(counter.track) if counter.track else None,
                "seen": _seen(game, seat, counter, state) if counter.track else None,
            }
            for counter in seat.counters
        ],
        "goal": seat.goal.text(language) if seat.goal else "",
        "steps": [{"text": _text(step.text, language), "reached": step.reached} for step in seat.steps],
        "to_move": word == position.to_move.word and state.phase is not Phase.FINISHED,
        "winner": word in [one.word for one in (state.result.winners if state.result else position.winners)],
        "out": word in [one.word for one in state.out],
    }


def _corners(game: AnyGame, seat: Seat) -> list[int]:
    """Return the player’s corners, from 0 at the top left, clockwise: where each of the board’s four has a track."""
    tracks = [track.name for track in game.kit.tracks]
    return [tracks.index(place) for place in seat.places if place in tracks] if len(tracks) == CORNERS else []


def _name(seat: Seat, state: TableState, language: str) -> str:
    return state.players.get(seat.colour.word) or person(seat.colour).text(language)


def _text(said: str | Words, language: str) -> str:
    return said if isinstance(said, str) else said.text(language)


def _track(track: StoneTrack) -> ViewState:
    return {"fields": track.fields, "at": track.at, "ring": track.ring}


def _seen(game: AnyGame, seat: Seat, counter: Counter, state: TableState) -> int | None:
    """Return where the cameras saw the player's marker on its track at the newest ruling; ``None``: not seen.

    A player with two places has a marker on one of their tracks; the other is empty. On a ring a marker that stood
    where it had to before the turn is as good as not seen: its points may be moved after the ruling.
    """
    newest = state.history[-1] if state.history else None
    if newest is None or not newest.counts or newest.reading is None:
        return None
    if counter.track is not None and counter.track.ring:
        seen = dict(newest.reading.score).get(seat.colour.word)
        return None if seen is None or seen in _at_before(game, seat, counter, newest.before) else seen
    at = [place for name, place in newest.reading.tracks if name in seat.places and place is not None]
    return max(at, default=None)


def _at_before(game: AnyGame, seat: Seat, counter: Counter, before: Position) -> list[int]:
    """Return where the same marker had to stand in a position."""
    return [
        one.track.at
        for other in game.seats(before)
        for one in other.counters
        if other.colour == seat.colour and one.id == counter.id and one.track is not None
    ]
