// When a phone in the hand has shown enough.

const BUSY = ["reading", "ruling"];

/**
 * @typedef {{ phase: { id: string }, event: number, banner: { tone: string }, showing: { views: number } | null }} Shown
 * of the table's state
 */

/**
 * How the table stood when somebody began to show it. Views are those of the look so far, as last told.
 * @param {Shown} state
 */
export function beginning({ phase, event, showing }) {
  return { phase: phase.id, event, views: showing?.views ?? 0 };
}

/**
 * Whether what was shown has been decided on. The set-up goes on whatever else is entered or seen meanwhile, by fixed cameras
 * for one, until it is right or a look with views of this phone has ended.
 * @param {{ phase: string, event: number, views: number }} begun
 * @param {Shown} state
 */
export function decided(begun, { phase, event, banner, showing }) {
  if (BUSY.includes(phase.id)) return false;
  if (BUSY.includes(begun.phase) || phase.id !== begun.phase) return true;
  if (event === begun.event || banner.tone === "busy") return false;
  return phase.id !== "set-up" || !showing || showing.views < begun.views;
}
