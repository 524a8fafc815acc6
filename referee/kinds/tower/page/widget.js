// A tower on the page.

import { drawTower, towerTools } from "./board.js";
import { towerOf } from "./cells.js";
import { towerEditor } from "./editor.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "svg",
  draw: drawTower,
  of: (text, _kit, like) => ({ ...towerOf(text, like), kind: "tower", paints: like.paints }),
  tools: towerTools,
  editor: towerEditor,
};
