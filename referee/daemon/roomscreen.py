"""Cut the table's view down, on the screen for the room, to what those at the table let the room see."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from calibration.files import write_atomic
from referee.daemon.publisher import ViewPublisher
from referee.values.words import say
from referee.view import ViewState
from referee.view.room import Room, room_view
from web.tableview import Outcome

_LOG = logging.getLogger(__name__)


class RoomScreen:
    """A view of its own over the same table. Safe to use from several threads.

    file: where the setting is kept; while one that is there can't be read, the room is shown nothing.
    """

    def __init__(self, board: ViewPublisher, file: Path) -> None:
        self._board, self._file = board, file
        self._mutex = threading.Lock()
        self._room = _kept(file)

    def settings(self) -> Mapping[str, object]:
        """Return what the room may see, switch by switch."""
        return self._room.to_json()

    def put(self, settings: Mapping[str, object]) -> Outcome:
        """Let the room see something else from now on."""
        room = Room.from_json({**self._room.to_json(), **settings})
        with self._mutex:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(self._file, f"{json.dumps(room.to_json())}\n".encode())
            except OSError as error:
                _LOG.error("%s: %s", self._file, error)
                return Outcome(False, say("This could not be written down, so it stays as it was."), "disk")
            self._room = room
        self._board.again()
        return Outcome(True, None, "", room.to_json())

    def snapshot(self, language: str = "en") -> ViewState:
        """Return the newest view as the room may see it."""
        room = self._room
        view = self._board.snapshot(language, room.names)
        return room_view(view, room, language) | {"version": view["version"]}

    def wait(self, version: int, timeout: float) -> bool:
        """Wait for a view other than ``version``; False once the table is closing."""
        return self._board.wait(version, timeout)


def _kept(file: Path) -> Room:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Room()
    except (OSError, ValueError) as error:
        _LOG.warning("%s can't be read, the room is shown nothing: %s", file, error)
        return Room(shown=False)
    return Room.from_json(data) if isinstance(data, dict) else Room(shown=False)
