// Fields to walk over with the arrow keys, for whoever hears a board: each says what stands on it, and nothing is done to it.

import { svg } from "./dom.js";
import { translate } from "./i18n.js";

/** @typedef {{ name: string, words: string, x: number, y: number, width: number, height: number }} Spot */

/** @type {Record<string, [number, number]>} rows, columns */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const EDGES = { Home: () => 0, End: (row) => row.length - 1 };

let at = ""; // the field that was come to last: there the walk goes on

/**
 * One field is in the order of the Tab key; arrow keys lead from there.
 * @param {Spot[][]} rows as they are drawn, the uppermost first, each from the left
 */
export function fieldWalk(rows) {
  const first = rows.flat().some(({ name }) => name === at) ? at : rows.at(-1)?.[0]?.name;
  return svg("g", { class: "layer-walk", role: "grid", "aria-label": translate("Fields, from one to the next with the arrow keys"), focusin: come },
    ...rows.map((row, down) => svg("g", { role: "row" }, ...row.map(({ name, words, x, y, width, height }, across) => svg("rect", {
      x, y, width, height, class: "walk", role: "gridcell", tabindex: name === first ? 0 : -1, "aria-label": words, "data-key": `walk-${name}`, "data-walk": name,
      keydown: (event) => {
        const step = STEPS[event.key];
        const next = step ? rows[down + step[0]]?.[across + step[1]] : row[EDGES[event.key]?.(row)];
        if (!step && !next) return;
        event.preventDefault();
        if (next) event.target.closest("[role=grid]").querySelector(`[data-walk="${CSS.escape(next.name)}"]`)?.focus();
      },
    })))));
}

function come({ target, currentTarget }) {
  at = target.dataset.walk;
  for (const cell of currentTarget.querySelectorAll("[data-walk]")) cell.setAttribute("tabindex", cell === target ? 0 : -1);
}
