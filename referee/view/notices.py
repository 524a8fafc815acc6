"""Notices for everybody at the table: on the referee itself, and on the values a game is played with."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.contract import HasCopies
from referee.games.guarding import failures
from referee.match.events import AnyGame
from referee.match.live import Live, Notice
from referee.match.state import TableState
from referee.values.words import say

INVENTED = "data-invented"
"""Id of the notice that a game is played with example values; the page leads from it to where copies are entered."""


_UNSEEN = Notice("changed-unseen", "warning", say("Something on the table changed, and no camera saw anybody do it."))


def notices_view(game: AnyGame, state: TableState, live: Live, language: str) -> list[dict[str, object]]:
    """Return all notices as JSON-able values, those of the referee first."""
    unseen = (_UNSEEN,) if state.turn.unseen else ()
    told = (*live.notices, *unseen, *_cameras_changed(state, live), *_of_data(game, state), *_failed(game))
    return [{"id": one.id, "tone": one.tone, "words": one.words.text(language)} for one in told]


def _cameras_changed(state: TableState, live: Live) -> tuple[Notice, ...]:
    """Return a notice where the table has other fixed cameras now than at the newest look of this game."""
    held = {camera.name for camera in live.cameras if camera.held}
    notes = state.reading.cameras if state.reading is not None else ()
    known = {note.name for note in notes if note.of_stand} - held
    now = {camera.name for camera in live.cameras} - held
    if not known or not now or known == now or state.begun.recorded:
        return ()
    found = [say("{camera} looks on now", camera=name) for name in sorted(now - known)]
    found += [say("{camera} looks on no more", camera=name) for name in sorted(known - now)]
    return (
        Notice(
            "cameras-changed", "warning", say("The cameras were changed in this game: {what}.", what=tuple(found))
        ),
    )


def _failed(game: AnyGame) -> Iterator[Notice]:
    for number, words in enumerate(failures(game), 1):
        yield Notice(f"game-failed-{number}", "warning", words)


def _of_data(game: AnyGame, state: TableState) -> tuple[Notice, ...]:
    if state.begun.recorded or not isinstance(game, HasCopies):
        return ()
    words = game.invented_copy(state.position)
    return () if words is None else (Notice(INVENTED, "warning", words),)
