// The board seen from above: stacks as shades and numbers, pieces, the last turn's acts, and fields to look at.

import { svg } from "./dom.js";
import { letter, shape } from "./pieces.js";

const CELL = 100;
const RIM = 26;
const LABEL = 46;
const TALLEST_SHADE = 7;

export function drawBoard(node, state) {
  const { columns, rows, fields } = state.board;
  const size = { width: columns.length * CELL, height: rows.length * CELL };
  const spots = new Map();
  fields.forEach((field, index) => {
    const x = (index % columns.length) * CELL + CELL / 2;
    const y = Math.floor(index / columns.length) * CELL + CELL / 2;
    spots.set(field.name, { ...field, x, y });
  });
  const walked = new Set(state.acts.filter((act) => act.fields.length > 1).flatMap((act) => act.fields));
  const left = RIM + LABEL;
  node.setAttribute("viewBox", `${-left} ${-RIM - 4} ${size.width + left + RIM + 4} ${size.height + left + RIM + 2}`);
  node.replaceChildren(
    rim(state.seats, size),
    labels(columns, rows, size),
    layer("cells", [...spots.values()].map(cell)),
    layer("paths", paths(state.acts, spots, state.acts_by)),
    layer("pieces", [...spots.values()].filter((spot) => isPiece(spot.flag)).map(piece)),
    layer("numbers", [...spots.values()].map((spot) => number(spot, walked.has(spot.name)))),
    layer("marks", marks(state.banner, spots)),
    layer("badges", badges(state.acts, spots)),
  );
}

function layer(name, children) {
  return svg("g", { class: `layer-${name}` }, ...children);
}

// The edge of the board tells whose corner is whose, where the places are named after corners.
function rim(seats, { width, height }) {
  const strips = [svg("rect", { x: -RIM, y: -RIM, width: width + 2 * RIM, height: height + 2 * RIM, rx: 18, class: "frame" })];
  const half = { x: width / 2, y: height / 2 };
  for (const seat of seats) {
    for (const place of seat.places) {
      if (!/^[ns][we]$/.test(place)) continue;
      const [north, west] = [place[0] === "n", place[1] === "w"];
      const corner = { x: west ? -RIM / 2 : width + RIM / 2, y: north ? -RIM / 2 : height + RIM / 2 };
      const d = `M ${corner.x} ${half.y + (north ? -14 : 14)} V ${corner.y} H ${half.x + (west ? -14 : 14)}`;
      strips.push(svg("path", { d, class: `rim rim-${seat.colour}` }));
    }
  }
  return layer("rim", strips);
}

function labels(columns, rows, { height }) {
  const across = columns.map((name, i) =>
    svg("text", { x: i * CELL + CELL / 2, y: height + RIM + 34, class: "coordinate" }, name));
  const down = rows.map((name, i) =>
    svg("text", { x: -RIM - 24, y: i * CELL + CELL / 2 + 11, class: "coordinate" }, String(name)));
  return layer("labels", [...across, ...down]);
}

function cell({ name, height, flag, x, y }) {
  const shade = height === null ? "unknown" : Math.min(height, TALLEST_SHADE);
  const told = height === null ? "not known" : `height ${height}`;
  return svg("rect", {
    x: x - 47, y: y - 47, width: 94, height: 94, rx: 9, class: "cell", "data-field": name, "data-shade": shade,
    "data-height": height === null ? "?" : height, "data-flag": flag,
  }, svg("title", {}, `${name}: ${told}${isPiece(flag) ? `, ${flag}` : ""}`));
}

function isPiece(flag) {
  return Boolean(flag) && flag !== "?";
}

function piece({ flag, x, y }) {
  return shape(flag, x, y, 37);
}

function number({ height, flag, x, y }, walked) {
  const shade = height === null ? "unknown" : Math.min(height, TALLEST_SHADE);
  const told = height === null ? "?" : String(height);
  if (!isPiece(flag)) return svg("text", { x, y: y + 17, class: walked ? "number number-walked" : "number", "data-shade": shade }, told);
  const small = svg("tspan", { class: "letter", dx: 2 }, letter(flag));
  return svg("text", { x, y: y + 15, class: `number piece-text piece-text-${flag}` }, told, small);
}

// Arrows lie under the numbers, which stay readable, and end at the rim of the piece they lead to.
function paths(acts, spots, colour) {
  return acts.filter((act) => ["move", "enter"].includes(act.kind)).flatMap((act) => {
    const way = act.fields.map((name) => spots.get(name)).filter(Boolean);
    if (way.length < 2) return [];
    const [last, before] = [way[way.length - 1], way[way.length - 2]];
    const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
    const unit = { x: (last.x - before.x) / length, y: (last.y - before.y) / length };
    const tip = { x: last.x - unit.x * 40, y: last.y - unit.y * 40 };
    const neck = { x: tip.x - unit.x * 26, y: tip.y - unit.y * 26 };
    const line = [...way.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(" ");
    const side = { x: -unit.y * 22, y: unit.x * 22 };
    const head = [tip, { x: neck.x + side.x, y: neck.y + side.y }, { x: neck.x - side.x, y: neck.y - side.y }]
      .map(({ x, y }) => `${x},${y}`).join(" ");
    const tone = `path-${colour}`;
    return [
      svg("polyline", { points: line, class: "path-casing" }),
      svg("polygon", { points: head, class: "path-casing" }),
      svg("polyline", { points: line, class: `path ${tone}` }),
      svg("polygon", { points: head, class: `path-head ${tone}` }),
      svg("circle", { cx: way[0].x, cy: way[0].y, r: 15, class: `path-start ${tone}` }),
    ];
  });
}

function marks({ fields, tone }, spots) {
  return fields.map((name) => spots.get(name)).filter(Boolean).flatMap(({ x, y, name, height }) => [
    svg("rect", { x: x - 48, y: y - 48, width: 96, height: 96, rx: 11, class: "mark-casing" }),
    svg("rect", { x: x - 48, y: y - 48, width: 96, height: 96, rx: 11, class: `mark mark-${tone}`, "data-marked": name }),
    ...(height === null ? [] : [
      svg("circle", { cx: x - 34, cy: y + 34, r: 19, class: `mark-sign mark-sign-${tone}` }),
      svg("text", { x: x - 34, y: y + 44, class: "mark-text" }, tone === "illegal" ? "!" : "?"),
    ]),
  ]);
}

function badges(acts, spots) {
  const taken = new Map();
  const built = new Map();
  const captured = new Set();
  const entered = new Set();
  for (const act of acts) {
    if (act.kind === "take") count(taken, act.fields[0]);
    if (act.kind === "build") count(built, act.fields[0]);
    if (act.kind === "enter") entered.add(act.fields[0]);
    act.captures.forEach((name) => captured.add(name));
  }
  return [
    ...[...taken].map(([name, n]) => badge(spots.get(name), -29, -29, `−${n > 1 ? n : ""}`, "take", name)),
    ...[...built].map(([name, n]) => badge(spots.get(name), 29, -29, `+${n > 1 ? n : ""}`, "build", name)),
    ...[...captured].map((name) => badge(spots.get(name), 29, 29, "×", "capture", name)),
    ...[...entered].map((name) => badge(spots.get(name), -29, 29, "in", "enter", name)),
  ].filter(Boolean);
}

function count(map, name) {
  map.set(name, (map.get(name) ?? 0) + 1);
}

function badge(spot, dx, dy, text, kind, name) {
  if (!spot) return null;
  const [x, y] = [spot.x + dx, spot.y + dy];
  return svg("g", { class: `badge badge-${kind}`, "data-act": kind, "data-on": name },
    svg("circle", { cx: x, cy: y, r: 18 }), svg("text", { x, y: y + 10 }, text));
}
