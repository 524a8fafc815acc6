// A broken turn told slowly, one step after the other: how it stood, each act, how it stands. Pure.

/** @typedef {{ board: any, acts: any[], marked: boolean, text: string, step: number, of: number }} Scene */

/**
 * @param {{ before: any, after: any, acts: any[] }} found a violation as the table's view tells it
 * @returns {Scene[]} the last one is how it stands, with what is wrong marked
 */
export function scenes({ before, after, acts }) {
  const drawn = acts.filter(({ marks }) => marks.length);
  const told = [{ board: before, acts: [], text: "" }, ...drawn.map((act, index) => ({ board: before, acts: drawn.slice(0, index + 1), text: act.text }))];
  const all = [...told.map((one) => ({ ...one, marked: false })), { board: after, acts: drawn, marked: true, text: "" }];
  return all.map((one, index) => ({ ...one, step: index + 1, of: all.length }));
}

/**
 * Which scene is shown: each for its time, the last one longer, and then from the beginning.
 * @param {number} count
 * @param {number} elapsedMs
 * @param {number} stepMs
 * @param {number} lastMs
 */
export function sceneAt(count, elapsedMs, stepMs, lastMs) {
  const round = (count - 1) * stepMs + lastMs;
  return Math.min(count - 1, Math.floor((elapsedMs % round) / stepMs));
}
