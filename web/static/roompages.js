// Which rules a screen shows at a time where not all of them have room. Pure.

/**
 * @param {number} count
 * @param {(from: number, to: number) => boolean} fits whether those from one on, up to but without another, have room
 * @returns {[number, number][]} parts that have room, one rule at least in each
 */
export function parts(count, fits) {
  const found = /** @type {[number, number][]} */ ([]);
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && fits(from, to + 1)) to += 1;
    found.push([from, to]);
    from = to;
  }
  return found;
}

/**
 * @param {number} count of parts
 * @param {number} sinceMs
 * @param {number} eachMs how long each is shown
 */
export function partAt(count, sinceMs, eachMs) {
  return Math.floor(Math.max(0, sinceMs) / eachMs) % count;
}
