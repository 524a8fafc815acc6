// What lies on a virtual table, out of the game's text: stacks with pieces, or bars. Pure.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// A board text: rows[row][col] = {height, piece}, row 0 the nearest.
export function stacks(text) {
  return text.split("/").reverse().map((line) => {
    const fields = [];
    for (const sign of line) {
      const height = DIGITS.indexOf(sign);
      if (height >= 0) fields.push({ height, piece: "" });
      else if (fields.length) fields[fields.length - 1].piece = sign;
    }
    return fields;
  });
}

export function fieldName(row, col) {
  return `${String.fromCharCode(65 + col)}${row + 1}`;
}

const STEPS = { e: [1, 0, 0], w: [-1, 0, 0], n: [0, 1, 0], s: [0, -1, 0], u: [0, 0, 1], d: [0, 0, -1] };

// A tower text: bars {col, row, level, along: "e" | "n" | "u", light}, by their lower, western or southern half.
export function bars(text) {
  const found = [];
  for (const [level, signs] of (text ? text.split("/") : []).entries()) {
    for (const [place, sign] of [...signs].entries()) {
      const along = sign.toLowerCase();
      if (!"enu".includes(along)) continue;
      found.push({ col: place % 3, row: 2 - Math.floor(place / 3), level, along, light: sign !== along });
    }
  }
  return found;
}

function cell(col, row, level) {
  return `${"abc"[col]}${row + 1}.${level + 1}`;
}

export function barName({ col, row, level, along }) {
  if (along === "u") return `${cell(col, row, level)}^`;
  const [x, y] = STEPS[along];
  return `${"abc"[col]}${row + 1}${cell(col + x, row + y, level)}`;
}

// The cells filled in a column, so that the next bar comes to lie on top.
export function tops(found) {
  const high = {};
  for (const { col, row, level, along } of found) {
    const [x, y, z] = STEPS[along];
    for (const [c, r, l] of [[col, row, level], [col + x, row + y, level + z]]) {
      high[`${c},${r}`] = Math.max(high[`${c},${r}`] ?? 0, l + 1);
    }
  }
  return high;
}

// The bar that comes to lie when a hand lets go of one over a column: along "u" upright, "e", "n" lying; null: no room.
export function dropped(found, col, row, along) {
  const high = tops(found);
  const [x, y] = STEPS[along];
  if (col + x > 2 || row + y > 2) return along === "u" ? null : dropped(found, col - x, row - y, along);
  const level = Math.max(high[`${col},${row}`] ?? 0, high[`${col + x},${row + y}`] ?? 0);
  return { col, row, level, along };
}
