// How the cameras did of late: a small line for each thing measured, and below them what happened when, in words.

import { html, redraw, svg } from "/static/dom.js";
import { translate } from "/static/i18n.js";
import { language } from "/static/prefs.js";

const AGAIN_MS = 60_000;
const SOON_MS = 5000;
const WIDTH = 192;
const HEIGHT = 36;
const MARGIN = 3;
const SIGNS = { good: "✓", warning: "!", bad: "✕" };

let hours = 24;
let told = null;
let asked = { at: 0, hours: 0, language: "" };

const section = html("section", { class: "camera-lines" });

// The part of the screen; it is the same one whenever the screen is drawn anew.
export function cameraLines() {
  draw();
  again();
  return section;
}

// Asked once a minute while somebody looks, and at once after a touch.
export async function again() {
  const now = Date.now();
  const begun = told?.cameras.some(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
  if (now - asked.at < (begun ? AGAIN_MS : SOON_MS) && asked.hours === hours && asked.language === language()) return;
  const mine = { at: now, hours, language: language() };
  asked = mine;
  try {
    const answer = await fetch(`/api/camera-health?hours=${hours}&lang=${language()}`, { cache: "no-store" });
    const heard = answer.ok ? await answer.json() : null;
    if (heard && mine.hours === hours && mine.language === language()) told = heard; // else another is on its way
  } catch {
    // what was told before stays; it is asked again in a minute
  }
  draw();
}

function draw() {
  section.hidden = !told?.cameras.length;
  redraw(section, [told, hours, language()], () => (told?.cameras.length ? lines() : []));
}

function lines() {
  return [
    html("h2", {}, translate("How the cameras did")),
    html("p", { class: "row" }, ...[[1, translate("1 hour")], [24, translate("1 day")], [168, translate("1 week")]].map(([span, words]) =>
      html("button", { type: "button", class: "chip", "data-key": `hours-${span}`, "aria-pressed": String(span === hours),
        click: () => {
          hours = Number(span);
          again();
          draw();
        } }, words))),
    ...told.cameras.map(camera),
  ];
}

function camera({ name, lines, events }) {
  return html("article", { class: "camera-line", "data-camera": name, "aria-label": name },
    html("h3", {}, name),
    lines.length ? html("ul", { class: "small-lines" }, ...lines.map((line) => smallLine(line, events)))
      : html("p", { class: "quiet" }, translate("Nothing was measured in this time.")),
    events.length ? html("ol", { class: "camera-events" }, ...events.map(happened))
      : html("p", { class: "quiet" }, translate("Nothing happened to it in this time.")));
}

function smallLine({ id, name, words, values }, events) {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known, id === "losses" ? 0 : Infinity);
  const high = Math.max(...known, low);
  const x = (place) => (place + 0.5) * (WIDTH / values.length);
  const y = (value) => (high > low ? HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN) : HEIGHT / 2);
  const { since_ms: since, until_ms: until } = told;
  return html("li", { "data-line": id },
    html("span", {}, name), html("b", {}, words),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...events.map(({ at_ms: at, tone }) => {
        const place = ((at - since) / (until - since)) * WIDTH;
        return svg("line", { class: "line-event", "data-tone": tone, x1: place, x2: place, y1: 0, y2: HEIGHT });
      }),
      ...pieces(values).map((piece) => svg("polyline", { class: "line-drawn",
        points: piece.map(([place, value]) => `${x(place - 0.4)},${y(value)} ${x(place + 0.4)},${y(value)}`).join(" ") }))));
}

// A line is broken where nothing was measured.
function pieces(values) {
  const found = [];
  values.forEach((value, place) => {
    if (value === null) return;
    if (place && values[place - 1] !== null) found.at(-1).push([place, value]);
    else found.push([[place, value]]);
  });
  return found;
}

function happened({ at_ms: at, tone, words }) {
  const time = new Date(at);
  return html("li", {}, html("span", { class: "grade", "data-grade": tone, "aria-hidden": "true" }, SIGNS[tone] ?? ""),
    html("time", { datetime: time.toISOString() },
      time.toLocaleString(language(), { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })),
    html("span", {}, words));
}
