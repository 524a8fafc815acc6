// What a form's answers say, and what of them is sent. Pure.

/** @typedef {{ id: string, kind: string, name: string, answers: { id: string, name: string, explains?: string }[], least: number, most: number }} FormField */
/** @typedef {Record<string, unknown>} Answers */

/**
 * Answers without those that say nothing.
 * @param {Answers} values
 * @param {{ fields: FormField[] }} form
 * @returns {Answers}
 */
export function answered(values, form) {
  const ids = new Set(form.fields.map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => ids.has(id) && !nothing(value)));
}

/** @param {unknown} value */
export function nothing(value) {
  return value === null || value === undefined || value === "" || value === false || (Array.isArray(value) && !value.length);
}

/**
 * An answer in words.
 * @param {FormField} field
 * @param {unknown} value
 * @returns {string}
 */
export function told(field, value) {
  if (field.kind === "choice") return `${field.name}: ${field.answers.find(({ id }) => id === value)?.name ?? String(value)}`;
  if (field.kind === "flag") return field.name;
  return `${field.name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`;
}

/**
 * A whole number as somebody types it, long ones in groups of three if they like.
 * @param {string} text
 * @returns {number | null} null where nothing stands, NaN where it is no whole number
 */
export function whole(text) {
  const plain = text.trim().replace("−", "-");
  if (!plain) return null;
  return /^-?(\d+|\d{1,3}([\s.,’']\d{3})+)$/.test(plain) ? Number(plain.replace(/[\s.,’']/g, "")) : Number.NaN;
}

/**
 * A number one more or less, within what a field allows; from nothing to the least.
 * @param {FormField} field
 * @param {number | null | undefined} value
 * @param {number} by
 * @returns {number | null} null below the least
 */
export function stepped({ least, most }, value, by) {
  if (value === null || value === undefined) return by > 0 ? Math.max(least, Math.min(1, most)) : null;
  const next = value + by;
  return next < least ? null : Math.min(next, most);
}

/**
 * What is declared with the answers to a form: they take the place of {answers}, as name=value pairs joined by +.
 * @param {Record<string, unknown>} declared
 * @param {{ fields: FormField[] }} form
 * @param {Answers} values
 * @returns {Record<string, unknown> | null} null where nothing was answered
 */
export function filledIn(declared, form, values) {
  const pairs = form.fields.flatMap(({ id, kind }) => {
    const value = values[id];
    if (kind === "several") return [`${id}=${(Array.isArray(value) ? value : []).join(",")}`];
    return nothing(value) ? [] : [`${id}=${kind === "flag" ? "1" : encodeURIComponent(String(value))}`];
  });
  if (!pairs.length) return null;
  const answers = pairs.join("+");
  return Object.fromEntries(Object.entries(declared).map(([key, text]) => [key, typeof text === "string" ? text.replace("{answers}", () => answers) : text]));
}
