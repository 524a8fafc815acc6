// What pieces look like, as numbers: outlines that tell colours apart without the colour, and shapes of pieces. Pure.

/** @typedef {{ tag: string, attributes: Record<string, string | number> }} Drawn */

/** @type {Record<string, number[][]>} */
const POLYGONS = {
  diamond: [[0, -1.16], [1.16, 0], [0, 1.16], [-1.16, 0]],
  square: [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]],
  hexagon: [[-0.56, -0.98], [0.56, -0.98], [1.1, 0], [0.56, 0.98], [-0.56, 0.98], [-1.1, 0]],
  triangle: [[0, -1.32], [1.28, 0.86], [-1.28, 0.86]],
  cross: [[-0.62, -1.1], [0.62, -1.1], [0.62, -0.62], [1.1, -0.62], [1.1, 0.62], [0.62, 0.62], [0.62, 1.1], [-0.62, 1.1],
    [-0.62, 0.62], [-1.1, 0.62], [-1.1, -0.62], [-0.62, -0.62]],
  star: star(8, 1.2, 0.88),
};

/** @type {Record<string, string>} Paths around the middle, in radii. */
const PATHS = {
  drop: "M 0 -1.35 C 0.35 -0.8 1 -0.4 1 0.2 C 1 0.75 0.55 1.1 0 1.1 C -0.55 1.1 -1 0.75 -1 0.2 C -1 -0.4 -0.35 -0.8 0 -1.35 Z",
  knight: "M -0.95 -1.05 L 0.95 -1.05 L 0.95 0.1 C 0.95 0.75 0.5 1.05 0 1.3 C -0.5 1.05 -0.95 0.75 -0.95 0.1 Z",
  king: "M -1 1.05 L -1.15 -0.75 L -0.5 -0.3 L 0 -1.3 L 0.5 -0.3 L 1.15 -0.75 L 1 1.05 Z",
  pawn: "M 0 -1.35 C 0.4 -1.35 0.62 -1.05 0.6 -0.72 C 1 -0.4 1.1 0.4 1.05 1.05 L -1.05 1.05 C -1.1 0.4 -1 -0.4 -0.6 -0.72 C -0.62 -1.05 -0.4 -1.35 0 -1.35 Z",
  dome: "M -1.15 0.85 C -1.15 -1.3 1.15 -1.3 1.15 0.85 Z",
};

/**
 * @param {number} points
 * @param {number} outer
 * @param {number} inner
 */
function star(points, outer, inner) {
  return Array.from({ length: points * 2 }, (_, i) => {
    const [r, at] = [i % 2 ? inner : outer, (Math.PI * i) / points - Math.PI / 2];
    return [r * Math.cos(at), r * Math.sin(at)];
  });
}

/** @param {number} value */
function short(value) {
  return Math.round(value * 100) / 100;
}

/**
 * An outline around 0, 0.
 * @param {string} name one of those the table sends; a circle where it is another
 * @param {number} r
 * @returns {Drawn}
 */
export function outline(name, r) {
  if (name in POLYGONS) {
    return { tag: "polygon", attributes: { points: POLYGONS[name].map(([x, y]) => `${short(x * r)},${short(y * r)}`).join(" ") } };
  }
  if (name in PATHS) return { tag: "path", attributes: { d: PATHS[name].replace(/-?\d+(\.\d+)?/g, (number) => String(short(Number(number) * r))) } };
  return { tag: "circle", attributes: { r: short(r * 0.94) } };
}

/**
 * A piece: of a shape of its own, else its colour's outline.
 * @param {string | undefined} shape
 * @param {string} colour outline of its paint
 * @param {number} r
 */
export function pieceOutline(shape, colour, r) {
  return outline(shape && ["knight", "king", "pawn", "dome"].includes(shape) ? shape : colour, r);
}

/**
 * Whether a paint is so near to a page's own paper that a piece needs an edge that differs from both.
 * @param {string} hex as #rrggbb
 * @param {boolean} dark the page's theme
 */
export function blends(hex, dark) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return dark ? luminance < 0.02 : luminance > 0.8;
}
