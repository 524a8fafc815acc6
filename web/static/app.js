// The page: it draws whatever state the table is in and decides nothing.

import { drawBoard } from "./board.js";
import { byId, say } from "./dom.js";
import { follow } from "./live.js";
import { drawFoot, drawHistory, drawLegend, drawNow, drawRuling, drawSeats } from "./panels.js";

function draw(state) {
  say(byId("title"), state.title);
  say(byId("source"), state.source);
  document.title = `${state.banner.headline} · ${state.title}`;
  const table = byId("table");
  table.dataset.phase = state.phase.id;
  table.dataset.turn = state.turn;
  table.dataset.version = state.version;
  drawBoard(byId("board"), state);
  drawLegend(state);
  drawNow(state);
  drawRuling(state);
  drawSeats(state);
  drawHistory(state);
  drawFoot(state);
}

function drawConnection({ state, seconds }) {
  const node = byId("connection");
  node.dataset.state = state;
  byId("table").classList.toggle("stale", state === "lost");
  const lost = seconds === null || seconds === undefined
    ? "No connection to the referee"
    : `Connection lost, last seen ${seconds} s ago`;
  const words = { connecting: "Connecting", live: "Live", polling: "Live (slow)", lost, locked: "Pair to watch" };
  say(byId("connection-words"), words[state]);
}

follow({ onState: draw, onConnection: drawConnection });
