// Times of the game clock, worked out and written. Pure.

export const LOW_MS = 10000;

/**
 * What a player has left, ms: of all turns together, of the turn under way where that ends sooner; null for no limit now.
 * @param {{ left_ms: Record<string, number>, turn_left_ms: number | null, player: string }} clock
 * @param {string} who
 * @param {number} passed ms of the turn under way since the clock was told of
 * @returns {number | null}
 */
export function timeLeft({ left_ms: all, turn_left_ms: turn, player }, who, passed) {
  const least = Math.min(all[who] ?? Infinity, (who === player ? turn : null) ?? Infinity);
  return least === Infinity ? null : Math.max(0, least - passed);
}

/**
 * 1:05:09, 5:09; the last seconds with their tenths. Rounded up, so that 0:00 is nothing.
 * @param {number} ms
 */
export function timeText(ms) {
  if (ms > 0 && ms < LOW_MS) return `0:0${(Math.ceil(ms / 100) / 10).toFixed(1)}`.replace("0:010.0", "0:10.0");
  const all = Math.ceil(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
