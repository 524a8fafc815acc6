// What an edited board counts, and why it can't be right. Pure.

/** @typedef {import("./boardtext.js").Board} Board */
/** @typedef {{ stones: number, before: number, missing: number, many: { word: string, count: number, most: number }[] }} Counts */

/**
 * @param {Board} board as edited
 * @param {Board} start as it was
 * @param {{ pieces: { word: string, most: number }[] }} kit
 * @param {number | null} conserved how many stones there must be; null where that is open
 * @returns {Counts} missing: stones too few, negative where there are too many
 */
export function counts(board, start, kit, conserved) {
  const stones = sum(board);
  const many = kit.pieces
    .map(({ word, most }) => ({ word, most, count: board.fields.filter(({ piece }) => piece === word).length }))
    .filter(({ count, most }) => count > most);
  return { stones, before: sum(start), missing: conserved === null ? 0 : conserved - stones, many };
}

/** @param {Board} board */
function sum({ fields }) {
  return fields.reduce((all, { height }) => all + (height ?? 0), 0);
}
