// What may be said now: what the phase asks for first as large buttons, the rest on a sheet.

import { button, byId, html, redraw } from "./dom.js";
import { timeText } from "./clocktext.js";
import { showCode } from "./devices.js";
import { editBoard } from "./editor.js";
import { written } from "./entering.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { sign } from "./pieces.js";
import { face, side } from "./prefs.js";
import { boardsToChoose, question, setupQuestions } from "./questions.js";
import { closeSheet, confirmed, openSheet } from "./sheet.js";
import { action, known, mayAct, ownPlayer, playerName, tell, toast } from "./store.js";

export const SPACE = ["turn_ended", "look_again", "resume"];

const UNSHOWN = ["declare", "enter", "draft", "deny", "tell", "put_right", "reading_wrong"]; // said elsewhere on the page
/** @type {Record<string, string>} */
const SPOKEN = { turn_ended: "turn_ended", turn_over: "yes", not_ended: "no" }; // words that stand for a button (listening.js)
const OWN = ["turn_ended", "not_ended", "turn_over"]; // what one player's own device may press in that player's turn
const LOOKS = ["turn_ended", "look_again"];

export function drawActions(state) {
  const node = byId("actions");
  const acting = mayAct();
  const editing = Boolean(known.editing);
  redraw(node, [state.actions, state.phase.id, state.ask, state.candidates, (face() + side()) % 4, state.setup, state.doubt, state.board.ready, state.board.blocked, state.to_move, Boolean(state.swept), acting, known.session?.may_pair, editing, known.sending, known.language], () => {
    if (editing) return [];
    if (!acting) return watching();
    const own = ownPlayer();
    const shown = state.actions.filter(({ id }) => !UNSHOWN.includes(id)
      && (!own || (OWN.includes(id) && state.to_move === own)));
    // Over a swept board the other ways stand above.
    const leads = (offered) => offered.first && (!state.swept || LOOKS.includes(offered.id));
    const first = shown.filter(leads);
    const rest = shown.filter((offered) => !leads(offered));
    const others = rest.length
      ? html("button", { type: "button", class: "more", "data-key": "more", "aria-haspopup": "dialog", click: () => more(rest) },
        icon("more"), html("span", {}, translate("More")))
      : null;
    const ready = state.phase.id !== "playing" || (state.board.ready ?? true);
    return [showLink(state), own ? null : boardsToChoose(state, (face() + side()) % 4), question(state.ask, own ? [] : state.candidates), ...(own ? [] : setupQuestions(state.setup)), own ? null : ways(state.doubt), missing(state), ...first.map((offered, index) =>
      button(offered.words, () => act(offered.id), {
        class: index || !ready || isShownNow(state) || state.ask || state.candidates.length > 1 || state.doubt?.ways.length || state.setup?.asks.length ? "" : "main", "data-key": offered.id, "data-act": offered.id, "data-spoken": SPOKEN[offered.id] ?? null, disabled: Boolean(known.sending),
        "aria-busy": known.sending === offered.id ? "true" : null,
      })),
    others];
  });
}

// While a phone is asked for what lies there, no other way is the first: "Not over yet" would be pressed for its size.
const isShownNow = (state) => unshown(state) || (Boolean(state.showing) && state.phase.id === "reading");

// Nothing but a phone goes on with a set-up that only it can see.
function unshown(state) {
  return Boolean(state.showing) && state.phase.id === "set-up" && !state.actions.some(({ id }) => id === "begin" || id === "take_seats");
}

// A phone in the hand settles more than a person's word: it comes first, on devices that are held. Others let one in.
function showLink(state) {
  if (!state.showing) return null;
  if (!matchMedia("(pointer: coarse)").matches) return button(translate("Let a phone in: QR code"), () => showCode("", "camera"), { class: unshown(state) ? "main" : "", "data-key": "bring" });
  return html("a", { class: "button main", href: "/camera#show", "data-key": "show" }, translate("Show it with this phone"));
}

// What must be told before the turn ends.
function missing(state) {
  const { board } = state;
  return state.phase.id === "playing" && board.ready === false && board.blocked && !board.stuck && board.acts?.length
    ? html("p", { class: "still-missing" }, board.blocked) : null;
}

// Declarations with which all would agree.
function ways(asked) {
  if (!asked?.ways.length) return null;
  return html("div", { class: "ask", role: "group", "aria-label": translate("Was it meant so?") },
    html("p", {}, html("b", {}, translate("Was it meant so?"))),
    html("div", { class: "ways-out" }, ...asked.ways.map((way) => button(way.name, () => tell("declare", { declared: way.declared }),
      { class: "way-out", "data-key": way.id, disabled: Boolean(known.sending) }))));
}

function watching() {
  if (!known.session?.may_pair) return [];
  return [html("a", { href: "#/devices", class: "button main", "data-key": "pair" }, translate("Pair this device to take part"))];
}

function more(rest) {
  const { event } = known.state;
  openSheet(translate("More"), [html("div", { class: "choices" }, ...rest.map((offered) =>
    button(offered.words, () => {
      closeSheet();
      act(offered.id, event);
    }, { "data-act": offered.id })),
    button(translate("Help"), () => location.assign(`/help?lang=${known.language}`), { "data-key": "help" }))]);
}

// Carry out an action; some ask something first.
// seen: the newest event when it was offered: it holds only for the table as it stood then.
export async function act(id, seen = known.state.event) {
  const ask = ASKING[id];
  if (!action(id)) toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
  else if (ask) await ask(seen);
  else await tell(id, {}, seen);
}

const ASKING = {
  turn_ended: async () => {
    if (await written()) await tell("turn_ended");
  },
  accept: accept,
  rule_board: () => editBoard("rule_board"),
  correct: () => editBoard("correct"),
  undo: undoLast,
  dispute: () => {
    location.hash = "#/record";
    toast(translate("Choose the turn that is disputed."));
  },
  resolve: () => {
    location.hash = "#/record";
    toast(translate("Choose the turn that is disputed."));
  },
  resign: resign,
  end_game: endGame,
  give_time: giveTime,
  clock_aside: async (seen) => {
    const words = translate("All agree: nobody’s time counts any more in this game.");
    if (await confirmed(action("clock_aside").words, words, translate("All agree"))) await tell("clock_aside", {}, seen);
  },
  new_game: () => {
    location.hash = "#/new";
  },
  begin: async (seen) => {
    const words = translate("The game begins from the position as agreed, whatever the cameras see.");
    if (known.state.setup?.looks || known.state.setup?.right || (await confirmed(action("begin").words, words, action("begin").words))) await tell("begin", {}, seen);
  },
};

async function accept(seen) {
  if (/[?~]/.test(known.state.board.text ?? "") || known.state.swept) {
    editBoard("accept");
    return;
  }
  const words = translate("All players let the turn stand as it is, although it breaks a rule. The game goes on from this board.");
  if (await confirmed(action("accept").words, words, translate("All agree"))) await tell("accept", {}, seen);
}

async function undoLast(seen) {
  const last = [...known.state.history].reverse().find((entry) => entry.counts);
  if (last) await undoFrom(last, seen);
}

export async function undoFrom(entry, seen = known.state.event) {
  const words = translate("Turn {n} of {who} and all after it no longer count. They stay in the record.",
    { n: entry.turn, who: playerName(entry.player) });
  if (await confirmed(translate("Undo"), words, translate("Undo"), "danger")) await tell("undo", { entry: entry.entry }, seen);
}

function resign(seen) {
  const { words: title } = action("resign");
  openSheet(translate("Who gives up?"), [html("div", { class: "choices" }, ...known.state.seats.filter((seat) => !seat.out).map((seat) =>
    html("button", { type: "button", click: async () => {
      const words = translate("{who} gives up the game.", { who: seat.name });
      if (await confirmed(title, words, translate("Give up"), "danger")) await tell("resign", { player: seat.colour }, seen);
    } }, sign(seat.colour), html("span", {}, seat.name))))]);
}

const GIVEN_S = [30, 60, 300];

function giveTime(seen) {
  const give = async (player, seconds) => {
    closeSheet();
    await tell("give_time", { player, seconds }, seen);
  };
  openSheet(action("give_time").words, [html("div", { class: "choices" }, ...known.state.seats.filter((seat) => !seat.out).map((seat) =>
    html("div", { class: "row", role: "group", "aria-label": seat.name }, sign(seat.colour), html("b", {}, seat.name), ...GIVEN_S.map((seconds) =>
      button(`+ ${timeText(seconds * 1000)}`, () => give(seat.colour, seconds), { "data-key": `give-${seat.colour}-${seconds}` })))))]);
}

export function endGame() {
  const winners = new Set();
  const { event } = known.state;
  const end = async (how) => {
    closeSheet();
    await tell("end_game", how === "agreement" ? { how, winners: [...winners] } : { how }, event);
  };
  openSheet(action("end_game").words, [
    html("fieldset", { class: "chips" }, html("legend", {}, translate("Who has won, by agreement?")),
      ...known.state.seats.map((seat) => html("label", { class: "chip" },
        html("input", { type: "checkbox", change: (event) => (event.target.checked ? winners.add(seat.colour) : winners.delete(seat.colour)) }),
        sign(seat.colour), html("span", {}, seat.name)))),
    html("div", { class: "choices" },
      button(translate("End with these winners"), () => (winners.size ? end("agreement") : toast(translate("Choose who has won.")))),
      button(translate("A draw"), () => end("draw")),
      button(translate("Leave the game off"), () => end("abandoned"), { class: "danger" })),
  ]);
}
