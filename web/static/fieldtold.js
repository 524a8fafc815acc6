// A field and what stands on it, in words.

import { byNumber, translate, translateN } from "./i18n.js";

/**
 * @param {{ kind: string, stone: string, stones: string }} kit
 * @param {string} field its name
 * @param {number} n stones, or bars
 * @param {string} [piece] name of what stands on them
 */
export function told({ kind, stone, stones }, field, n, piece = "") {
  if (kind === "tower") return translateN("{field}: {n} bar", "{field}: {n} bars", n, { field });
  const values = { field, n, stones: byNumber(n, stone, stones), piece };
  return piece ? translate("{field}: {n} {stones}, {piece}", values) : translate("{field}: {n} {stones}", values);
}
