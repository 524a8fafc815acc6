// A colour is always told by an outline and a letter too: some colours are the same to many people.

import { svg } from "./dom.js";
import { outline, pieceOutline } from "./outlines.js";
import { kindOf, labelOf, outlineOf } from "./paints.js";

function drawn({ tag, attributes }, word, x, y) {
  return svg(tag, { ...attributes, transform: `translate(${x} ${y})`, class: "piece", "data-paint": word });
}

// A piece as it stands on the board.
export function shape(word, x, y, r) {
  return drawn(pieceOutline(kindOf(word)?.shape, outlineOf(word), r), word, x, y);
}

// A player's sign beside words: the colour's outline with the letter in it.
export function sign(word) {
  const text = svg("text", { y: 9, class: "piece-text", "data-paint": word }, labelOf(word));
  return svg("svg", { viewBox: "-32 -32 64 64", class: "sign", "aria-hidden": "true" }, drawn(outline(outlineOf(word), 24), word, 0, 0), text);
}
