// A tower on the page.

import { drawTower, paintsOf, told, towerTools } from "./board.js";
import { stackWords } from "./barwords.js";
import { towerOf } from "./cells.js";
import { towerEditor } from "./editor.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "svg",
  draw: drawTower,
  of: (text, _kit, like) => ({ ...towerOf(text, like), kind: "tower", text, paints: like.paints }),
  told: (board, { kit }) => told(board, paintsOf(board, kit)),
  changed: (before, after) => {
    const stood = stackWords(before);
    return stackWords(after).filter((words, index) => words !== stood[index]);
  },
  tools: towerTools,
  editor: towerEditor,
};
