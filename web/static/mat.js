// Showing the mat to the cameras: a part is chosen, its places are tapped in the picture in order, and kept.

import { cameraName } from "./cameraname.js";
import { button, byId, html, redraw, say, svg } from "./dom.js";
import { learn, translate, translateN } from "./i18n.js";
import { language } from "./prefs.js";
import { act, session, speak } from "./session.js";

const STEP = 0.01;
const AGAIN_MS = 1000;
const COLOURS = "colour";
const FACES = "face";

let mayAct = false;
let found = null;
let camera = "";
let part = "";
let taps = [];
let cross = [0.5, 0.5];
let at = Date.now();
let busy = false;

async function start() {
  speak(language());
  await learn(language());
  document.title = translate("Show the mat");
  say(byId("title"), translate("Show the mat"));
  say(byId("back"), translate("To the game"));
  mayAct = Boolean((await session()).paired);
  await view();
}

async function view() {
  try {
    const answer = await fetch(`/api/mat?lang=${language()}`, { cache: "no-store" });
    if (answer.status === 401) return tell(translate("Only paired devices may look: pair this device on the game’s page."));
    if (!answer.ok) return tell((await answer.json()).detail ?? "");
    found = await answer.json();
  } catch {
    return tell(translate("No connection to the referee"));
  }
  if (!found.cameras.some(({ name }) => name === camera)) camera = (found.cameras.find(({ sees }) => sees) ?? found.cameras[0])?.name ?? "";
  if (!camera) setTimeout(view, AGAIN_MS); // the first picture comes by itself; a newer one would move under the finger
  draw();
}

function tell(words) {
  say(byId("status"), words);
}

function draw() {
  redraw(byId("mat"), [camera, at, part, taps, cross, found, mayAct, busy], picture);
  redraw(byId("parts"), [part, taps.length > 0, found, mayAct, busy], list);
}

function chosen() {
  return found.parts.find(({ id }) => id === part);
}

// The picture stays while marks change: an image drawn anew would flicker.
let image = null;

function picture() {
  if (!camera) {
    return [
      html("p", { class: "mat-how", role: "status" }, translate("No picture of the mat yet: photograph it with the phone.")),
      html("p", { class: "mat-acts" }, html("a", { class: "button", href: "/camera" }, translate("Photograph"))),
    ];
  }
  const source = `/api/mat/pictures/${encodeURIComponent(camera)}?at=${at}`;
  if (!image || image.dataset.source !== source) {
    image = html("img", { class: "mat-image", alt: "" });
    image.dataset.source = source;
    image.src = source;
  }
  const asked = chosen();
  const words = asked ? `${asked.words}. ${asked.how}` : translate("What {camera} sees of the mat", { camera: cameraName(camera) });
  return [
    found.cameras.length > 1 ? html("p", { class: "mat-cameras", role: "group", "aria-label": translate("Camera") },
      ...found.cameras.map(({ name }) => button(cameraName(name), () => look(name), { "data-key": `camera-${name}`, "aria-pressed": String(name === camera) }))) : null,
    html("p", { class: "mat-how", role: "status" }, asked ? words : translate("Choose what you want to show.")),
    html("button", { type: "button", class: "mat-picture", "data-key": "picture", "aria-label": words, disabled: !asked || !mayAct || busy,
      click: tap, keydown: move }, image, overlay(asked)),
    html("p", { class: "mat-acts" }, button(translate("New picture"), renew, { "data-key": "renew" }),
      asked && mayAct ? button(translate("Take the last tap back"), undo, { "data-key": "undo", disabled: !taps.length || busy }) : null,
      asked && mayAct ? button(translateN("Keep {n} tap", "Keep {n} taps", taps.length), keep, { class: "main", "data-key": "keep", disabled: !taps.length || busy }) : null),
  ];
}

function overlay(asked) {
  const marks = taps.length ? taps : asked?.marks[camera] ?? [];
  const others = asked ? [] : found.parts.flatMap(({ kind, marks: each }) => (kind === "places" ? each[camera] ?? [] : []));
  return svg("svg", { class: "mat-marks", viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" },
    asked?.kind === "area" && marks.length === 2 ? area(marks) : null,
    ...others.map(([x, y]) => svg("ellipse", { class: "mat-known", cx: x * 1000, cy: y * 1000, rx: 9, ry: 12 })),
    ...marks.map(([x, y], place) => svg("g", { class: taps.length ? "mat-tap" : "mat-known" },
      svg("ellipse", { cx: x * 1000, cy: y * 1000, rx: 13, ry: 17 }),
      svg("text", { x: x * 1000, y: y * 1000 + 8 }, String(place + 1)))),
    asked && mayAct ? svg("path", { class: "mat-cross", d: `M${cross[0] * 1000 - 16},${cross[1] * 1000}h32M${cross[0] * 1000},${cross[1] * 1000 - 20}v40` }) : null);
}

function area([first, second]) {
  const [left, right] = [first[0], second[0]].sort((a, b) => a - b);
  const [top, low] = [first[1], second[1]].sort((a, b) => a - b);
  return svg("rect", { class: "mat-area", x: left * 1000, y: top * 1000, width: (right - left) * 1000, height: (low - top) * 1000 });
}

function list() {
  return [
    mayAct ? null : html("p", { class: "quiet" }, translate("A paired device can show the mat."), " ",
      html("a", { class: "button", href: "/#/devices" }, translate("Pair this device"))),
    html("h2", {}, translate("First of all")),
    html("p", { class: "quiet" }, found.empty ? translate("The empty mat is known.") : translate("Clear the mat: how it looks empty tells what lies on it later.")),
    html("p", {}, button(found.empty ? translate("Picture the empty mat anew") : translate("Picture the empty mat"), empty,
      { class: found.empty ? "" : "main", "data-key": "empty", disabled: !mayAct || busy || !camera })),
    html("h2", {}, translate("Where places are")),
    html("div", { class: "mat-parts" }, ...found.parts.filter(({ kind }) => kind !== COLOURS && kind !== FACES).map(choice)),
    html("h2", {}, translate("How large things are")),
    html("form", { class: "mat-sizes", submit: measure },
      ...found.sizes.map(({ id, words, mm }) => html("label", {}, html("span", {}, `${words}, mm`),
        html("input", { type: "number", name: id, min: 2, max: 400, step: "any", required: true, value: mm, disabled: !mayAct, "data-key": `size-${id}` }))),
      html("button", { type: "submit", "data-key": "sizes", disabled: !mayAct || busy }, translate("Keep the sizes"))),
    html("h2", {}, translate("How things look")),
    html("div", { class: "mat-parts" }, ...found.parts.filter(({ kind }) => kind === COLOURS).map(choice)),
    ...(found.parts.some(({ kind }) => kind === FACES) ? [
      html("h2", {}, translate("Dice with symbols")),
      html("p", { class: "quiet" }, translate("Where a face bears a symbol in place of pips, show which number it is. Show every face that bears one.")),
      html("div", { class: "mat-parts" }, ...found.parts.filter(({ kind }) => kind === FACES).map(choice)),
    ] : []),
    part && chosen()?.taught && mayAct ? html("p", {}, button(translate("Forget {part}", { part: chosen().words }), forget, { "data-key": "forget", disabled: busy })) : null,
  ];
}

function choice({ id, kind, words, taught }) {
  const told = !taught ? translate("not shown yet") : kind === "places" ? translateN("{n} place", "{n} places", taught)
    : kind === FACES ? translateN("{n} picture", "{n} pictures", taught) : translate("shown");
  return html("button", { type: "button", class: "mat-part", "data-key": `part-${id}`, "aria-pressed": String(id === part), "data-taught": taught ? "true" : "false",
    click: () => choose(id) }, html("b", {}, words), html("span", {}, told));
}

function choose(id) {
  part = part === id ? "" : id;
  taps = [];
  tell("");
  if ([COLOURS, FACES].includes(chosen()?.kind)) at = Date.now();
  draw();
  if (part) byId("mat").scrollIntoView({ block: "start" });
}

function look(name) {
  camera = name;
  taps = [];
  renew();
}

function renew() {
  at = Date.now();
  view();
}

// A click made with a key comes from nowhere: it means the cross, which the arrow keys move.
function tap(event) {
  const box = event.currentTarget.querySelector("img").getBoundingClientRect();
  const place = event.detail === 0 ? cross : [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  const most = { area: 2, colour: 1, face: 1 }[chosen().kind] ?? 200;
  const kept = place.map((share) => Math.round(Math.min(1, Math.max(0, share)) * 10000) / 10000);
  cross = kept;
  taps = taps.length >= most ? [...taps.slice(0, most - 1), kept] : [...taps, kept];
  draw();
}

const MOVES = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

function move(event) {
  const by = MOVES[event.key];
  if (!by) return;
  event.preventDefault();
  cross = cross.map((share, k) => Math.round(Math.min(1, Math.max(0, share + by[k])) * 10000) / 10000);
  draw();
}

function undo() {
  taps = taps.slice(0, -1);
  draw();
}

async function send(address, body) {
  busy = true;
  draw();
  const answer = await act("POST", address, body);
  busy = false;
  tell(answer.words || (answer.ok ? "" : translate("No connection to the referee")));
  byId("status").dataset.tone = answer.ok ? "good" : "bad";
  if (answer.ok) taps = [];
  await view();
  return answer.ok;
}

async function keep() {
  const before = found.parts.findIndex(({ id }) => id === part);
  if (await send(`/api/mat/parts/${encodeURIComponent(part)}`, { camera, taps })) {
    if (chosen()?.kind === FACES) return;
    const next = found.parts.slice(before + 1).find(({ taught }) => !taught);
    if (next) part = next.id;
    draw();
  }
}

function forget() {
  send(`/api/mat/parts/${encodeURIComponent(part)}`, { camera, taps: [] });
}

function measure(event) {
  event.preventDefault();
  const sizes = Object.fromEntries([...new FormData(event.target)].map(([name, mm]) => [name, Number(mm)]));
  send("/api/mat/sizes", { sizes });
}

function empty() {
  send("/api/mat/empty", { camera });
}

start();
