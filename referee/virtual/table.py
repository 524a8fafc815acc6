"""The virtual table: it holds what lies there, and hands change it while cameras look on.

Every method may be called from any thread. One hand is over the board at a time; a second one waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.table import TableSetup
from referee.games.contract import RequestError
from referee.values.board import BoardError, Field
from referee.values.kit import Kit
from referee.values.words import board_words, say
from referee.virtual.scene import HandPlace, TableScene
from referee.virtual.touching import Touch, acted, touches, virtual_kind

_FAR_MM = 420.0
_STEP_S = 0.05


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of hands, seconds: to reach the board and to leave it, and over each place they touch.

    turned_s: how long a turned board rests on each side.
    """

    reach_s: float = 0.4
    dwell_s: float = 0.25
    turned_s: float = 1.6


class VirtualTable:
    """A table on which hands lay pieces."""

    def __init__(
        self,
        table: TableSetup,
        kit: Kit,
        show: Callable[[TableScene], None],
        lying: str,
        pace: Pace | None = None,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        """Lay a table.

        show: called with every scene, in the thread that changes it. pause: waits, and returns whether to stop.
        """
        self._table, self._kit, self._show = table, kit, show
        self._pace = pace or Pace()
        self._pause = pause or _slept
        self._acting = threading.Lock()
        self._changed = threading.Condition()
        self._version = 1
        self._scene = TableScene(lying)
        self._stones: Mapping[str, tuple[int, str]] = {}
        self.at_rest = threading.Event()
        """Set while no hand is over the board."""
        self.at_rest.set()
        show(self._scene)

    @property
    def lying(self) -> str:
        """Return what lies there, the game's observation text."""
        return self._scene.lying

    @property
    def scene(self) -> TableScene:
        """Return the newest scene."""
        return self._scene

    @property
    def version(self) -> int:
        """Return a number that changes with the scene, but not with where the hand is."""
        return self._version

    def changed(self) -> None:
        """Make it another version: something beside the scene is otherwise."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until the version is another; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._version != version, timeout_s)

    def marked(self, stones: Mapping[str, tuple[int, str]]) -> None:
        """Set where the stones on tracks are to lie, with their paint: the next hand moves them there."""
        self._stones = dict(stones)

    def become(self, text: str) -> bool:
        """Have a hand change the table into this text, place by place.

        Returns whether that was done before all was to stop. Raises RequestError for a text that is no board of this
        table.
        """
        with self._acting:
            return self._handled(touches(self.lying, text, self._table, self._kit))

    def act(self, act: Mapping[str, object]) -> bool:
        """Carry out one act of a person (touching.acted). Raises RequestError where hands can't do it."""
        with self._acting:
            text = acted(self.lying, act, self._table, self._kit)
            return self._handled(touches(self.lying, text, self._table, self._kit))

    def hover(self, field: str) -> bool:
        """Hold a hand over a field without touching it. Raises RequestError for anything but a field."""
        with self._acting:
            place = self._named(field)
            x, y = self._table.centre_mm(place.row, place.col)
            return self._handled([Touch(self.lying, x, y, 50.0)])

    def fault(self, name: str, camera: str = "", field: str = "", light: float = 0.5) -> bool:
        """Cause a fault, at one camera or all. Raises RequestError for an unknown name."""
        with self._acting:
            return self._befallen(name, camera, field, light)

    def _befallen(self, name: str, camera: str, field: str, light: float) -> bool:
        cameras = [camera] if camera else list(self._table.cameras)
        if set(cameras) - set(self._table.cameras):
            raise RequestError("camera", say("This table has no camera called {name}.", name=camera[:20]))
        scene = self._scene
        match name:
            case "bump":
                bumps = {**scene.bumps, **{one: scene.bumps.get(one, 0) + 1 for one in cameras}}
                self._put(replace(scene, bumps=bumps))
            case "unplug":
                self._put(replace(scene, unplugged=tuple(sorted({*scene.unplugged, *cameras[:1]}))))
            case "plug":
                self._put(replace(scene, unplugged=()))
            case "dim" | "bright":
                self._put(replace(scene, light=min(max(light, 0.15), 1.2) if name == "dim" else 1.0))
            case "cup" | "uncup":
                self._put(replace(scene, cups=self._on_frame() if name == "cup" else ()))
            case "topple":
                place = self._named(field)
                fallen = virtual_kind(self._kit).toppled(scene.lying, self._table, self._kit, place)
                x, y = self._table.centre_mm(place.row, place.col)
                return self._handled([Touch(fallen, x, y, 40.0)])
            case "turn":
                return self._turned()
            case other:
                raise RequestError("fault", say("Nothing is called {name} here.", name=other[:20]))
        return True

    def _named(self, field: str) -> Field:
        if not field:
            return virtual_kind(self._kit).tallest(self.lying, self._table, self._kit)
        try:
            place = Field.from_name(field)
        except BoardError as error:
            raise RequestError("field", board_words(error)) from error
        if not (place.row < self._table.rows and 0 <= place.col < self._table.columns):
            raise RequestError("field", say("{field} is no field of this board.", field=field[:8]))
        return place

    def _on_frame(self) -> tuple[tuple[float, float], ...]:
        """Return the place of a cup on a marker of the near side."""
        middles = [at.mean(axis=0) for at in self._table.markers.values()]
        near = min(middles, key=lambda at: (float(at[1]), abs(float(at[0]))))
        return ((float(near[0]), float(near[1])),)

    def _turned(self) -> bool:
        """Turn the board a quarter, with a hand at its edge, and leave it so for a while."""
        reach = 0.8 * max(abs(float(at[:, 0].min())) for at in self._table.markers.values())
        begin = self._scene.turned_deg
        self.at_rest.clear()
        going = self._moved(self._away(reach, -reach), (reach, -reach, 20.0), self._pace.reach_s)
        for step in range(1, 4):
            self._put(replace(self._scene, turned_deg=(begin - 30.0 * step) % 360))
            going = going and not self._pause(_STEP_S)
        going = going and self._moved((reach, -reach, 20.0), self._away(reach, -reach), self._pace.reach_s)
        self._put(replace(self._scene, hand=None))
        self.at_rest.set()
        return going and not self._pause(self._pace.turned_s)

    def _handled(self, steps: list[Touch]) -> bool:
        """Move a hand in, let it make the touches, and move it away."""
        if not steps:
            return True
        self.at_rest.clear()
        spots = [self._spot(touch) for touch in steps]
        at = self._away(*spots[0][:2])
        going = True
        for touch, spot in zip(steps, spots, strict=True):
            far = float(np.hypot(at[0] - spot[0], at[1] - spot[1]))
            going = going and self._moved(at, spot, self._pace.reach_s * min(1.0, 0.3 + far / _FAR_MM))
            at = spot
            self._put(replace(self._scene, lying=touch.lying, stones=self._stones))
            going = going and not self._pause(self._pace.dwell_s)
        going = going and self._moved(at, self._away(*at[:2]), self._pace.reach_s)
        self._put(replace(self._scene, hand=None))
        self.at_rest.set()
        return going

    def _spot(self, touch: Touch) -> tuple[float, float, float]:
        """Return where a touch is on the board as it is turned."""
        turn = np.radians(self._scene.turned_deg)
        x = np.cos(turn) * touch.x_mm - np.sin(turn) * touch.y_mm
        y = np.sin(turn) * touch.x_mm + np.cos(turn) * touch.y_mm
        return float(x), float(y), touch.z_mm

    def _away(self, x: float, y: float) -> tuple[float, float, float]:
        """Return where a hand is that has left the board, on the nearest side at which no camera stands."""
        towards = np.radians(self._from_deg(x))
        return x + _FAR_MM * float(np.cos(towards)), y + _FAR_MM * float(np.sin(towards)), 130.0

    def _from_deg(self, x: float) -> float:
        return 20.0 if x >= 0 else 165.0

    def _moved(self, start: tuple[float, float, float], end: tuple[float, float, float], took_s: float) -> bool:
        """Move the hand; whether to go on."""
        steps = max(1, round(took_s / _STEP_S))
        side = self._from_deg(start[0] if abs(start[0]) < abs(end[0]) else end[0])
        for step in range(1, steps + 1):
            share = 0.5 - 0.5 * float(np.cos(np.pi * step / steps))
            x, y, z = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self._put(replace(self._scene, hand=HandPlace(x, y, z, side)))
            if self._pause(took_s / steps):
                return False
        return True

    def _put(self, scene: TableScene) -> None:
        before, self._scene = self._scene, scene
        self._show(scene)
        if replace(before, hand=None) != replace(scene, hand=None) or (before.hand is None) != (scene.hand is None):
            self.changed()


def _slept(seconds: float) -> bool:
    time.sleep(seconds)
    return False
