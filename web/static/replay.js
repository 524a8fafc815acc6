// A game of the shelf plays by itself: entry after entry of its record, at a pace of one's own.

import { button, html, redraw } from "./dom.js";
import { legend, notation } from "./acts.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { boardFrom, pictureOf } from "./kinds.js";
import { learnPaints } from "./paints.js";
import { sign } from "./pieces.js";
import { side } from "./prefs.js";
import { openWords, retoldMark } from "./ruling.js";
import { changed, known, toast } from "./store.js";

const PACES = [1, 2, 4, 8, 16]; // seconds an entry stays
let game = null; // {name, language, view}
let at = 0;
let playing = false;
let pace = 4;
let timer = null;

export function drawReplay(node, part) {
  const name = part ?? "";
  if (game?.name !== name || game.language !== known.language) load(name);
  const { view } = game;
  if (view) learnPaints({ ...view, language: game.language });
  redraw(node, [name, game.language, Boolean(view), at, playing, pace, side()], () => (view ? shown(view) : [
    back(name), html("p", { class: "quiet" }, translate("The game is fetched …"))]));
  clearInterval(timer);
  timer = playing ? setInterval(() => step(node), pace * 1000) : null;
}

async function load(name) {
  const same = game?.name === name;
  game = { name, language: known.language, view: null };
  if (!same) [at, playing] = [0, true];
  const mine = game;
  try {
    const answer = await fetch(`/api/games/${encodeURIComponent(name)}/replay?lang=${known.language}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    mine.view = await answer.json();
  } catch {
    toast(translate("This game can’t be played: it is gone, or damaged."), "trouble");
    location.hash = "#/games";
  }
  changed();
}

// Away from this screen nothing goes on.
function step(node) {
  if (node.hidden || node.dataset.name !== "replay") {
    clearInterval(timer);
    return;
  }
  if (at >= game.view.history.length - 1) playing = false;
  else at += 1;
  changed();
}

function go(to) {
  at = Math.max(0, Math.min(to, game.view.history.length - 1));
  changed();
}

function back(name) {
  return html("p", { class: "row" }, html("a", { class: "button", href: `#/games/${encodeURIComponent(name)}`, "data-key": "back-to-game" }, translate("Back to the game")));
}

function shown(view) {
  const entry = view.history[at];
  if (!entry) return [back(game.name), html("p", { class: "quiet" }, translate("No turn has been played yet."))];
  const fields = entry.violations.flatMap((rule) => rule.fields);
  const board = boardFrom(entry.after, view, entry.open);
  const picture = pictureOf(board, { seats: view.seats, kit: view.kit, side: side(), acts: entry.acts, actsBy: entry.player,
    marks: fields.length ? { fields, tone: "illegal" } : null });
  return [
    html("h1", {}, view.title), back(game.name), controls(view),
    html("section", { class: "entry replay", "aria-label": translate("Turn {n}", { n: entry.turn }), "data-at": at },
      html("header", { class: "entry-head", "data-verdict": entry.verdict },
        html("h2", {}, sign(entry.player), html("span", {}, called(view, entry.player), ", ", translate("turn {n}", { n: entry.turn }))),
        html("p", { class: "entry-words" }, html("b", {}, entry.words), retoldMark(entry), entry.fate_words ? html("span", {}, entry.fate_words) : null),
        ...entry.violations.map((rule) => html("p", { class: "broken-words" }, rule.words)),
        entry.text ? html("p", { class: "log-text" }, ...notation(entry.text)) : null),
      picture, html("p", { class: "legend" }, ...legend(entry.acts, view.legend)), openWords(entry),
      at === view.history.length - 1 && view.result ? html("p", { class: "result" }, html("b", {}, view.result.words)) : null),
  ];
}

function called({ seats }, colour) {
  return seats.find((seat) => seat.colour === colour)?.name ?? colour;
}

function controls(view) {
  const last = view.history.length - 1;
  const toggle = () => {
    if (!playing && at === last) at = 0;
    playing = !playing;
    changed();
  };
  const jump = (to, name, words) => html("button", { type: "button", class: "icon-button", "data-key": name, "aria-label": words, title: words, click: () => go(to) }, icon(name));
  return html("div", { class: "row replay-controls", role: "group", "aria-label": translate("Step through the game") },
    jump(0, "first", translate("First turn")), jump(at - 1, "back", translate("Turn before")),
    button(playing ? translate("Stop") : translate("Play by itself"), toggle, { class: "main", "data-key": "toggle" }),
    jump(at + 1, "next", translate("Next turn")), jump(last, "last", translate("Last turn")),
    html("input", { type: "range", min: 0, max: last, value: at, "data-key": "slider", "aria-label": translate("Turn"), input: (event) => go(Number(event.target.value)) }),
    html("label", { class: "replay-pace" }, translate("Seconds a turn"), html("select", { "data-key": "pace", change: (event) => {
      pace = Number(event.target.value);
      changed();
    } }, ...PACES.map((n) => html("option", { value: n, selected: n === pace }, String(n))))));
}
