// What the page knows: the table's newest state, how the connection is, and what this device may do.

import { byId, say, show } from "./dom.js";
import { translate } from "./i18n.js";
import { command, session } from "./session.js";

export const known = { state: null, link: { state: "connecting", seconds: null }, session: null, editing: null, sending: null };

const listeners = new Set();
let asked = false;

export function onChange(listener) {
  listeners.add(listener);
}

// Draw soon; many changes at a time are drawn once.
export function changed() {
  if (asked) return;
  asked = true;
  queueMicrotask(() => {
    asked = false;
    for (const listener of listeners) listener();
  });
}

export async function learnSession() {
  const answer = await session();
  if (answer.ok || known.session === null) known.session = answer;
  changed();
  return known.session;
}

export function mayAct() {
  return Boolean(known.session?.paired) && known.session.commands?.length > 0;
}

// The one player whose own device this is; empty for one of the whole table.
export function ownPlayer() {
  return known.session?.device?.player ?? "";
}

export function action(id) {
  return known.state?.actions.find((offered) => offered.id === id) ?? null;
}

const SHOWN_MS = 3000;
const LOOK_MS = 40;

// Wait until what the page knows of the table fulfils something. Resolves to whether it came to that in time.
export async function shown(holds) {
  const by = Date.now() + SHOWN_MS;
  while (!holds() && Date.now() < by) await new Promise((done) => setTimeout(done, LOOK_MS));
  return holds();
}

const SLOW_MS = 900;

// Tell the table something; says why when it does not do it, and soon when no answer comes. Returns whether it was done.
// seen: the newest event that was known when it was decided on, by default the newest now. moved: asked instead of saying
// so where somebody was faster; tells whether it was done all the same. refused: told of any other refusal; returns whether it says
// so itself.
export async function tell(id, args = {}, seen = known.state?.event ?? null, moved = null, refused = null) {
  if (known.sending) { // buttons are shut meanwhile, keys are not
    toast(translate("Not done: the referee is still answering what was pressed before."), "trouble");
    return false;
  }
  known.sending = id;
  changed();
  const slow = setTimeout(() => toast(translate("No answer from the referee yet: it is tried again."), "trouble"),
    known.link.state === "lost" ? 0 : SLOW_MS);
  const answer = await command(id, args, seen);
  clearTimeout(slow);
  known.sending = null;
  changed();
  if (answer.ok) {
    if (answer.words) toast(answer.words);
    else if (byId("toast").dataset.tone === "trouble") hushed();
    return true;
  }
  if (answer.code === "moved-on" && moved) return moved();
  if (refused?.(answer)) return false;
  if (answer.status === 401) await learnSession();
  toast(answer.code === "offline" ? translate("No answer from the referee: look at the table before you try again.") : answer.words, "trouble");
  return false;
}

let fading = null;
let saidAt = 0;

export function toast(words, tone = "info") {
  const node = byId("toast");
  clearTimeout(fading);
  node.dataset.tone = tone;
  saidAt = performance.now();
  show(node, true);
  say(node, words);
  fading = setTimeout(hushed, Math.max(4000, words.length * 90));
}

// How long ago the newest toast was said, ms.
export function toastAge() {
  return performance.now() - saidAt;
}

export function hushed() {
  const node = byId("toast");
  clearTimeout(fading);
  show(node, false);
  say(node, "");
}

export function playerName(colour) {
  return known.state?.seats.find((seat) => seat.colour === colour)?.name ?? colour;
}
