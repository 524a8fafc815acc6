// Board text (docs/reference/state.md) to fields and back: a height is one digit to base 36, a piece the letter after it. Pure.

/** @typedef {{ name: string, height: number | null, piece: string | null }} Field */
/** @typedef {{ kind?: string, text?: string, columns: string[], rows: (string | number)[], fields: Field[] }} Board */
/** @typedef {{ columns: string[], rows: (string | number)[], pieces: { letter: string, word: string }[] }} Kit */

const UNKNOWN_PIECE = "~";

/**
 * Columns, rows (the highest first) and fields of a board text.
 * @param {string} text
 * @param {Kit} kit
 * @returns {Board}
 */
export function boardOf(text, kit) {
  const words = new Map(kit.pieces.map(({ letter, word }) => [letter, word]));
  const fields = text.split("/").flatMap((line, row) => cut(line, kit).map((sign, column) => field(sign, `${kit.columns[column]}${kit.rows[row]}`, words)));
  return { kind: "grid", text, columns: kit.columns, rows: kit.rows, fields };
}

/**
 * @param {string} sign
 * @param {string} name
 * @param {Map<string, string>} words
 * @returns {Field}
 */
function field(sign, name, words) {
  const [height, letter] = [sign[0], sign.slice(1)];
  return { name, height: height === "?" ? null : parseInt(height, 36), piece: letter ? words.get(letter) ?? "?" : null };
}

/**
 * A row's fields, each a height and what follows it. `?` is a height; rows in which it stood for a piece, as it once did,
 * are understood where they can be cut in one way only.
 * @param {string} line
 * @param {Kit} kit
 * @returns {string[]}
 */
function cut(line, kit) {
  const letters = kit.pieces.map(({ letter }) => letter).join("");
  const now = line.match(new RegExp(`[0-9A-Z?][${letters}${UNKNOWN_PIECE}]?`, "g")) ?? [];
  if (now.length === kit.columns.length && now.join("") === line) return now;
  const ways = cuts(line, kit.columns.length, `${letters}${UNKNOWN_PIECE}?`);
  return ways.length === 1 ? ways[0] : kit.columns.map(() => `?${UNKNOWN_PIECE}`);
}

/**
 * @param {string} line
 * @param {number} fields
 * @param {string} letters
 * @returns {string[][]} every way to cut a row into so many fields
 */
function cuts(line, fields, letters) {
  if (!fields) return line ? [] : [[]];
  if (line.length < fields || line.length > 2 * fields || !/^[0-9A-Z?]/.test(line)) return [];
  const alone = cuts(line.slice(1), fields - 1, letters).map((rest) => [line[0], ...rest]);
  if (line.length < 2 || !letters.includes(line[1])) return alone;
  return [...alone, ...cuts(line.slice(2), fields - 1, letters).map((rest) => [line.slice(0, 2), ...rest])];
}

/**
 * @param {Board} board
 * @param {Kit} kit
 */
export function textOf(board, kit) {
  const signs = board.fields.map((field) => signOf(field, kit));
  const across = board.columns.length;
  return board.rows.map((_, row) => signs.slice(row * across, (row + 1) * across).join("")).join("/");
}

/**
 * A field as board text writes it.
 * @param {Field} field
 * @param {Kit} kit
 */
function signOf({ height, piece }, kit) {
  const letter = kit.pieces.find(({ word }) => word === piece)?.letter ?? UNKNOWN_PIECE;
  return (height === null ? "?" : height.toString(36).toUpperCase()) + (piece ? letter : "");
}

/**
 * What stands on some fields, as board text writes it, by their names.
 * @param {Board} board
 * @param {string[]} names
 * @param {Kit} kit
 * @returns {Record<string, string>}
 */
export function standing(board, names, kit) {
  return Object.fromEntries(board.fields.filter(({ name }) => names.includes(name)).map((field) => [field.name, signOf(field, kit)]));
}

/**
 * Whether it is told which piece stands there.
 * @param {string | null | undefined} piece
 */
export function isPiece(piece) {
  return Boolean(piece) && piece !== "?";
}

/**
 * Names of the fields in which two boards of one size differ.
 * @param {Board} one
 * @param {Board} other
 */
export function differing(one, other) {
  return one.fields.filter((found, index) =>
    found.height !== other.fields[index].height || (found.piece ?? null) !== (other.fields[index].piece ?? null))
    .map((found) => found.name);
}
