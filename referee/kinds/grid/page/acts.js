// A turn's acts on the board: arrows for paths, badges for what was removed, placed, hit and where a piece came in.

import { marksOf } from "/static/acts.js";
import { svg } from "/static/dom.js";

const BADGES = {
  removed: { sign: "−", dx: -29, dy: -29 }, placed: { sign: "+", dx: 29, dy: -29 },
  hit: { sign: "×", dx: 29, dy: 29 }, entry: { sign: "↓", dx: -29, dy: 29 },
};

// Fields that arrows lead over.
export function walked(acts) {
  return new Set(marksOf(acts).filter(({ mark }) => mark === "path").flatMap(({ fields }) => fields));
}

// Arrows lie under the numbers, which stay readable, and end at the rim of the piece they lead to.
export function paths(acts, spots, word) {
  return marksOf(acts).filter(({ mark }) => mark === "path").flatMap(({ fields }) => {
    const way = fields.map((name) => spots.get(name)).filter(Boolean).map(({ x, top }) => ({ x, y: top }));
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
    const paint = { "data-paint": word };
    const guess = fields.some((name) => spots.get(name)?.open);
    return [svg("g", { class: guess ? "guess" : null },
      svg("polyline", { points: line, class: "path-casing" }),
      svg("polygon", { points: head, class: "path-casing" }),
      svg("polyline", { points: line, class: "path", ...paint }),
      svg("polygon", { points: head, class: "path-head", ...paint }),
      svg("circle", { cx: way[0].x, cy: way[0].y, r: 15, class: "path-start", ...paint }),
    )];
  });
}

export function badges(acts, spots) {
  const found = new Map();
  for (const { mark, fields, hits } of marksOf(acts)) {
    for (const name of mark in BADGES ? fields : []) count(found, mark, name);
    for (const name of hits) count(found, "hit", name);
  }
  return [...found.values()].map(({ mark, name, n }) => badge(spots.get(name), mark, name, n)).filter(Boolean);
}

function count(found, mark, name) {
  const key = `${mark} ${name}`;
  const known = found.get(key) ?? { mark, name, n: 0 };
  known.n += 1;
  found.set(key, known);
}

function badge(spot, mark, name, n) {
  if (!spot) return null;
  const { sign, dx, dy } = BADGES[mark];
  const many = n > 1 && ["removed", "placed"].includes(mark) ? n : "";
  const [x, y] = [spot.x + dx, spot.y + dy];
  return svg("g", { class: `badge badge-${mark}${spot.open ? " guess" : ""}`, "data-mark": mark, "data-on": name },
    svg("circle", { cx: x, cy: y, r: 18 }), svg("text", { x, y: y + 10 }, `${sign}${many}`));
}
