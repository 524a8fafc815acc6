// What lies on a virtual table, out of a board text: stacks with pieces. Pure.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * @param {string} text
 * @returns {{ height: number, piece: string }[][]} by row and column, row 0 the nearest
 */
export function stacks(text) {
  return text.split("/").reverse().map((line) => {
    const fields = /** @type {{ height: number, piece: string }[]} */ ([]);
    for (const sign of line) {
      const height = DIGITS.indexOf(sign);
      if (height >= 0) fields.push({ height, piece: "" });
      else if (fields.length) fields[fields.length - 1].piece = sign;
    }
    return fields;
  });
}
