// A screen for the room: the board and what the referee says, large enough for the other end of it. Nobody acts here.

import { keepAwake } from "./awake.js";
import { clocked, drawClocks } from "./clock.js";
import { byId, html, redraw, say, show } from "./dom.js";
import { learn, translate, translateN } from "./i18n.js";
import { isDrawn, learnKinds, widgetOf } from "./kinds.js";
import { follow } from "./live.js";
import { learnPaints, nameOf } from "./paints.js";
import { sign } from "./pieces.js";
import { language } from "./prefs.js";
import { partAt, parts } from "./roompages.js";
import { sceneAt, scenes } from "./roomreplay.js";
import { whoseTurn } from "./whoseturn.js";

const STEP_MS = 2600;
const LAST_MS = 9000;
const TICK_MS = 200;
const PICTURES_MS = 2000;
const SMALLEST = 0.6;
const READ_MS = 8000; // for as many rules as fill the screen
const SIGNS = { time: "!", legal: "✓", illegal: "✕", unsure: "?", busy: "…", won: "★", paused: "‖" };

let state = null;
let link = { state: "connecting", seconds: null };
let told = { key: "", scenes: [], since: 0 };
let drawn = "";
let leaves = /** @type {[number, number][]} */ ([]); // of rules that have no room side by side

async function start() {
  await Promise.all([learn(language()), learnKinds()]);
  follow({
    language: language(),
    room: true,
    onState: (newest) => {
      state = newest;
      draw();
    },
    onConnection: (now) => {
      link = now;
      drawLine();
    },
  });
  setInterval(() => {
    if (!state?.violation) return;
    drawBoard();
    turn();
  }, TICK_MS);
  setInterval(again, PICTURES_MS);
  addEventListener("resize", fit);
  keepAwake();
}

function draw() {
  const room = byId("room");
  const { banner } = state;
  room.dataset.tone = banner.tone;
  room.dataset.version = state.version;
  document.title = [banner.headline, state.title].filter(Boolean).join(" · ");
  say(byId("sign"), SIGNS[banner.tone] ?? "");
  say(byId("headline"), banner.headline);
  const shown = Boolean(state.board);
  room.classList.toggle("room-empty", !shown);
  room.classList.toggle("room-broken", Boolean(state.violation));
  say(byId("detail"), state.violation ? "" : banner.detail);
  for (const id of ["board-place", "now", "seats"]) show(byId(id), shown);
  drawRules();
  drawPictures();
  if (!shown) return;
  learnPaints(state);
  drawNow();
  drawSeats();
  drawClocks(state);
  replayed();
  drawBoard();
  fit();
}

// A long ruling is written smaller, to an end; what has no room even then is shown part by part.
function fit() {
  const node = byId("ruling");
  const rules = [...byId("rules").children];
  const fits = () => node.scrollHeight <= node.clientHeight + 1;
  only(0, rules.length);
  leaves = [];
  turn();
  for (let size = 1; size >= SMALLEST; size -= 0.06) {
    node.style.setProperty("--fit", String(size));
    if (fits()) return;
  }
  show(byId("leaf"), rules.length > 1);
  say(byId("leaf"), leafOf(1, rules.length, rules.length));
  leaves = parts(rules.length, (from, to) => {
    only(from, to);
    return fits();
  });
  turn();
}

function only(from, to) {
  for (const [index, rule] of [...byId("rules").children].entries()) show(rule, index >= from && index < to);
}

// Only the part whose turn it is.
function turn() {
  show(byId("leaf"), leaves.length > 1);
  if (!leaves.length) return;
  const at = partAt(leaves.length, performance.now() - told.since, READ_MS);
  const [from, to] = leaves[at];
  only(from, to);
  say(byId("leaf"), leafOf(from + 1, to, byId("rules").children.length));
}

const leafOf = (first, last, of) => `${first === last ? last : `${first}\u2009–\u2009${last}`}\u2009/\u2009${of}`;

function drawLine() {
  const words = {
    lost: link.seconds === null ? translate("No connection to the referee")
      : translateN("Connection lost, last seen {n} s ago", "Connection lost, last seen {n} s ago", link.seconds),
    locked: translate("Only paired devices may watch: open the page on this device, pair it, then come back to /watch."),
  }[link.state] ?? "";
  show(byId("line"), Boolean(words));
  say(byId("line"), words);
}

function drawNow() {
  redraw(byId("now"), [state.to_move, state.turn, state.finished, Boolean(state.ended), state.seats], () => state.finished
    ? [html("b", {}, translate("Game over"))]
    : [sign(state.to_move), html("b", {}, whoseTurn(state, nameIn(state, state.to_move))),
      html("span", {}, translate("Turn {n}", { n: state.turn }))]);
}

/** @param {any} table */
function nameIn({ seats }, colour) {
  return seats.find((seat) => seat.colour === colour)?.name ?? nameOf(colour);
}

// What counts for each player: counters that say how far, no tracks and no small print.
function drawSeats() {
  const node = byId("seats");
  node.setAttribute("aria-label", translate("Players"));
  show(node, !widgetOf(state.board).accounts || clocked(state));
  redraw(node, [state.seats, clocked(state)], () => state.seats.map((seat) =>
    html("li", { class: seat.to_move && !state.finished ? "room-seat room-seat-active" : "room-seat", "data-colour": seat.colour, "data-winner": seat.winner || null },
      sign(seat.colour), html("b", {}, seat.name), seat.winner ? html("em", {}, "★") : null,
      seat.steps?.length ? goalOf(seat) : null,
      clocked(state) ? html("time", { class: "room-time", "data-clock": seat.colour }) : null,
      html("p", { class: "room-counters" }, ...seat.counters.map(({ id, name, value, of }) => html("span", { "data-counter": id },
        `${name} `, html("b", {}, of > 0 ? `${value}\u2009/\u2009${of}` : String(value)))), seat.steps?.length ? null : goalOf(seat)))));
}

// How far a player has come towards the goal: its parts where it has some, else in words.
function goalOf({ goal, steps = [] }) {
  if (!steps.length) return goal ? html("span", { class: "room-goal" }, goal) : null;
  return html("span", { class: "room-goal", role: "img", "aria-label": goal }, ...steps.map(({ text, reached }) =>
    html("b", { class: reached ? "room-step room-step-on" : "room-step", "data-reached": String(reached) }, text)));
}

function drawRules() {
  const node = byId("rules");
  const { rules = [], sightless = [] } = state.violation ?? {};
  show(node, rules.length > 0);
  redraw(node, [rules, sightless], () => [...rules.map(({ rule, words, paragraph }) =>
    html("li", { "data-rule": rule }, html("span", {}, words),
      paragraph && !words.includes(paragraph) ? html("em", {}, paragraph) : null)),
  ...sightless.map((words) => html("li", {}, html("em", {}, words)))]);
}

// The pictures a breach rests on, else what the cameras see now; none unless the table lets the room see them.
function drawPictures() {
  const node = byId("pictures");
  const kept = Object.entries(state.violation?.pictures ?? {}).map(([name, id]) => [name, `/api/pictures/${id}`]);
  const live = (state.cameras ?? []).map(({ name }) => [name, null]);
  const shown = kept.length ? kept : live;
  show(node, shown.length > 0);
  redraw(node, [shown], () => shown.map(([name, address]) => html("img", {
    src: address ?? now(name), alt: translate("What {camera} saw", { camera: name }), "data-live": address ? null : name,
    error: (event) => event.target.setAttribute("hidden", ""),
  })));
}

function now(camera) {
  return `/api/cameras/${encodeURIComponent(camera)}?at=${Date.now()}`;
}

function again() {
  for (const picture of document.querySelectorAll("img[data-live]")) {
    const next = new Image();
    next.addEventListener("load", () => {
      /** @type {HTMLImageElement} */ (picture).src = next.src;
      picture.removeAttribute("hidden");
    });
    next.src = now(picture.getAttribute("data-live"));
  }
}

function replayed() {
  const found = state.violation;
  const key = found ? JSON.stringify([found.entry, found.acts, found.after]) : "";
  if (key === told.key) return;
  told = { key, scenes: found && isDrawn(found.before) ? scenes(found) : [], since: performance.now() };
}

function drawBoard() {
  const { board, seats, kit } = state;
  const scene = told.scenes.length ? told.scenes[sceneAt(told.scenes.length, performance.now() - told.since, STEP_MS, LAST_MS)] : null;
  const fields = state.violation?.rules.flatMap((rule) => rule.fields) ?? [];
  const options = scene
    ? { seats, kit, acts: scene.acts, actsBy: state.violation.player, marks: scene.marked ? { fields, tone: "illegal" } : null }
    : { seats, kit, acts: state.acts, actsBy: state.acts_by, marks: state.banner, apart: true };
  const key = JSON.stringify([scene?.board ?? board, options, scene?.step]);
  if (key === drawn) return;
  drawn = key;
  const shown = scene?.board ?? board;
  const { surface, draw: paint, accounts } = widgetOf(shown);
  show(byId("board"), surface === "svg");
  show(byId("board-words"), surface === "html");
  show(byId("books"), Boolean(accounts));
  // Accounts take the board's place, and what else there is to tell stands beside them.
  paint(byId(surface === "svg" ? "board" : accounts ? "books" : "board-words"), shown, options);
  if (accounts) {
    byId("board-words").replaceChildren(accounts(shown, { called: (player) => nameIn(state, player) }));
    for (const seat of seats) {
      byId("board-words").querySelector(`[data-account="${CSS.escape(seat.colour)}"]`)?.append(goalOf(seat) ?? "");
    }
  }
  tellScene(scene);
}

function tellScene(scene) {
  const node = byId("scene");
  show(node, Boolean(scene));
  if (!scene) return;
  node.dataset.step = String(scene.step);
  const words = scene.step === 1 ? translate("Before the turn") : scene.marked ? translate("As it stands now") : scene.text;
  redraw(node, [scene.step, scene.of, words], () => [html("b", {}, `${scene.step}\u2009/\u2009${scene.of}`), ` ${words}`]);
}

start();
