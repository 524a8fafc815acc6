// What is filled in counts at the table as soon as it is filled in, whichever door the turn's end comes through.

import { Entries } from "./entries.js";
import { translate } from "./i18n.js";
import { command } from "./session.js";
import { changed, known, toast } from "./store.js";

const AGAIN_MS = 2000;

/** @typedef {import("./entries.js").Entry & { name: string, args: Record<string, unknown>, words: string }} Sent */

/** @type {Entries<Sent>} */
const entries = new Entries(({ name, args }) => command(name, args),
  ({ words }, answer) => toast(translate("“{what}” does not count. {why}", { what: words, why: answer.words }), "trouble"));

let again = null;

// key: what is filled in, name and args: the command that says so; words: the same for a person.
export function fillIn(key, value, name, args, words) {
  const { turn } = known.state;
  entries.put(key, { turn, value, name, args: { turn, ...args }, words });
  changed();
  return settled();
}

// Resolves to whether the table knows all that was filled in here; else it is tried again by itself.
export async function settled() {
  const done = await entries.settled();
  clearTimeout(again);
  if (!done) again = setTimeout(settled, AGAIN_MS);
  changed();
  return done;
}

// Before the table is told to rule: what was filled in here comes first. Says so where it can't.
export async function written() {
  const done = await settled();
  if (!done) toast(translate("No answer from the referee: nothing was done."), "trouble");
  return done;
}

// What was filled in here that the state does not hold yet, by key.
export const underWay = (state) => entries.of(state);
