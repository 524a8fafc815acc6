"""A whole game as one HTML file: a replay with a slider, its pictures, and figures plotted over the turns.

It is made to be looked at and sent to friends: nothing is fetched, and it opens fast however many pictures are in
it, because each lies as text in a block of its own and becomes a picture only when it is asked for. The plots are
uPlot's (referee/report/static/uplot.min.js). The page's policy lets these very scripts run, told by their hashes, and
no other.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

import cv2
import numpy as np

from calibration.picturefile import PictureError, decode_picture
from referee.report.blocks import Translator, translator
from referee.report.disputestyle import DARK, SHEET
from referee.report.framing import style
from referee.report.gamefile import PictureOf
from referee.report.heat import heat_svg
from referee.report.session import RecordedGame, heat
from referee.report.sessiondata import Data, session_data
from referee.report.sessionwords import (
    ASKED,
    FULL_PICTURES,
    HEAT,
    HEAT_TOLD,
    NOTHING_ASKED,
    OVER_TIME,
    REPLAY,
    SLIDER,
)
from referee.values.words import One, Words, player_name, say

STATIC = Path(__file__).with_name("static")
WIDEST_PX = 900
"""Pictures are made so small that a long game can be sent by mail."""
_QUALITY = 70


def session_page(
    session: RecordedGame, picture: PictureOf, language: str = "en", reliability: Sequence[Words] = ()
) -> str:
    """Return the whole page. picture: by content id, as kept. reliability: how far the table is to be believed."""
    set_in = translator(language)

    def t(words: Words) -> str:  # escaped: it goes straight into the page
        return escape(set_in(words))

    data = session_data(session, language)
    title = t(say("A game of {game}", game=session.game.title))
    light, dark = style(session.game.kit)
    scripts = (_static("uplot.min.js"), _static("session.js"))
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts
    )
    policy = f"default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src {hashes}"
    sheet = f"{SHEET}{_static('uplot.min.css')}{_static('session.css')}{light}"
    head = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<style>{sheet}@media screen and (prefers-color-scheme:dark){{{DARK}{_static('session-dark.css')}{dark}}}"
        "</style></head><body><main class=session>"
    )
    body = "".join((_top(session, data, title, t), _replay(t), _below(session, data, reliability, t)))
    blocks = "".join(_picture_blocks(session, picture))
    told = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    ends = f'<script type="application/json" id="game">{told}</script>' + "".join(
        f"<script>{one}</script>" for one in scripts
    )
    return f"{head}{body}</main>{ends}{blocks}</body></html>\n"


@cache
def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _top(session: RecordedGame, data: Data, title: str, t: Translator) -> str:
    begun = t(say("Begun {at} (UTC)", at=session.begun_at[:16].replace("T", " ")))
    players = "".join(
        f'<li><span class="dot" data-player="{place}"></span>{escape(one["name"])}</li>'
        for place, one in enumerate(data["players"])
    )
    tiles = "".join(f"<li><b>{escape(value)}</b><span>{escape(name)}</span></li>" for name, value in data["tiles"])
    return (
        f"<header><h1>{title}</h1><p class=result>{t(_result(session))}</p>"
        f"<ul class=players>{players}</ul><p class=soft>{begun}</p><ul class=tiles>{tiles}</ul></header>"
    )


def _result(session: RecordedGame) -> Words:
    result, position = session.state.result, session.state.position
    winners = result.winners if result is not None else position.winners
    if winners:
        names: tuple[One, ...] = tuple(session.state.players.get(who.word) or player_name(who) for who in winners)
        return say("Won by {who}", who=names)
    return say("Ended by agreement") if result is not None else say("Not finished")


def _replay(t: Translator) -> str:
    return (
        f'<section class="replay"><h2>{t(REPLAY)}</h2><div class="stage"><div><div id="board"></div>'
        '<div class="controls">'
        f'<input type="range" id="slider" min="0" value="0" aria-label="{t(SLIDER)}"></div></div>'
        '<div class="told"><div id="told" aria-live="polite"></div><div id="pictures"></div></div></div></section>'
    )


def _below(session: RecordedGame, data: Data, reliability: Sequence[Words], t: Translator) -> str:
    drawn = heat_svg(heat(session), session.start.observed, session.game.kit, t(HEAT))
    heated = f"<section><h2>{t(HEAT)}</h2><p class=soft>{t(HEAT_TOLD)}</p>{drawn}</section>" if drawn else ""
    none = "" if data["asked"] else f"<p>{t(NOTHING_ASKED)}</p>"
    asked = f"<section><h2>{t(ASKED)}</h2>{none}<ol class=asked id=asked></ol></section>"
    charts = f"<section><h2>{t(OVER_TIME)}</h2><div class=charts id=charts></div></section>" if data["charts"] else ""
    head = t(say("Hash of its newest event: {head}", head=session.head))
    lines = "".join(f"<p>{t(line)}</p>" for line in reliability)
    foot = f"<footer>{lines}<p>{t(FULL_PICTURES)} {head}</p></footer>"
    return f"{charts}<div class=two>{heated}{asked}</div>{foot}"


def _picture_blocks(session: RecordedGame, picture: PictureOf) -> Iterator[str]:
    """Yield each picture once, as text that a browser does not load as a picture before it is asked for."""
    named = (pair for one in session.steps if one.entry.reading is not None for pair in one.entry.reading.pictures)
    for content in dict.fromkeys(content for _, content in named):
        found = picture(content)
        small = None if found is None else _small(found)
        if small is not None:
            yield f'<script type="text/plain" id="p-{escape(content)}">{base64.b64encode(small).decode()}</script>'


def _small(content: bytes) -> bytes | None:
    """Return a picture scaled down as JPEG; ``None`` for a file that is no picture."""
    with contextlib.suppress(PictureError):
        pixels = decode_picture(content)
        scale = min(1.0, WIDEST_PX / pixels.shape[1])
        if scale < 1:
            size = (WIDEST_PX, max(1, round(pixels.shape[0] * scale)))
            pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return data.tobytes() if done else None
    return None
