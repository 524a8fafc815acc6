// A tower in words: which bars lie over each field, from below.

import { fieldName } from "/static/fieldname.js";
import { translate, translateN } from "/static/i18n.js";
import { bars, over } from "./bars.js";
import { cellAt } from "./cells.js";

// How a bar lies, in the words of the tools that lay it.
export function lying({ light, along }) {
  const words = light
    ? { e: translate("a light one across"), n: translate("a light one away from you"), u: translate("a light one upright") }
    : { e: translate("a dark one across"), n: translate("a dark one away from you"), u: translate("a dark one upright") };
  return words[along];
}

export function named(field, n, lain = "") {
  return lain
    ? translateN("{field}: {n} bar: {bars}", "{field}: {n} bars, from below: {bars}", n, { field, bars: lain })
    : translateN("{field}: {n} bar", "{field}: {n} bars", n, { field });
}

/**
 * What lies over one field, and in which levels it is not known.
 * @param {import("./cells.js").Tower & { text: string }} tower
 * @param {{ row: number, column: number }} place
 */
export function fieldWords(tower, { row, column }) {
  const found = over(bars(tower.text, tower), { row, col: column });
  const words = named(fieldName(row, column), found.length, found.map(lying).join(", "));
  const open = tower.levels.flatMap((_, level) => ("?xX".includes(cellAt(tower, { level, row, column })) ? [level + 1] : []));
  if (!open.length) return words;
  const unknown = translateN("not known in level {levels}", "not known in levels {levels}", open.length, { levels: open.join(", ") });
  return `${words}; ${unknown}`;
}

// Every field of a tower, the front row first.
export function stackWords(tower) {
  return Array.from({ length: tower.rows }, (_, row) => Array.from({ length: tower.columns }, (_c, column) => fieldWords(tower, { row, column }))).flat();
}
