"""Whatever is tampered with in an export is found by the referee and by verify.py, where it was changed.

Hypothesis chooses what: a byte of the file or of one in it, an event, a picture, the order, the tail, the key.
A few hundred tries here; ``make fuzz`` makes 10,000 (TAMPERING_TRIES).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee.storage.checkpoint import Signer
from referee.storage.journal import canonical
from tests.archive.game import Files, forged, lines, rewritten
from tests.archive.verifying import Exported, first_event

TRIES = int(os.environ.get("TAMPERING_TRIES", "200"))
_MANY = settings(deadline=None, max_examples=TRIES, suppress_health_check=[HealthCheck.filter_too_much])
Found = Callable[[str, str], None]
"""Holds what the referee and verify.py say to the place where something was changed."""
Tampered = tuple[bytes | Files, Found]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return Exported.made(tmp_path_factory.mktemp("tampered"))


def told(ours: str, theirs: str) -> None:
    assert ours
    assert theirs


def at_event(number: int) -> Found:
    def holds(ours: str, theirs: str) -> None:
        assert (first_event(ours), first_event(theirs)) == (number, number), (ours, theirs)

    return holds


def naming(words: str) -> Found:
    def holds(ours: str, theirs: str) -> None:
        assert re.search(rf"{re.escape(words)}\b", ours), ours
        assert re.search(rf"{re.escape(words)}\b", theirs), theirs

    return holds


def a_byte(game: Exported, data: st.DataObject) -> Tampered:
    content = bytearray(game.zip.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    return bytes(content), told


def a_byte_of_a_file(game: Exported, data: st.DataObject) -> Tampered:
    name = data.draw(st.sampled_from(sorted(game.files)))
    content = bytearray(game.files[name])
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    changed = {**game.files, name: bytes(content)}
    return changed, told if name == "manifest.json" else naming(f"{name} was changed")


def an_event(game: Exported, data: st.DataObject) -> Tampered:
    """Change a value in an event and mend the manifest.

    It is found at that event or, where all hashes are mended, by the checkpoint.
    """
    written = lines(game.files)
    number = data.draw(st.integers(1, len(written)))
    event = json.loads(written[number - 1])["event"]
    key = data.draw(st.sampled_from(sorted(event)))
    value = data.draw(st.one_of(st.integers(-5, 5), st.text(max_size=5), st.none()))
    assume(event[key] != value)
    if data.draw(st.booleans()):
        assume(key not in ("previous", "number"))
        made = rewritten(game.files, number, lambda text: canonical({**json.loads(text), key: value}))
        return made, told
    line = json.loads(written[number - 1])
    written[number - 1] = f'{{"event":{canonical({**event, key: value})},"hash":"{line["hash"]}"}}\n'.encode()
    return forged({**game.files, "journal.jsonl": b"".join(written)}), at_event(number)


def a_picture(game: Exported, data: st.DataObject) -> Tampered:
    """Put another picture under a picture's name, or none, or swap two; mend the manifest."""
    names = sorted(name for name in game.files if name.startswith("pictures/"))
    name = data.draw(st.sampled_from(names))
    how = data.draw(st.sampled_from(["another", "swapped"]))
    content = data.draw(st.binary(max_size=40)) if how == "another" else game.files[data.draw(st.sampled_from(names))]
    assume(content != game.files[name])
    return forged({**game.files, name: content}), naming(name.removeprefix("pictures/")[:64])


def the_order(game: Exported, data: st.DataObject) -> Tampered:
    written = lines(game.files)
    order = data.draw(st.permutations(range(len(written))))
    first = next((number for number, at in enumerate(order, 1) if at != number - 1), 0)
    assume(first)
    moved = {**game.files, "journal.jsonl": b"".join(written[at] for at in order)}
    return forged(moved) if data.draw(st.booleans()) else moved, naming(f"event {first}")


def the_tail(game: Exported, data: st.DataObject) -> Tampered:
    written = lines(game.files)
    left = data.draw(st.integers(1, len(written) - 1))
    cut = {**game.files, "journal.jsonl": b"".join(written[:left])}
    gone = "cut off"
    return forged(cut) if data.draw(st.booleans()) else cut, naming(gone)


def the_key(game: Exported, data: st.DataObject) -> Tampered:
    """Sign the whole, rewritten, as somebody else, or write a signature that is not one."""
    number = data.draw(st.integers(1, len(lines(game.files))))
    at = data.draw(st.sampled_from(["1", "3", "4"]))
    made = rewritten(game.files, number, lambda text: text.replace('"at":"2', f'"at":"{at}'))
    forger = Signer.open(game.folder / "forger.key")
    head = lines(made)[-1][-67:-3].decode()
    note = forger.sign(len(lines(made)), "2026-01-01T00:00:00Z", head).text
    return forged({**made, "checkpoint.txt": note.encode()}), naming("signed with another key")


KINDS = {
    each.__name__: each for each in (a_byte, a_byte_of_a_file, an_event, a_picture, the_order, the_tail, the_key)
}


@pytest.mark.long
@_MANY
@given(data=st.data())
def test_whatever_is_tampered_with_is_found(game: Exported, data: st.DataObject) -> None:
    changed, holds = KINDS[data.draw(st.sampled_from(sorted(KINDS)))](game, data)
    found = game.found_raw(changed, game.key) if isinstance(changed, bytes) else game.found(changed, game.key)
    holds(*found)


def test_what_nobody_touched_holds_under_the_tables_key(game: Exported) -> None:
    assert game.found_raw(game.zip.read_bytes(), game.key) == ("", "")
