"""The line between a table and its pages: what is published may be kept from them, as a slow network does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.daemon.publisher import Render, ViewPublisher


class Line:
    """Passes on what a table publishes."""

    def __init__(self, publisher: ViewPublisher) -> None:
        self._publisher = publisher
        self._held: list[tuple[Render, Render]] | None = None

    def publish(self, view: Render, nameless: Render) -> None:
        """Pass it on, or hold it while nothing is to be heard."""
        if self._held is None:
            self._publisher.publish(view, nameless)
        else:
            self._held.append((view, nameless))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Keep from the pages what comes to be; leaving lets the newest through."""
        self._held = held = []
        try:
            yield
        finally:
            self._held = None
            for view, nameless in held[-1:]:
                self._publisher.publish(view, nameless)
