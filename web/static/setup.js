// Setting the table up: what each camera sees with the fields on it, its light, the steps, and the check.

import { learnAddons, partsAt } from "./addons.js";
import { byId, html, redraw, say, svg } from "./dom.js";
import { learn, translate } from "./i18n.js";
import { language } from "./prefs.js";
import { act, session, speak } from "./session.js";

const VIEW_MS = 1500;
const PICTURE_MS = 1000;
const CELL = 30;
const SIGNS = { good: "✓", warning: "!", bad: "✕" };
const PALE = [0xfb, 0xf5, 0xe9];
const DARK = [0x8c, 0x2a, 0x12];

let mayAct = false;
let asked = "";

async function start() {
  speak(language());
  await Promise.all([learn(language()), learnAddons()]);
  document.title = translate("Setting the table up");
  say(byId("title"), translate("Setting the table up"));
  say(byId("back"), translate("To the game"));
  say(byId("status"), translate("The cameras are asked …"));
  mayAct = Boolean((await session()).paired);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") pictures();
  });
  again();
  pictures();
}

async function again() {
  if (document.visibilityState === "visible") await view();
  setTimeout(again, VIEW_MS);
}

async function view() {
  let found = null;
  try {
    const answer = await fetch(`/api/setup?lang=${language()}`, { cache: "no-store" });
    if (answer.status === 401) return say(byId("status"), translate("Only paired devices may look: pair this device on the game’s page."));
    if (!answer.ok) return say(byId("status"), (await answer.json()).detail ?? "");
    found = await answer.json();
  } catch {
    return say(byId("status"), translate("No connection to the referee"));
  }
  if (found.check.words) asked = "";
  say(byId("status"), found.check.words ?? asked);
  draw(found);
}

function draw({ table, cameras, missing, bare, steps, check, certificate, ...found }) {
  say(byId("title"), translate("Setting the table up: {table}", { table }));
  drawCameras(cameras, missing);
  redraw(byId("steps"), steps, () => [
    html("h2", {}, translate("Step by step")),
    html("ol", {}, ...steps.map(step)),
  ]);
  redraw(byId("check"), [check.running, mayAct, bare], () => (bare ? [] : checkButton(check.running)));
  const added = partsAt("setup", { ...found, mayAct, view }).draw();
  if (!byId("added").childElementCount) byId("added").replaceChildren(...added);
  const node = byId("certificate");
  if (certificate) node.dataset.grade = certificate.verdict;
  redraw(node, certificate, () => (certificate ? paper(certificate) : []));
}

// The pictures stay where they are while the words around them change: an image drawn anew would flicker.
function drawCameras(cameras, missing) {
  const node = byId("cameras");
  redraw(node, [cameras.map(({ name }) => name), missing], () => [
    ...cameras.map(({ name }) => html("article", { class: "camera", "data-camera": name, "aria-label": name },
      html("img", { class: "camera-picture", "data-camera": name, hidden: true,
        alt: translate("What {camera} sees, with the grid drawn at two heights", { camera: name }) }),
      html("p", { class: "camera-none" }, translate("No picture of this camera now.")),
      html("div", { class: "camera-head" }),
      html("div", { class: "camera-added" }),
      html("details", {}, html("summary", {}, translate("What was looked at")), html("ul", { class: "checks" })))),
    cameras.length ? html("p", { class: "legend" },
      html("span", {}, html("i", { class: "low" }), translate("Grid on the board")),
      html("span", {}, html("i", { class: "high" }), translate("Grid three levels above it"))) : null,
    missing.length ? html("p", { class: "quiet" }, translate("No source is named for {cameras}.", { cameras: missing.join(", ") })) : null,
  ]);
  for (const camera of cameras) fillCamera(node.querySelector(`article[data-camera="${CSS.escape(camera.name)}"]`), camera);
}

function fillCamera(node, camera) {
  node.dataset.light = camera.light;
  node.dataset.picture = camera.picture;
  if (!camera.picture) showPicture(node, false);
  redraw(node.querySelector(".camera-head"), [camera.light, camera.words], () => [
    light(camera.light), html("h2", {}, camera.name), html("p", {}, camera.words),
  ]);
  const added = partsAt("camera", camera);
  redraw(node.querySelector(".camera-added"), added.from, added.draw);
  const checks = partsAt("camera-checks", { ...camera, line });
  redraw(node.querySelector(".checks"), [camera.checks, checks.from], () => [...camera.checks.map(line), ...checks.draw()]);
}

function light(shown) {
  const words = { good: translate("good"), warning: translate("warning"), bad: translate("bad") };
  return html("span", { class: "light", role: "img", "aria-label": words[shown] }, ...["bad", "warning", "good"].map((each) =>
    html("span", { class: `lamp lamp-${each}${each === shown ? " on" : ""}` }, each === shown ? SIGNS[each] : "")));
}

function line({ what, value, grade, advice }) {
  return html("li", { "data-grade": grade }, mark(grade), html("span", {}, translate("{name}: {value}", { name: what, value: "" }), html("b", {}, value)), advice ? html("p", {}, advice) : null);
}

function mark(grade) {
  const words = { good: translate("good"), warning: translate("warning"), bad: translate("bad") };
  return html("span", { class: "grade", "data-grade": grade, role: "img", "aria-label": words[grade] }, SIGNS[grade]);
}

function step({ id, title, words, done, next, command }, place) {
  return html("li", { class: "step", "data-step": id, "data-done": done ? "true" : "false", "data-next": next ? "true" : "false",
    "aria-current": next ? "step" : null },
    html("span", { class: "step-number" }, done ? "✓" : String(place + 1)),
    html("div", {}, html("h3", {}, title), html("p", {}, words),
      next && id !== "check" && command ? html("p", {}, translate("Beside the table, run:")) : null,
      next && id !== "check" && command ? html("code", {}, command) : null));
}

function checkButton(running) {
  if (!mayAct) {
    return [html("p", { class: "quiet" }, translate("A paired device can check the table.")),
      html("a", { class: "button", href: "/#/devices" }, translate("Pair this device"))];
  }
  return [
    html("p", { class: "quiet" }, translate("Set the game up as its rules say, take your hands off the board, and check the table before every event.")),
    html("button", { type: "button", class: "main", "data-key": "check", disabled: running, click: run },
      running ? translate("Checking the table …") : translate("Check the table")),
  ];
}

async function run() {
  asked = "";
  const answer = await act("POST", "/api/setup/check", {});
  if (!answer.ok) asked = answer.words || translate("No connection to the referee");
  await view();
}

function paper({ id, words, table, game, made_at: made, verdict, checks, cameras, maps, spot, differences }) {
  return [
    html("h2", {}, mark(verdict), " ", words),
    html("p", { class: "quiet" }, `${game}, ${table}, ${made.slice(0, 16).replace("T", " ")}`),
    html("ul", { class: "checks" }, ...checks.map(line)),
    differences.length ? html("ul", {}, ...differences.map((each) => html("li", {}, html("b", {}, each.fields.join(" ")), ` ${each.words}`))) : null,
    ...cameras.map((camera) => html("div", {}, html("h3", {}, camera.name), html("ul", { class: "checks" }, ...camera.checks.map(line)))),
    spot ? html("p", {}, spot) : null,
    html("div", { class: "maps" }, ...maps.map(map)),
    html("p", {}, html("a", { class: "button", href: `/api/setup/certificate?lang=${language()}`, target: "_blank", rel: "noopener" }, translate("Open the certificate"))),
    html("p", { class: "quiet" }, translate("Kept in the table’s folder as certificates/{name}.html, to print.", { name: id })),
  ];
}

// The numbers come as texts: rounded where the certificate on paper was, so that both say the same.
function map({ title, words, values, good, bad, texts }) {
  const rows = values.length;
  const columns = values[0].length;
  const drawn = values.flatMap((row, y) => row.map((value, x) => cell(x, rows - 1 - y, Math.min(1, Math.max(0, (value - good) / (bad - good))), texts[y][x])));
  const letters = values[0].map((_, x) => axis((x + 1.5) * CELL, (rows + 0.5) * CELL, String.fromCharCode(65 + x)));
  const numbers = values.map((_, y) => axis(0.5 * CELL, (rows - y - 0.5) * CELL, String(y + 1)));
  return html("figure", {}, html("h3", {}, title),
    svg("svg", { viewBox: `0 0 ${(columns + 1) * CELL} ${(rows + 1) * CELL}`, role: "img", "aria-label": title }, ...drawn, ...letters, ...numbers),
    html("figcaption", {}, words));
}

function cell(x, y, share, text) {
  const fill = PALE.map((pale, k) => Math.round(pale + share * (DARK[k] - pale)));
  return svg("g", {},
    svg("rect", { class: "cell", x: (x + 1) * CELL, y: y * CELL, width: CELL, height: CELL, fill: `rgb(${fill.join(" ")})` }),
    svg("text", { class: "cell-text", x: (x + 1.5) * CELL, y: (y + 0.5) * CELL, fill: share > 0.5 ? "#fff" : "#2b231a" }, text));
}

function axis(x, y, text) {
  return svg("text", { class: "axis", x, y }, text);
}

// Still pictures, one after the other while somebody looks: the next is asked for when the last one has come.
let waiting = null;

function pictures() {
  clearTimeout(waiting);
  if (document.visibilityState !== "visible") return;
  waiting = setTimeout(pictures, PICTURE_MS);
  for (const node of document.querySelectorAll("article[data-picture='true']")) {
    const picture = node.querySelector("img");
    if (picture.dataset.busy) continue;
    picture.dataset.busy = "yes";
    const next = new Image();
    next.addEventListener("load", () => {
      picture.src = next.src;
      delete picture.dataset.busy;
      showPicture(node, true);
    });
    next.addEventListener("error", () => {
      delete picture.dataset.busy;
      showPicture(node, false);
    });
    next.src = `/api/setup/pictures/${encodeURIComponent(picture.dataset.camera)}?at=${Date.now()}`;
  }
}

function showPicture(node, there) {
  node.querySelector("img").hidden = !there;
  node.querySelector(".camera-none").hidden = there;
}

start();
