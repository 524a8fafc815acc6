// How each kind of thing that a game observes is drawn: a grid of stacks, a tower, a ledger.

import { boardOf } from "./boardtext.js";
import { html, svg } from "./dom.js";
import { drawGrid } from "./grid.js";
import { drawLedger } from "./ledger.js";
import { drawTower, towerTools } from "./tower.js";
import { towerOf } from "./towerview.js";

// draw(node, board, options); of(text, kit, like): a board of the record; surface: what it is drawn on; tools(): buttons.
const WIDGETS = {
  grid: { surface: "svg", draw: drawGrid, of: (text, kit) => boardOf(text, kit), tools: () => [] },
  tower: { surface: "svg", draw: drawTower, of: (text, _kit, like) => ({ ...towerOf(text, like), kind: "tower", paints: like.paints }), tools: towerTools },
  ledger: { surface: "html", draw: drawLedger, of: () => null, tools: () => [] },
};

export function widgetOf(board) {
  return WIDGETS[board?.kind] ?? WIDGETS.grid;
}

// A picture of a board of its own, null where its kind has none.
export function pictureOf(board, options, attributes = {}) {
  if (!board) return null;
  const { surface, draw } = widgetOf(board);
  const node = surface === "svg" ? svg("svg", { class: "mini", ...attributes }) : html("div", { class: "ledger", ...attributes });
  draw(node, board, options);
  return node;
}

// The board a text of the record stands for.
export function boardFrom(text, { kit, board }) {
  return widgetOf(board).of(text, kit, board);
}
