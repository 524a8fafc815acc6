// A turn's acts in words: its notation, and what the signs on the board mean.

import { html } from "./dom.js";

const SIGNS = { removed: "−", placed: "+", path: "→", hit: "×", entry: "↓" };

// A turn in the game's notation; no act is broken at its hyphens while a line has room for it.
export function notation(text) {
  return text.split(" ").flatMap((act, index) => [index ? " " : "", html("span", { class: "act" }, act)]);
}

export function marksOf(acts) {
  return acts.flatMap((act) => act.marks);
}

// What the signs on the board mean, for those that are there; words: of each mark, as the table says them.
export function legend(acts, words) {
  const there = new Set(marksOf(acts).flatMap(({ mark, hits }) => (hits.length ? [mark, "hit"] : [mark])));
  return Object.keys(SIGNS).filter((mark) => there.has(mark) && words[mark])
    .map((mark) => html("span", {}, html("b", {}, SIGNS[mark]), ` ${words[mark]}`));
}
