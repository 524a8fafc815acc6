"""Build a site of files that shows the recorded game on the page itself, without a referee: ``make site``.

A real referee goes through the recording once; what it tells the page in each language is kept, and beside the page a
script answers from that (``sitefiles/recorded.js``). Any web server shows the folder, from whatever address below it.
The manual stands beside the page.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import click

from referee.addons import addon_names, addon_page
from referee.kinds import kind_names, page_folder
from referee.values.words import LANGUAGES, say
from web.changes import changes

ROOT = Path(__file__).resolve().parent.parent
OWN = Path(__file__).with_name("sitefiles")
PACE_S = 0.4
"""How long a ruling stays while the game is recorded: long enough that every stream hears of it."""
LONGEST_S = 600.0
"""Time in which the recorded game must be over, on the slowest computer."""
READING_MS, RULING_MS, SAME_MS = 1800, 6000, 300
"""How long the page shows a reading, a ruling, and each state of one that changes while it stands."""
LONGER = {"violation": 1.8, "unsure": 1.5}
"""Rulings that take longer to read."""
ANSWERED = ("/api/words", "/api/games", "/api/games/game/replay", "/api/room", "/api/record.txt", "/api/record.json")
"""What else the page asks a table for, and can be told once for all."""
REFUSED = say(
    "A recorded game is shown here. At its end it can be played again; games of your own need a table with cameras."
)
STRIP = (say("Recorded game"), say("The whole manual"))
"""What stands over the page: what this is, and where to read on."""
IDLE = tuple(f"static/{name}.js" for name in ("sw", "stream-worker", "linking", "unpacked"))
"""What a page without a table has no use for."""
WATCHING = {"paired": False, "may_pair": False, "may_watch": True, "device": None, "csrf": None, "commands": []}
_ADDRESS = re.compile(r"""(["'`])/(static|kinds|addons|api)/""")
_FROM_HERE = re.compile(r"""(\bfrom |\bimport\(?|\burl\()(["']?)/(static|kinds|addons)/""")
_HELP = re.compile(r"/help\?lang=\$\{(known\.language|language\(\))\}")


@click.command()
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=ROOT / "build" / "site")
def command(out: Path) -> None:
    """Write the site into a folder, which is made anew."""
    try:
        build(out)
    except OSError as error:
        raise click.ClickException(f"the site was not written: {error}") from None
    click.echo(f"{out}: any web server shows it, “{Path(sys.executable).name} -m http.server -d {out}” for one.")


def build(out: Path) -> None:
    """Write the site into a folder, which is made anew; the manual where it has been built.

    Raises ClickException for a folder with something else in it and for a game that does not end in time; OSError.
    """
    if out.exists():
        if any(out.iterdir()) and not (out / "told").is_dir():
            raise click.ClickException(f"{out} holds something else than a site: name an empty folder, or a new one")
        shutil.rmtree(out)
    (out / "told").mkdir(parents=True)
    with _refereed() as (url, ended):
        heard = _heard(url, ended)
        for language, states in heard.items():
            text = json.dumps(_told(url, language, states), ensure_ascii=False)
            (out / "told" / f"{language}.json").write_text(text, encoding="utf-8")
        for picture in sorted(_pictures(heard["en"])):
            _write(out, f"api/pictures/{picture}", _fetched(f"{url}/api/pictures/{picture}"))
        for camera in heard["en"][-1]["cameras"]:
            _write(out, f"api/cameras/{camera['name']}", _fetched(f"{url}/api/cameras/{camera['name']}"))
        _page(url, out)
    if (manual := ROOT / "web" / "manual").is_dir():
        shutil.copytree(manual, out / "manual")


@contextmanager
def _refereed() -> Iterator[tuple[str, threading.Event]]:
    """Run the recorded game; yield the page's address, and what is set once the recording has ended."""
    order = [str(Path(sys.executable).with_name("referee")), "demo", "--port", "0", "--pace", str(PACE_S)]
    with subprocess.Popen(order, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            addresses = (re.search(r"http://[\d.]+:\d+", line) for line in process.stdout)
            url = next((found[0] for found in addresses if found), "")
            if not url:
                raise click.ClickException("“referee demo” ended before it showed a page: run it alone to see why")
            ended = threading.Event()
            reader = threading.Thread(target=_until, args=(process.stdout, "has ended", ended), daemon=True)
            reader.start()
            yield url, ended
            process.terminate()
            reader.join()  # before what it reads from is closed
        finally:
            process.terminate()


def _until(lines: Iterator[str], words: str, ended: threading.Event) -> None:
    """Read lines to their end, and tell when the words have come, or nothing comes any more."""
    for line in lines:
        if words in line:
            ended.set()
    ended.set()


def _heard(url: str, ended: threading.Event) -> dict[str, list[dict[str, Any]]]:
    """Return every state that the table told, in each language, from the set-up to the end.

    Raises ClickException where that takes too long, OSError where the table is gone.
    """
    heard: dict[str, list[dict[str, Any]]] = {language: [] for language in LANGUAGES}
    for language, states in heard.items():
        threading.Thread(
            target=_listen, args=(f"{url}/api/stream?lang={language}", states.append), daemon=True
        ).start()
    until_s = time.monotonic() + LONGEST_S
    ended.wait(LONGEST_S)
    newest = int(json.loads(_fetched(f"{url}/api/state"))["version"])
    while any(not states or states[-1]["version"] < newest for states in heard.values()):
        if time.monotonic() > until_s:
            raise click.ClickException(f"the recorded game did not come to its end in {LONGEST_S:.0f} s")
        time.sleep(0.1)
    return heard


def _listen(address: str, tell: Callable[[dict[str, Any]], None]) -> None:
    """Pass on the states of a stream until the table is gone."""
    try:
        with urllib.request.urlopen(address) as stream:
            kind = ""
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                kind = value if name == "event" else kind
                if name == "data" and kind == "state":
                    tell(json.loads(value))
    except OSError:
        return


def _told(url: str, language: str, states: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return what the page is told in a language: news with how long each stays, answers, and the refusal."""
    news = [{"kind": "state", "data": states[0], "stays_ms": _stays_ms(states[0], states[1])}]
    for before, state, after in zip(states[:-1], states[1:], [*states[2:], states[-1]], strict=True):
        news.append({"kind": "changed", "data": changes(before, state), "stays_ms": _stays_ms(state, after)})
    answers = {path: _fetched(f"{url}{path}?lang={language}").decode() for path in ANSWERED}
    refusal = {"status": 404, "code": "recorded", "detail": REFUSED.text(language)}
    answers |= {"/api/session": json.dumps(WATCHING), "/api/state": json.dumps(states[0])}
    return {"news": news, "answers": answers, "refusal": refusal, "strip": [words.text(language) for words in STRIP]}


def _stays_ms(state: dict[str, Any], following: dict[str, Any]) -> int:
    """Return how long a state is shown before the one that follows."""
    phase = state["phase"]["id"]
    if (phase, state["turn"]) == (following["phase"]["id"], following["turn"]):
        return SAME_MS
    return READING_MS if phase == "reading" else int(RULING_MS * LONGER.get(phase, 1.0))


def _pictures(states: Sequence[dict[str, Any]]) -> set[str]:
    """Return the names of all pictures that states show."""
    return set(re.findall(r"\b[0-9a-f]{64}\b", json.dumps([_evidence(state) for state in states])))


def _evidence(part: object) -> list[object]:
    """Return whatever stands under "pictures" anywhere in a state."""
    if isinstance(part, dict):
        return [value if name == "pictures" else _evidence(value) for name, value in part.items()]
    return [_evidence(value) for value in part] if isinstance(part, list) else []


def _page(url: str, out: Path) -> None:
    """Write the page, what it loads, and the topics of its help in every language."""
    first = '<script src="static/first.js">'
    ours = '<link rel="stylesheet" href="recorded.css">\n  <script src="recorded.js"></script>'
    page = placed_below(_fetched(f"{url}/?plain").decode(), 0).replace(first, f"{ours}\n  {first}")
    _write(out, "index.html", page.encode())
    shutil.copytree(OWN, out, dirs_exist_ok=True)
    for language in LANGUAGES:
        _write(
            out, f"help-{language}.html", placed_below(_fetched(f"{url}/help?lang={language}").decode(), 0).encode()
        )
    folders = {
        "static": ROOT / "web" / "static",
        **{f"kinds/{kind}": page_folder(kind) for kind in kind_names()},
        **{f"addons/{addon}": addon_page(addon) for addon in addon_names()},
    }
    loaded = (f"{at}/{path.name}" for at, folder in folders.items() if folder for path in folder.iterdir())
    for address in loaded:
        if not PurePosixPath(address).suffix or address in IDLE:
            continue
        body = _fetched(f"{url}/{address}")
        text = PurePosixPath(address).suffix in (".js", ".css", ".webmanifest")
        _write(out, address, placed_below(body.decode(), address.count("/")).encode() if text else body)


def placed_below(text: str, depth: int) -> str:
    """Return a text with addresses that hold below whatever address the site is shown from.

    What modules import and style sheets load is named from where they lie, ``depth`` folders down; everything else
    from the page.
    """
    text = _FROM_HERE.sub(lambda found: f"{found[1]}{found[2]}{'../' * depth or './'}{found[3]}/", text)
    text = _HELP.sub(lambda found: f"help-${{{found[1]}}}.html", text)
    return (
        _ADDRESS.sub(r"\1\2/", text)
        .replace('"/docs"', '"manual/index.html"')
        .replace('href="/"', 'href="index.html"')
    )


def _fetched(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        body: bytes = answer.read()
    return body


def _write(out: Path, name: str, body: bytes) -> None:
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_bytes(body)


if __name__ == "__main__":
    command()
