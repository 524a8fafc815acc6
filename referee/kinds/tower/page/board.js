// A tower from its four sides and from above, with its side to the front that is turned there.

import { html, svg } from "/static/dom.js";
import { fieldName } from "/static/fieldname.js";
import { fieldWalk } from "/static/fieldwalk.js";
import { translate, translateN } from "/static/i18n.js";
import { icon } from "/static/icons.js";
import { nameOf } from "/static/paints.js";
import { keep, side } from "/static/prefs.js";
import { fieldWords, stackWords } from "./barwords.js";
import { cellName, elevation, isUpper, plan } from "./cells.js";

const CELL = 44;
const GAP = 34;
const HEAD = 40;
const FOOT = 34;
const FEWEST_LEVELS = 3;
const LOW = 6; // levels
const SCORES = 26;
const PICTURES = ["south", "east", "north", "west"];

// The two colours of a tower's cells: words of pieces, lower case first.
export function paintsOf(board, kit) {
  return board.paints ?? kit.pieces.slice(0, 2).map(({ word }) => word);
}

// What a side or the roof gives at the end: the names of the cells that count, and the points by the word of a colour.
function givenBy(board, picture) {
  const own = (board.areas ?? []).filter((area) => area.picture === picture);
  return { counted: new Set(own.flatMap(({ cells }) => cells)), points: own };
}

// options: kit, marks {fields, tone}, side, walk (whether fields are walked over with keys). A low tower has its sides two by two and the plan beside them, a high one has
// them in a row and the plan below, so that it is drawn as large as there is room.
export function drawTower(node, board, { kit, marks = null, side: turned = 0, walk = false }) {
  const paints = paintsOf(board, kit);
  const marked = new Set(marks?.fields ?? []);
  const levels = Math.max(FEWEST_LEVELS, board.levels.length);
  const inRow = levels > LOW ? 4 : 2;
  const high = levels * CELL;
  const foot = board.areas ? FOOT + SCORES : FOOT;
  const [across, down] = [Math.max(board.columns, board.rows) * CELL + GAP, HEAD + high + foot];
  const [width, height] = [board.columns * CELL, board.rows * CELL];
  const above = inRow === 4 ? { x: (4 * across - GAP - width) / 2, y: down + HEAD } : { x: 2 * across + GAP / 2, y: down - height / 2 };
  const whole = inRow === 4 ? { width: 4 * across - GAP, height: above.y + height + foot } : { width: above.x + width, height: 2 * down };
  const words = [translate("Front"), translate("Right"), translate("Back"), translate("Left")];
  node.setAttribute("viewBox", `${-GAP / 2} 0 ${whole.width + GAP} ${whole.height}`);
  node.setAttribute("role", walk ? "group" : "img");
  node.setAttribute("aria-label", told(board, paints).join(". "));
  node.replaceChildren(hatching(), ...words.map((name, index) => {
    const face = (index + turned) % 4;
    const [x, y] = [(index % inRow) * across, Math.floor(index / inRow) * down];
    const given = givenBy(board, PICTURES[face]);
    const squares = elevation(board, face).map((square) =>
      cell(square, x + square.across * CELL, y + HEAD + high - (square.level + 1) * CELL, paints, marked, given.counted));
    return view(x, y, name, high, [...squares, ...points(given, x, y + HEAD + high + FOOT)], under(board, face));
  }), fromAbove(board, above.x, above.y, paints, marked), ...(walk ? [fieldWalk(fields(board, above.x, above.y))] : []));
}

// The plan's fields, the back row first.
function fields(board, x, y) {
  return Array.from({ length: board.rows }, (_, down) => Array.from({ length: board.columns }, (_c, column) => {
    const row = board.rows - 1 - down;
    return { name: fieldName(row, column), words: fieldWords(board, { row, column }), x: x + column * CELL + 2, y: y + down * CELL + 2, width: CELL - 4, height: CELL - 4 };
  }));
}

// Each player's points of one picture, beside the player's colour.
function points(given, x, y) {
  return given.points.map(({ player, points: n }, index) => svg("g", { class: "tower-points", "data-points": player },
    svg("rect", { x: x + index * 66, y: y - 4, width: 16, height: 16, rx: 3, class: "tower-cell", "data-paint": player }),
    svg("text", { x: x + index * 66 + 24, y: y + 10, class: "tower-words tower-count" }, String(n))));
}

function view(x, y, words, high, squares, names) {
  const width = names.length * CELL;
  const base = y + HEAD + high;
  return svg("g", { class: "elevation" },
    svg("text", { x: x + width / 2, y: y + HEAD - 14, class: "tower-words" }, words), ...squares,
    svg("path", { d: `M ${x - 8} ${base} h ${width + 16}`, class: "tower-base" }),
    ...names.map((name, index) => svg("text", { x: x + index * CELL + CELL / 2, y: base + 24, class: "tower-words tower-name" }, name)));
}

// The names of columns or rows below a side, from the left.
function under({ columns, rows }, face) {
  const names = face % 2 ? Array.from({ length: rows }, (_, i) => String(i + 1)) : Array.from({ length: columns }, (_, i) => String.fromCharCode(97 + i));
  return face < 2 ? names : names.reverse();
}

function fromAbove(board, x, y, paints, marked) {
  const given = givenBy(board, "roof");
  const squares = plan(board).flatMap((square) => {
    const [left, up] = [x + square.across * CELL, y + (board.rows - 1 - square.depth) * CELL];
    return [cell({ ...square, depth: 0 }, left, up, paints, marked, given.counted),
      svg("text", { x: left + CELL / 2, y: up + CELL / 2 + 8, class: "tower-level", "data-paint": paintOf(square.cell, paints) }, String(square.level + 1))];
  });
  return svg("g", { class: "plan" },
    svg("text", { x: x + (board.columns * CELL) / 2, y: y - 12, class: "tower-words" }, translate("From above")),
    svg("rect", { x, y, width: board.columns * CELL, height: board.rows * CELL, class: "tower-ground" }), ...squares,
    ...points(given, x, y + board.rows * CELL + 12));
}

function paintOf(sign, paints) {
  return sign === "?" ? null : paints[isUpper(sign) ? 1 : 0];
}

function cell({ cell: sign, depth, place }, x, y, paints, marked, counted) {
  const name = cellName(place);
  const square = { x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 4 };
  return svg("g", { "data-cell": name, "data-sign": sign, class: depth ? "tower-deep" : null },
    svg("rect", { ...square, class: sign === "?" ? "tower-cell tower-unseen" : "tower-cell", "data-paint": paintOf(sign, paints) }),
    counted.has(name) ? svg("rect", { ...square, x: square.x + 5, y: square.y + 5, width: CELL - 13, height: CELL - 13, class: "tower-counted", "data-paint": paintOf(sign, paints) }) : null,
    marked.has(name) ? svg("rect", { ...square, class: "mark mark-illegal tower-mark" }) : null);
}

function hatching() {
  return svg("defs", {}, svg("pattern", { id: "unseen", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 9, height: 9, class: "hatch-ground" }), svg("path", { d: "M 0 0 V 9", class: "hatch" })));
}

// For whoever can't see it: how high it is, and every field's bars.
export function told(board, paints) {
  const cells = board.levels.flat();
  const of = (upper) => cells.filter((sign) => !".?".includes(sign) && isUpper(sign) === upper).length;
  const squares = paints.map((word, index) => translateN("{who}: {n} square", "{who}: {n} squares", of(index === 1), { who: nameOf(word) }));
  return [translateN("The tower, {n} level high", "The tower, {n} levels high", board.levels.length), ...squares, ...(board.levels.length ? stackWords(board) : [])];
}

// Buttons that turn it.
export function towerTools() {
  const turn = (by, sign, words) => html("button", { type: "button", class: "icon-button", "data-key": `tower-${sign}`, "aria-label": words, title: words,
    click: () => keep("side", String((side() + by) % 4)) }, icon(sign));
  return [turn(3, "left", translate("Turn the tower to the left")), turn(1, "right", translate("Turn the tower to the right"))];
}
