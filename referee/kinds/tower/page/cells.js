// A tower's cells as its sides show them, and how they change. Pure.
//
// A cell is "." (empty), "?" (not seen) or tells where its bar's other half lies: n e s w in the same level, u up, d down, x
// not known; lower case in the first of the tower's two colours, upper case in the second.

/** @typedef {{ columns: number, rows: number, levels: string[][] }} Tower */
/** @typedef {{ level: number, row: number, column: number }} Place all from 0; row 0 is in front, column 0 at the left */
/** @typedef {{ cell: string, across: number, level: number, depth: number, place: Place }} Square */

/** @type {Record<string, [number, number, number]>} level, row, column */
const WAYS = { n: [0, 1, 0], s: [0, -1, 0], e: [0, 0, 1], w: [0, 0, -1], u: [1, 0, 0], d: [-1, 0, 0] };
const BACK = /** @type {Record<string, string>} */ ({ n: "s", s: "n", e: "w", w: "e", u: "d", d: "u" });

/**
 * Levels of a tower text, from the lowest up.
 * @param {string} text
 * @param {{ columns: number, rows: number }} like
 * @returns {Tower}
 */
export function towerOf(text, like) {
  const levels = text ? text.split("/").map((level) => [...level]) : [];
  return { ...like, levels };
}

/** @param {Tower} tower */
export function towerText({ levels }) {
  const kept = [...levels];
  while (kept.length && kept[kept.length - 1].every((cell) => cell === ".")) kept.pop();
  return kept.map((level) => level.join("")).join("/");
}

/**
 * @param {Tower} tower
 * @param {Place} place
 * @returns {string} "." outside the tower
 */
export function cellAt({ levels, columns, rows }, { level, row, column }) {
  if (row < 0 || column < 0 || row >= rows || column >= columns) return ".";
  return levels[level]?.[(rows - 1 - row) * columns + column] ?? ".";
}

/** @param {Place} place */
export function cellName({ level, row, column }) {
  return `${String.fromCharCode(97 + column)}${row + 1}.${level + 1}`;
}

/**
 * What is seen from a side: 0 the front, then 1 the right, 2 the back, 3 the left. Of each column of squares the nearest;
 * depth: how far behind the face it lies.
 * @param {Tower} tower
 * @param {number} side
 * @returns {Square[]}
 */
export function elevation(tower, side) {
  const { columns, rows, levels } = tower;
  const [wide, deep] = side % 2 ? [rows, columns] : [columns, rows];
  /** @type {Square[]} */
  const squares = [];
  for (let level = 0; level < levels.length; level += 1) {
    for (let across = 0; across < wide; across += 1) {
      for (let depth = 0; depth < deep; depth += 1) {
        const place = { level, ...standing(side, across, depth, columns, rows) };
        const cell = cellAt(tower, place);
        if (cell === ".") continue;
        squares.push({ cell, across, level, depth, place });
        break;
      }
    }
  }
  return squares;
}

/**
 * @param {number} side
 * @param {number} across
 * @param {number} depth
 * @param {number} columns
 * @param {number} rows
 */
function standing(side, across, depth, columns, rows) {
  return [
    { row: depth, column: across },
    { row: across, column: columns - 1 - depth },
    { row: rows - 1 - depth, column: columns - 1 - across },
    { row: rows - 1 - across, column: depth },
  ][side];
}

/**
 * The tower from above: of each column of cells the highest.
 * @param {Tower} tower
 * @returns {Square[]} across: its column; depth: its row
 */
export function plan(tower) {
  /** @type {Square[]} */
  const squares = [];
  for (let row = 0; row < tower.rows; row += 1) {
    for (let column = 0; column < tower.columns; column += 1) {
      for (let level = tower.levels.length - 1; level >= 0; level -= 1) {
        const place = { level, row, column };
        const cell = cellAt(tower, place);
        if (cell === ".") continue;
        squares.push({ cell, across: column, level, depth: row, place });
        break;
      }
    }
  }
  return squares;
}

/** @param {string} cell */
export function isUpper(cell) {
  return cell !== cell.toLowerCase();
}

/**
 * The tower with a cell changed: the bar that lay there goes, whole, and what is put there brings its other half.
 * @param {Tower} tower
 * @param {Place} place
 * @param {string} cell
 * @returns {Tower} the same where the other half would lie outside
 */
export function put(tower, place, cell) {
  const way = WAYS[cell.toLowerCase()];
  const other = way ? { level: place.level + way[0], row: place.row + way[1], column: place.column + way[2] } : null;
  if (other && (other.level < 0 || other.row < 0 || other.column < 0 || other.row >= tower.rows || other.column >= tower.columns)) return tower;
  const levels = tower.levels.map((level) => [...level]);
  const highest = Math.max(place.level, other?.level ?? 0);
  while (levels.length <= highest) levels.push(Array(tower.rows * tower.columns).fill("."));
  const changed = { ...tower, levels };
  for (const at of other ? [place, other] : [place]) remove(changed, at);
  set(changed, place, cell);
  if (other) {
    const back = BACK[cell.toLowerCase()];
    set(changed, other, isUpper(cell) ? back.toUpperCase() : back);
  }
  return changed;
}

/**
 * @param {Tower} tower
 * @param {Place} place
 */
function remove(tower, place) {
  const way = WAYS[cellAt(tower, place).toLowerCase()];
  set(tower, place, ".");
  if (!way) return;
  const other = { level: place.level + way[0], row: place.row + way[1], column: place.column + way[2] };
  if (cellAt(tower, other) !== ".") set(tower, other, ".");
}

/**
 * @param {Tower} tower
 * @param {Place} place
 * @param {string} cell
 */
function set({ levels, columns, rows }, { level, row, column }, cell) {
  levels[level][(rows - 1 - row) * columns + column] = cell;
}

/**
 * Names of the squares that are not told: not seen, or without their other half.
 * @param {Tower} tower
 */
export function untold(tower) {
  return placesOf(tower).filter((place) => "?xX".includes(cellAt(tower, place))).map(cellName);
}

/**
 * All places of a tower, and those of the level above it.
 * @param {Tower} tower
 * @returns {Place[]}
 */
export function placesOf({ levels, rows, columns }) {
  return Array.from({ length: levels.length + 1 }, (_, level) => Array.from({ length: rows }, (_r, row) =>
    Array.from({ length: columns }, (_c, column) => ({ level, row: rows - 1 - row, column })))).flat(2);
}

/**
 * What lies in the cells in which a tower differs from another, by their names.
 * @param {Tower} tower
 * @param {Tower} before
 * @returns {Record<string, string>}
 */
export function changes(tower, before) {
  const places = placesOf(tower.levels.length > before.levels.length ? tower : before);
  return Object.fromEntries(places.filter((place) => cellAt(tower, place) !== cellAt(before, place))
    .map((place) => [cellName(place), cellAt(tower, place)]));
}
