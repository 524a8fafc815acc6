// Times that run on by themselves: how long something waits (data-since), and clocks (data-tile-clock).

import { LOW_MS, timeLeft, timeText } from "/static/clocktext.js";
import { waited } from "./waited.js";

const TICK_MS = 500;
const AGAIN_MS = 60000;

let ahead = 0; // by how much this device's time is ahead of the desk's, ms
let asked = 0;
/** @type {(table: string) => any} */
let clockOf = () => null;

// clock: gives a table's clock, null for none.
export function startTicking(clock) {
  clockOf = clock;
  setInterval(tick, TICK_MS);
}

export function tick() {
  if (Date.now() - asked > AGAIN_MS) compare();
  const now = Date.now() - ahead;
  for (const node of document.querySelectorAll("[data-since]")) put(node, waited(now - Number(node.getAttribute("data-since"))));
  for (const node of document.querySelectorAll("[data-tile-clock]")) {
    const [table, who] = node.getAttribute("data-tile-clock").split(" ");
    const clock = clockOf(table);
    if (clock) write(node, clock, who, now);
  }
}

function write(node, clock, who, now) {
  const own = who === clock.player && clock.running;
  const left = timeLeft(clock, who, own && clock.since_ms ? Math.max(0, now - clock.since_ms) : 0);
  put(node, clock.fallen === who ? timeText(0) : left === null ? "" : timeText(left));
  node.toggleAttribute("data-low", clock.fallen === who || (own && left !== null && left <= LOW_MS));
}

function put(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

async function compare() {
  asked = Date.now();
  try {
    const answer = await fetch("/api/time", { cache: "no-store" });
    const then = Date.now();
    if (answer.ok) ahead = (asked + then) / 2 - (await answer.json()).now_ms;
  } catch {
    // the time of the device is near enough
  }
}
