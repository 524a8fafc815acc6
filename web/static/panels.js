// Everything around the board: the ruling, the players, the turns so far, the cameras.

import { byId, html, say, show } from "./dom.js";
import { sign } from "./pieces.js";

const SIGNS = { legal: "✓", illegal: "✕", unsure: "?", busy: "…", won: "★", lost: "!" };
const MOST_PIPS = 5;

export function drawRuling(state) {
  const { tone, headline, detail, advice, rules } = state.banner;
  byId("ruling").dataset.tone = tone;
  say(byId("ruling-sign"), SIGNS[tone] ?? "");
  say(byId("headline"), headline);
  say(byId("detail"), detail);
  say(byId("advice"), advice);
  say(byId("ended"), state.ended);
  show(byId("ended"), Boolean(state.ended));
  const rule = byId("rule");
  say(rule, rules.length ? `Rule ${rules.join(", ")}` : "");
  show(rule, rules.length > 0);
}

export function drawNow(state) {
  const name = state.seats.find((seat) => seat.colour === state.to_move)?.name ?? state.to_move;
  const words = state.finished
    ? [html("b", {}, "Game over")]
    : [sign(state.to_move), html("b", {}, `${name} to play`), html("span", {}, `Turn ${state.turn}`)];
  byId("now").replaceChildren(...words);
}

export function drawSeats(state) {
  byId("seats").replaceChildren(...state.seats.map(seatCard));
}

function seatCard(seat) {
  const kind = `seat seat-${seat.colour}${seat.to_move ? " seat-active" : ""}${seat.winner ? " seat-winner" : ""}`;
  return html("article", { class: kind, "data-colour": seat.colour, "aria-current": seat.to_move },
    html("h2", {}, sign(seat.colour), html("span", {}, seat.name), seat.winner ? html("em", {}, "wins") : null),
    ...seat.counters.map(counter),
    seat.goal ? html("p", { class: "goal" }, seat.goal.replaceAll("-", "\u2011")) : null,
  );
}

function counter({ name, value, of }) {
  const told = of > 0 ? `${name}: ${value} of ${of}` : `${name}: ${value}`;
  const pips = of > 0 && of <= MOST_PIPS
    ? html("span", { class: "pips", "aria-hidden": "true" },
      ...Array.from({ length: of }, (_, i) => html("i", { class: i < value ? "pip pip-on" : "pip" })))
    : null;
  return html("p", { class: "counter", title: told, "data-counter": name, "data-value": value },
    html("span", { class: "counter-name" }, name), pips,
    html("b", { class: pips ? "for-reader" : null }, pips ? told : String(value)));
}

export function drawHistory(state) {
  const turns = [...state.history].reverse();
  show(byId("history-empty"), turns.length === 0);
  byId("history").replaceChildren(...turns.map((turn) =>
    html("li", { "data-verdict": turn.verdict, "data-turn": turn.turn },
      html("span", { class: "log-turn" }, String(turn.turn)), sign(turn.player),
      html("span", { class: "log-words" },
        html("b", {}, turn.words), turn.text ? html("span", { class: "log-text" }, turn.text) : null))));
}

export function drawFoot(state) {
  byId("cameras").replaceChildren(...state.cameras.map(({ name, ok, words }) =>
    html("li", { class: ok ? "camera" : "camera camera-lost" }, html("b", {}, name), ` ${words}`)));
}

export function drawLegend(state) {
  const kinds = new Set(state.acts.map((act) => act.kind));
  const captured = state.acts.some((act) => act.captures.length > 0);
  const words = [
    kinds.has("take") && ["−", "taken"], kinds.has("build") && ["+", "built"], kinds.has("move") && ["→", "moved"],
    captured && ["×", "captured"], kinds.has("enter") && ["in", "came back"],
  ].filter(Boolean);
  byId("legend").replaceChildren(...words.map(([mark, word]) => html("span", {}, html("b", {}, mark), ` ${word}`)));
}
