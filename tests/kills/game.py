"""One game, killed and taken up again until it has been shown to its end, and what must hold after every kill."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.archive.export import pictures_named
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import JournalEntry, read_journal
from tests.demo.command import Demo
from tests.kills.client import Client

OPTIONS = ("--pace", "0.2")
STARTING = 0.2
"""Part of the kills that come while the referee starts."""
WRITING = 0.5
"""Part of the others that come while an event is being written, as SQLite's own file beside the journal shows."""
MOST_EVENTS = 6
"""Kills come after up to so many events of a start."""
LONGEST_PLAY_S = 60.0


@dataclass
class Count:
    """What happened in all."""

    kills: int = 0
    while_starting: int = 0
    while_writing: int = 0
    games: int = 0
    acknowledged: int = 0
    unheard: int = 0
    """Events that were in the journal after a kill though no client had been told of them."""
    after: Counter[str] = field(default_factory=Counter)
    """The newest event when the kill came, by kind."""

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.after.items()))
        return (
            f"{self.kills} kills ({self.while_starting} while starting, {self.while_writing} while writing) "
            f"in {self.games} finished games: "
            f"{self.acknowledged} events acknowledged, all kept once; {self.unheard} written but not yet told; "
            f"newest event at the kill: {kinds}"
        )


class Game:
    """A journal that is killed over and over."""

    def __init__(self, folder: Path, recording: Path, chance: random.Random, count: Count) -> None:
        self.path = folder / "game.journal"
        self._options = ("--recording", str(recording), *OPTIONS)
        self._chance = chance
        self._count = count
        self._acknowledged: dict[int, dict[str, Any]] = {}
        self._kept: list[JournalEntry] = []
        self._start_s = 3.0

    def kill_once(self) -> bool:
        """Start the referee, kill it at a random moment, and check everything; returns whether the game had ended."""
        began = time.monotonic()
        referee = Demo(self.path, *self._options)
        client = None
        if self._chance.random() < STARTING:
            time.sleep(self._chance.uniform(0.0, 1.2 * self._start_s))
            self._count.while_starting += 1
        else:
            client = Client(referee.url, self._heard)
            self._start_s = time.monotonic() - began
            self._let_play(client)
        assert referee.process.poll() is None, f"it ended by itself: {referee.said}"
        referee.kill()
        self._count.kills += 1
        if client is not None:
            client.join()
            self._hear(client)
        self._check()
        return bool(client and client.ended)

    def _let_play(self, client: Client) -> None:
        """Let the game go on for some events and then for a moment more, which may be while one is written."""
        news = self._chance.randint(0, MOST_EVENTS)
        until = time.monotonic() + LONGEST_PLAY_S
        while client.told < news and not client.ended and time.monotonic() < until:
            time.sleep(0.01)
        if self._chance.random() < WRITING:
            self._await_writing(client)
        else:
            time.sleep(self._chance.uniform(0.0, 1.5 * client.pause_s))

    def _await_writing(self, client: Client) -> None:
        """Wait until an event is under way to the disk, and then a moment that may see it through or not."""
        under_way = self.path.with_name(self.path.name + "-journal")
        until = time.monotonic() + LONGEST_PLAY_S
        while not under_way.exists():
            if time.monotonic() > until or client.ended:
                return
            time.sleep(0.0003)
        time.sleep(self._chance.choice((0.0, self._chance.uniform(0.0, 0.005), self._chance.uniform(0.0, 0.05))))
        self._count.while_writing += 1

    def play_on(self) -> list[tuple[object, object]]:
        """Take the game up and let it come to its end; returns its rulings: verdict and board."""
        with Demo(self.path, *self._options) as referee:
            client = Client(referee.url, self._heard)
            until = time.monotonic() + 120
            while not client.ended:
                assert time.monotonic() < until, "the game does not go on"
                time.sleep(0.05)
        client.join()
        self._hear(client)
        self._check()
        self._count.games += 1
        return [(entry.data["ruling"], entry.data["observed"]) for entry in self._kept if entry.kind == "ruling"]

    @property
    def _heard(self) -> int:
        return max(self._acknowledged, default=0)

    def _hear(self, client: Client) -> None:
        doubled = self._acknowledged.keys() & client.events.keys()
        assert not doubled, f"events were told twice: {sorted(doubled)}"
        self._acknowledged |= client.events
        self._count.acknowledged += len(client.events)
        if client.first_state is not None:  # the page after the restart knows every turn it had shown before
            shown = max((item["entry"] for item in client.first_state["history"]), default=0)
            told = [
                e for e in self._acknowledged.values() if e["kind"] == "ruling" and e not in client.events.values()
            ]
            assert shown >= len(told), f"turns are missing on the page: {shown} of {len(told)}"

    def _check(self) -> None:
        """Check what must hold after every kill. Reading verifies the chain."""
        entries = read_journal(self.path) if self.path.exists() else []
        assert entries[: len(self._kept)] == self._kept, "events changed that were there before"
        for number, event in self._acknowledged.items():
            assert number <= len(entries), f"event {number} was acknowledged and is lost"
            kept = entries[number - 1]
            assert (kept.kind, kept.at, kept.data) == (event["kind"], event["at"], event["data"])
        self._count.unheard += len(entries) - max(len(self._kept), self._heard)
        looks = [entry.data["look"] for entry in entries if entry.kind == "look_taken"]
        assert looks == list(range(1, len(looks) + 1)), f"looks are doubled or lost: {looks}"
        _check_rulings(entries)
        store = EvidenceStore(pictures_folder(self.path))
        for content in pictures_named(entries):
            assert store.picture(content) is not None, f"picture {content} is named and not there"
        if entries:
            self._count.after[entries[-1].kind] += 1
        self._kept = entries


def _check_rulings(entries: list[JournalEntry]) -> None:
    """Check that every look is ruled on once at most."""
    ruled = 0
    for entry in entries:
        if entry.kind == "look_taken":
            ruled = 0
        elif entry.kind in ("ruling", "setup_checked"):
            ruled += 1
            assert ruled == 1, f"event {entry.number} rules on a turn that was ruled on already"
