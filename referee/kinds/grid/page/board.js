// A grid of stacks seen from one of its sides: piles with their height, pieces, acts, and fields to look at.

import { differing, isPiece } from "./boardtext.js";
import { svg } from "/static/dom.js";
import { badges, paths, walked } from "./acts.js";
import { fieldWalk } from "/static/fieldwalk.js";
import { translate } from "/static/i18n.js";
import { kindOf, labelOf, nameOf } from "/static/paints.js";
import { shape } from "/static/pieces.js";

export const CELL = 100;
const RIM = 26;
const LABEL = 46;
const TALLEST_SHADE = 7;
const LAYER = 5; // what a stack shows of each of its stones, below its top

// board: of the state; its open fields, of which nobody knows what stands there, are drawn as such. options: seats (whose corner is whose), kit, acts and actsBy, marks {fields, tone}, tasks, side
// (from which it is seen, in quarter turns), edited (names of fields), touch (called with a field's name), chosen, walk (whether fields are walked over with keys), near (names of fields: only these and those around them are drawn).
/** @param {any} options */
export function drawGrid(node, board, options = {}) {
  const { seats = [], acts = [], actsBy = null, marks = null, tasks = [], side = 0, edited = [], touch = null, chosen = null, kit = null, walk = false, near = null } = options;
  const view = viewOf(board, side);
  const spots = new Map();
  const fields = withOpen(board);
  fields.forEach((field, index) => {
    const [column, row] = view.place(index % board.columns.length, Math.floor(index / board.columns.length));
    const y = row * CELL + CELL / 2;
    const lift = Math.min(field.height ?? 0, 8) * LAYER;
    spots.set(field.name, { ...field, x: column * CELL + CELL / 2, y, top: y - lift / 2, lift });
  });
  const part = near ? around(near.map((name) => spots.get(name)), view) : { from: [0, 0], to: [view.columns.length, view.rows.length] };
  const all = [...spots.values()].filter((spot) => within(spot, part)).sort((a, b) => a.y - b.y);
  const under = walked(acts);
  const size = { width: view.columns.length * CELL, height: view.rows.length * CELL };
  const left = RIM + LABEL;
  const [x, y] = part.from.map((n) => n * CELL);
  const [width, height] = part.to.map((n, axis) => (n - part.from[axis]) * CELL);
  node.setAttribute("viewBox", `${x - left} ${y - RIM - 4} ${width + left + RIM + 4} ${height + left + RIM + 2}`);
  node.setAttribute("role", touch || walk ? "group" : "img");
  node.setAttribute("aria-label", told(board, seats).join(". "));
  node.replaceChildren(
    near ? layer("rim", [edge({ x, y, width, height })]) : rim(seats, size, view),
    axes(view, part),
    layer("cells", all.map((spot) => stack(spot, kit?.block ?? "cube"))),
    layer("paths", paths(acts, spots, actsBy)),
    layer("pieces", all.filter((spot) => isPiece(spot.piece)).map(({ piece, x, top }) => shape(piece, x, top, 36))),
    layer("numbers", all.map((spot) => number(spot, under.has(spot.name)))),
    layer("marks", [...marked(marks, spots), ...todo(tasks, spots), ...corrected(edited, spots)]),
    layer("badges", badges(acts, spots)),
    ...(touch ? [touchable(all, { touch, chosen })] : walk ? [fieldWalk(inRows(all))] : []),
  );
}

// The fields around some, and how far they reach: from the first to before the last column and row.
function around(fields, { columns, rows }) {
  const at = [fields.map((spot) => Math.floor(spot.x / CELL)), fields.map((spot) => Math.floor(spot.y / CELL))];
  return {
    from: at.map((places) => Math.max(0, Math.min(...places) - 1)),
    to: at.map((places, axis) => Math.min([columns, rows][axis].length, Math.max(...places) + 2)),
  };
}

function within({ x, y }, { from, to }) {
  return [x, y].every((one, axis) => one > from[axis] * CELL && one < to[axis] * CELL);
}

// What stands on an open field is a guess: it is not shown.
function withOpen({ fields, open = [] }) {
  return fields.map((field) => (open.includes(field.name) ? { ...field, height: null, piece: "?", open: true } : field));
}

// What is drawn is told by the board's name and by its fields: read aloud it would be hundreds of loose numbers.
function layer(name, children) {
  return svg("g", { class: `layer-${name}`, "aria-hidden": "true" }, ...children);
}

// How columns and rows lie when the board is seen from another side.
function viewOf({ columns, rows }, side) {
  const [w, h] = [columns.length, rows.length];
  const names = [columns.map(String), rows.map(String)];
  const back = names.map((list) => [...list].reverse());
  return [
    { columns: names[0], rows: names[1], place: (c, r) => [c, r], turn: (x, y) => [x, y] },
    { columns: names[1], rows: back[0], place: (c, r) => [r, w - 1 - c], turn: (x, y) => [y, -x] },
    { columns: back[0], rows: back[1], place: (c, r) => [w - 1 - c, h - 1 - r], turn: (x, y) => [-x, -y] },
    { columns: back[1], rows: names[0], place: (c, r) => [h - 1 - r, c], turn: (x, y) => [-y, x] },
  ][side];
}

// The edge of the board tells whose corner is whose, where places lie at its corners: 0 at the top left, then clockwise.
function rim(seats, { width, height }, view) {
  const strips = [edge({ x: 0, y: 0, width, height })];
  const half = { x: width / 2, y: height / 2 };
  for (const seat of seats) {
    for (const at of seat.corners ?? []) {
      const [x, y] = view.turn(at === 0 || at === 3 ? -1 : 1, at < 2 ? -1 : 1);
      const corner = { x: x < 0 ? -RIM / 2 : width + RIM / 2, y: y < 0 ? -RIM / 2 : height + RIM / 2 };
      const d = `M ${corner.x} ${half.y + 14 * y} V ${corner.y} H ${half.x + 14 * x}`;
      strips.push(svg("path", { d, class: "rim", "data-paint": seat.colour }));
    }
  }
  return layer("rim", strips);
}

function edge({ x, y, width, height }) {
  return svg("rect", { x: x - RIM, y: y - RIM, width: width + 2 * RIM, height: height + 2 * RIM, rx: 18, class: "frame" });
}

function axes({ columns, rows }, { from, to }) {
  const across = columns.map((name, i) =>
    svg("text", { x: i * CELL + CELL / 2, y: to[1] * CELL + RIM + 34, class: "coordinate" }, name));
  const down = rows.map((name, i) =>
    svg("text", { x: from[0] * CELL - RIM - 24, y: i * CELL + CELL / 2 + 11, class: "coordinate" }, name));
  return layer("labels", [...across.slice(from[0], to[0]), ...down.slice(from[1], to[1])]);
}

// A pile seen a little from the front: its top, and below it the edge of each stone.
function stack({ name, height, piece, open, x, y, lift }, block) {
  const shade = shadeOf({ height, open });
  const edges = [];
  for (let i = 1; i <= (lift / LAYER); i += 1) {
    const base = y + 46 - (i - 1) * LAYER;
    edges.push(svg("path", { d: `M ${x - 44} ${base} h 88`, class: "stone", "data-shade": shade }));
    if (block === "arched") edges.push(svg("path", { d: `M ${x - 9} ${base} v -1.5 q 9 -4 18 0 v 1.5 z`, class: "arch" }));
  }
  return svg("g", {},
    lift && block !== "none" ? svg("rect", { x: x - 47, y: y - 47, width: 94, height: 94, rx: 9, class: "pile", "data-shade": shade }) : null,
    ...(block === "none" ? [] : edges),
    svg("rect", {
      x: x - 47, y: y - 47, width: 94, height: 94 - lift, rx: 9, class: "cell", "data-field": name, "data-shade": shade,
      "data-height": height === null ? "?" : height, "data-piece": piece,
    }));
}

function shadeOf({ height, open }) {
  return open ? "open" : height === null ? "unknown" : Math.min(height, TALLEST_SHADE);
}

function number({ height, piece, open, x, top }, under) {
  const shade = shadeOf({ height, open });
  const told = height === null ? "?" : String(height);
  if (!isPiece(piece)) {
    const unknown = piece && !open ? svg("tspan", { class: "letter", dx: 2 }, "?") : null;
    return svg("text", { x, y: top + 17, class: under ? "number number-walked" : "number", "data-shade": shade }, told, unknown);
  }
  const name = labelOf(piece);
  const small = svg("tspan", { class: name.length > 1 ? "letter letters" : "letter", dx: 2 }, name);
  return svg("text", { x, y: top + 15, class: "number piece-text", "data-paint": piece }, told, small);
}

const MOST_SIGNS = 12; // more say no more than their frames do
const SIGNS = { illegal: "!", unsure: "?" };

function marked(marks, spots) {
  if (!marks) return [];
  const { fields, tone } = marks;
  const spotted = fields.map((name) => spots.get(name)).filter(Boolean);
  if (fields.length > MOST_SIGNS) return spotted.map(({ x, y, name }) => frame(x, y, "mark mark-many", name));
  return spotted.flatMap(({ x, y, name, height }) => [
    frame(x, y, "mark-casing"),
    frame(x, y, `mark mark-${tone}`, name),
    ...(height === null ? [] : cornerSign(x - 34, y + 34, `mark-sign mark-sign-${tone}`, SIGNS[tone] ?? "?")),
  ]);
}

// What is still to be put right, and what is already: told by a sign as well as by colour.
function todo(tasks, spots) {
  const signed = tasks.filter(({ done }) => !done).length <= MOST_SIGNS;
  return tasks.map((task) => [task, spots.get(task.field)]).filter(([, spot]) => spot).flatMap(([{ done }, { x, y }]) => {
    if (!done && !signed) return [frame(x, y, "mark mark-many")];
    return [
      frame(x, y, "mark-casing"),
      frame(x, y, done ? "mark mark-done" : "mark mark-open"),
      ...cornerSign(x - 34, y + 34, done ? "mark-sign mark-sign-done" : "mark-sign", done ? "✓" : "↺"),
    ];
  });
}

function corrected(edited, spots) {
  return edited.map((name) => spots.get(name)).filter(Boolean)
    .map(({ x, y, name }) => svg("rect", { x: x - 45, y: y - 45, width: 90, height: 90, rx: 9, class: "edited", "data-edited": name }));
}

function frame(x, y, kind, name = null) {
  return svg("rect", { x: x - 48, y: y - 48, width: 96, height: 96, rx: 11, class: kind, "data-marked": name });
}

function cornerSign(x, y, kind, text) {
  return [svg("circle", { cx: x, cy: y, r: 19, class: kind }), svg("text", { x, y: y + 10, class: "mark-text" }, text)];
}

export function fieldWords(field) {
  return field.open ? notKnown([field.name]) : `${field.name}: ${standing(field)}`;
}

// How the fields stand that stood otherwise before.
export function changed(before, after) {
  const names = new Set(differing(before, after));
  return after.fields.flatMap((field, index) => (names.has(field.name) && !after.open?.includes(field.name)
    ? [translate("{field}: {now}; before: {before}", { field: field.name, now: standing(field), before: standing(before.fields[index]) })] : []));
}

function standing({ height, piece }) {
  const high = height === null ? translate("height not known") : translate("height {height}", { height });
  return isPiece(piece) ? `${high}, ${nameOf(piece)}` : piece ? `${high}, ${translate("piece not known")}` : high;
}

function inRows(all) {
  const rows = [...new Set(all.map(({ y }) => y))].sort((one, other) => one - other);
  return rows.map((line) => all.filter(({ y }) => y === line).sort((one, other) => one.x - other.x)
    .map((spot) => ({ name: spot.name, words: fieldWords(spot), x: spot.x - 48, y: spot.y - 48, width: 96, height: 96 })));
}

// For whoever can't see it: where every piece stands, and how high.
export function told(board, seats) {
  const fields = withOpen(board);
  const open = fields.filter((field) => field.open).map(({ name }) => name);
  const pieces = fields.filter(({ piece }) => isPiece(piece));
  const whose = ({ piece }) => kindOf(piece)?.owner ?? piece;
  const place = ({ name, height }) => `${name} ${translate("height {height}", { height: height ?? "?" })}`;
  const owned = seats.map(({ colour, name }) =>
    `${name}: ${pieces.filter((field) => whose(field) === colour).map(place).join(", ") || translate("no piece on the board")}`);
  const nobodys = pieces.filter((field) => !seats.some(({ colour }) => colour === whose(field))).map((field) => `${nameOf(field.piece)}: ${place(field)}`);
  return [translate("The board seen from above"), ...owned, ...nobodys, bare(fields), ...(open.length ? [notKnown(open)] : [])];
}

export function notKnown(names) {
  return translate("Not known yet: {fields}", { fields: names.join(", ") });
}

// Stacks on which nothing stands: those that are not as high as most.
function bare(fields) {
  const found = fields.filter(({ piece, open }) => !isPiece(piece) && !open).map(({ name, height }) => ({ name, height: height ?? "?" }));
  const counts = new Map();
  for (const { height } of found) counts.set(height, (counts.get(height) ?? 0) + 1);
  const [usual] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [0];
  const list = found.filter(({ height }) => height !== usual).map(({ name, height }) => `${name} ${translate("height {height}", { height })}`);
  return list.length
    ? translate("Without a piece: {list}, all others height {height}", { list: list.join(", "), height: usual })
    : translate("All fields without a piece: height {height}", { height: usual });
}

// Fields to touch. One of them is in the order of the Tab key; arrow keys lead from there.
function touchable(all, { touch, chosen }) {
  const order = new Map(all.map((spot) => [`${spot.x},${spot.y}`, spot.name]));
  const focus = all.some((spot) => spot.name === chosen) ? chosen : all[0].name;
  const steps = { ArrowLeft: [-CELL, 0], ArrowRight: [CELL, 0], ArrowUp: [0, -CELL], ArrowDown: [0, CELL] };
  return svg("g", { class: "layer-touch" }, ...all.map((spot) => svg("rect", {
    x: spot.x - 50, y: spot.y - 50, width: 100, height: 100, class: spot.name === chosen ? "touch touch-chosen" : "touch",
    role: "button", tabindex: spot.name === focus ? 0 : -1, "aria-label": fieldWords(spot), "data-key": `field-${spot.name}`,
    "aria-pressed": String(spot.name === chosen),
    click: () => touch(spot.name),
    keydown: (event) => {
      const step = steps[event.key];
      const next = step && order.get(`${spot.x + step[0]},${spot.y + step[1]}`);
      if (next) {
        touch(next);
        event.preventDefault();
      } else if (event.key === "Enter" || event.key === " ") {
        touch(spot.name);
        event.preventDefault();
        event.stopPropagation();
      }
    },
  })));
}
