// Playing at a virtual table: what hands do with mouse, finger and keys, what befalls it, and the tablet's page beside it.

import { button, byId, html, redraw, say } from "./dom.js";
import { told } from "./fieldtold.js";
import { learn, translate } from "./i18n.js";
import { barName, bars, dropped, fieldName, stacks } from "./lying.js";
import { language } from "./prefs.js";
import { act, session, speak } from "./session.js";
import { startStrip } from "./strip.js";

const AGAIN_MS = 900;
const WAIT_S = 2;
const CLICK_PX = 7;

let state = null;
let strip = null;
let table = null;
let laid = false;
let held = null; // a piece about to be moved: {row, col, piece}
let tool = "take";
let mayAct = false;
let queue = Promise.resolve();
let waiting = 0;
const keyed = { row: 0, col: 0 };

async function start() {
  speak(language());
  await learn(language());
  const tablet = /** @type {HTMLIFrameElement} */ (byId("tablet"));
  tablet.src = `/${location.hash}`;
  if (location.hash) history.replaceState(null, "", location.pathname);
  tablet.title = translate("The tablet’s page");
  say(byId("listed"), translate("All fields as a list"));
  say(byId("mischief"), translate("What may go wrong at a table"));
  const leave = document.getElementById("leave");
  if (leave) say(leave, translate("Leave the table"));
  shows("board");
  strip = startStrip({ yours: () => state?.yours ?? [], changed: () => state && draw(), toTablet: () => shows("tablet") });
  again();
  allowed();
}

// The frame beside this page pairs the device; what it may do then holds here as well.
async function allowed() {
  mayAct = Boolean((await session()).paired);
  if (mayAct) strip.wake();
  else setTimeout(allowed, AGAIN_MS);
  if (state) draw();
}

async function again() {
  try {
    const after = state && document.visibilityState === "visible" ? `&after=${state.version}&wait_s=${WAIT_S}` : "";
    const answer = await fetch(`/api/virtual?lang=${language()}${after}`, { cache: "no-store" });
    if (answer.status === 410) return location.assign("/hall"); // a lent table that was cleared: there it is told why
    if (answer.ok) shown(await answer.json());
    else tell((await answer.json()).detail ?? "", true);
    setTimeout(again, answer.ok && document.visibilityState === "visible" ? 30 : AGAIN_MS);
  } catch {
    tell(translate("No connection to the referee"), true);
    setTimeout(again, AGAIN_MS);
  }
}

async function shown(next) {
  const first = !state;
  const same = state && state.version === next.version;
  state = next;
  if (first) await lay();
  strip.draw();
  if (!same) draw();
}

async function lay() {
  document.title = state.title;
  say(byId("title"), translate("{game} at a virtual table", { game: state.title }));
  tool = state.kit.kind === "tower" ? "lay-e" : "take";
  try {
    const { Table3d } = await import("./table3d.js");
    table = new Table3d(byId("stage"));
    table.lay(state.kit, state.sizes);
    byId("stage").setAttribute("aria-label", translate("The table; arrow keys choose a field, Enter does what is chosen below"));
    byId("stage").setAttribute("role", "application");
    listen(byId("stage"));
  } catch {
    table = null; // no WebGL: the plain board serves
    byId("stage").removeAttribute("tabindex");
  }
  laid = true;
}

function draw() {
  if (!laid) return;
  table?.show(state, held ?? (document.activeElement === byId("stage") ? keyed : null), strip.open());
  if (!table) plain(byId("stage"), "flat");
  redraw(byId("fields"), [state.lying, tool, held, mayAct], () => [list()]);
  redraw(byId("tools"), [tool, mayAct, state.kit, state.players], () => tools());
  redraw(byId("befalls"), [state.unplugged, state.light, state.cups, mayAct], () => befalls());
}

function tell(words, bad = false) {
  say(byId("told"), words);
  byId("told").toggleAttribute("data-bad", bad);
}

function tools() {
  const owned = Object.fromEntries(state.kit.pieces.map((kind) => [kind.letter, kind]));
  const choices = state.kit.kind === "tower" ? towerTools() : [
    ["take", translate("Take a {stone}", { stone: state.kit.stone })],
    ["put", translate("Put a {stone}", { stone: state.kit.stone })],
    ["move", translate("Move a piece")],
    ["lift", translate("Take a piece off")],
    ...playing().map((letter) => [`piece-${letter}`, translate("Put {piece}", { piece: owned[letter].name }), owned[letter].paint.light]),
  ];
  return [
    ...choices.map(([id, words, paint]) => html("button", { type: "button", "aria-pressed": String(tool === id), disabled: !mayAct, click: () => choose(id) },
      paint ? swatch(paint) : null, words)),
    ...(state.kit.kind === "tower" ? towerMore() : []),
    html("div", { class: "turn" },
      state.ideas ? button(translate("Play a turn for me"), () => hand({ do: "turn" }), { disabled: !mayAct }) : null,
      button(translate("Turn ended"), press, { class: "main", disabled: !mayAct })),
  ];
}

function towerTools() {
  return [
    ["lay-e", translate("Lay across")], ["lay-n", translate("Lay away from you")], ["lay-u", translate("Stand upright")],
    ["remove", translate("Take a bar off")],
  ];
}

// What a tower needs besides: its board turned, and bars of the other colour.
function towerMore() {
  return [button(translate("Turn the board"), () => befall("turn"), { disabled: !mayAct }), colours()];
}

// The pieces that somebody plays with, and nobody's own.
function playing() {
  return state.kit.pieces.filter(({ owner }) => !owner || state.players.includes(owner)).map(({ letter }) => letter);
}

function choose(id) {
  tool = id;
  held = null;
  draw();
}

function befalls() {
  const out = state.unplugged.length > 0;
  return [
    button(translate("Bump a camera"), () => befall("bump", { camera: state.cameras[0] }), { disabled: !mayAct }),
    button(out ? translate("Plug the camera in") : translate("Unplug a camera"),
      () => (out ? befall("plug") : befall("unplug", { camera: state.cameras[1] ?? state.cameras[0] })), { disabled: !mayAct }),
    button(state.light < 1 ? translate("Lights up") : translate("Dim the lights"), () => befall(state.light < 1 ? "bright" : "dim"), { disabled: !mayAct }),
    button(state.cups.length ? translate("Take the cup away") : translate("Put a cup on the frame"), () => befall(state.cups.length ? "uncup" : "cup"), { disabled: !mayAct }),
    button(translate("Knock a tower over"), () => befall("topple"), { disabled: !mayAct }),
  ];
}

let colour = "light";

function colours() {
  const [light, dark] = [translate("Light bars"), translate("Dark bars")];
  return button(colour === "light" ? light : dark, () => {
    colour = colour === "light" ? "dark" : "light";
    redraw(byId("tools"), [Math.random()], () => tools());
  }, { disabled: !mayAct });
}

function befall(name, more = {}) {
  send("/api/virtual/faults", { name, ...more });
}

function press() {
  send("/api/virtual/button", undefined);
}

// One after the other: there is one hand.
function send(address, body) {
  if (!mayAct) return tell(translate("Only paired devices may play: pair this device on the page beside."), true);
  waiting += 1;
  tell(waiting > 1 ? translate("The hand has {n} more things to do", { n: waiting - 1 }) : "");
  queue = queue.then(async () => {
    const answer = await act("POST", address, body);
    waiting -= 1;
    if (!answer.ok) tell(answer.words ?? "", true);
    else if (!waiting) tell("");
  });
}

function hand(body) {
  send("/api/virtual/acts", body);
}

// What a press on a place means with the tool chosen. at: {row, col, piece?, bar?}
function touched(at) {
  const field = fieldName(at.row, at.col);
  if (state.kit.kind === "tower") return touchedTower(at);
  const there = stacks(state.lying)[at.row][at.col];
  if (held) {
    if (held.row !== at.row || held.col !== at.col) hand({ do: "move", field: fieldName(held.row, held.col), to: field });
    held = null;
    return draw();
  }
  if (tool === "move") {
    held = there.piece ? { row: at.row, col: at.col } : null;
    tell(held ? translate("Now press where it goes") : translate("No piece stands on {field}", { field }), !held);
    return draw();
  }
  if (tool.startsWith("piece-")) return hand({ do: "piece", field, piece: tool.slice(6) });
  return hand({ do: tool, field });
}

function touchedTower(at) {
  if (tool === "remove") {
    const top = bars(state.lying).filter(({ col, row }) => col === at.col && row === at.row).sort((a, b) => b.level - a.level)[0];
    const bar = at.bar ?? top;
    if (bar) hand({ do: "remove", bar: barName(bar) });
    return;
  }
  const bar = dropped(bars(state.lying), at.col, at.row, tool.slice(4));
  if (bar) hand({ do: "lay", bar: barName(bar), colour });
}

function listen(stage) {
  let begun = null;
  const fingers = new Map();
  stage.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    begun = { x: event.clientX, y: event.clientY, moved: fingers.size > 1 };
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last || !begun) return;
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > CLICK_PX) begun.moved = true;
    if (!begun.moved) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const apart = (x, y) => (other ? Math.hypot(x - other[0], y - other[1]) : 1);
    table.walk(other ? 0 : -dx * 0.006, other ? 0 : dy * 0.005, other ? apart(...last) / Math.max(1, apart(event.clientX, event.clientY)) : 1);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  const lifted = (event) => {
    fingers.delete(event.pointerId);
    if (!begun || begun.moved || event.type === "pointercancel") return;
    const at = table.under(event.clientX, event.clientY);
    if (at) touched(at);
  };
  stage.addEventListener("pointerup", lifted);
  stage.addEventListener("pointercancel", lifted);
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    table.walk(0, 0, event.deltaY > 0 ? 1.1 : 0.9);
  }, { passive: false });
  stage.addEventListener("keydown", keys);
  stage.addEventListener("focus", draw);
  stage.addEventListener("blur", draw);
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

function keys(event) {
  const step = STEPS[event.key];
  if (step && event.shiftKey) table.walk(step[1] * 0.15, step[0] * 0.1);
  else if (step) {
    keyed.row = Math.min(state.kit.rows.length - 1, Math.max(0, keyed.row + step[0]));
    keyed.col = Math.min(state.kit.columns.length - 1, Math.max(0, keyed.col + step[1]));
    tell(described(keyed.row, keyed.col));
    draw();
  } else if (event.key === "Enter" || event.key === " ") touched({ ...keyed });
  else if (event.key === "+" || event.key === "-") table.walk(0, 0, event.key === "+" ? 0.9 : 1.1);
  else return;
  event.preventDefault();
}

function described(row, col) {
  const field = fieldName(row, col);
  if (state.kit.kind === "tower") return told(state.kit, field, bars(state.lying).filter((bar) => bar.col === col && bar.row === row).length);
  const { height, piece } = stacks(state.lying)[row][col];
  return told(state.kit, field, height, state.kit.pieces.find((kind) => kind.letter === piece)?.name);
}

// Every field as a button, for whoever does not point.
function list() {
  const [rows, columns] = [state.kit.rows.length, state.kit.columns.length];
  const lines = Array.from({ length: rows }, (_, index) => rows - 1 - index);
  return html("table", {}, html("tbody", {}, ...lines.map((row) => html("tr", {}, ...Array.from({ length: columns }, (_, col) => html("td", {}, fieldButton(row, col)))))));
}

function fieldButton(row, col) {
  const words = described(row, col);
  const there = state.kit.kind === "tower" ? null : stacks(state.lying)[row][col];
  const kind = there && state.kit.pieces.find(({ letter }) => letter === there.piece);
  return html("button", { type: "button", "aria-label": words, "aria-pressed": String(Boolean(held && held.row === row && held.col === col)), disabled: !mayAct, click: () => touched({ row, col }) },
    html("small", {}, fieldName(row, col)),
    there ? html("span", {}, kind ? swatch(kind.paint.light) : null, String(there.height || "·")) : null);
}

// Without WebGL: a plain board.
function plain(node, name) {
  redraw(node, [state.lying, tool, held, mayAct], () => {
    const [rows, columns] = [state.kit.rows.length, state.kit.columns.length];
    const fields = [];
    for (let row = rows - 1; row >= 0; row -= 1) for (let col = 0; col < columns; col += 1) fields.push(fieldButton(row, col));
    const board = html("div", { class: name }, ...fields);
    board.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    return [board];
  });
}

function swatch(paint) {
  const dot = html("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = paint;
  return dot;
}

function shows(what) {
  /** @type {HTMLElement} */ (document.querySelector(".room")).dataset.shown = what;
  redraw(byId("tabs"), what, () => [["board", translate("Table")], ["tablet", translate("Tablet")]].map(([id, words]) =>
    html("button", { type: "button", "aria-pressed": String(id === what), click: () => shows(id) }, words)));
}

start();
