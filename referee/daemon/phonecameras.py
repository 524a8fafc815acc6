"""Hand pictures of phones that serve as the table's cameras from the page to those cameras."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from referee.values.words import Words
from vision.sources.address import Scheme
from vision.sources.camera import Camera
from vision.sources.state import SourceHealth
from web.tableview import PhonePlace


class PhotographPhones:
    """Phones at a board without a printed frame, which only photograph it."""

    def __init__(self, held: Sequence[str]) -> None:
        """Take the names of the cameras that they are."""
        self._held = held

    def places(self) -> Sequence[PhonePlace]:
        """Return the one that all of them are: whose picture comes is no matter."""
        return [PhonePlace(name, name, False, held=True, bare=True) for name in self._held[:1]]

    def offer(self, camera: str, jpeg: bytes, age_s: float) -> bool | None:
        """Take no live picture."""
        return None


class LivePhones:
    """Those of the cameras whose source is a phone."""

    def __init__(
        self,
        cameras: Mapping[str, Camera],
        size: Callable[[str], tuple[int, int] | None],
        lens: Callable[[str], Words | None] = lambda camera: None,
        held: Collection[str] = (),
    ) -> None:
        """Take the cameras that are phones.

        size: (width, height) a camera's lens is measured at, where it is. lens: what is to be done for one.
        held: those in a hand.
        """
        self._phones = {name: eye for name, eye in cameras.items() if eye.source.scheme is Scheme.PHONE}
        self._size, self._lens, self._held = size, lens, frozenset(held)

    def places(self) -> Sequence[PhonePlace]:
        """Return the cameras that phones may be."""
        return [
            PhonePlace(
                name,
                eye.source.location,
                eye.state.health is SourceHealth.LIVE,
                self._size(name),
                self._lens(name),
                name in self._held,
            )
            for name, eye in self._phones.items()
        ]

    def offer(self, camera: str, jpeg: bytes, age_s: float) -> bool | None:
        """Take a picture; ``False`` when it comes too fast, ``None`` where no such camera is a phone."""
        eye = self._phones.get(camera)
        return None if eye is None else eye.offer(jpeg, age_s)
