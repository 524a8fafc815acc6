"""Enter, read and remove the values printed on a copy of a game (the page's GameCopies)."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping

from calibration.metadata import says_more, without_metadata
from calibration.picturefile import PictureError
from referee.daemon.copyfolder import MOST_COPIES, CopyFolder, CopyFolderError, slug
from referee.games.contract import HasCopies, Position, RequestError
from referee.values.words import say
from web.tableview import Outcome

LONGEST_NAME = 60
CHOICE = "copy"
"""Key of a new game's choice under which the data stand, or the name of those that are kept."""

_NO_COPY = Outcome(False, say("There is no such copy."), "no-copy")


class CopyEditor:
    """Enters data for one game. Every method may be called from many threads at once."""

    def __init__(self, game: HasCopies[Position], folder: CopyFolder) -> None:
        self._game, self._folder = game, folder
        self._mutex = threading.Lock()

    def names(self) -> list[dict[str, object]]:
        """List the copies: the name of each file, and how the copy is called."""
        found: list[dict[str, object]] = []
        for name in self._folder.names():
            try:
                data = self._folder.read(name) or {}
            except CopyFolderError:
                continue
            found.append({"id": name, "name": str(data.get(CHOICE, name))})
        return found

    def view(self, name: str, language: str) -> Mapping[str, object] | None:
        """Return a copy as the form shows it, ``None`` where there is none; a file that can't be used says why."""
        try:
            data = self._folder.read(name)
            if data is None:
                return None
            view = self._game.copy_view(data, language)
        except (CopyFolderError, RequestError) as error:
            return {
                "id": name,
                "name": name,
                "parts": [],
                "first": "",
                "gaps": 0,
                "doubts": [error.words.text(language)],
                "pictures": [],
            }
        return {**view, "id": name, "pictures": sorted(self._folder.pictured(name))}

    def text(self, name: str) -> str | None:
        """Return a copy's file as text; ``None`` where there is none that can be read."""
        try:
            data = self._folder.read(name)
        except CopyFolderError:
            return None
        return None if data is None else json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    def begin(self, called: str) -> Outcome:
        """Begin a copy of which nothing but the name is known."""
        called = called.strip()
        if not 0 < len(called) <= LONGEST_NAME or not called.isprintable():
            return Outcome(
                False, say("Give your copy a name of at most {n} characters.", n=LONGEST_NAME), "arguments"
            )
        with self._mutex:
            return self._added(self._game.new_copy(called), called)

    def take_in(self, data: object) -> Outcome:
        """Take in a copy that somebody else entered."""
        try:
            called, checked = self._game.checked_copy(data)
        except RequestError as error:
            return Outcome(False, error.words, "data")
        with self._mutex:
            return self._added(checked, called)

    def _added(self, data: dict[str, object], called: str) -> Outcome:
        taken, stem = set(self._folder.names()), slug(called)
        if len(taken) >= MOST_COPIES:  # those beyond would not be listed, and could be written over
            return Outcome(
                False,
                say("There are {n} copies already: delete some first.", n=MOST_COPIES),
                "data",
            )
        name = next(word for n in range(1, 1000) if (word := stem if n == 1 else f"{stem[:56]}-{n}") not in taken)
        if name != stem:
            data = data | {CHOICE: f"{called} {name.rsplit('-', 1)[-1]}"}
        return self._kept(name, data, {"id": name})

    def put(self, name: str, part: str, row: str, values: Mapping[str, object] | None) -> Outcome:
        """Put one row in place of another; ``None`` takes it out, an empty row makes a new one."""
        with self._mutex:
            try:
                data = self._folder.read(name)
                if data is None:
                    return _NO_COPY
                changed, made = self._game.changed_copy(data, part, row, values)
            except RequestError as error:
                return Outcome(False, error.words, "data")
            except CopyFolderError as error:
                return Outcome(False, error.words, "data")
            outcome = self._kept(name, changed, {"id": name, "row": made})
            if outcome.accepted and values is None:  # a later card of the same name would show it
                try:
                    self._folder.drop_picture(name, part, row)
                except CopyFolderError as error:
                    return Outcome(False, error.words, error.code)
            return outcome

    def _kept(self, name: str, data: Mapping[str, object], result: dict[str, object]) -> Outcome:
        try:
            self._folder.write(name, data)
        except CopyFolderError as error:
            return Outcome(False, error.words, error.code)
        return Outcome(True, None, "", result)

    def picture(self, name: str, part: str, row: str) -> bytes | None:
        """Return the picture of a part of a copy, JPEG; ``None`` where none is kept."""
        return self._folder.picture(name, part, row)

    def keep_picture(self, name: str, part: str, row: str, jpeg: bytes) -> Outcome:
        """Keep the picture of a part that the copy has, and whose form shows one, without its metadata."""
        try:
            plain = without_metadata(jpeg) if says_more(jpeg) else jpeg
        except PictureError:
            plain = b""
        if not plain.startswith(b"\xff\xd8\xff"):
            return Outcome(False, say("This is no JPEG picture."), "picture")
        with self._mutex:
            try:
                data = self._folder.read(name)
                if data is None:
                    return _NO_COPY
                if not _has(self._game.copy_view(data, "en"), part, row):
                    words = say("The copy has no part {name}.", name=f"{part[:30]}-{row[:60]}")
                    return Outcome(False, words, "no-part")
                self._folder.keep_picture(name, part, row, plain)
            except CopyFolderError as error:
                return Outcome(False, error.words, error.code)
            except RequestError as error:
                return Outcome(False, error.words, "data")
        return Outcome(True)

    def drop_picture(self, name: str, part: str, row: str) -> Outcome:
        """Remove the picture of a part of a copy."""
        with self._mutex:
            if self._folder.picture(name, part, row) is None:
                return Outcome(False, say("There is no such picture."), "no-picture")
            try:
                self._folder.drop_picture(name, part, row)
            except CopyFolderError as error:
                return Outcome(False, error.words, error.code)
        return Outcome(True)

    def drop(self, name: str) -> Outcome:
        """Delete a copy with its pictures. Games that are or were played with it keep its values."""
        with self._mutex:
            if name not in self._folder.names():
                return _NO_COPY
            try:
                self._folder.drop(name)
            except CopyFolderError as error:
                return Outcome(False, error.words, error.code)
        return Outcome(True)

    def chosen(self, choice: Mapping[str, object]) -> dict[str, object]:
        """Return a new game's choice with the data of a copy in place of its name; an unknown name stays as it is."""
        name = choice.get(CHOICE)
        data = None
        if isinstance(name, str):
            try:
                data = self._folder.read(name)
            except CopyFolderError:
                data = None
        return dict(choice) if data is None else {**choice, CHOICE: dict(data)}


def _has(view: Mapping[str, object], part: str, row: str) -> bool:
    """Return whether a form has a row, in a part of which pictures are taken."""
    parts = view["parts"]
    assert isinstance(parts, list)
    return any(
        one["id"] == part and one["pictured"] and any(each["id"] == row for each in one["rows"]) for one in parts
    )
