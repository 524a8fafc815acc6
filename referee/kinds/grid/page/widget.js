// A grid of stacks on the page.

import { translate } from "/static/i18n.js";
import { sign } from "/static/pieces.js";
import { drawGrid } from "./board.js";
import { boardOf } from "./boardtext.js";
import { gridEditor } from "./editor.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "svg",
  draw: drawGrid,
  of: (text, kit) => boardOf(text, kit),
  editor: gridEditor,
  task: ({ height, piece }) => [translate("height {height}", { height }), piece ? sign(piece) : null],
};
