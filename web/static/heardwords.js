// Which of the few words that may be spoken was heard. Pure.

/** @typedef {"turn_ended" | "yes" | "no"} Heard */

/**
 * Only the whole of what was said counts: who talks about a turn does not end it.
 * @param {string} transcript
 * @param {Record<Heard, string>} words what may be said, parted by commas
 * @returns {Heard | null}
 */
export function heard(transcript, words) {
  const said = bare(transcript);
  const found = Object.entries(words).find(([, all]) => said && all.split(",").map(bare).includes(said));
  return found ? /** @type {Heard} */ (found[0]) : null;
}

/** @param {string} text */
function bare(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}]+/gu, " ").trim();
}
