// A tower's bars, out of its text, as hands lay them. Pure.

import { cellName } from "./cells.js";

/** @typedef {{ columns: number, rows: number }} Size */
/** @typedef {{ col: number, row: number, level: number, along: string, light: boolean }} Bar by its lower, western or
 * southern half; along: "e" or "n" lying, "u" upright */

/** @type {Record<string, [number, number, number]>} column, row, level of the other half */
const STEPS = { e: [1, 0, 0], n: [0, 1, 0], u: [0, 0, 1] };

/**
 * @param {string} text
 * @param {Size} size
 * @returns {Bar[]}
 */
export function bars(text, { columns, rows }) {
  return (text ? text.split("/") : []).flatMap((signs, level) => [...signs].flatMap((sign, place) => {
    const along = sign.toLowerCase();
    if (!(along in STEPS)) return [];
    return [{ col: place % columns, row: rows - 1 - Math.floor(place / columns), level, along, light: sign !== along }];
  }));
}

/** @param {Omit<Bar, "light">} bar */
export function barName({ col, row, level, along }) {
  const low = cellName({ level, row, column: col });
  if (along === "u") return `${low}^`;
  const [x, y] = STEPS[along];
  return `${low.split(".")[0]}${cellName({ level, row: row + y, column: col + x })}`;
}

/**
 * The bar that comes to lie when a hand lets go of one over a column.
 * @param {Bar[]} found
 * @param {{ col: number, row: number }} over
 * @param {string} along
 * @param {Size} size
 * @returns {Omit<Bar, "light"> | null} null where there is no room
 */
export function dropped(found, { col, row }, along, size) {
  const [x, y] = STEPS[along];
  if (col + x >= size.columns || row + y >= size.rows) {
    return along === "u" ? null : dropped(found, { col: col - x, row: row - y }, along, size);
  }
  return { col, row, level: Math.max(highest(found, { col, row }), highest(found, { col: col + x, row: row + y })), along };
}

/**
 * How many levels of a column are filled, so that the next bar comes to lie on top.
 * @param {Bar[]} found
 * @param {{ col: number, row: number }} column
 */
export function highest(found, column) {
  return Math.max(0, ...over(found, column).map((bar) => topOf(bar)));
}

/**
 * The bars over a column, whichever of their halves lies there, the lowest first.
 * @param {Bar[]} found
 * @param {{ col: number, row: number }} column
 */
export function over(found, { col, row }) {
  return found.filter((bar) => {
    const [x, y] = STEPS[bar.along];
    return (bar.col === col && bar.row === row) || (bar.col + x === col && bar.row + y === row);
  }).sort((one, other) => one.level - other.level);
}

/** @param {Bar} bar */
function topOf({ level, along }) {
  return level + STEPS[along][2] + 1;
}
