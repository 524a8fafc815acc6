// Playing at a virtual table: what hands do with mouse, finger and keys, what befalls it, and the tablet's page beside it.

import { button, byId, html, redraw, say, show } from "./dom.js";
import { fieldName } from "./fieldname.js";
import { learn, translate, translateN } from "./i18n.js";
import { brought } from "./kinds.js";
import { sign } from "./pieces.js";
import { language } from "./prefs.js";
import { act, session, speak } from "./session.js";
import { roving, stepped } from "./roving.js";
import { phonePart } from "./virtualphone.js";
import { startStrip } from "./strip.js";

/** @typedef {{ row: number, col: number, name: string, [more: string]: any }} Place row and col from 0, at the near left; with
 * what the kind's solids say in userData */

/**
 * What hands do here.
 * @typedef {object} Hand
 * @property {Place | null} held a piece about to be moved
 * @property {(place: Place | null) => void} hold
 * @property {(act: Record<string, unknown>) => void} act one thing done, as the API takes it
 * @property {(name: string) => void} befall
 * @property {(words: string, bad?: boolean) => void} tell
 * @property {() => void} drawn have the buttons drawn anew
 * @property {boolean} mayAct
 */

/**
 * How a kind of observation lies on a virtual table: page/virtual.js in its package exports it as `virtual`.
 * state: of the virtual table, with kit, sizes (mm), lying (a text) and what else befell it.
 * @typedef {object} Virtual
 * @property {string} tool the one that is chosen first
 * @property {number} middle how high above the board one looks, mm
 * @property {number} names how large fields' names stand at the rim, mm
 * @property {(kit: any, sizes: any) => any[]} ground the board, as solids (solids.js)
 * @property {(row: number, col: number, sizes: any) => { z: number, paint: number }} field how a field lies and looks
 * @property {(state: any, at: (row: number, col: number) => [number, number]) => any[]} solids what lies there. at: where the
 *   middle of a field is; userData of a solid says {row, col} for whoever points at it
 * @property {(state: any) => [id: string, words: string, word?: string][]} tools word: of a piece
 *   that is shown beside the words
 * @property {(hand: Hand) => Element[]} more further buttons
 * @property {(place: Place, state: any) => { n: number, piece?: string, text?: string, word?: string }} there what is at a place: how
 *   many of what lies there, the name of what stands on it and the kit's word for it, and the number cut short
 * @property {(kit: any, field: string, n: number, piece?: string) => string} named a field and what is there, in words
 * @property {(place: Place, state: any) => number} top how high it lies there, mm
 * @property {(place: Place, tool: string, state: any, hand: Hand) => void} touched
 */

const AGAIN_MS = 900;
const WAIT_S = 2;
const CLICK_PX = 7;
const MOST_TOLD = 16; // fields, in words

let state = null;
let strip = null;
let table = null;
let laid = false;
/** @type {Virtual | null} */
let kind = null;
/** @type {Place | null} */
let held = null;
let tool = "";
let mayAct = false;
let wasRefused = false; // whether this device was not let in when it asked last
const kinds = brought("virtual");
let queue = Promise.resolve();
let waiting = 0;
let phoneWanted = false;
const keyed = { row: 0, col: 0 };

async function start() {
  speak(language());
  await learn(language());
  const tablet = /** @type {HTMLIFrameElement} */ (byId("tablet"));
  tablet.src = `/${location.hash}`;
  if (location.hash) history.replaceState(null, "", location.pathname);
  addEventListener("hashchange", () => {
    tablet.src = `/${location.hash}`; // a code opened in this tab
    history.replaceState(null, "", location.pathname);
  });
  tablet.title = translate("The tablet’s page");
  tablet.addEventListener("load", () => {
    const page = tablet.contentDocument?.body;
    if (page) new MutationObserver(() => lead(page)).observe(page, { subtree: true, childList: true, attributeFilter: ["hidden"] });
  });
  say(byId("listed"), translate("All fields as a list"));
  say(byId("mischief"), translate("What may go wrong at a table"));
  const leave = document.getElementById("leave");
  if (leave) say(leave, translate("Leave the table"));
  shows("board");
  strip = startStrip({ yours: () => state?.yours ?? [], changed: () => state && draw(), toTablet: () => shows("tablet"),
    named: (field, n, piece) => kind?.named(state.kit, field, n, piece) ?? field });
  again();
  allowed();
}

// What the tablet's page reads aloud is asked for here as well, wherever the keys go.
addEventListener("keydown", (event) => {
  if (event.code !== "KeyR" || !event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  event.preventDefault();
  /** @type {HTMLElement | null | undefined} */ (/** @type {HTMLIFrameElement} */ (byId("tablet")).contentDocument?.querySelector("[data-key=read-aloud]"))?.click();
});

// Where the tablet's page is a tab, its tour leads from above the table.
function lead(page) {
  const words = [...page.querySelectorAll("#tour:not([hidden]) > p, #tour:not([hidden]) .tour-step")].map((line) => line.textContent);
  redraw(byId("led"), words, () => (words.length ? [...words.map((line) => html("p", {}, line)),
    button(translate("Tour"), () => shows("tablet"), { "data-key": "tour" })] : []));
}

// The frame beside this page pairs the device; what it may do then holds here as well.
async function allowed() {
  mayAct = Boolean((await session()).paired);
  if (mayAct) strip.wake();
  else setTimeout(allowed, AGAIN_MS);
  if (!mayAct && wasRefused) mayNot(); // a page that was just opened is still being let in
  if (mayAct && wasRefused) tell("");
  wasRefused = !mayAct;
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
  const before = state;
  state = next;
  if (first) await lay();
  else if (kind && before.lying !== next.lying) say(byId("changed"), changedWords(before));
  strip.draw();
  if (!same) draw();
}

async function lay() {
  document.title = state.title;
  say(byId("title"), translate("{game} at a virtual table", { game: state.title }));
  kind = (await kinds)(state.kit) ?? null;
  if (!kind) return tell(translate("The page can’t draw this board: load it again."), true);
  tool = kind.tool;
  try {
    const { Table3d } = await import("./table3d.js");
    table = new Table3d(byId("stage"));
    table.lay(kind, state.kit, state.sizes);
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
  redraw(byId("fields"), [state.lying, tool, held, mayAct, strip.learned()], () => [list()]);
  redraw(byId("tools"), [tool, mayAct, state.kit, state.players, strip.learned(), strip.open().length > 0], () => tools());
  show(byId("phone"), Boolean(state.phone));
  const wanted = Boolean(state.phone && strip.showing()) && !state.phone.on && !state.phone.walking;
  if (wanted && !phoneWanted) byId("phone").scrollIntoView({ block: "nearest" }); // below the fold of a small screen
  phoneWanted = wanted;
  if (state.phone) phonePart(byId("phone"), { phone: state.phone, showing: strip.showing(), kit: state.kit, mayAct }, holdPhone);
  redraw(byId("befalls"), [state.unplugged, state.light, state.cups, mayAct], () => befalls());
}

function tell(words, bad = false) {
  say(byId("told"), words);
  byId("told").toggleAttribute("data-bad", bad);
}

function tools() {
  return [
    ...kind.tools(state).map(([id, words, word]) => html("button", { type: "button", "data-key": id, "aria-pressed": String(tool === id), disabled: !mayAct, click: () => choose(id) },
      word ? sign(word) : null, words)),
    ...kind.more(hand()),
    html("div", { class: "turn" },
      whole(),
      button(translate("Turn ended"), press, { class: "main", "data-key": "turn-ended", disabled: !mayAct })),
  ];
}

// What a hand does by one touch: a turn, or, while something is to be put back, that.
function whole() {
  if (strip.open().length) return button(translate("Put it back for me"), () => hand().act({ do: "put back" }), { "data-key": "put-back-for-me", disabled: !mayAct });
  if (!state.ideas) return null;
  const played = translate("That was the turn. Now touch “{press}”.", { press: translate("Turn ended") });
  return button(translate("Play a turn for me"), () => send("/api/virtual/acts", { do: "turn" }, played), { "data-key": "play-for-me", disabled: !mayAct });
}

function choose(id) {
  tool = id;
  held = null;
  draw();
}

function befalls() {
  const out = state.unplugged.length > 0;
  return [
    ...(state.cameras.length ? [
      button(translate("Bump a camera"), () => befall("bump", { camera: state.cameras[0] }), { "data-key": "bump", disabled: !mayAct }),
      button(out ? translate("Plug the camera in") : translate("Unplug a camera"),
        () => (out ? befall("plug") : befall("unplug", { camera: state.cameras[1] ?? state.cameras[0] })), { "data-key": "plug", disabled: !mayAct })] : []),
    button(state.light < 1 ? translate("Lights up") : translate("Dim the lights"), () => befall(state.light < 1 ? "bright" : "dim"), { "data-key": "light", disabled: !mayAct }),
    button(state.cups.length ? translate("Take the cup away") : translate("Put a cup on the frame"), () => befall(state.cups.length ? "uncup" : "cup"), { "data-key": "cup", disabled: !mayAct }),
    button(translate("Knock a tower over"), () => befall("topple"), { "data-key": "topple", disabled: !mayAct }),
  ];
}

function befall(name, more = {}) {
  send("/api/virtual/faults", { name, ...more });
}

// The phone is not the hand: it need not wait for it.
async function holdPhone(body) {
  const answer = await act("POST", "/api/virtual/phone", body);
  if (!answer.ok) tell(answer.words ?? "", true);
}

function press() {
  send("/api/virtual/button", undefined);
}

// One after the other: there is one hand. done: what is said once nothing is left to do.
function send(address, body, done = "") {
  if (!mayAct) return mayNot();
  waiting += 1;
  tell(waiting > 1 ? translate("The hand is busy; left to do: {n}", { n: waiting - 1 }) : "");
  queue = queue.then(async () => {
    const answer = await act("POST", address, body);
    waiting -= 1;
    if (!answer.ok) tell(answer.words ?? "", true);
    else if (!waiting) tell(done);
  });
}

function mayNot() {
  tell(translate("Only paired devices may play: pair this device on the page beside."), true);
}

// A press on a place: what it means with the tool chosen, the kind knows.
function touched({ row, col, ...more }) {
  if (!mayAct) return mayNot();
  kind.touched({ ...more, ...placeAt(row, col) }, tool, state, hand());
  draw();
}

function placeAt(row, col) {
  return { row, col, name: fieldName(row, col) };
}

/** @returns {Hand} */
function hand() {
  return {
    held, mayAct, tell, befall, act: (body) => send("/api/virtual/acts", body),
    hold: (place) => {
      held = place;
    },
    drawn: () => redraw(byId("tools"), [Math.random()], tools),
  };
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
  stage.addEventListener("focus", () => {
    if (stage.matches(":focus-visible")) tell(described(placeAt(keyed.row, keyed.col))); // came with a key
    draw();
  });
  stage.addEventListener("blur", draw);
}

const WALKS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

function keys(event) {
  const walk = event.shiftKey ? WALKS[event.key] : null;
  const next = stepped(keyed, event.key, sizeOf());
  if (walk) table.walk(...walk);
  else if (next) {
    Object.assign(keyed, next);
    tell(described(placeAt(keyed.row, keyed.col)));
    draw();
  } else if (event.key === "Enter" || event.key === " ") touched({ ...keyed });
  else if (event.key === "+" || event.key === "-") table.walk(0, 0, event.key === "+" ? 0.9 : 1.1);
  else return;
  event.preventDefault();
}

// What hands changed, one's own and the others', for whoever does not see the table.
function changedWords(before) {
  const changed = places().filter((place) => described(place) !== described(place, before));
  return changed.length > MOST_TOLD ? translateN("{n} field changed", "{n} fields changed", changed.length)
    : changed.map((place) => described(place)).join(". ");
}

function sizeOf() {
  return { rows: state.kit.rows.length, columns: state.kit.columns.length };
}

function places() {
  return state.kit.rows.flatMap((_, row) => state.kit.columns.map((_, col) => placeAt(row, col)));
}

function described(place, at = state) {
  const { n, piece } = kind.there(place, at);
  return kind.named(state.kit, place.name, n, piece);
}

// Every field as a button, for whoever does not point.
function list() {
  const { rows, columns } = sizeOf();
  const lines = Array.from({ length: rows }, (_, index) => rows - 1 - index);
  return html("table", { role: "application", "data-board": true, "aria-label": translate("All fields; arrow keys lead from one to the next") }, html("tbody", {}, ...lines.map((row) => html("tr", {}, ...Array.from({ length: columns }, (_, col) => html("td", {}, fieldButton(row, col)))))));
}

function fieldKey({ name }) {
  return `field-${name}`;
}

function fieldButton(row, col) {
  const place = placeAt(row, col);
  const { text, word } = kind.there(place, state);
  return html("button", { type: "button", "data-key": fieldKey(place), "aria-label": described(place), "aria-pressed": String(Boolean(held && held.row === row && held.col === col)), "aria-disabled": String(!mayAct), click: () => touched({ row, col }),
    ...roving({ row, col }, { at: keyed, size: sizeOf, keyOf: (spot) => fieldKey(placeAt(spot.row, spot.col)) }) },
    html("small", {}, place.name), text ? html("span", {}, word ? sign(word) : null, text) : null);
}

// Without WebGL: a plain board.
function plain(node, name) {
  redraw(node, [state.lying, tool, held, mayAct, strip.learned()], () => {
    const { rows, columns } = sizeOf();
    const fields = [];
    for (let row = rows - 1; row >= 0; row -= 1) for (let col = 0; col < columns; col += 1) fields.push(fieldButton(row, col));
    const board = html("div", { class: name, "data-board": true }, ...fields);
    board.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    return [board];
  });
}

function shows(what) {
  /** @type {HTMLElement} */ (document.querySelector(".room")).dataset.shown = what;
  redraw(byId("tabs"), what, () => [["board", translate("Table")], ["tablet", translate("Tablet")]].map(([id, words]) =>
    html("button", { type: "button", "data-key": id, "aria-pressed": String(id === what), click: () => shows(id) }, words)));
}

start();
