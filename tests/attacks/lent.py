"""Strangers at lent tables: they name other senders, and spell the addresses that a lent table has not.

However many senders one address names, it is held back as one; visitors whom the named proxy tells apart are not. No
spelling lets another device in.
"""

from __future__ import annotations

import http.client
import os
import random
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

from referee.addons.lending.demo import A_SECOND, AT_ONCE
from tests.attacks.outcome import Outcome
from tests.demo.command import Demo

PROXY, STRANGER = "127.0.0.9", "127.0.6.6"
NOT_LENT = ("/api/codes", "/api/codes/red", "/api/pair/pin", "/api/pair/link", "/api/devices/1")
LAID_S = 240.0
LINES = 8


class Line:
    """A connection that is kept, from an address; forwarded headers say for whom it asks."""

    def __init__(self, port: int, source: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
        self.close = self._line.close

    def ask(self, method: str, path: str, forwarded: str, cookie: str = "") -> tuple[int, str, str]:
        """Status, the cookie that is set or where it leads to, and what is said."""
        headers = {"X-Forwarded-For": forwarded} | ({"Cookie": cookie} if cookie else {})
        try:
            self._line.request(method, path, headers=headers)
            answer = self._line.getresponse()
        except (ConnectionError, http.client.HTTPException):  # closed since the last answer
            self._line.close()
            self._line.request(method, path, headers=headers)
            answer = self._line.getresponse()
        said = answer.read().decode(errors="replace")
        return answer.status, answer.headers.get("Set-Cookie") or answer.headers.get("Location") or "", said


def spelled(chance: random.Random, path: str) -> str:
    """Return a path in one of its many spellings."""
    signs = []
    for sign in path:
        code = chance.choice(["%{:02x}", "%{:02X}", "%25{:02x}"]) if chance.random() < 0.2 else ""
        signs.append((code.format(ord(sign)) if code else sign) * (chance.choice([1, 1, 3]) if sign == "/" else 1))
    return (
        "/" * chance.choice([0, 0, 1, 3]) + "".join(signs) + chance.choice(["", "", "?x=1", "#x", "/", ";x", "%00"])
    )


def named_senders(port: int, tried: int, outcome: Outcome) -> None:
    """Ask as one address that names another sender every time, and as the proxy that does; over eight lines at once.

    What one address is answered is at most what the limits give it, however fast this machine asks.
    """
    for source, held_back in ((STRANGER, True), (PROXY, False)):
        began_s = time.monotonic()
        with ThreadPoolExecutor(LINES) as pool:
            parts = [range(first, tried, LINES) for first in range(LINES)]
            statuses = sum(pool.map(lambda part, peer=source: _asked(port, peer, part), parts), Counter[int]())
        given = AT_ONCE + A_SECOND * (time.monotonic() - began_s)
        who = "a stranger" if held_back else "the proxy"
        told = f"{who} names {tried} senders: {dict(statuses)}, {given:.0f} given to one"
        fine = statuses[200] <= given if held_back else not statuses[429]
        outcome.holds(fine and not {0, 500} & statuses.keys(), told)


def _asked(port: int, source: str, numbers: range) -> Counter[int]:
    with closing(Line(port, source)) as line:
        return Counter(
            line.ask("GET", "/health", f"6.6.6.6, 10.{number // 250}.{number % 250}.1")[0] for number in numbers
        )


def spellings(port: int, tried: int, outcome: Outcome) -> None:
    """Take a table, and ask for what it has not in every spelling; each by a visitor's address of its own."""
    with closing(Line(port, PROXY)) as line:
        cookie = line.ask("POST", "/sit?game=turris", "10.9.0.1")[1].partition(";")[0]
        until_s = time.monotonic() + LAID_S
        while line.ask("GET", "/wait", "10.9.0.1", cookie)[1] != "/virtual" and time.monotonic() < until_s:
            time.sleep(1.0)
        outcome.holds(line.ask("GET", "/api/state", "10.9.0.1", cookie)[0] == 200, "a table is lent")
        chance, let_in, statuses = random.Random(15), list[str](), Counter[int]()
        for number in range(tried):
            path = spelled(chance, chance.choice(NOT_LENT)) if number >= len(NOT_LENT) else NOT_LENT[number]
            method = chance.choice(["POST", "POST", "DELETE", "PATCH"])
            status, _, said = line.ask(method, path, f"10.8.{number // 250}.{number % 250}", cookie)
            statuses[status] += 1
            # Where the table itself answers, it finds the request's key or token wanting: it was led there.
            if status < 300 or any(word in said for word in ('"key"', '"token"', '"origin"', '"media"', '"pin"')):
                let_in.append(f"{method} {path}: {status}")
        outcome.holds(
            not let_in, f"{tried} spellings, {len(let_in)} came through {let_in[:3] or ''} {dict(statuses)}"
        )


def attack(tried: int = 2000) -> Outcome:
    """Both, at running tables."""
    outcome = Outcome("strangers at lent tables")
    with tempfile.TemporaryDirectory(prefix="referee-lent-") as folder:
        os.environ["TMPDIR"] = folder
        try:
            with Demo(None, "--play", "--public", "--tables", "1", "--proxy", PROXY) as run:
                port = urlsplit(run.url).port or 0
                named_senders(port, tried, outcome)
                spellings(port, tried, outcome)
        finally:
            del os.environ["TMPDIR"]
    return outcome
