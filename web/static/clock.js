// The game clock as pages show it: counted down here between what the table tells, by the referee's own time.

import { LOW_MS, timeLeft, timeText } from "./clocktext.js";

const TICK_MS = 200;
const AGAIN_MS = 60000;

let shown = null;
let ahead = 0; // by how much this device's time is ahead of the referee's, ms
let asked = 0;

// Whether a clock counts for the game.
export function clocked({ clock }) {
  return Boolean(clock) && !clock.aside;
}

// Write the time into every element that shows a player's, from now on.
export function drawClocks(state) {
  shown = clocked(state) ? state : null;
  if (!shown) return;
  if (shown.clock.since_ms && Date.now() - asked > AGAIN_MS) compare();
  write();
}

setInterval(write, TICK_MS);

// Devices rarely agree on the time; half the way there and back is taken off.
async function compare() {
  asked = Date.now();
  try {
    const answer = await fetch("/api/time", { cache: "no-store" });
    if (!answer.ok) return;
    const then = Date.now();
    ahead = (asked + then) / 2 - (await answer.json()).now_ms;
    write();
  } catch {
    // the time of the device is near enough
  }
}

function write() {
  if (!shown) return;
  const { clock } = shown;
  const passed = clock.since_ms ? Math.max(0, Date.now() - ahead - clock.since_ms) : 0;
  for (const node of document.querySelectorAll("[data-clock]")) {
    const who = node.getAttribute("data-clock");
    const own = who === clock.player;
    const left = timeLeft(clock, who, own && clock.running ? passed : 0);
    const words = clock.fallen === who ? timeText(0) : left === null ? "" : timeText(left);
    if (node.textContent !== words) node.textContent = words;
    node.toggleAttribute("data-low", clock.fallen === who || (own && left !== null && left <= LOW_MS));
    node.toggleAttribute("data-stands", !(own && clock.running));
  }
}
