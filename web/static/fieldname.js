// Names of fields: a letter for the column, then the row, both from the near left. Pure.

/**
 * @param {number} row from 0
 * @param {number} col from 0
 */
export function fieldName(row, col) {
  return `${String.fromCharCode(65 + col)}${row + 1}`;
}
