// A grid of stacks on the page.

import { drawGrid } from "./board.js";
import { boardOf } from "./boardtext.js";
import { gridEditor } from "./editor.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "svg",
  draw: drawGrid,
  of: (text, kit) => boardOf(text, kit),
  editor: gridEditor,
};
