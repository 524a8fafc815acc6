// The arbiter's desk: it draws what the desk tells of the hall and decides nothing.

import { button, byId, html, redraw, say } from "/static/dom.js";
import { learn, translate, translateN } from "/static/i18n.js";
import { learnKinds } from "/static/kinds.js";
import { follow } from "/static/live.js";
import { keep, kept, LANGUAGES, language, onKept } from "/static/prefs.js";
import { keepPresses } from "/static/press.js";
import { pairByLink, pairByPin, scannedSecret, speak } from "/static/session.js";
import { changed, known, learnSession, onChange, toast } from "/static/store.js";
import { needName, tableName } from "./labels.js";
import { drawTable } from "./table.js";
import { startTicking, tick } from "./ticking.js";
import { drawHall, tableAt } from "./tiles.js";
import { drawTournament } from "./tournament.js";

const THEMES = { system: () => translate("As the system"), light: () => translate("Light"), dark: () => translate("Dark") };

let hall = null;
let line = null;
let opened = { id: "", table: null, key: "" };
let before = new Set();
let scanned = null; // the secret of a link that lets this device in; only the arbiter's name is asked for then

async function start() {
  await Promise.all([speakNow(), learnKinds()]);
  onChange(draw);
  onKept(async (key) => {
    if (key !== "language") return draw();
    await speakNow();
    listen();
    opened.key = "";
    changed();
  });
  addEventListener("hashchange", () => {
    known.editing = null;
    scanned = scannedSecret() ?? scanned; // a code opened in this tab
    changed();
    byId("main").focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  scanned = scannedSecret();
  await learnSession();
  listen();
  keepPresses(() => [location.hash, hall?.needs]);
  startTicking((id) => (hall && tableAt(hall, id)?.clock) ?? null);
  draw();
}

async function speakNow() {
  speak(language());
  known.language = language();
  await learn(language());
}

function listen() {
  line?.close();
  line = follow({
    language: language(),
    onState: (state) => {
      hall = state;
      announce();
      changed();
    },
    onConnection: (link) => {
      known.link = link;
      if (link.state === "locked" && known.session?.paired) learnSession();
      drawConnection();
    },
  });
}

// What is new in the queue is said once.
function announce() {
  const now = new Set(hall.needs.map(({ table, what, dispute }) => `${table} ${what} ${dispute}`));
  const fresh = hall.needs.filter(({ table, what, dispute }) => !before.has(`${table} ${what} ${dispute}`));
  if (before.size && fresh.length && byId("toast").hidden) toast(`${tableName(tableAt(hall, fresh[0].table))}: ${needName(fresh[0].what)}`);
  before = now;
}

// The table that is shown, and the turn that brought the arbiter there; 0 for none.
function asked() {
  const [, id = "", turn = "0"] = /^#\/t\/([0-9a-f]{16})(?:\/(\d{1,15}))?$/.exec(location.hash) ?? [];
  return { id, turn: Number(turn) };
}

function draw() {
  drawChoices();
  drawConnection();
  say(byId("title"), translate("Arbiter’s desk"));
  document.title = hall?.needs.length ? `(${hall.needs.length}) ${translate("Arbiter’s desk")}` : translate("Arbiter’s desk");
  const main = byId("main");
  if (known.session && !known.session.paired) return drawPairing(main);
  if (!hall) return;
  drawNotices();
  const { id } = asked();
  main.dataset.screen = id ? "table" : "hall";
  if (!id) {
    opened = { id: "", table: null, key: "" };
    if (hall.tournament && location.hash === "#/tournament") drawTournament(main, hall.tournament);
    else drawHall(main, hall);
  } else drawOne(main, id);
  tick();
}

// A table's own words are fetched when what the hall tells of it has changed.
async function drawOne(main, id) {
  const told = tableAt(hall, id);
  if (!told) {
    redraw(main, ["none", id, language()], () => html("p", {}, translate("The hall has no such table."), " ", html("a", { href: "#/" }, translate("All tables"))));
    return;
  }
  const key = JSON.stringify([told, language()]);
  if (opened.id !== id || opened.key !== key) {
    opened = { id, table: opened.id === id ? opened.table : null, key };
    const answer = await fetch(`/api/tables/${id}?lang=${language()}`, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || opened.id !== id) {
      opened.key = "";
      return;
    }
    opened.table = { ...told, ...(await answer.json()) };
  }
  if (opened.id !== id || asked().id !== id || !opened.table) return;
  known.state = opened.table.shown ?? null;
  drawTable(main, opened.table, asked().turn);
  tick();
}

function drawConnection() {
  const { state, seconds } = known.link;
  byId("connection").dataset.state = hall?.broker ? "lost" : state;
  say(byId("connection-words"), hall?.broker && state === "live" ? translate("No broker") : {
    connecting: translate("Connecting"), live: translate("Live"), polling: translate("Live (slow)"), locked: translate("Pair to watch"),
    lost: seconds === null || seconds === undefined ? translate("No connection to the desk")
      : translateN("Connection lost, last seen {n} s ago", "Connection lost, last seen {n} s ago", seconds),
  }[state]);
}

function drawNotices() {
  redraw(byId("notices"), [hall.broker, hall.full, language()], () => [
    hall.broker ? html("p", { class: "notice", "data-tone": "trouble" }, translate("The broker can’t be reached: {why}. What is shown may be old; the tables play on by themselves.", { why: hall.broker })) : null,
    hall.full ? html("p", { class: "notice", "data-tone": "warning" }, translate("There are more tables than the desk takes: somebody may be filling the broker.")) : null,
  ]);
}

function drawChoices() {
  redraw(byId("choices"), [language(), kept("theme", "system")], () => [
    choice("language", translate("Language"), Object.entries(LANGUAGES), language()),
    choice("theme", translate("Appearance"), Object.entries(THEMES).map(([id, name]) => [id, name()]), kept("theme", "system")),
  ]);
}

function choice(key, label, options, chosen) {
  return html("select", { "aria-label": label, "data-key": key, change: ({ target }) => keep(key, target.value) },
    ...options.map(([value, name]) => html("option", { value, selected: value === chosen }, name)));
}

function drawPairing(main) {
  redraw(main, ["pair", scanned, language()], () => {
    const pin = html("input", { id: "pin", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 7, required: true, "data-key": "pin", class: "pin" });
    const name = html("input", { id: "device-name", value: "", maxlength: 40, required: true, "data-key": "device-name" });
    const trouble = html("p", { class: "trouble", role: "alert" }, "");
    const send = async (event) => {
      event.preventDefault();
      const called = name.value.trim();
      const answer = await (scanned ? pairByLink(scanned, called) : pairByPin(pin.value.replace(/\D/g, ""), called));
      if (answer.code === "wrong-code" && scanned) { // a link lets one device in
        scanned = null;
        toast(answer.words, "trouble");
        return draw();
      }
      if (!answer.ok) return say(trouble, answer.words || translate("No answer from the desk: nothing was done."));
      await learnSession();
      line?.wake();
      return null;
    };
    return html("form", { class: "form pairing", submit: send }, html("h1", {}, translate("Who is at the desk?")),
      html("p", {}, translate("The desk shows all tables and orders in the arbiter’s name.")),
      ...(scanned ? [] : [html("p", {}, translate("Type the code that 'referee hall' shows where it runs.")), html("label", { for: "pin" }, translate("Code")), pin]),
      html("label", { for: "device-name" }, translate("Your name, as the records shall have it")), name, trouble,
      html("div", { class: "row" }, button(translate("Open the desk"), () => null, { type: "submit", class: "main", "data-key": "send-pin" })));
  });
}

start();
