// What the page knows: the table's newest state, how the connection is, and what this device may do.

import { byId, say, show } from "./dom.js";
import { translate } from "./i18n.js";
import { command, session } from "./session.js";

export const known = { state: null, link: { state: "connecting", seconds: null }, session: null, editing: null, entry: null };

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

export function action(id) {
  return known.state?.actions.find((offered) => offered.id === id) ?? null;
}

// Tell the table something; says why when it does not do it. Returns whether it was done.
export async function tell(id, args = {}) {
  const answer = await command(id, args, known.state?.event ?? null);
  if (answer.ok) {
    if (answer.words) toast(answer.words);
    return true;
  }
  if (answer.status === 401) await learnSession();
  toast(answer.code === "offline" ? translate("No answer from the referee: nothing was done.") : answer.words, "trouble");
  return false;
}

let fading = null;

export function toast(words, tone = "info") {
  const node = byId("toast");
  clearTimeout(fading);
  node.dataset.tone = tone;
  show(node, true);
  say(node, words);
  fading = setTimeout(() => {
    show(node, false);
    say(node, "");
  }, Math.max(4000, words.length * 90));
}

export function playerName(colour) {
  return known.state?.seats.find((seat) => seat.colour === colour)?.name ?? colour;
}
