// The board from above with the sides around it: those that were shown, the one that is wanted, and where the phone is now.

import { svg } from "./dom.js";
import { fieldName } from "./fieldname.js";
import { translate, translateN } from "./i18n.js";
import { HALF_DEG, arc, at, shown } from "./sides.js";

const BOARD = 52; // half its side; the ring lies around its corners
const RING = 84;
const OUTSIDE = 104;
const NAMED = 36; // names of corner fields stand so far from the middle, where the ring leaves room for them

/** @typedef {{ azimuth_deg: number, elevation_deg: number, fields: string[], message: string, towards?: string }} Wanted */

/**
 * What is drawn, in words.
 * @param {{ sides: import("./sides.js").Side[], show: Wanted | null }} showing
 */
function ringText({ sides, show }) {
  const done = sides.length
    ? translateN("Shown from one side so far.", "Shown from {n} sides so far.", sides.length)
    : translate("Not shown from any side yet.");
  return show ? `${done} ${show.message}` : done;
}

/**
 * Draw the ring.
 * @param {{ sides: import("./sides.js").Side[], show: Wanted | null }} showing as the table's state has it
 * @param {{ columns: unknown[], rows: unknown[] }} kit
 * @param {number | null} now azimuth of where the phone is, where that is known
 * @param {number} bottom azimuth of the side that is at the bottom: usually the phone's, as whoever holds it sees the board
 * @returns {SVGElement}
 */
export function ring(showing, kit, now = showing.sides.at(-1)?.[0] ?? null, bottom = now ?? 0) {
  const { sides, show } = showing;
  return svg("svg", { class: "ring", viewBox: "-120 -120 240 240", role: "img", "aria-label": ringText(showing) },
    drawnBoard(kit, show, bottom),
    svg("circle", { class: "ring-track", r: RING }),
    ...shown(sides).map(([from, to]) => svg("path", { class: "ring-done", d: arc(from, to, RING, bottom) })),
    ...sides.map(([azimuth]) => tick(azimuth, bottom)),
    show && !show.towards ? wanted(show.azimuth_deg, bottom) : null,
    now === null ? null : phone(now, bottom));
}

// The board as it lies, its lines and the fields in question; its letters stay upright.
function drawnBoard({ columns, rows }, show, bottom) {
  const fields = show?.fields ?? [];
  const [across, up] = [(2 * BOARD) / columns.length, (2 * BOARD) / rows.length];
  const lines = [...columns.slice(1).map((_, k) => `M${(k + 1) * across - BOARD},${-BOARD}V${BOARD}`),
    ...rows.slice(1).map((_, k) => `M${-BOARD},${(k + 1) * up - BOARD}H${BOARD}`)];
  const marks = rows.flatMap((_, row) => columns.map((__, col) => (fields.includes(fieldName(row, col))
    ? svg("rect", { class: "ring-field", x: col * across - BOARD, y: BOARD - (row + 1) * up, width: across, height: up }) : null)));
  const corners = [[0, 0], [0, columns.length - 1]].map(([row, col]) => {
    const x = Math.max(-NAMED, Math.min(NAMED, (col + 0.5) * across - BOARD));
    const [along, y] = turned(x, BOARD + 8 - row * up, bottom);
    return svg("text", { class: "ring-name", x: along, y: y + 4 }, fieldName(row, col));
  });
  return svg("g", {},
    svg("g", { transform: `rotate(${bottom})` },
      svg("rect", { class: "ring-board", x: -BOARD, y: -BOARD, width: 2 * BOARD, height: 2 * BOARD }), ...marks,
      svg("path", { class: "ring-lines", d: lines.join("") }),
      show?.towards ? over(show.towards, { columns, rows }, across, up) : null),
    ...corners);
}

// Over a field to be looked down into: a lens.
function over(field, { columns, rows }, across, up) {
  const at = rows.flatMap((_, row) => columns.map((__, col) => [row, col])).find(([row, col]) => fieldName(row, col) === field);
  if (!at) return null;
  const [cx, cy] = [(at[1] + 0.5) * across - BOARD, BOARD - (at[0] + 0.5) * up];
  return svg("g", { class: "ring-over" }, svg("circle", { cx, cy, r: 13 }), svg("circle", { cx, cy, r: 18 }));
}

function turned(x, y, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

// A check mark on a side that was shown: it is told by more than its colour.
function tick(azimuth, bottom) {
  const [x, y] = at(azimuth, RING, bottom);
  return svg("path", { class: "ring-tick", d: `M${x - 4},${y}l3,3.5l5.5,-7` });
}

// A gap in the ring with an arrow that points from there at the board.
function wanted(azimuth, bottom) {
  const [x, y] = at(azimuth, RING, bottom);
  return svg("g", { class: "ring-wanted" },
    svg("path", { class: "ring-gap", d: arc(azimuth - HALF_DEG, azimuth + HALF_DEG, RING, bottom) }),
    svg("path", { class: "ring-arrow", transform: `translate(${x} ${y}) rotate(${bottom - azimuth})`, d: "M0,-16L11,4H4V18H-4V4H-11Z" }));
}

function phone(azimuth, bottom) {
  const [x, y] = at(azimuth, OUTSIDE, bottom);
  return svg("g", { class: "ring-phone", transform: `translate(${x} ${y}) rotate(${bottom - azimuth})` },
    svg("rect", { x: -13, y: -8, width: 26, height: 16, rx: 3 }), svg("circle", { cx: 8, cy: 0, r: 2 }));
}
