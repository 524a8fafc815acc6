// Correcting a tower: choose a level, touch a cell, and say which bar lies in it.

import { button, html } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { nameOf } from "/static/paints.js";
import { sign } from "/static/pieces.js";
import { stepper } from "/static/stepper.js";
import { changed, known } from "/static/store.js";
import { paintsOf } from "./board.js";
import { cellAt, cellName, isUpper, put, towerOf, towerText, untold } from "./cells.js";

const ARROWS = { n: "↑", s: "↓", e: "→", w: "←", u: "⤒", d: "⤓", x: "■", "?": "?", ".": "" };

export const towerEditor = {
  start: (state, what) => {
    const text = what === "correct" ? state.position[state.board.key ?? "board"] : towerText(state.board);
    return { ...state.board, ...towerOf(text, state.board) };
  },
  text: (board) => towerText(board),
  differing: ({ board, start }) => places(board).filter((place) => cellAt(board, place) !== cellAt(start, place)).map(cellName),
  summed: ({ board, start }) => translateN("{n} square changed", "{n} squares changed", towerEditor.differing({ board, start }).length),
  wrong: ({ board }) => (untold(board)
    ? translateN("Of {n} square it is not told how its bar lies.", "Of {n} squares it is not told how their bars lie.", untold(board)) : null),
  panel,
};

function places({ levels, rows, columns }) {
  return Array.from({ length: levels.length + 1 }, (_, level) => Array.from({ length: rows }, (_r, row) =>
    Array.from({ length: columns }, (_c, column) => ({ level, row: rows - 1 - row, column })))).flat(2);
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
  const all = places(board);
  const at = all.find((place) => cellName(place) === chosen) ?? { ...all[0], level: Math.max(0, highest - 1) };
  const level = (by) => choose(cellName({ ...at, level: at.level + by }));
  return html("div", { class: "tower-panel" },
    html("p", { class: "editor-hint" }, translate("Touch a square to change it.")),
    stepper(translate("Level {n}", { n: at.level + 1 }),
      { "data-key": "level-down", "aria-label": translate("one level down"), disabled: at.level === 0, click: () => level(-1) },
      { "data-key": "level-up", "aria-label": translate("one level up"), disabled: at.level >= highest, click: () => level(1) },
      { role: "group", "aria-label": translate("Level") }),
    html("div", { class: "tower-cells", role: "group", "aria-label": translate("Level {n}", { n: at.level + 1 }) },
      ...all.filter((place) => place.level === at.level).map((place) => cellButton(board, place, paints, cellName(place) === cellName(at)))),
    html("div", { class: "tower-choices" }, bars(board, at, paints)));
}

function cellButton(board, place, paints, chosen) {
  const cell = cellAt(board, place);
  const paint = cell === "." || cell === "?" ? null : paints[isUpper(cell) ? 1 : 0];
  return html("button", { type: "button", class: "tower-square", "data-key": `cell-${cellName(place)}`, "data-paint": paint, "data-sign": cell,
    "aria-pressed": String(chosen), "aria-label": `${cellName(place)}: ${paint ? nameOf(paint) : cell === "?" ? translate("not known") : translate("empty")}`,
    click: () => choose(cellName(place)) }, ARROWS[cell.toLowerCase()]);
}

// What may lie in the cell: a bar of either colour, its other half where there is room for it, or nothing.
function bars(board, at, paints) {
  const now = cellAt(board, at);
  const offered = ["n", "s", "e", "w", "u", "d"].filter((way) => put(board, at, way) !== board);
  const words = { n: translate("to the back"), s: translate("to the front"), e: translate("to the right"), w: translate("to the left"), u: translate("upwards"), d: translate("downwards") };
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
