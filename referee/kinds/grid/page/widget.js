// A grid of stacks on the page.

import { translate } from "/static/i18n.js";
import { sign } from "/static/pieces.js";
import { changed, drawGrid, fieldWords, told } from "./board.js";
import { boardOf } from "./boardtext.js";
import { gridEditor } from "./editor.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "svg",
  draw: drawGrid,
  of: (text, kit) => boardOf(text, kit),
  editor: gridEditor,
  told: (board, { seats }) => told(board, seats),
  changed,
  some: ({ fields }, names) => fields.filter(({ name }) => names.includes(name)).map(fieldWords),
  taskWords: ({ field, height, piece }) => fieldWords({ name: field, height, piece }),
  task: ({ height, piece }) => [translate("height {height}", { height }), piece ? sign(piece) : null],
};
