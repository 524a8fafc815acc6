// The screen that lies on the table while a game is played.

import { drawActions } from "./actions.js";
import { drawAloud } from "./aloud.js";
import { drawBreach } from "./breach.js";
import { drawDeclaration } from "./declaration.js";
import { byId, intoSight, redraw, show } from "./dom.js";
import { drawExplained } from "./explained.js";
import { drawEditor, editedFields, editorTitle, touchField } from "./editor.js";
import { translate } from "./i18n.js";
import { widgetOf } from "./kinds.js";
import { face, side } from "./prefs.js";
import { drawCameras, drawClock, drawLegend, drawLog, drawNotices, drawNow, drawProgress, drawRuling, drawSeats } from "./ruling.js";
import { action, known, mayAct, ownPlayer } from "./store.js";
import { drawSwept } from "./swept.js";
import { countedFields, drawTelling } from "./telling.js";

let drawn = "";
let said = "";
let edits = null;

export function drawPlay() {
  const { state, editing } = known;
  const node = byId("play");
  node.dataset.phase = state.phase.id;
  node.dataset.turn = state.turn;
  node.dataset.version = state.version;
  node.classList.toggle("editing", Boolean(editing));
  const banked = widgetOf(state.board).banked(state.board);
  node.classList.toggle("banking", Boolean(banked));
  node.classList.toggle("breached", (Boolean(state.violation) || Boolean(state.swept)) && !editing);
  byId("ruling").setAttribute("aria-label", translate("Ruling"));
  byId("board-place").setAttribute("aria-label", translate("Board"));
  drawNow(state, editing && editorTitle());
  drawRuling(state);
  drawAloud(byId("aloud"));
  if (state.swept) drawSwept(state);
  else drawBreach(state);
  drawTelling(state);
  drawDeclaration(state);
  drawProgress(state);
  drawTheBoard(state, editing, Boolean(banked));
  drawLegend(state);
  drawExplained(byId("explained"), state);
  drawEditor(state);
  drawActions(state);
  if (banked) drawBooks(state, banked);
  else drawSeats(state);
  drawLog(state);
  drawClock(state);
  drawCameras(state);
  drawNotices(state);
  showSaid(state);
}

// Wherever the page was scrolled to, what the referee says anew is seen: a ruling, a question, the scoring.
function showSaid({ banner: { tone, headline }, account, turn }) {
  const before = said;
  said = JSON.stringify([tone, headline, account?.title, turn]);
  if (!before || said === before || tone === "busy" || known.editing) return;
  const actions = byId("actions");
  intoSight(byId("main"), byId("ruling"), getComputedStyle(actions).position === "sticky" ? actions.offsetHeight : 0);
}

// Where the page is the banker, the accounts stand in the players' place.
function drawBooks({ board, players }, banked) {
  const node = byId("seats");
  node.setAttribute("aria-label", translate("Accounts"));
  redraw(node, [banked, players, known.language], () =>
    widgetOf(board).accounts(board, { looks: true, called: (player) => players[player]?.name ?? null }));
}

function drawTheBoard(state, editing, banked) {
  const from = (face() + side()) % 4;
  const counted = countedFields(state);
  const all = { seats: state.seats, kit: state.kit, side: from };
  const options = editing
    ? { ...all, edited: editedFields(), touch: touchField, chosen: editing.chosen }
    : {
      ...all, acts: state.acts, actsBy: state.acts_by, acting: mayAct() && Boolean(action("declare")),
      drafts: state.drafts, own: ownPlayer(), apart: banked, told: true, walk: true,
      marks: counted ? { fields: counted, tone: "legal" } : state.live.tasks.length ? null : state.banner, tasks: state.violation ? [] : state.live.tasks,
    };
  const board = editing?.board ?? state.board;
  const key = JSON.stringify([board, options, known.language]);
  if (key === drawn) return;
  drawn = key;
  const { surface, draw, tools } = widgetOf(board);
  show(byId("board"), surface === "svg");
  show(byId("board-words"), surface === "html");
  redraw(byId("board-tools"), [state.game, known.language], tools);
  const node = byId(surface === "svg" ? "board" : "board-words");
  const active = node.contains(document.activeElement);
  const held = active ? document.activeElement.getAttribute("data-key") : null;
  draw(node, board, options);
  if (held) /** @type {HTMLElement | null} */ (node.querySelector(`[data-key="${CSS.escape(held)}"]`))?.focus({ preventScroll: true });
  const opened = editing !== edits && editing; // the button that was pressed for it goes away
  edits = editing;
  if (active || opened || (editing?.chosen && document.activeElement === document.body)) {
    /** @type {SVGElement | null} */ (node.querySelector('.touch[tabindex="0"]'))?.focus({ preventScroll: true });
  }
}
