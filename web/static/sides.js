// Sides around a board, seen from above: azimuth 0 is the side of row 1, 90 that of the last column, counter-clockwise. Pure.

/** @typedef {[azimuth_deg: number, elevation_deg: number]} Side */

export const HALF_DEG = 16; // a view shows so much of the ring to either side

/**
 * Where a side lies in a drawing with y downwards, the side of azimuth `bottom` at the bottom.
 * @param {number} azimuth
 * @param {number} radius
 * @param {number} bottom
 * @returns {[number, number]}
 */
export function at(azimuth, radius, bottom = 0) {
  const angle = ((azimuth - bottom) * Math.PI) / 180;
  return [rounded(radius * Math.sin(angle)), rounded(radius * Math.cos(angle))];
}

/**
 * The azimuth of a point of such a drawing.
 * @param {number} x from its middle
 * @param {number} y downwards
 * @param {number} bottom
 * @returns {number} a whole number of degrees, 0 to 359
 */
export function azimuthAt(x, y, bottom = 0) {
  return (Math.round((Math.atan2(x, y) * 180) / Math.PI + bottom) + 720) % 360;
}

/**
 * The parts of the ring that views have shown, where they touch made one.
 * @param {Side[]} sides
 * @returns {[from: number, to: number][]} azimuths; the last part may pass 360
 */
export function shown(sides) {
  const parts = sides.map(([azimuth]) => (((azimuth - HALF_DEG) % 360) + 360) % 360).sort((a, b) => a - b)
    .map((from) => /** @type {[number, number]} */ ([from, from + 2 * HALF_DEG]));
  const found = /** @type {[number, number][]} */ ([]);
  for (const part of parts) {
    const last = found.at(-1);
    if (last && part[0] <= last[1]) last[1] = Math.max(last[1], part[1]);
    else found.push(part);
  }
  const [first, last] = [found[0], found.at(-1)];
  if (found.length > 1 && last && last[1] >= first[0] + 360) {
    first[0] = last[0] - 360;
    first[1] = Math.max(first[1], last[1] - 360);
    found.pop();
  }
  return found.map(([from, to]) => (to - from >= 360 ? [0, 360] : [from, to]));
}

/**
 * A path along the ring.
 * @param {number} from azimuth
 * @param {number} to azimuth, at most 360 further
 * @param {number} radius
 * @param {number} bottom
 */
export function arc(from, to, radius, bottom = 0) {
  const middle = (from + to) / 2;
  // In two halves, so that a whole ring is drawn as well.
  const [[x, y], halfway, end] = [at(from, radius, bottom), at(middle, radius, bottom), at(to, radius, bottom)];
  return `M${x},${y}A${radius},${radius} 0 0 0 ${halfway.join()}A${radius},${radius} 0 0 0 ${end.join()}`;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100 || 0;
}
