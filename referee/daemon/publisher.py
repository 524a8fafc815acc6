"""Hold the newest view of the table for any number of readers in other threads (the page's TableView)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from referee.view import ViewState

Render = Callable[[str], ViewState]
"""Makes the view in a language; pure, and called from the readers' threads."""


class ViewPublisher:
    """Holds the newest view and makes it in each language once, when somebody first asks for it."""

    def __init__(self) -> None:
        # Versions begin at the clock, so that a page open since before a restart sees that there is something new.
        self._version = time.time_ns() // 1_000_000
        self._renders: tuple[Render, Render] = (lambda language: {}, lambda language: {})
        self._views: dict[tuple[str, bool], ViewState] = {}
        self._closed = False
        self._told: list[Callable[[], None]] = []
        self._read = threading.Event()
        self._changed = threading.Condition()

    def on_publish(self, told: Callable[[], None]) -> None:
        """Have something called whenever there is a new view, from the publishing thread; it must not wait."""
        self._told.append(told)

    def publish(self, view: ViewState | Render, nameless: Render | None = None) -> None:
        """Show a new view and wake everybody who waits for one. nameless: the same without anybody's name."""
        render: Render = view if callable(view) else lambda language: dict(view)
        with self._changed:
            self._version += 1
            self._renders = (render, nameless or render)
            self._views = {}
            self._changed.notify_all()
        for told in self._told:
            told()

    def again(self) -> None:
        """Wake everybody, because something beside the table has changed that is shown with it."""
        with self._changed:
            self._version += 1
            self._views = {}
            self._changed.notify_all()
        for told in self._told:
            told()

    def snapshot(self, language: str = "en", named: bool = True) -> ViewState:
        """Return the newest view in a language; never changed afterwards.

        Raises WordsError for an unknown language.
        """
        self._read.set()
        with self._changed:
            version, known = self._version, self._views.get((language, named))
            render = self._renders[0 if named else 1]
        if known is not None:
            return known
        view = render(language) | {"version": version}
        with self._changed:
            if version == self._version:
                self._views[language, named] = view
        return view

    def wait(self, version: int, timeout: float) -> bool:
        """Wait for a view other than ``version``; False once the board is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != version, timeout)
            return not self._closed

    @property
    def was_read(self) -> bool:
        """Return whether anybody has looked yet."""
        return self._read.is_set()

    def close(self) -> None:
        """Release everybody who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
