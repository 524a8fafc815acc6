// A tower from its four sides and from above, with its side to the front that is turned there.

import { html, svg } from "./dom.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { nameOf } from "./paints.js";
import { keep, side } from "./prefs.js";
import { cellName, elevation, isUpper, plan } from "./towerview.js";

const CELL = 44;
const GAP = 34;
const HEAD = 40;
const FOOT = 34;
const FEWEST_LEVELS = 4;

// The two colours of a tower's cells: words of pieces, lower case first.
export function paintsOf(board, kit) {
  return board.paints ?? kit.pieces.slice(0, 2).map(({ word }) => word);
}

// options: kit, marks {fields, tone}, side.
export function drawTower(node, board, { kit, marks = null, side: turned = 0 }) {
  const paints = paintsOf(board, kit);
  const marked = new Set(marks?.fields ?? []);
  const high = Math.max(FEWEST_LEVELS, board.levels.length) * CELL;
  const faces = [0, 1, 2, 3].map((each) => (each + turned) % 4);
  const widths = faces.map((face) => (face % 2 ? board.rows : board.columns) * CELL);
  const starts = widths.map((_, index) => widths.slice(0, index).reduce((sum, width) => sum + width + GAP, 0));
  const width = starts[3] + widths[3];
  const top = HEAD + high + FOOT + HEAD;
  const height = top + board.rows * CELL + FOOT;
  node.setAttribute("viewBox", `${-GAP} 0 ${width + 2 * GAP} ${height}`);
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", described(board, paints));
  const words = [translate("Front"), translate("Right"), translate("Back"), translate("Left")];
  node.replaceChildren(hatching(),
    ...faces.map((face, index) => view(starts[index], words[index], widths[index], high, elevation(board, face).map((square) =>
      cell(square, starts[index] + square.across * CELL, HEAD + high - (square.level + 1) * CELL, paints, marked)), under(board, face))),
    fromAbove(board, (width - board.columns * CELL) / 2, top, paints, marked));
}

function view(x, words, width, high, squares, names) {
  return svg("g", { class: "elevation" },
    svg("text", { x: x + width / 2, y: HEAD - 14, class: "tower-words" }, words), ...squares,
    svg("path", { d: `M ${x - 8} ${HEAD + high} h ${width + 16}`, class: "tower-base" }),
    ...names.map((name, index) => svg("text", { x: x + index * CELL + CELL / 2, y: HEAD + high + 26, class: "tower-words tower-name" }, name)));
}

// The names of columns or rows below a side, from the left.
function under({ columns, rows }, face) {
  const names = face % 2 ? Array.from({ length: rows }, (_, i) => String(i + 1)) : Array.from({ length: columns }, (_, i) => String.fromCharCode(97 + i));
  return face < 2 ? names : names.reverse();
}

function fromAbove(board, x, y, paints, marked) {
  const squares = plan(board).flatMap((square) => {
    const [left, up] = [x + square.across * CELL, y + (board.rows - 1 - square.depth) * CELL];
    return [cell({ ...square, depth: 0 }, left, up, paints, marked),
      svg("text", { x: left + CELL / 2, y: up + CELL / 2 + 8, class: "tower-level", "data-paint": paintOf(square.cell, paints) }, String(square.level + 1))];
  });
  return svg("g", { class: "plan" },
    svg("text", { x: x + (board.columns * CELL) / 2, y: y - 12, class: "tower-words" }, translate("From above")),
    svg("rect", { x, y, width: board.columns * CELL, height: board.rows * CELL, class: "tower-ground" }), ...squares);
}

function paintOf(sign, paints) {
  return sign === "?" ? null : paints[isUpper(sign) ? 1 : 0];
}

function cell({ cell: sign, depth, place }, x, y, paints, marked) {
  const name = cellName(place);
  const square = { x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 4 };
  return svg("g", { "data-cell": name, "data-sign": sign, class: depth ? "tower-deep" : null },
    svg("rect", { ...square, class: sign === "?" ? "tower-cell tower-unseen" : "tower-cell", "data-paint": paintOf(sign, paints) }),
    marked.has(name) ? svg("rect", { ...square, class: "mark mark-illegal tower-mark" }) : null);
}

function hatching() {
  return svg("defs", {}, svg("pattern", { id: "unseen", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 9, height: 9, class: "hatch-ground" }), svg("path", { d: "M 0 0 V 9", class: "hatch" })));
}

function described(board, paints) {
  const cells = board.levels.flat();
  const of = (upper) => cells.filter((sign) => !".?".includes(sign) && isUpper(sign) === upper).length;
  const told = paints.map((word, index) => translate("{who}: {n} squares", { who: nameOf(word), n: of(index === 1) }));
  return [translate("The tower, {n} levels high", { n: board.levels.length }), ...told].join(". ");
}

// Buttons that turn it.
export function towerTools() {
  const turn = (by, sign, words) => html("button", { type: "button", class: "icon-button", "data-key": `tower-${sign}`, "aria-label": words, title: words,
    click: () => keep("side", String((side() + by) % 4)) }, icon(sign));
  return [turn(3, "left", translate("Turn the tower to the left")), turn(1, "right", translate("Turn the tower to the right"))];
}
