// Correcting a tower: choose a level, touch a cell, and say which bar lies in it.

import { button, html } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { nameOf } from "/static/paints.js";
import { sign } from "/static/pieces.js";
import { stepper } from "/static/stepper.js";
import { changed, known } from "/static/store.js";
import { paintsOf } from "./board.js";
import { cellAt, cellName, changes, isUpper, placesOf, put, towerOf, towerText, untold } from "./cells.js";

const MOST_NAMED = 6;
const ARROWS = { n: "↑", s: "↓", e: "→", w: "←", u: "⤒", d: "⤓", x: "■", "?": "?", ".": "" };

export const towerEditor = {
  start: (state, what) => {
    const text = what === "correct" ? state.position[state.board.key ?? "board"] : towerText(state.board);
    return { ...state.board, ...towerOf(text, state.board) };
  },
  text: (board) => towerText(board),
  places: (board, state) => changes(board, towerOf(state.position[state.board.key ?? "board"], state.board)),
  differing: ({ board, start }) => placesOf(board).filter((place) => cellAt(board, place) !== cellAt(start, place)).map(cellName),
  summed: ({ board, start }) => translateN("{n} square changed", "{n} squares changed", towerEditor.differing({ board, start }).length),
  wrong: ({ board }) => refused(untold(board)),
  panel,
};

// Why a tower can't be sent: the squares that still want an answer, and what to do about them.
function refused(cells) {
  if (!cells.length) return null;
  const named = [...cells.slice(0, MOST_NAMED), ...(cells.length > MOST_NAMED ? ["…"] : [])].join(", ");
  return translateN("Not yet told: square {cells}. Touch it and choose how its bar lies, or “Empty”.",
    "Not yet told: {n} squares, {cells}. Touch each and choose how its bar lies, or “Empty”.", cells.length, { cells: named });
}

function set(place, cell) {
  const { editing } = known;
  editing.steps.push({ board: structuredClone(editing.board), chosen: editing.chosen });
  editing.board = put(editing.board, place, cell);
  changed();
}

function choose(chosen) {
  known.editing.chosen = chosen;
  changed();
}

function panel({ board, chosen }, { kit }) {
  const paints = paintsOf(board, kit);
  const highest = board.levels.length;
  const all = placesOf(board);
  const wanted = chosen ?? untold(board)[0];
  const at = all.find((place) => cellName(place) === wanted) ?? { ...all[0], level: Math.max(0, highest - 1) };
  const level = (by) => choose(cellName({ ...at, level: at.level + by }));
  const cells = html("div", { class: "tower-cells", role: "group", "aria-label": translate("Level {n}", { n: at.level + 1 }) },
    ...all.filter((place) => place.level === at.level).map((place) => cellButton(board, place, paints, cellName(place) === cellName(at))));
  cells.style.gridTemplateColumns = `repeat(${board.columns}, 60px)`;
  return html("div", { class: "tower-panel" },
    html("p", { class: "editor-hint" }, translate("Touch a square to change it.")),
    stepper(translate("Level {n}", { n: at.level + 1 }),
      { "data-key": "level-down", "aria-label": translate("one level down"), disabled: at.level === 0, click: () => level(-1) },
      { "data-key": "level-up", "aria-label": translate("one level up"), disabled: at.level >= highest, click: () => level(1) },
      { role: "group", "aria-label": translate("Level") }),
    cells,
    html("div", { class: "tower-choices" }, bars(board, at, paints)),
    legend());
}

// What the signs mean: those on the buttons, and those of squares that are not told.
function legend() {
  const told = [
    ["↑ ↓ ← →", translate("The bar lies, and goes on this way. The top row is the back of the tower.")],
    ["⤒ ⤓", translate("The bar stands, and goes on one level up, or down.")],
    ["■", translate("How the bar lies is not told.")],
    ["?", translate("Whether there is a bar is not told.")],
  ];
  return html("ul", { class: "tower-legend" }, ...told.map(([signs, words]) =>
    html("li", {}, html("span", { "aria-hidden": "true" }, signs), html("span", {}, words))));
}

function cellButton(board, place, paints, chosen) {
  const cell = cellAt(board, place);
  const paint = cell === "." || cell === "?" ? null : paints[isUpper(cell) ? 1 : 0];
  const way = cell.toLowerCase();
  const lies = way === "x" ? translate("how it lies is not told") : ways()[way];
  const words = paint ? `${nameOf(paint)}, ${lies}` : cell === "?" ? translate("not known") : translate("empty");
  return html("button", { type: "button", class: "tower-square", "data-key": `cell-${cellName(place)}`, "data-paint": paint, "data-sign": cell,
    "aria-pressed": String(chosen), "aria-label": `${cellName(place)}: ${words}`, click: () => choose(cellName(place)) }, ARROWS[way]);
}

function ways() {
  return { n: translate("to the back"), s: translate("to the front"), e: translate("to the right"), w: translate("to the left"), u: translate("upwards"), d: translate("downwards") };
}

// What may lie in the cell: a bar of either colour, its other half where there is room for it, or nothing.
function bars(board, at, paints) {
  const now = cellAt(board, at);
  const offered = ["n", "s", "e", "w", "u", "d"].filter((way) => put(board, at, way) !== board);
  const words = ways();
  return [
    ...paints.map((paint, index) => html("div", { class: "row", role: "group", "aria-label": nameOf(paint) }, sign(paint),
      ...offered.map((way) => {
        const cell = index ? way.toUpperCase() : way;
        return html("button", { type: "button", class: "tower-way", "data-key": `bar-${cell}`, "aria-pressed": String(now === cell),
          "aria-label": translate("{who}, lying or standing {way}", { who: nameOf(paint), way: words[way] }), click: () => set(at, cell) }, ARROWS[way]);
      }))),
    button(translate("Empty"), () => set(at, "."), { "data-key": "bar-none", disabled: now === "." }),
  ];
}
