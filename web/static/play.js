// The screen that lies on the table while a game is played.

import { drawActions } from "./actions.js";
import { drawBoard } from "./board.js";
import { drawBreach } from "./breach.js";
import { byId } from "./dom.js";
import { drawEditor, editedFields, touchField } from "./editor.js";
import { translate } from "./i18n.js";
import { face, side } from "./prefs.js";
import { drawCameras, drawLegend, drawLog, drawNotices, drawNow, drawProgress, drawRuling, drawSeats } from "./ruling.js";
import { known } from "./store.js";

let drawn = "";

export function drawPlay() {
  const { state, editing } = known;
  const node = byId("play");
  node.dataset.phase = state.phase.id;
  node.dataset.turn = state.turn;
  node.dataset.version = state.version;
  node.classList.toggle("editing", Boolean(editing));
  node.classList.toggle("breached", Boolean(state.violation) && !editing);
  byId("ruling").setAttribute("aria-label", translate("Ruling"));
  byId("board-place").setAttribute("aria-label", translate("Board"));
  drawNow(state);
  drawRuling(state);
  drawBreach(state);
  drawProgress(state);
  drawTheBoard(state, editing);
  drawLegend(state);
  drawEditor(state);
  drawActions(state);
  drawSeats(state);
  drawLog(state);
  drawCameras(state);
  drawNotices(state);
}

function drawTheBoard(state, editing) {
  const from = (face() + side()) % 4;
  const options = editing
    ? { seats: state.seats, side: from, edited: editedFields(), touch: touchField, chosen: editing.chosen }
    : {
      seats: state.seats, side: from, acts: state.acts, actsBy: state.acts_by,
      marks: state.live.tasks.length ? null : state.banner, tasks: state.violation ? [] : state.live.tasks,
    };
  const board = editing ? editing.board : state.board;
  const key = JSON.stringify([board, options, known.language]);
  if (key === drawn) return;
  drawn = key;
  const node = byId("board");
  const active = node.contains(document.activeElement);
  drawBoard(node, board, options);
  if (active || (editing?.chosen && document.activeElement === document.body)) {
    node.querySelector('.touch[tabindex="0"]')?.focus({ preventScroll: true });
  }
}
