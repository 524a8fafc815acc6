// Earlier games: looked for, opened, reported on, and deleted once it was asked twice.

import { partsAt } from "./addons.js";
import { button, html, redraw } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { icon } from "./icons.js";
import { act } from "./session.js";
import { confirmed } from "./sheet.js";
import { changed, known, mayAct, toast } from "./store.js";
import { taking } from "./takeaway.js";

const WAIT_MS = 250;
const asked = { text: "", disputed: false, result: "" };
let found = null;
let winners = []; // of all games found so far, so that a choice made keeps standing in the list
let language = "";
let record = null; // {name, text} of the game that is open
let waiting = null;
let newest = ""; // what was looked for last

export function drawGames(node, part) {
  if (!node.childElementCount || language !== known.language) load();
  const games = found ?? [];
  const open = part === null ? null : games.find(({ name }) => name === part);
  if (open && record?.name !== open.name) read(open);
  redraw(node, [open ?? null, record?.text, mayAct(), known.language, open ? null : winners], () => [
    html("h1", {}, translate("Games played here")),
    ...(open ? detail(open) : [search(), html("div", { id: "games-found" }),
      html("p", { class: "row" }, ...partsAt("games").draw())]),
  ]);
  const place = node.querySelector("#games-found"); // apart from the search, so that nobody's typing is disturbed
  if (place) redraw(place, [found, known.language], () => (found === null ? [] : [list(games)]));
}

async function load() {
  language = known.language;
  const query = new URLSearchParams({ lang: language, text: asked.text });
  if (asked.disputed) query.set("disputed", "true");
  if (asked.result) query.set("result", asked.result);
  newest = String(query);
  try {
    const answer = await fetch(`/api/games?${query}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const { games } = await answer.json();
    if (newest !== String(query)) return; // an answer that comes late is to another question
    found = games;
    winners = [...new Set([...winners, ...found.flatMap((game) => game.winners)])].sort((a, b) => a.localeCompare(b, known.language));
  } catch {
    found ??= [];
    toast(translate("The games can’t be fetched now."), "trouble");
  }
  changed();
}

async function read({ name, damaged }) {
  record = { name, text: null };
  if (damaged) return;
  const answer = await fetch(`/api/games/${encodeURIComponent(name)}/record.txt`, { cache: "no-store" }).catch(() => null);
  if (record?.name === name) record = { name, text: answer?.ok ? await answer.text() : "" };
  changed();
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(load, WAIT_MS);
}

function search() {
  return html("form", { class: "form search", role: "search", submit: (event) => {
    event.preventDefault();
    load();
  } },
  html("label", { for: "games-text" }, translate("Player, game or date")),
  html("input", { id: "games-text", type: "text", value: asked.text, maxlength: 100, autocomplete: "off", "data-key": "search",
    input: (event) => {
      asked.text = event.target.value;
      soon();
    } }),
  html("label", { for: "games-result" }, translate("Result")), result(),
  html("label", { class: "chip" }, html("input", { type: "checkbox", checked: asked.disputed, "data-key": "disputed",
    change: (event) => {
      asked.disputed = event.target.checked;
      load();
    } }), html("span", {}, translate("Only disputed ones"))));
}

function result() {
  const ways = [["", translate("any")], ["running", translate("not over")], ["draw", translate("a draw")], ["agreement", translate("by agreement")],
    ["abandoned", translate("left off")], ...winners.map((name) => [name, translate("won by {who}", { who: name })])];
  return html("select", { id: "games-result", "data-key": "result", change: (event) => {
    asked.result = event.target.value;
    load();
  } }, ...ways.map(([value, words]) => html("option", { value, selected: value === asked.result }, words)));
}

function list(games) {
  if (!games.length) return html("p", { class: "quiet" }, translate("No game is found."));
  return html("ul", { class: "games" }, ...games.map((game) =>
    html("li", {}, html("a", { class: "game", href: `#/games/${encodeURIComponent(game.name)}`, "data-key": game.name, "data-game": game.name },
      html("b", {}, when(game)), html("span", {}, players(game)), html("span", { class: "quiet" }, told(game))))));
}

function when({ begun_at: at, name }) {
  return at ? new Date(at).toLocaleString(known.language, { dateStyle: "medium", timeStyle: "short" }) : name;
}

function players({ title, players: people }) {
  const who = people.map(({ name }) => name).join(", ");
  return title && who ? translate("{name}: {value}", { name: title, value: who }) : title || who;
}

function told({ turns, result, disputed, repaired, playing }) {
  return [
    playing ? translate("being played now") : result, turns ? translateN("{n} turn", "{n} turns", turns) : null,
    disputed ? translate("disputed") : null, repaired ? translate("repaired") : null,
  ].filter(Boolean).join(" · ");
}

function detail(game) {
  const back = html("a", { class: "button", href: "#/games", "data-key": "back" }, translate("All games"));
  return [
    html("p", { class: "row" }, back),
    html("section", { class: "game-open", "data-game": game.name, "aria-label": when(game) },
      html("h2", {}, when(game)), html("p", {}, players(game)), html("p", { class: "quiet" }, told(game)),
      game.damaged ? damaged(game) : html("div", { class: "row" },
        html("a", { class: "button main", href: `#/replay/${encodeURIComponent(game.name)}`, "data-key": "replay" }, translate("Play by itself")),
        button(translate("The whole game as a page"), taking(reportOf(game, 0), "html", game.name), { "data-key": "whole" }, icon("save")), report(game)),
      record?.text ? html("pre", { class: "checkpoint", tabindex: 0 }, record.text) : null,
      mayAct() && !game.playing ? html("div", { class: "row" },
        button(translate("Delete this game"), () => remove(game), { class: "danger", "data-key": "delete" })) : null),
  ];
}

function damaged(game) {
  return html("div", { class: "form" },
    html("p", { class: "trouble" }, translate("The disk has damaged this game.")),
    mayAct() ? html("div", { class: "row" }, button(translate("Save what can be read"), () => tellGame(game, "repair"), { "data-key": "repair" })) : null);
}

function reportOf({ name }, turn, pdf = false) {
  const query = new URLSearchParams({ turn: String(turn), lang: known.language });
  if (pdf) query.set("pdf", "true");
  return `/api/games/${encodeURIComponent(name)}/report?${query}`;
}

function report(game) {
  const turn = html("input", { id: "report-turn", type: "text", inputmode: "numeric", value: "1", maxlength: 5, "data-key": "turn" });
  const number = () => Number.parseInt(turn.value, 10) || 0;
  return html("form", { class: "form turn-form", submit: (event) => {
    event.preventDefault();
    if (number() > 0) window.open(reportOf(game, number()), "_blank", "noopener");
  } },
  html("label", { for: "report-turn" }, translate("Report on turn")), turn,
  html("button", { type: "submit", "data-key": "report" }, translate("Open the report")),
  button(translate("As PDF"), (event) => number() > 0 && taking(reportOf(game, number(), true), `turn-${number()}.pdf`, game.name)(event),
    { "data-key": "report-pdf" }, icon("save")));
}

async function remove(game) {
  const lost = `${translate("This is lost for good:")} ${game.losses.join("; ")}.`;
  if (!(await confirmed(translate("Delete this game"), lost, translate("Delete"), "danger"))) return;
  const sure = translate("Nobody can bring it back. Delete the game of {when}?", { when: when(game) });
  if (!(await confirmed(translate("Are you sure?"), sure, translate("Delete for good"), "danger"))) return;
  if (await tellGame(game, "delete", { head: game.head })) location.hash = "#/games";
}

async function tellGame({ name }, what, body = {}) {
  const answer = await act("POST", `/api/games/${encodeURIComponent(name)}/${what}`, body);
  toast(answer.words || translate("No answer from the referee: nothing was done."), answer.ok ? "info" : "trouble");
  record = null;
  await load();
  return answer.ok;
}
