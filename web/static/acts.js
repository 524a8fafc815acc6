// A turn's acts on the board: arrows for the ways, badges for what was taken, built and captured.

import { html, svg } from "./dom.js";
import { translate } from "./i18n.js";

// Arrows lie under the numbers, which stay readable, and end at the rim of the piece they lead to.
export function paths(acts, spots, colour) {
  return acts.filter((act) => ["move", "enter"].includes(act.kind)).flatMap((act) => {
    const way = act.fields.map((name) => spots.get(name)).filter(Boolean).map(({ x, top }) => ({ x, y: top }));
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

export function badges(acts, spots) {
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
    ...[...entered].map((name) => badge(spots.get(name), -29, 29, "↓", "enter", name)),
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

// What the signs on the board mean, for those that are there.
export function legend(acts) {
  const kinds = new Set(acts.map((act) => act.kind));
  const captured = acts.some((act) => act.captures.length > 0);
  const words = [
    kinds.has("take") && ["−", translate("taken")], kinds.has("build") && ["+", translate("built")],
    kinds.has("move") && ["→", translate("moved")], captured && ["×", translate("captured")],
    kinds.has("enter") && ["↓", translate("came back")],
  ].filter(Boolean);
  return words.map(([mark, word]) => html("span", {}, html("b", {}, mark), ` ${word}`));
}
