// A board of buttons of which one is in the order of the Tab key; arrow keys lead from there to the others.

/** @type {Record<string, [number, number]>} rows and columns */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

/** @typedef {{ row: number, col: number }} Spot row from 0 at the near side, col from 0 at the left */

/**
 * Where a key leads on a board.
 * @param {Spot} from
 * @param {string} key
 * @param {{ rows: number, columns: number }} size
 * @returns {Spot | null} null for another key; at the rim the place one is at
 */
export function stepped({ row, col }, key, { rows, columns }) {
  const step = STEPS[key];
  return step ? { row: within(row + step[0], rows), col: within(col + step[1], columns) } : null;
}

/** @param {number} at @param {number} count */
function within(at, count) {
  return Math.min(count - 1, Math.max(0, at));
}

/**
 * What a button of such a board listens to.
 * @param {Spot} spot where the button is
 * @param {{ at: Spot, size: () => { rows: number, columns: number }, keyOf: (spot: Spot) => string }} board at: which button is
 *   in the order of the Tab key; it changes. keyOf: the data-key of a button
 * @returns {Record<string, unknown>} attributes
 */
export function roving(spot, { at, size, keyOf }) {
  return {
    tabindex: spot.row === at.row && spot.col === at.col ? 0 : -1,
    focus: ({ currentTarget }) => {
      for (const other of boardOf(currentTarget).querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", "-1");
      currentTarget.setAttribute("tabindex", "0");
      Object.assign(at, { row: spot.row, col: spot.col });
    },
    keydown: (event) => {
      const next = event.ctrlKey || event.altKey || event.metaKey ? null : stepped(spot, event.key, size());
      if (!next) return;
      const found = boardOf(event.currentTarget).querySelector(`[data-key="${CSS.escape(keyOf(next))}"]`);
      if (found instanceof HTMLElement) found.focus();
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** @param {HTMLElement} button */
function boardOf(button) {
  return /** @type {HTMLElement} */ (button.closest("[data-board]"));
}
