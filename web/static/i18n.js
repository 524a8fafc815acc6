// The page's own sentences in the language chosen; the table's come translated from the referee.

let texts = {};
let wanted = ""; // the language asked for last
/** @type {number[]} which form each number takes; beyond, the last hundred repeats */
let plurals = [];

function many(n) {
  const whole = Math.ceil(Math.abs(n));
  return plurals[whole < plurals.length ? whole : plurals.length - 100 + (whole % 100)] ?? (n === 1 ? 0 : 1);
}

// Fetch a language's sentences; without an answer the page goes on in English.
export async function learn(language) {
  let learnt = { words: {}, plurals: [] };
  wanted = language;
  try {
    const { early } = /** @type {any} */ (globalThis);
    const asked = early?.language === language ? await early.words : null;
    const answer = asked || language === "en" ? null : await fetch(`/api/words?lang=${language}`);
    if (asked) learnt = asked;
    else if (answer?.ok) learnt = await answer.json();
  } catch {
    // asked again when the language is chosen again
  }
  if (wanted !== language) return; // another one was chosen meanwhile
  texts = learnt.words;
  plurals = learnt.plurals;
}

export function translate(text, values = {}) {
  return filled(texts[text] ?? text, values);
}

// Which of two words goes with a number: the singular, or the plural.
export function byNumber(n, one, more) {
  return many(n) ? more : one;
}

export function translateN(one, more, n, values = {}) {
  const known = texts[one];
  return filled((Array.isArray(known) ? known[many(n)] : null) ?? (n === 1 ? one : more), { n, ...values });
}

function filled(template, values) {
  return template.replace(/\{([a-z_]+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A number as the language writes it, in groups of three digits from 1,000 on, as the referee's own sentences do.
export function numeral(amount) {
  return Number(amount).toLocaleString(document.documentElement.lang, { useGrouping: true }).replace("-", "−");
}

// The same with its sign: a change of an account.
export function signed(amount) {
  return `${amount > 0 ? "+" : amount < 0 ? "−" : "±"}${numeral(Math.abs(amount))}`;
}
