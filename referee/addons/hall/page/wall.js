// The wall: every table of the hall small, one of them large: the one that was chosen, else each in its turn.

import { keepAwake } from "/static/awake.js";
import { byId, html, redraw, say, show, svg } from "/static/dom.js";
import { learn, translate } from "/static/i18n.js";
import { learnKinds, widgetOf } from "/static/kinds.js";
import { follow } from "/static/live.js";
import { learnPaints } from "/static/paints.js";
import { sign } from "/static/pieces.js";
import { language } from "/static/prefs.js";
import { startTicking, tick } from "./ticking.js";

const EACH_MS = 20000;

let state = null;
let chosen = "";
let turn = 0;

async function start() {
  await Promise.all([learn(language()), learnKinds()]);
  say(byId("title"), translate("All tables"));
  document.title = translate("All tables");
  follow({
    language: language(), room: true,
    onState: (newest) => {
      state = newest;
      draw();
    },
    onConnection: ({ state: now }) => {
      show(byId("line"), now === "lost");
      say(byId("line"), now === "lost" ? translate("No connection to the desk") : "");
    },
  });
  startTicking((id) => state?.[`t:${id}`]?.clock ?? null);
  setInterval(() => {
    turn += 1;
    if (state) draw();
  }, EACH_MS);
  keepAwake();
}

const at = (id) => state[`t:${id}`];

function draw() {
  if (!state.order.includes(chosen)) chosen = "";
  const playing = state.order.filter((id) => at(id)?.board && !at(id).finished);
  const shown = playing.length ? playing : state.order;
  const large = chosen || shown[turn % Math.max(1, shown.length)];
  redraw(byId("tables"), [state.order], () => state.order.length ? state.order.map((id) => html("li", { "data-place": id, "data-scope": id }))
    : [html("li", { class: "quiet" }, translate("No table has been heard yet."))]);
  for (const id of state.order) fill(byId("tables").querySelector(`[data-place="${id}"]`), id, false, large);
  byId("large").dataset.scope = large ?? "";
  if (large) fill(byId("large"), large, true, large);
  tick();
}

function fill(node, id, whole, large) {
  const table = at(id);
  const { version: _, ...told } = table;
  redraw(node, [told, whole, id === large, id === chosen, language()], () => {
    if (!table.board) return [heading(id, table, whole), html("p", { class: "quiet" }, table.banner?.headline ?? "")];
    try {
      learnPaints(table, id);
      return [heading(id, table, whole), board(table, whole), html("p", { class: "wall-said", "data-tone": table.banner.tone }, table.result?.words || table.banner.headline),
        whole ? seats(id, table) : null].filter(Boolean);
    } catch { // a table may tell of its board what it likes; the others are drawn all the same
      return [heading(id, table, whole)];
    }
  });
}

function heading(id, table, whole) {
  const words = [html("b", {}, table.name), html("span", { class: "quiet" }, table.title)];
  return whole ? html("h2", {}, ...words) : html("button", { type: "button", class: "wall-pick", "data-key": `pick-${id}`, "aria-pressed": String(id === chosen),
    click: () => {
      chosen = chosen === id ? "" : id;
      draw();
    } }, ...words);
}

function board(table, whole) {
  const widget = widgetOf(table.board);
  const node = widget.surface === "svg" ? svg("svg", { class: "wall-board", role: "img", "aria-label": table.name, preserveAspectRatio: "xMidYMid meet" })
    : html("div", { class: "wall-board board-words" });
  try {
    widget.draw(node, table.board, { seats: table.seats, kit: table.kit, acts: whole ? table.acts : [], actsBy: table.acts_by, marks: whole ? table.banner : null });
  } catch {
    node.replaceChildren();
  }
  return node;
}

function seats(id, table) {
  return html("ul", { class: "wall-seats" }, ...table.seats.map((seat) => html("li", { class: seat.to_move && !table.finished ? "wall-active" : "" },
    sign(seat.colour), html("span", {}, seat.name), table.clock && !table.clock.aside ? html("time", { "data-tile-clock": `${id} ${seat.colour}` }, "") : null)));
}

start();
