"""Give the page the virtual table: what lies there, hands, what befalls it, the button box."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from calibration.table import TableSetup
from referee.demo.heldphone import HeldPhone
from referee.games.contract import RequestError
from referee.match.events import AnyGame
from referee.match.live import Live
from referee.match.state import TableState
from referee.opponents import OpponentError
from referee.values.gameerror import GameError
from referee.values.words import Words, say
from referee.virtual.table import VirtualTable

NO_PHONE = say("No phone is held at this table.")


def marks_of(game: AnyGame, state: TableState) -> dict[str, tuple[int, str]]:
    """Return where the stones on tracks belong, with their paint, by the game as it stands."""
    paints = {piece.owner: piece.paint.light for piece in game.kit.pieces if piece.owner}
    found: dict[str, tuple[int, str]] = {}
    for seat in game.seats(state.position):
        for counter in seat.counters:
            if counter.track is not None and seat.colour.word in paints:
                found |= dict.fromkeys(seat.places, (counter.track.at, paints[seat.colour.word]))
    return found


class PlayedTable:
    """One virtual table. Safe to use from several threads."""

    def __init__(
        self,
        table: VirtualTable,
        setup: TableSetup,
        game: AnyGame,
        press: Callable[[str], None],
        idea: Callable[[], str] | None = None,
        people: Callable[[TableState], tuple[str, ...]] = lambda state: (),
        phone: HeldPhone | None = None,
    ) -> None:
        """Take a virtual table.

        press: presses the button box, in somebody's name. idea: what lies there after a turn somebody may play.
        people: whose seats people play, where others play by themselves. phone: in somebody's hand, if there is one.
        """
        self._table, self._setup, self._game, self._press, self._idea = table, setup, game, press, idea
        self._people, self._phone = people, phone
        self._yours: tuple[str, ...] = ()
        self._players: tuple[str, ...] = ()
        self._standing: str | None = None
        self._markers = _printed(setup)

    def follow(self, state: TableState, live: Live | None = None) -> None:
        """Follow the game as it stands: whose pieces are in play, and where stones on tracks belong.

        What others play, somebody shows with the phone.
        """
        self._players = tuple(seat.colour.word for seat in self._game.seats(state.position))
        self._yours = self._people(state)
        self._standing = state.position.observed.text
        self._table.marked(marks_of(self._game, state))
        if self._phone is None or live is None:
            return
        self._phone.follow(live.showing)
        others = self._yours and state.position.to_move.word not in self._yours
        if others and live.showing is not None and state.awaiting and not self._phone.on:
            self._phone.walk()

    def view(self, language: str) -> Mapping[str, object]:
        """Return what lies there, and what it is played with."""
        scene, setup, phone = self._table.scene, self._setup, self._phone
        return {
            "version": self._table.version,
            "lying": scene.lying,
            "hand": scene.hand is not None,
            "turned_deg": scene.turned_deg,
            "stones": {track: {"place": place, "paint": paint} for track, (place, paint) in scene.stones.items()},
            "light": scene.light,
            "unplugged": list(scene.unplugged),
            "cups": [list(cup) for cup in scene.cups],
            "players": list(self._players),
            "yours": list(self._yours),
            "title": self._game.title,
            "ideas": self._idea is not None,
            "kit": self._game.kit.to_json(language),
            "sizes": {
                "pitch": list(setup.pitch_mm),
                "stone": list(setup.cube_mm),
                "piece": [setup.flag.height_mm, setup.flag.radius_mm],
                "style": setup.flag.style,
                "frame": max(float(abs(at[:, :2]).max()) for at in setup.markers.values()),
                "base": setup.base_mm,
                "tracks": _places(setup),
                "markers": self._markers,
            },
            "cameras": [name for name in setup.cameras if name not in setup.held],
            "phone": None if phone is None else {"side": list(phone.side), "on": phone.on, "walking": phone.walking},
        }

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until it is another version; return whether it is."""
        return self._table.wait(version, timeout_s)

    def act(self, act: Mapping[str, object]) -> Words | None:
        """Have a hand do something, play a whole turn, or lay the table as it stood before the turn."""
        try:
            if act.get("do") == "turn" and self._idea is not None:
                self._table.become(self._idea())
            elif act.get("do") == "put back" and self._standing is not None:
                self._table.become(self._standing)
            else:
                self._table.act(act)
        except (RequestError, OpponentError, GameError) as error:
            return error.words
        return None

    def fault(self, name: str, camera: str, field: str, light: float) -> Words | None:
        """Have something befall it."""
        try:
            self._table.fault(name, camera, field, light)
        except RequestError as error:
            return error.words
        return None

    def show(self, azimuth_deg: float | None, elevation_deg: float | None, walk: bool) -> Words | None:
        """Hold the phone at a side, walk around with it, or, without either, put it away."""
        if self._phone is None:
            return NO_PHONE
        if walk:
            self._phone.walk()
        elif azimuth_deg is None or elevation_deg is None:
            self._phone.away()
        else:
            self._phone.hold(azimuth_deg, elevation_deg)
        return None

    def press(self, by: str) -> None:
        """Press the button box."""
        self._press(by)


def _places(setup: TableSetup) -> dict[str, list[list[float]]]:
    """Return where the places of each track are, mm."""
    return {name: [[float(at[0]), float(at[1])] for at in places] for name, places in setup.margin_fields.items()}


def _printed(setup: TableSetup) -> list[dict[str, object]]:
    """Return the frame's markers: each one's middle and side, mm, and its cells, row by row, 1 for white."""
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, setup.marker_dictionary))
    cells = kind.markerSize + 2
    found: list[dict[str, object]] = []
    for number, at in setup.markers.items():
        bits = np.asarray(cv2.aruco.generateImageMarker(kind, number, cells)).ravel() > 0
        x, y = (float(value) for value in at[:, :2].mean(axis=0))
        found.append(
            {"at": [x, y], "side": setup.marker_size_mm, "bits": "".join("01"[bit] for bit in bits.astype(int))}
        )
    return found
