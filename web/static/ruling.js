// The one thing the referee says now, and everything small around the board: whose turn, players, cameras, notices.

import { legend, notation } from "./acts.js";
import { cameraName } from "./cameraname.js";
import { clocked, drawClocks } from "./clock.js";
import { timeText } from "./clocktext.js";
import { seatCard } from "./counters.js";
import { byId, html, redraw, say, show, unparted } from "./dom.js";
import { signsOf } from "./explained.js";
import { helpLink, noticeTopic, noticeWay, topicOf } from "./helplink.js";
import { translate } from "./i18n.js";
import { sign } from "./pieces.js";
import { known, mayAct, ownPlayer, playerName } from "./store.js";
import { whoseTurn } from "./whoseturn.js";
import { wrongButton } from "./wrong.js";

const SIGNS = { time: "!", legal: "✓", illegal: "✕", unsure: "?", busy: "…", won: "★", paused: "‖" };

export function drawRuling(state) {
  const { tone, headline, detail, advice } = state.banner;
  byId("ruling").dataset.tone = tone;
  say(byId("ruling-sign"), SIGNS[tone] ?? "");
  redraw(byId("headline"), headline, () => [unparted(headline)]);
  // A breach has its sentences in large below; a screen reader hears them here, with the ruling.
  for (const [id, words] of [["detail", detail], ["advice", advice]]) {
    say(byId(id), words);
    byId(id).classList.toggle("for-reader", Boolean(state.violation) && !state.swept);
  }
  say(byId("ended"), state.ended);
  show(byId("ended"), Boolean(state.ended));
  const topic = state.finished ? "" : topicOf(state);
  show(byId("help-line"), Boolean(topic));
  redraw(byId("help-line"), [topic, known.language], () => [helpLink(topic)]);
  const newest = state.history.at(-1);
  redraw(byId("ruling-added"), [newest, Boolean(known.editing), ...besideRuling(state)], () => (newest?.verdict && !known.editing ? [wrongButton(newest)] : []));
}

// What decides whether a ruling can be put right.
export function besideRuling(state) {
  return [state.actions, mayAct(), ownPlayer(), known.language];
}

// asked: what is put right on the board, where something is.
export function drawNow(state, asked) {
  const own = ownPlayer();
  redraw(byId("now"), [state.to_move, state.turn, state.finished, Boolean(state.ended), state.seats, own, asked, known.language], () => state.finished || asked
    ? [html("b", asked ? { role: "heading", "aria-level": "1" } : {}, asked || translate("Game over"))]
    : [sign(state.to_move), html("b", {}, whoseTurn(state, playerName(state.to_move))),
      html("span", {}, html("span", { class: "unparted" }, translate("Turn {n}", { n: state.turn })),
        ...(own ? [" · ", html("span", { class: "unparted" }, translate("{who}’s device", { who: playerName(own) }))] : []))]);
}

export function drawSeats(state) {
  const node = byId("seats");
  node.setAttribute("aria-label", translate("Players"));
  const timed = clocked(state);
  redraw(node, [state.seats, timed, known.language], () => state.seats.map((seat) => seatCard(seat, timed)));
}

// What is said of the clock below whose turn it is: how long the turn may take still, or why it stands.
export function drawClock(state) {
  const node = byId("clock");
  const timed = clocked(state) && !state.finished;
  show(node, timed);
  redraw(node, [timed, state.clock?.stands, state.clock?.words, state.clock?.player, known.language], () => (timed
    ? [state.clock.player ? html("time", { class: "clock-now", role: "timer", "data-clock": state.clock.player }) : null,
      html("span", {}, state.clock.stands || state.clock.words)] : []));
  drawClocks(state);
}

// The last turns beside the board; all of them are on a screen of their own.
export function drawLog(state) {
  const node = byId("log");
  node.setAttribute("aria-label", translate("The last turns"));
  redraw(node, [state.history.slice(-6), known.language], () => {
    const turns = state.history.slice(-6).reverse();
    return [html("h2", {}, translate("The last turns")), turns.length
      ? html("ol", { id: "history", reversed: true }, ...turns.map(entryRow))
      : html("p", { class: "quiet" }, translate("No turn has been played yet.")), turns.length ? signsOf(state) : null];
  });
}

export function entryRow(entry) {
  const told = entry.fate_words ? `${entry.words}, ${entry.fate_words}` : entry.words;
  return html("li", { "data-verdict": entry.verdict, "data-turn": entry.turn, "data-fate": entry.fate },
    html("a", { href: `#/record/${entry.entry}`, class: "log-line", "data-key": `entry-${entry.entry}` },
      html("span", { class: "log-turn" }, String(entry.turn)), sign(entry.player),
      html("span", { class: "log-words" }, html("b", {}, told), retoldMark(entry), entry.disputed ? html("em", {}, translate("disputed")) : null,
        Number.isInteger(entry.time_ms) ? html("span", { class: "log-time" }, timeText(entry.time_ms)) : null,
        entry.text ? html("span", { class: "log-text" }, ...notation(entry.text)) : null, openWords(entry))));
}

// A turn of which later pictures told more.
export function retoldMark({ retold }) {
  const words = translate("Told anew: later pictures showed more of this turn.");
  return retold ? html("span", { class: "retold", role: "img", "aria-label": words, title: words }, "↻") : null;
}

// Fields of which nobody knows yet how a turn left them.
export function openWords({ open }) {
  return open.length ? html("span", { class: "open-words" }, translate("Not known yet: {fields}", { fields: open.join(", ") })) : null;
}

export function drawCameras(state) {
  byId("cameras").setAttribute("aria-label", translate("Cameras"));
  const noticed = new Set(state.notices.map(({ id }) => id)); // said at the top already
  const rest = state.cameras.filter(({ name }) => !noticed.has(`camera-${name}`));
  redraw(byId("cameras"), rest, () => rest.map(({ name, ok, words }) =>
    html("li", { class: ok ? "camera" : "camera camera-lost" }, words.startsWith(name) ? null : html("b", {}, `${cameraName(name)} `), words)));
}

export function drawNotices(state) {
  const ordered = state.arbiter.filter(({ recent }) => recent);
  redraw(byId("notices"), [state.notices, ordered, known.language, mayAct(), ownPlayer()], () => [
    ...state.notices.map(({ id, tone, words }) =>
      html("p", { class: "notice", role: tone === "info" ? null : "alert", "data-tone": tone, "data-notice": id }, words, " ", helpLink(noticeTopic(id)), noticeWay(id))),
    ...ordered.map((told) => html("p", { class: "notice", role: "alert", "data-tone": "info", "data-notice": "arbiter" }, ...orderedWords(told)))]);
}

// What an arbiter ordered, and why.
export function orderedWords({ by, words, why }) {
  return [html("b", {}, translate("The arbiter {name}", { name: by })), ": ", words, why ? ` · “${why}”` : ""];
}

export function drawLegend(state) {
  const { acts, legend: words, board } = state;
  redraw(byId("legend"), [acts, words, board.open, known.language], () => [...legend(acts, words),
    board.open?.length ? html("span", {}, html("b", {}, "?"), ` ${translate("not known yet")}`) : null]);
}

// How far the turn under way has come by what is seen, and what a ruling waits for.
export function drawProgress(state) {
  const node = byId("progress");
  const parts = state.phase.id === "playing" ? state.live.progress : [];
  show(node, parts.length > 0);
  redraw(node, [parts], () => parts.map(({ words, value, of }) =>
    html("p", { class: "part" }, html("span", {}, words), html("b", {}, of ? `${value} / ${of}` : String(value)))));
}
